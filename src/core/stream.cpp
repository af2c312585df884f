// SPDX-License-Identifier: MIT
#include "core/stream.hpp"

#include <fcntl.h>

namespace kdevx::core {

namespace {

constexpr std::int64_t ns_per_ms = 1000000;

kdevx_cause cause_of_read(int err) {
    switch (err) {
    case EAGAIN:
        return KDEVX_CAUSE_NOTHING_YET;
    case EIO:
        return KDEVX_CAUSE_DEVICE_GONE;
    case EBADF:
    case EFAULT:
        return KDEVX_CAUSE_INVALID;
    default:
        return KDEVX_CAUSE_OTHER;
    }
}

} // namespace

deadline::deadline(const uverbs::sys &s, int timeout_ms) noexcept
    : sys_(s), timeout_ms_(timeout_ms) {
    if (timeout_ms > 0) end_ = s.clock() + timeout_ms * ns_per_ms;
}

int deadline::left_ms() const noexcept {
    if (timeout_ms_ <= 0) return timeout_ms_;
    std::int64_t left = end_ - sys_.clock();
    return left <= 0 ? 0 : int((left + ns_per_ms - 1) / ns_per_ms);
}

failure deadline::nothing() const noexcept {
    return fail(KDEVX_CAUSE_NOTHING_YET, timeout_ms_ ? ETIMEDOUT : EAGAIN, "poll");
}

// O_RDONLY is all that the kernel gave it.
result<void> make_non_blocking(const uverbs::sys &s, int fd) noexcept {
    int err = s.fcntl(fd, F_SETFL, O_NONBLOCK);
    if (err >= 0) return {};
    s.close(fd);
    return fail(KDEVX_CAUSE_OTHER, -err, "fcntl");
}

result<std::size_t> read_record(const uverbs::file &f, int fd, uverbs::bytes into) noexcept {
    std::int64_t n;
    do
        n = f.read(fd, into.data(), into.size());
    while (n == -EINTR);
    if (n < 0) return fail(cause_of_read(int(-n)), int(-n), "read");
    return std::size_t(n);
}

result<bool> wait_for_record(const uverbs::file &f, int fd, const deadline &until) noexcept {
    for (;;) {
        pollfd p{fd, POLLIN | POLLRDHUP, 0};
        int n = f.sys->poll(&p, 1, until.left_ms());
        if (n == -EINTR) continue;
        if (n < 0) return fail(KDEVX_CAUSE_OTHER, -n, "poll");
        if (n == 0) return until.nothing();
        if (p.revents & POLLNVAL) return fail(KDEVX_CAUSE_INVALID, EBADF, "poll");
        return bool(p.revents & (POLLRDHUP | POLLHUP | POLLERR));
    }
}

} // namespace kdevx::core
