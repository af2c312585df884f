// SPDX-License-Identifier: MIT
// Faults on demand: rules for commands to come, and things that happen at once. Guest and host ask
// for them in their own ways (guest.cpp, control.cpp) and get the same.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kdevx::hca::inject {

inline constexpr std::size_t max_rules = 1024;

struct rule {
    std::uint16_t opcode = 0;
    std::uint32_t nth = 1;   // the next one, or a later one
    std::uint32_t count = 1; // and the ones after it
    enum { fail, delay, hang } what = fail;
    std::uint8_t status = 0;           // fail
    std::uint32_t syndrome = 0;        // fail
    std::chrono::milliseconds time{0}; // delay
};

// What the device can do to itself. Each returns what is wrong with the request, empty: done.
struct device_faults {
    std::function<std::string(std::uint8_t type, std::uint8_t subtype,
                              std::span<const std::byte> data)>
        event;
    std::function<std::string(std::uint32_t cqn, std::uint32_t count)> drop_completions;
    std::function<std::string(std::uint32_t offset, std::uint32_t word)> init_segment;
    std::function<std::string(unsigned port, bool up)> link;
    std::function<std::size_t()> count_objects;
    std::function<void()> end_hung; // commands: without an answer, but with their slots
    std::function<void()> unplug;
    std::function<void()> close;
    std::function<void(std::chrono::milliseconds, std::function<void()>)> later;
};

class injector {
public:
    explicit injector(device_faults f) : faults(std::move(f)) {}

    device_faults faults;

    // False: there are too many rules, or the rule says nothing.
    bool add(const rule &r);
    // No rule is left, and no command that hangs.
    void forget();
    // The rule that is for this command, if there is one; it is used up by that.
    std::optional<rule> take(std::uint16_t opcode);

private:
    std::vector<rule> rules_;
};

} // namespace kdevx::hca::inject
