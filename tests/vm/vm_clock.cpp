// SPDX-License-Identifier: MIT
// The core clock's page, and the kernel's parameters of it.
#include "verbs.hpp"

using namespace kdevx;
using namespace kdevx::vm;

namespace {
using clock_ptr = std::unique_ptr<kdevx_clock, ending<kdevx_clock_close>>;

std::uint64_t cycles_of(const clock_ptr &clock) {
    std::uint64_t cycles = 0;
    REQUIRE(call(kdevx_clock_read, view(clock), &cycles) == ok);
    return cycles;
}
} // namespace

TEST_CASE("the device's clock goes on", "[clock]") {
    context_ptr c = open_context();
    clock_ptr clock = make<clock_ptr>(kdevx_clock_open, c.get());
    const std::uint64_t first = cycles_of(clock);
    CHECK(wait_for(std::chrono::seconds(5), [&] { return cycles_of(clock) > first + 1'000'000; }));
}

TEST_CASE("a timestamp in the system's time", "[clock]") {
    context_ptr c = open_context();
    clock_ptr clock = make<clock_ptr>(kdevx_clock_open, c.get());
    auto info = sized<kdevx_clock_info>();
    REQUIRE(call(kdevx_clock_get_info, view(clock), &info) == ok);
    CHECK(info.mult != 0);
    CHECK(info.mask != 0);
    const std::uint64_t cycles = cycles_of(clock);
    const auto now = std::uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                       std::chrono::system_clock::now().time_since_epoch())
                                       .count());
    const std::uint64_t ns = kdevx_clock_to_ns(&info, cycles);
    constexpr std::uint64_t minute = 60'000'000'000;
    CHECK(ns > now - minute);
    CHECK(ns < now + minute);
}
