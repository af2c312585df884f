// SPDX-License-Identifier: MIT
// Events of the device and of firmware objects.
#pragma once

#include <atomic>

#include <kdevx/event.h>

#include "core/object.hpp"
#include "core/pin.hpp"

namespace kdevx::core {

struct event_channel {
    using handle_type = kdevx_event_channel;
    static const core::noun noun;

    int fd;
    bool with_data;
    std::atomic<bool> told_gone;
};

result<kdevx_event_channel *> create_event_channel(context &c, std::uint32_t flags) noexcept;

struct subscription {
    std::span<const std::uint16_t> types;
    std::uint64_t cookie = 0;
    int eventfd = -1; // where events are counted instead of being delivered; -1: nowhere
};
// `object` NULL: events of no object.
result<void> subscribe(const pin<event_channel> &channel, const pin<core::object> *object,
                       const subscription &s) noexcept;

// The same by the kernel's names: the channel's fd, and the handle of the object.
result<void> subscribe(const uverbs::file &f, int channel, const std::uint32_t *object,
                       const subscription &s) noexcept;

result<kdevx_event> get_event(pin<event_channel> &channel, int timeout_ms) noexcept;

} // namespace kdevx::core
