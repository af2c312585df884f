// SPDX-License-Identifier: MIT
// Where verbs CQs tell that they have completions.
#pragma once

#include <atomic>

#include <kdevx/event.h>

#include "core/pin.hpp"

namespace kdevx::core {

struct comp_channel {
    using handle_type = kdevx_comp_channel;
    static const core::noun noun;

    int fd;
    std::atomic<std::uint32_t> users; // CQs
};

result<kdevx_comp_channel *> create_comp_channel(context &c) noexcept;
result<std::uint64_t> get_comp_event(pin<comp_channel> &channel, int timeout_ms) noexcept;

} // namespace kdevx::core
