// SPDX-License-Identifier: MIT
// Files of the kernel's that give one record per read: command completions, events of the device,
// of verbs objects, of completion channels. Their fds are non-blocking; waiting is done by poll.
#pragma once

#include <poll.h>

#include <kdevx/object.h>

#include "core/pin.hpp"
#include "uverbs/request.hpp"

namespace kdevx::core {

// How long a wait may still take, as poll wants it.
class deadline {
    const uverbs::sys &sys_;
    int timeout_ms_;
    std::int64_t end_ = 0;

public:
    deadline(const uverbs::sys &s, int timeout_ms) noexcept;
    int left_ms() const noexcept;
    failure nothing() const noexcept;
};

// Makes an fd that the kernel has just given non-blocking; closes it if that fails.
result<void> make_non_blocking(const uverbs::sys &s, int fd) noexcept;

// Reads one record: its size, or a failure of errno EAGAIN if there is none.
result<std::size_t> read_record(const uverbs::file &f, int fd, uverbs::bytes into) noexcept;

// Polls until there may be something to read. True: the other end hung up, what is there now is all
// there will be.
result<bool> wait_for_record(const uverbs::file &f, int fd, const deadline &until) noexcept;

// Takes first and polls when there is nothing: one system call if a record waits. After the device
// is gone the kernel says EAGAIN for ever: only POLLRDHUP, with nothing left to read, tells. While
// it waits the context may be closed, for which the kernel hangs up as well.
template <class Body, class Take>
auto take_or_wait(pin<Body> &s, int timeout_ms, Take take) noexcept -> decltype(take()) {
    if (timeout_ms < KDEVX_FOREVER) return invalid("timeout_ms", std::uint64_t(timeout_ms));
    deadline until(*s.file().sys, timeout_ms);
    for (bool hung_up = false;;) {
        decltype(take()) r = take();
        if (r || r.failure().err != EAGAIN) return r;
        if (hung_up) return fail(KDEVX_CAUSE_DEVICE_GONE, EIO, "poll");
        s.step_out();
        result<bool> w = wait_for_record(s.file(), s->fd, until);
        if (!s.step_in()) return fail(KDEVX_CAUSE_CLOSED, EIO, "context");
        if (!w) return w.failure();
        hung_up = *w;
    }
}

} // namespace kdevx::core
