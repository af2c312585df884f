// SPDX-License-Identifier: MIT
// Event channels, async fds, completion channels.
#pragma once

#include <cstdint>
#include <span>

#include <kdevx/context.hpp>
#include <kdevx/event.h>
#include <kdevx/made.hpp>

namespace kdevx {

class event_channel : public unique_handle<kdevx_event_channel, kdevx_event_channel_destroy> {
public:
    using unique_handle::unique_handle;

    static result<event_channel> create(const context &c, std::uint32_t flags = 0) noexcept {
        return owner_of<event_channel>(
            [&](auto... made) { return kdevx_event_channel_create(c.get(), flags, made...); });
    }
    int fd() const noexcept { return kdevx_event_channel_fd(get()); }

    // Without an object: events of none.
    result<void> subscribe(std::span<const std::uint16_t> types, std::uint64_t cookie,
                           const object *of = nullptr) const noexcept {
        return done([&](kdevx_failure *why) {
            return kdevx_event_subscribe(get(), of ? of->get() : nullptr, types.data(),
                                         types.size(), cookie, why);
        });
    }
    result<void> subscribe_fd(std::span<const std::uint16_t> types, int eventfd,
                              const object *of = nullptr) const noexcept {
        return done([&](kdevx_failure *why) {
            return kdevx_event_subscribe_fd(get(), eventfd, of ? of->get() : nullptr, types.data(),
                                            types.size(), why);
        });
    }
    result<kdevx_event> take(int timeout_ms = KDEVX_FOREVER) const noexcept {
        kdevx_event e{};
        kdevx_failure why{};
        e.size = sizeof e;
        if (kdevx_event_get(get(), timeout_ms, &e, &why)) return why;
        return e;
    }
};

class async_fd : public unique_handle<kdevx_async_fd, kdevx_async_fd_destroy> {
public:
    using unique_handle::unique_handle;

    static result<async_fd> create(const context &c) noexcept {
        return owner_of<async_fd>(
            [&](auto... made) { return kdevx_async_fd_create(c.get(), made...); });
    }
    int fd() const noexcept { return kdevx_async_fd_fd(get()); }
    result<kdevx_async_event> take(int timeout_ms = KDEVX_FOREVER) const noexcept {
        kdevx_async_event e{};
        kdevx_failure why{};
        e.size = sizeof e;
        if (kdevx_async_fd_get(get(), timeout_ms, &e, &why)) return why;
        return e;
    }
};

class comp_channel : public unique_handle<kdevx_comp_channel, kdevx_comp_channel_destroy> {
public:
    using unique_handle::unique_handle;

    static result<comp_channel> create(const context &c) noexcept {
        return owner_of<comp_channel>(
            [&](auto... made) { return kdevx_comp_channel_create(c.get(), made...); });
    }
    int fd() const noexcept { return kdevx_comp_channel_fd(get()); }
    result<std::uint64_t> take(int timeout_ms = KDEVX_FOREVER) const noexcept {
        std::uint64_t user_handle = 0;
        kdevx_failure why{};
        if (kdevx_comp_channel_get(get(), timeout_ms, &user_handle, &why)) return why;
        return user_handle;
    }
};

} // namespace kdevx
