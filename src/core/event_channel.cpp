// SPDX-License-Identifier: MIT
#include "core/event_channel.hpp"

#include <fcntl.h>

#include <kdevx/prm/event.hpp>

#include "base/bytes.hpp"
#include "core/stream.hpp"
#include "kabi/async_fd.hpp"
#include "kabi/devx.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

result<void> end_event_channel(slot &) noexcept {
    return {};
}

void drop_event_channel(slot &s) noexcept {
    s.context->sys().close(s.body<event_channel>().fd);
}

// What the kernel delivers: the cookie, and on a channel with data an event queue entry.
struct record {
    std::uint64_t cookie;
    std::byte eqe[prm::eqe.size];
};
static_assert(sizeof(record) == 72);

kdevx_event event_of(const record &r, std::size_t size) {
    kdevx_event e{};
    e.size = sizeof e;
    e.cookie = r.cookie;
    if (size < sizeof r) return e;
    prm::view<prm::eqe> eqe(r.eqe);
    e.has_data = 1;
    e.type = std::uint32_t(eqe.get<"event_type">());
    e.subtype = std::uint32_t(eqe.get<"event_sub_type">());
    std::memcpy(e.eqe, r.eqe, sizeof e.eqe);
    return e;
}

kdevx_event news(kdevx_event_what what) {
    kdevx_event e{};
    e.size = sizeof e;
    e.what = what;
    return e;
}

// The kernel lost an event for lack of memory: it says so once, as the errno of a read.
result<kdevx_event> read_event(const file &f, const event_channel &channel) {
    record r{};
    std::size_t whole = channel.with_data ? sizeof r : sizeof r.cookie;
    result<std::size_t> n = read_record(f, channel.fd, bytes_of(r).first(whole));
    if (!n && n.failure().err == EOVERFLOW) return news(KDEVX_EVENT_OVERRUN);
    if (!n) return n.failure();
    if (*n != whole) return fail(KDEVX_CAUSE_OTHER, EBADMSG, "read", *n, whole);
    return event_of(r, *n);
}

// Old kernels free twice what was subscribed twice at once, and follow a null pointer when an
// eventfd cannot be had: neither is let through to them.
result<void> check_subscription(const file &f, const subscription &s) {
    if (s.types.empty() || s.types.size() > KDEVX_MAX_EVENTS)
        return invalid("count", s.types.size(), KDEVX_MAX_EVENTS);
    if (!s.types.data()) return invalid("types");
    for (std::size_t i = 1; i < s.types.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (s.types[i] == s.types[j]) return invalid("types", s.types[i]);
    if (s.eventfd >= 0 && f.sys->fcntl(s.eventfd, F_GETFD, 0) < 0)
        return fail(KDEVX_CAUSE_INVALID, EBADF, "eventfd");
    return {};
}

} // namespace

const noun event_channel::noun{KDEVX_KIND_EVENT_CHANNEL, "channel", end_event_channel,
                               drop_event_channel, nullptr};

result<kdevx_event_channel *> create_event_channel(context &c, std::uint32_t given) noexcept {
    if (given & ~std::uint32_t(KDEVX_EVENT_OMIT_DATA))
        return invalid("flags", given, KDEVX_EVENT_OMIT_DATA);
    draft<event_channel> d(c);
    if (!d) return no_memory("channel");
    result<void> r = invoke<kabi::async_event_fd::alloc>(
        c.file(), make_fd<"MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_HANDLE">(d->fd),
        flags<"MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_FLAGS">(given));
    if (r) r = make_non_blocking(c.sys(), d->fd);
    if (!r) return r.failure();
    d->with_data = !(given & KDEVX_EVENT_OMIT_DATA);
    return d.publish();
}

result<void> subscribe(const file &f, int channel, const std::uint32_t *object,
                       const subscription &s) noexcept {
    if (result<void> r = check_subscription(f, s); !r) return r;
    bool counted = s.eventfd >= 0;
    auto eventfd = std::uint32_t(s.eventfd);
    return invoke<kabi::devx::subscribe_event>(
        f, use_fd<"MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE">(channel),
        when(object, use<"MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE">(object ? *object : 0)),
        in<"MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST">(std::as_bytes(s.types)),
        when(counted, in_value<"MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM">(eventfd)),
        when(!counted, in_value<"MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE">(s.cookie)));
}

result<void> subscribe(const pin<event_channel> &channel, const pin<core::object> *object,
                       const subscription &s) noexcept {
    if (!object) return subscribe(channel.file(), channel->fd, nullptr, s);
    if (&object->context() != &channel.context()) return invalid("object");
    std::uint32_t handle = object->handle();
    return subscribe(channel.file(), channel->fd, &handle, s);
}

// The stream ends with the news that the device is gone; asking on is a failure.
result<kdevx_event> get_event(pin<event_channel> &channel, int timeout_ms) noexcept {
    result<kdevx_event> r =
        take_or_wait(channel, timeout_ms, [&] { return read_event(channel.file(), *channel); });
    if (r || r.failure().cause != KDEVX_CAUSE_DEVICE_GONE) return r;
    if (channel->told_gone.exchange(true)) return r;
    return news(KDEVX_EVENT_DEVICE_GONE);
}

} // namespace kdevx::core
