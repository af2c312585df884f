// SPDX-License-Identifier: MIT
#include "core/cmd_comp.hpp"

#include <fcntl.h>
#include <poll.h>

#include "core/verdict.hpp"
#include "kabi/async_fd.hpp"
#include "kabi/devx_obj.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

// Ends with its fd: close() waits for what is in flight.
result<void> end_fd(slot &) noexcept {
    return {};
}

void drop(slot &s) noexcept {
    cmd_comp &c = s.body<cmd_comp>();
    s.context->sys().close(c.fd);
    c.flights.fini(s.context->sys().memory());
    c.lock().~mutex();
}

constexpr std::int64_t ns_per_ms = 1000000;

// How long a wait may still take, as poll wants it.
class deadline {
    const sys &sys_;
    int timeout_ms_;
    std::int64_t end_ = 0;

public:
    deadline(const sys &s, int timeout_ms) : sys_(s), timeout_ms_(timeout_ms) {
        if (timeout_ms > 0) end_ = s.clock() + timeout_ms * ns_per_ms;
    }
    int left_ms() const {
        if (timeout_ms_ <= 0) return timeout_ms_;
        std::int64_t left = end_ - sys_.clock();
        return left <= 0 ? 0 : int((left + ns_per_ms - 1) / ns_per_ms);
    }
    failure nothing() const {
        return fail(KDEVX_CAUSE_NOTHING_YET, timeout_ms_ ? ETIMEDOUT : EAGAIN, "poll");
    }
};

failure read_failed(int err, const cmd_comp &comp, std::size_t out_size) {
    switch (err) {
    case EAGAIN:
        return fail(KDEVX_CAUSE_NOTHING_YET, err, "read");
    case ENOSPC:
        return fail(KDEVX_CAUSE_SHORT_BUFFER, err, "out_size", comp.flights.largest(), out_size);
    case EIO:
        return fail(KDEVX_CAUSE_DEVICE_GONE, err, "read");
    case EBADF:
        return fail(KDEVX_CAUSE_INVALID, err, "read");
    default:
        return fail(KDEVX_CAUSE_OTHER, err, "read");
    }
}

kdevx_completion complete(const flight &f, const_bytes outbox) {
    kdevx_completion c{};
    c.size = sizeof c;
    c.wr_id = f.wr_id;
    c.opcode = f.opcode;
    c.out_size = std::uint32_t(outbox.size());
    c.verdict = judge(f.opcode, outbox);
    if (outbox.size() < 8) return c;
    c.status = status_of(outbox);
    c.syndrome = syndrome_of(outbox);
    return c;
}

result<kdevx_completion> read_one(const file &f, cmd_comp &comp, bytes out) {
    locked l(comp.lock());
    // Nothing was ever sent, so there is no buffer and nothing to read.
    bytes b = comp.flights.buffer(out.size());
    if (b.empty()) return fail(KDEVX_CAUSE_NOTHING_YET, EAGAIN, "read");
    std::int64_t n;
    do
        n = f.read(comp.fd, b.data(), b.size());
    while (n == -EINTR);
    if (n < 0) return read_failed(int(-n), comp, out.size());
    std::uint64_t number;
    if (std::size_t(n) < sizeof number)
        return fail(KDEVX_CAUSE_OTHER, EBADMSG, "read", std::uint64_t(n));
    std::memcpy(&number, b.data(), sizeof number);
    flight what{};
    if (!comp.flights.remove(number, what)) what.wr_id = number; // somebody else's, by the same fd
    const_bytes outbox = b.first(std::size_t(n)).subspan(sizeof number);
    std::memcpy(out.data(), outbox.data(), outbox.size());
    return complete(what, outbox);
}

} // namespace

const noun cmd_comp::noun{KDEVX_KIND_CMD_COMP, "comp", end_fd, drop, nullptr};

result<kdevx_cmd_comp *> create_cmd_comp(context &c) noexcept {
    draft<cmd_comp> d(c);
    if (!d) return no_memory("comp");
    result<void> r = invoke<kabi::async_cmd_fd::alloc>(
        c.file(), make_fd<"MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE">(d->fd));
    if (!r) return r.failure();
    // O_RDONLY is all that the kernel gave it.
    if (int err = c.sys().fcntl(d->fd, F_SETFL, O_NONBLOCK); err < 0) {
        c.sys().close(d->fd);
        return fail(KDEVX_CAUSE_OTHER, -err, "fcntl");
    }
    d->flights.init();
    new (d->lock_space) mutex;
    return d.publish();
}

result<void> query_async(const file &f, std::uint32_t handle, const_bytes in_box,
                         std::size_t out_size, std::uint64_t wr_id, cmd_comp &comp) noexcept {
    if (out_size < 16) return invalid("out_size", out_size, 16);
    if (out_size > kabi::any_size)
        return fail(KDEVX_CAUSE_LIMIT, E2BIG, "out_size", out_size, kabi::any_size);
    flight what{};
    what.wr_id = wr_id;
    what.out_size = std::uint32_t(out_size);
    what.opcode = opcode_of(in_box);
    std::uint64_t number;
    {
        locked l(comp.lock());
        if (!comp.flights.add(f.sys->memory(), what, number)) return no_memory("comp");
    }
    result<void> r = invoke<kabi::devx_obj::async_query>(
        f, use<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE">(handle),
        in<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN">(in_box),
        use_fd<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD">(comp.fd),
        in_value<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID">(number),
        constant<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN">(out_size));
    if (r) return r;
    locked l(comp.lock());
    comp.flights.remove(number, what);
    return r;
}

// Reads first and polls when there is nothing: one system call if an answer waits. The fd is
// non-blocking, and then the kernel says EAGAIN for ever once the device is gone: only POLLRDHUP,
// with nothing left to read, tells.
result<kdevx_completion> get_completion(pin<cmd_comp> &comp, bytes out, int timeout_ms) noexcept {
    if (timeout_ms < KDEVX_FOREVER) return invalid("timeout_ms", std::uint64_t(timeout_ms));
    if (out.size() && !out.data()) return invalid("out");
    if (out.size() < 16) return invalid("out_size", out.size(), 16);
    const file &f = comp.file();
    deadline until(*f.sys, timeout_ms);
    for (bool hung_up = false;;) {
        result<kdevx_completion> r = read_one(f, *comp, out);
        if (r || r.failure().err != EAGAIN) return r;
        if (hung_up) return fail(KDEVX_CAUSE_DEVICE_GONE, EIO, "poll");
        pollfd p{comp->fd, POLLIN | POLLRDHUP, 0};
        comp.step_out();
        int n = f.sys->poll(&p, 1, until.left_ms());
        // The kernel hangs up for this as well, and its read would say EIO.
        if (!comp.step_in()) return fail(KDEVX_CAUSE_CLOSED, EIO, "context");
        if (n == 0) return until.nothing();
        if (n < 0 && n != -EINTR) return fail(KDEVX_CAUSE_OTHER, -n, "poll");
        if (n < 0) continue;
        if (p.revents & POLLNVAL) return fail(KDEVX_CAUSE_INVALID, EBADF, "poll");
        hung_up = p.revents & (POLLRDHUP | POLLHUP | POLLERR);
    }
}

} // namespace kdevx::core
