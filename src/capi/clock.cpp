// SPDX-License-Identifier: MIT
#include "core/clock.hpp"

#include <cstddef>

#include "capi/calls.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_clock_open(kdevx_context *context, kdevx_clock **clock, kdevx_failure *why) noexcept {
    return make_in(context, clock, "clock", why,
                   [](core::context &c) { return core::open_clock(c); });
}

int kdevx_clock_close(kdevx_clock *clock, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::clock>(clock), why);
}

int kdevx_clock_read(const kdevx_clock *clock, std::uint64_t *cycles, kdevx_failure *why) noexcept {
    return make_with<core::clock>(clock, cycles, "cycles", why,
                                  [](auto &k) { return core::read_clock(*k); });
}

int kdevx_clock_get_info(const kdevx_clock *clock, kdevx_clock_info *info,
                         kdevx_failure *why) noexcept {
    return answer<core::clock>(clock, info, sizeof(kdevx_clock_info), "info", why,
                               [](auto &k) { return core::clock_info(*k); });
}

std::uint64_t kdevx_clock_to_ns(const kdevx_clock_info *info, std::uint64_t cycles) noexcept {
    return info ? core::to_ns(*info, cycles) : 0;
}
