// SPDX-License-Identifier: MIT
// MEMIC: memory on the device that the processor reaches through a window of the BAR. The driver
// gives its pages away, the firmware keeps account of what is in them. Who asks for it gets the
// same bytes once more at an address where an access is an operation.
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

    // Bits of memic_operations, and the widths of each: 1, 2, 4, 8 bytes. A window of each lies
    // below the memory's, and the byte of the memory at the same place in it.
    static constexpr std::uint32_t operations = 0b11, increment_sizes = 0xf, test_and_set_sizes = 1;
    static constexpr std::uint64_t window_of(std::uint8_t operation) {
        return window - (operation + 1u) * window_size;
    }

    // Whether an access of BAR 0 begins in one of the windows, and ends in the last one at most.
    static constexpr bool covers(std::uint64_t bar_offset, std::size_t size) {
        constexpr std::uint64_t end = window + window_size;
        return bar_offset >= window_of(1) && size <= end && bar_offset <= end - size;
    }
    // Where the access is none of an operation that was asked for, nothing is read or written.
    void read(std::uint64_t bar_offset, std::span<std::byte> to);
    void write(std::uint64_t bar_offset, std::span<const std::byte> from);

    // False: part of it is taken.
    bool take(std::uint64_t start, std::uint64_t size);
    // False: nothing of just this start and size was taken.
    bool give_back(std::uint64_t start, std::uint64_t size);
    // Whether all of it belongs to one who took it.
    bool is_taken(std::uint64_t start, std::uint64_t size) const;
    // The operations that were asked for of what was taken from there; nullptr: nothing was.
    std::uint32_t *operations_of(std::uint64_t start);
    void clear();

private:
    struct part {
        std::uint64_t size;
        std::uint32_t operations = 0;
    };
    std::span<std::byte> at(std::uint64_t start, std::size_t size);
    std::span<std::byte> operand(std::uint8_t operation, std::uint64_t bar_offset,
                                 std::size_t size);
    const std::pair<const std::uint64_t, part> *part_of(std::uint64_t start,
                                                        std::uint64_t size) const;

    std::vector<std::byte> bytes_ = std::vector<std::byte>(window_size);
    std::map<std::uint64_t, part> taken_; // by start
};

syndrome alloc_memic(state &s, command &c);
syndrome modify_memic(state &s, command &c);
syndrome dealloc_memic(state &s, command &c);

} // namespace kdevx::hca::firmware
