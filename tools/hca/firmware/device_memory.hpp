// SPDX-License-Identifier: MIT
// MEMIC: memory on the device that the processor reaches through a window of the BAR. The driver
// gives its pages away, the firmware keeps account of what is in them.
#pragma once

#include "firmware/command.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace kdevx::hca::firmware {

class state;

class device_memory {
public:
    // Where the window lies in BAR 0: above all pages that UARs have (object_table.cpp).
    static constexpr std::uint64_t window = 0x1f80000, window_size = 256u << 10;
    static constexpr std::uint64_t unit = 64; // sizes and starts are multiples of it

    static constexpr bool covers(std::uint64_t bar_offset, std::size_t size) {
        return bar_offset >= window && bar_offset + size <= window + window_size;
    }
    void read(std::uint64_t bar_offset, std::span<std::byte> to) const;
    void write(std::uint64_t bar_offset, std::span<const std::byte> from);

    // False: part of it is taken.
    bool take(std::uint64_t start, std::uint64_t size);
    // False: nothing of just this start and size was taken.
    bool give_back(std::uint64_t start, std::uint64_t size);
    // Whether all of it belongs to one who took it.
    bool is_taken(std::uint64_t start, std::uint64_t size) const;
    void clear();

private:
    std::vector<std::byte> bytes_ = std::vector<std::byte>(window_size);
    std::map<std::uint64_t, std::uint64_t> taken_; // start, size
};

syndrome alloc_memic(state &s, command &c);
syndrome dealloc_memic(state &s, command &c);

} // namespace kdevx::hca::firmware
