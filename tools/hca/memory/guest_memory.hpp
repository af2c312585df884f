// SPDX-License-Identifier: MIT
// The guest's memory: the ranges that the vfio-user client has mapped for DMA, by guest-physical
// address. Nothing else in the HCA holds a pointer into the guest for longer than one access, so a
// range may come and go at any time.
#pragma once

#include "unique_fd.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

namespace kdevx::hca::memory {

// Firmware of a guest remaps its RAM many times, yet never holds more than a few dozen ranges.
inline constexpr std::size_t max_ranges = 4096;

class guest_memory {
public:
    guest_memory() = default;
    guest_memory(const guest_memory &) = delete;
    ~guest_memory() { unmap_all(); }

    // Both return an errno value. A range without a descriptor is known but cannot be reached.
    int map(std::uint64_t address, std::uint64_t size, bool writable, unique_fd fd,
            std::uint64_t offset);
    // Takes away every range that lies in [address, address + size); cuts none in two.
    int unmap(std::uint64_t address, std::uint64_t size);
    void unmap_all();
    std::size_t range_count() const { return ranges_.size(); }

    // The memory at `address`, at most `length` of it and as far as it goes in one piece. Empty:
    // there is none, or it may not be written.
    std::span<const std::byte> readable(std::uint64_t address, std::uint64_t length) const;
    std::span<std::byte> writable(std::uint64_t address, std::uint64_t length);

    // All or nothing is not promised: false means that some part of it could not be reached.
    bool read(std::uint64_t address, std::span<std::byte> to) const;
    bool write(std::uint64_t address, std::span<const std::byte> from);

private:
    struct range {
        std::uint64_t size;
        std::byte *host; // null: cannot be reached
        bool writable;
    };
    std::map<std::uint64_t, range> ranges_; // by first address, never overlapping

    const range *find(std::uint64_t address, std::uint64_t &offset) const;
    bool overlaps(std::uint64_t address, std::uint64_t size) const;
    static void release(const range &r);
};

} // namespace kdevx::hca::memory
