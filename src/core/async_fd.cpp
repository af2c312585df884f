// SPDX-License-Identifier: MIT
#include "core/async_fd.hpp"

#include <rdma/ib_user_verbs.h>

#include "base/bytes.hpp"
#include "core/stream.hpp"
#include "kabi/memory.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

result<void> end_async(slot &) noexcept {
    return {};
}

void drop_async(slot &s) noexcept {
    s.context->sys().close(s.body<async_fd>().fd);
}

result<kdevx_async_event> read_event(const file &f, const async_fd &async) {
    ib_uverbs_async_event_desc record{};
    result<std::size_t> n = read_record(f, async.fd, bytes_of(record));
    if (!n) return n.failure();
    if (*n != sizeof record) return fail(KDEVX_CAUSE_OTHER, EBADMSG, "read", *n, sizeof record);
    return kdevx_async_event{sizeof(kdevx_async_event), KDEVX_EVENT_RAISED, record.event_type,
                             record.element};
}

} // namespace

const noun async_fd::noun{KDEVX_KIND_ASYNC_FD, "async", end_async, drop_async, nullptr};

result<kdevx_async_fd *> create_async_fd(context &c) noexcept {
    draft<async_fd> d(c);
    if (!d) return no_memory("async");
    result<void> r = invoke<kabi::async_event::alloc>(
        c.file(), make_fd<"UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE">(d->fd));
    if (r) r = make_non_blocking(c.sys(), d->fd);
    if (!r) return r.failure();
    return d.publish();
}

// Ends as the stream of an event channel does.
result<kdevx_async_event> get_async_event(pin<async_fd> &async, int timeout_ms) noexcept {
    result<kdevx_async_event> r =
        take_or_wait(async, timeout_ms, [&] { return read_event(async.file(), *async); });
    if (r || r.failure().cause != KDEVX_CAUSE_DEVICE_GONE) return r;
    if (async->told_gone.exchange(true)) return r;
    return kdevx_async_event{sizeof(kdevx_async_event), KDEVX_EVENT_DEVICE_GONE, 0, 0};
}

} // namespace kdevx::core
