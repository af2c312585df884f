// SPDX-License-Identifier: MIT
#include <cstddef>

#include "base/options.hpp"
#include "capi/convert.hpp"
#include "core/eqn.hpp"
#include "core/probe.hpp"
#include "core/uctx_caps.hpp"

using namespace kdevx;
using namespace kdevx::capi;

namespace {

int deliver_context(result<core::context *> r, kdevx_context **context, kdevx_failure *why) {
    if (!r) return kdevx::deliver(r.failure(), why);
    *context = to(*r);
    return 0;
}

} // namespace

int kdevx_context_open(const char *ibdev, const kdevx_open_options *options,
                       kdevx_context **context, kdevx_failure *why) noexcept {
    if (!context) return kdevx::deliver(invalid("context"), why);
    return deliver_context(core::open_name(ibdev, options), context, why);
}

int kdevx_context_open_path(const char *path, const kdevx_open_options *options,
                            kdevx_context **context, kdevx_failure *why) noexcept {
    if (!context) return kdevx::deliver(invalid("context"), why);
    return deliver_context(core::open_path(path, options), context, why);
}

int kdevx_context_open_fd(int fd, std::uint32_t ownership, const kdevx_open_options *options,
                          kdevx_context **context, kdevx_failure *why) noexcept {
    if (!context) return kdevx::deliver(invalid("context"), why);
    return deliver_context(core::open_fd(fd, ownership, options), context, why);
}

int kdevx_context_adopt_fd(int fd, std::uint32_t ownership, const kdevx_open_options *options,
                           kdevx_context **context, kdevx_failure *why) noexcept {
    if (!context) return kdevx::deliver(invalid("context"), why);
    return deliver_context(core::adopt_fd(fd, ownership, options), context, why);
}

void kdevx_context_close(kdevx_context *context) noexcept {
    if (context) from(context)->close();
}

int kdevx_context_get_info(kdevx_context *context, kdevx_context_info *info,
                           kdevx_failure *why) noexcept {
    constexpr std::size_t least = offsetof(kdevx_context_info, ownership);
    if (!info || info->size < least) return kdevx::deliver(invalid("info"), why);
    result<core::entered> c = core::enter(from(context));
    if (!c) return kdevx::deliver(c.failure(), why);
    result<std::uint32_t> caps = core::query_uctx_caps(**c);
    kdevx_context_info mine = (*c)->info(bool(caps), caps ? *caps : 0);
    return kdevx::deliver(write_answer(mine, info, least, "info"), why);
}

int kdevx_context_fd(const kdevx_context *context) noexcept {
    if (!context || from(context)->is_closed()) return -EBADF;
    return from(context)->file().fd;
}

int kdevx_eqn_query(kdevx_context *context, std::uint32_t vector, std::uint32_t *eqn,
                    kdevx_failure *why) noexcept {
    if (!eqn) return kdevx::deliver(invalid("eqn"), why);
    result<core::entered> c = core::enter(from(context));
    if (!c) return kdevx::deliver(c.failure(), why);
    return capi::deliver(core::query_eqn(**c, vector), eqn, why);
}

int kdevx_probe_method(kdevx_context *context, std::uint16_t object, std::uint16_t method,
                       int *present, kdevx_failure *why) noexcept {
    if (!present) return kdevx::deliver(invalid("present"), why);
    result<core::entered> c = core::enter(from(context));
    if (!c) return kdevx::deliver(c.failure(), why);
    result<bool> r = core::probe_method(**c, object, method);
    if (!r) return kdevx::deliver(r.failure(), why);
    *present = *r;
    return 0;
}

int kdevx_probe_attr(kdevx_context *context, std::uint16_t object, std::uint16_t method,
                     std::uint16_t attr, int *present, kdevx_failure *why) noexcept {
    if (!present) return kdevx::deliver(invalid("present"), why);
    result<core::entered> c = core::enter(from(context));
    if (!c) return kdevx::deliver(c.failure(), why);
    result<bool> r = core::probe_attr(**c, object, method, attr);
    if (!r) return kdevx::deliver(r.failure(), why);
    *present = *r;
    return 0;
}
