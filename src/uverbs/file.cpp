// SPDX-License-Identifier: MIT
#include "uverbs/file.hpp"

namespace kdevx::uverbs {

namespace {

std::int64_t now(const file &f) {
    return f.trace ? f.sys->clock() : 0;
}

void tell(const file &f, kdevx_trace_event event) {
    if (!f.trace) return;
    event.size = sizeof event;
    event.ended_ns = f.sys->clock();
    f.trace(f.trace_arg, &event);
}

} // namespace

int file::ioctl(ib_uverbs_ioctl_hdr *request, const char *method) const noexcept {
    std::int64_t began = now(*this);
    // A few methods return a positive number for success.
    int r = sys->ioctl(fd, RDMA_VERBS_IOCTL, request);
    r = r < 0 ? r : 0;
    tell(*this, {0, KDEVX_TRACE_IOCTL, fd, r, request->length, request, method, began, 0});
    return -r;
}

std::int64_t file::read(int from, void *buffer, std::size_t size) const noexcept {
    std::int64_t began = now(*this);
    std::int64_t r = sys->read(from, buffer, size);
    tell(*this, {0, KDEVX_TRACE_READ, from, std::int32_t(r), std::uint32_t(r < 0 ? size : r),
                 buffer, "read", began, 0});
    return r;
}

} // namespace kdevx::uverbs
