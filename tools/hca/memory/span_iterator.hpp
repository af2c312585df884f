// SPDX-License-Identifier: MIT
// The one way from an address that a guest wrote down to bytes. Every check lives here and nowhere
// else: key and variant byte, protection domain, rights, bounds, how deep keys may point at keys.
#pragma once

#include "memory/guest_memory.hpp"
#include "memory/mkey.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace kdevx::hca::memory {

// Keys that point at keys that point at keys... end here.
inline constexpr unsigned max_key_depth = 4;

enum class fault : std::uint8_t {
    none,
    key,      // no such key, wrong variant byte, or not filled yet
    pd,       // the key belongs to another protection domain
    rights,   // the key does not allow this kind of access
    bounds,   // outside of what the key covers
    depth,    // more than max_key_depth keys in a row
    unmapped, // the guest gave an address where it has no memory
};
const char *name_of(fault f);

// Who wants what. A queue's own ring and doorbell record are `buffer`s and belong to nobody else.
struct request {
    std::uint32_t key;
    std::uint64_t address;
    std::uint64_t length;
    std::uint32_t pd;
    std::uint32_t qpn;
    unsigned rights; // of enum access
    bool reserved_lkey = false;
};

// Walks a request, or a buffer, piece by piece. An empty span ends it; why() tells how.
class span_iterator {
public:
    span_iterator(guest_memory &memory, const mkey_table &keys, const request &what);
    span_iterator(guest_memory &memory, const buffer &ring, std::uint64_t offset,
                  std::uint64_t length, bool write);

    std::span<std::byte> next();
    fault why() const { return fault_; }
    std::uint64_t left() const { return left_; }

private:
    guest_memory &memory_;
    const mkey_table *keys_ = nullptr;
    const buffer *ring_ = nullptr;
    request want_{};
    std::uint64_t position_ = 0; // address, or offset in the ring
    std::uint64_t left_ = 0;
    bool write_ = false;
    fault fault_ = fault::none;

    std::optional<piece> fail(fault f);
    std::optional<piece> locate();
    std::optional<piece> locate_key(std::uint32_t key, std::uint64_t address, std::uint64_t length,
                                    unsigned depth);
    std::optional<piece> locate_entry(const mkey &k, std::uint64_t offset, std::uint64_t length,
                                      unsigned depth);
    fault check(const mkey *k, std::uint32_t key) const;
};

// Copies between guest and HCA. Every fault is a fault of the whole copy, but bytes before it may
// have been moved.
fault copy_in(span_iterator from, std::span<std::byte> to);
fault copy_out(span_iterator to, std::span<const std::byte> from);

} // namespace kdevx::hca::memory
