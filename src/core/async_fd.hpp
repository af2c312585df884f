// SPDX-License-Identifier: MIT
// Events of verbs objects and ports.
#pragma once

#include <atomic>

#include <kdevx/event.h>

#include "core/pin.hpp"

namespace kdevx::core {

struct async_fd {
    using handle_type = kdevx_async_fd;
    static const core::noun noun;

    int fd;
    std::atomic<bool> told_gone;
};

result<kdevx_async_fd *> create_async_fd(context &c) noexcept;
result<kdevx_async_event> get_async_event(pin<async_fd> &async, int timeout_ms) noexcept;

} // namespace kdevx::core
