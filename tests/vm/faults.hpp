// SPDX-License-Identifier: MIT
// Faults of kdevx-hca, injected from in here. Needs inject=1 of the HCA.
#pragma once

#include "bench.hpp"

#include <chrono>

namespace kdevx::vm {

// Ends the test if the device is a real one, which would take the commands for something else.
void must_be_kdevx_hca(kdevx_context *c);

// Over a context of its own, so that those of the test are not touched. At its end no rule is left.
class faults {
    context_ptr context_ = open_context();

    box send(unsigned opcode, const std::vector<std::pair<const char *, std::uint64_t>> &fields);
    void rule(unsigned opcode, std::string_view command, unsigned count,
              const std::vector<std::pair<const char *, std::uint64_t>> &fields = {});

public:
    faults() { must_be_kdevx_hca(context_.get()); }
    ~faults();
    faults(const faults &) = delete;

    // The next `count` commands of that name.
    void delay(std::string_view command, std::chrono::milliseconds by, unsigned count = 1);
    // Never answered; at the end of this the HCA gives the driver the slots back, without which it
    // could not be unloaded.
    void hang(std::string_view command, unsigned count = 1);
    void fail(std::string_view command, std::uint8_t status, std::uint32_t syndrome,
              unsigned count = 1);
    // The next completions of a CQ are not written.
    void drop_completions(std::uint64_t cqn, unsigned count = 1);
    // All objects of the device, this one's context and those of the driver among them.
    std::uint64_t count_objects();
    // The device stops answering, as if it had been pulled out.
    void unplug();
};

} // namespace kdevx::vm
