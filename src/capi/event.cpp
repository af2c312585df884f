// SPDX-License-Identifier: MIT
#include <cstddef>

#include "capi/calls.hpp"
#include "core/async_fd.hpp"
#include "core/comp_channel.hpp"
#include "core/event_channel.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_event_channel_create(kdevx_context *context, std::uint32_t flags,
                               kdevx_event_channel **channel, kdevx_failure *why) noexcept {
    return make_in(context, channel, "channel", why,
                   [=](core::context &c) { return core::create_event_channel(c, flags); });
}

int kdevx_event_channel_destroy(kdevx_event_channel *channel, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::event_channel>(channel), why);
}

int kdevx_event_channel_fd(const kdevx_event_channel *channel) noexcept {
    return fd_of<core::event_channel>(channel);
}

static int subscribe(kdevx_event_channel *channel, kdevx_object *object,
                     const core::subscription &s, kdevx_failure *why) noexcept {
    return with<core::event_channel>(
        channel, why, [&](core::pin<core::event_channel> &c) -> result<void> {
            if (!object) return core::subscribe(c, nullptr, s);
            result<core::pin<core::object>> o = core::enter<core::object>(object);
            return o ? core::subscribe(c, &*o, s) : o.failure();
        });
}

int kdevx_event_subscribe(kdevx_event_channel *channel, kdevx_object *object,
                          const std::uint16_t *types, std::size_t count, std::uint64_t cookie,
                          kdevx_failure *why) noexcept {
    return subscribe(channel, object, {{types, count}, cookie, -1}, why);
}

int kdevx_event_subscribe_fd(kdevx_event_channel *channel, int eventfd, kdevx_object *object,
                             const std::uint16_t *types, std::size_t count,
                             kdevx_failure *why) noexcept {
    if (eventfd < 0) return kdevx::deliver(fail(KDEVX_CAUSE_INVALID, EBADF, "eventfd"), why);
    return subscribe(channel, object, {{types, count}, 0, eventfd}, why);
}

int kdevx_event_get(kdevx_event_channel *channel, int timeout_ms, struct kdevx_event *event,
                    kdevx_failure *why) noexcept {
    return answer<core::event_channel>(channel, event, offsetof(struct kdevx_event, type), "event",
                                       why,
                                       [=](auto &c) { return core::get_event(c, timeout_ms); });
}

int kdevx_async_fd_create(kdevx_context *context, kdevx_async_fd **async,
                          kdevx_failure *why) noexcept {
    return make_in(context, async, "async", why,
                   [](core::context &c) { return core::create_async_fd(c); });
}

int kdevx_async_fd_destroy(kdevx_async_fd *async, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::async_fd>(async), why);
}

int kdevx_async_fd_fd(const kdevx_async_fd *async) noexcept {
    return fd_of<core::async_fd>(async);
}

int kdevx_async_fd_get(kdevx_async_fd *async, int timeout_ms, struct kdevx_async_event *event,
                       kdevx_failure *why) noexcept {
    return answer<core::async_fd>(async, event, sizeof(struct kdevx_async_event), "event", why,
                                  [=](auto &a) { return core::get_async_event(a, timeout_ms); });
}

int kdevx_comp_channel_create(kdevx_context *context, kdevx_comp_channel **channel,
                              kdevx_failure *why) noexcept {
    return make_in(context, channel, "channel", why,
                   [](core::context &c) { return core::create_comp_channel(c); });
}

int kdevx_comp_channel_destroy(kdevx_comp_channel *channel, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::comp_channel>(channel), why);
}

int kdevx_comp_channel_fd(const kdevx_comp_channel *channel) noexcept {
    return fd_of<core::comp_channel>(channel);
}

int kdevx_comp_channel_get(kdevx_comp_channel *channel, int timeout_ms, std::uint64_t *user_handle,
                           kdevx_failure *why) noexcept {
    return make_with<core::comp_channel>(channel, user_handle, "user_handle", why, [=](auto &c) {
        return core::get_comp_event(c, timeout_ms);
    });
}
