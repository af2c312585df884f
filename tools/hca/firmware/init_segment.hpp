// SPDX-License-Identifier: MIT
// The init segment at the start of BAR 0: who the device is, where the command queue lies, whether
// it is well. Words are big-endian and are read at any width.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>

namespace kdevx::hca::firmware {

inline constexpr std::uint32_t init_segment_size = 0x5000; // up to the MSI-X table

class init_segment {
public:
    using doorbell = std::function<void(std::uint32_t slots)>;
    init_segment(unsigned command_timeout_seconds, doorbell on_doorbell);

    void read(std::uint64_t offset, std::span<std::byte> to) const;
    void write(std::uint64_t offset, std::span<const std::byte> from);
    void reset();

    std::uint64_t command_queue() const;
    // Fault injection: this word reads as `value` from now on.
    void override_word(std::uint32_t offset, std::uint32_t value) { overrides_[offset] = value; }

    // Nanoseconds and ticks of the free-running clock, and what the capabilities say about it.
    static constexpr std::uint32_t frequency_khz = 1'000'000;
    std::uint64_t clock_ticks() const;

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    unsigned command_timeout_;
    doorbell on_doorbell_;
    std::uint32_t queue_high_ = 0, queue_low_ = 0;
    std::map<std::uint32_t, std::uint32_t> overrides_;

    std::uint32_t word(std::uint32_t offset) const;
    std::uint32_t health_counter() const;
};

} // namespace kdevx::hca::firmware
