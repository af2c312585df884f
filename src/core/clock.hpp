// SPDX-License-Identifier: MIT
// The device's free running clock.
#pragma once

#include <kdevx/clock.h>

#include "core/pin.hpp"

namespace kdevx::core {

struct clock {
    using handle_type = kdevx_clock;
    static const core::noun noun;

    void *core_page, *info_page; // mapped; null: not offered
    std::uint32_t core_offset;
};

result<kdevx_clock *> open_clock(context &c) noexcept;
result<std::uint64_t> read_clock(const clock &k) noexcept;
result<kdevx_clock_info> clock_info(const clock &k) noexcept;
std::uint64_t to_ns(const kdevx_clock_info &i, std::uint64_t cycles) noexcept;

} // namespace kdevx::core
