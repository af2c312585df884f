// SPDX-License-Identifier: MIT
// The data segments of a WQE: pieces of memory under keys, or bytes that stand in the WQE itself.
#pragma once

#include "memory/guest_memory.hpp"
#include "memory/mkey.hpp"
#include "memory/span_iterator.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kdevx::hca::engine {

// In whose name memory is accessed.
struct accessor {
    memory::guest_memory &memory;
    const memory::mkey_table &keys;
    std::uint32_t pd = 0;
    std::uint32_t qpn = 0;
    bool reserved_lkey = false;

    memory::span_iterator walk(std::uint32_t key, std::uint64_t address, std::uint64_t length,
                               unsigned rights) const;
    // Whether all of it could be accessed, without doing so.
    memory::fault check(std::uint32_t key, std::uint64_t address, std::uint64_t length,
                        unsigned rights) const;
};

class data_list {
public:
    // The rest of a send WQE. Nothing: it does not end where a segment ends.
    static std::optional<data_list> of_send(std::span<const std::byte> segments);
    // A receive WQE. A segment with an invalid key and no length ends it early.
    static data_list of_receive(std::span<const std::byte> segments);

    std::uint64_t length() const { return length_; }
    memory::fault check(const accessor &who, unsigned rights) const;
    memory::fault gather(const accessor &who, std::uint64_t offset, std::span<std::byte> to) const;
    memory::fault scatter(const accessor &who, std::uint64_t offset,
                          std::span<const std::byte> from) const;

private:
    struct segment {
        std::uint64_t length = 0;
        std::uint32_t key = 0;
        std::uint64_t address = 0; // of inline data: where in inline_bytes_
        bool is_inline = false;
    };
    std::vector<segment> segments_;
    std::vector<std::byte> inline_bytes_;
    std::uint64_t length_ = 0;

    void add(segment s);
    bool add_inline(std::span<const std::byte> &rest);
    // Calls move(segment, offset in it, offset in the whole, length) for each part of the range.
    template <class F>
    memory::fault each_part(std::uint64_t offset, std::uint64_t length, F &&move) const;
};

} // namespace kdevx::hca::engine
