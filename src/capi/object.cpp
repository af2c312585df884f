// SPDX-License-Identifier: MIT
#include "core/object.hpp"

#include <cstddef>

#include "base/options.hpp"
#include "capi/convert.hpp"
#include "core/cmd_comp.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_general_cmd(kdevx_context *context, const void *in, std::size_t in_size, void *out,
                      std::size_t out_size, kdevx_failure *why) noexcept {
    result<core::entered> c = core::enter(from(context));
    if (!c) return kdevx::deliver(c.failure(), why);
    return kdevx::deliver(core::general_cmd(**c, bytes(in, in_size), bytes(out, out_size)), why);
}

int kdevx_object_create(kdevx_context *context, const void *in, std::size_t in_size, void *out,
                        std::size_t out_size, kdevx_object **object, kdevx_failure *why) noexcept {
    if (!object) return kdevx::deliver(invalid("object"), why);
    result<core::entered> c = core::enter(from(context));
    if (!c) return kdevx::deliver(c.failure(), why);
    return capi::deliver(core::create_object(**c, bytes(in, in_size), bytes(out, out_size)), object,
                         why);
}

int kdevx_object_query(kdevx_object *object, const void *in, std::size_t in_size, void *out,
                       std::size_t out_size, kdevx_failure *why) noexcept {
    result<core::pin<core::object>> o = core::enter<core::object>(object);
    if (!o) return kdevx::deliver(o.failure(), why);
    return kdevx::deliver(
        core::query(o->file(), o->handle(), bytes(in, in_size), bytes(out, out_size)), why);
}

int kdevx_object_modify(kdevx_object *object, const void *in, std::size_t in_size, void *out,
                        std::size_t out_size, kdevx_failure *why) noexcept {
    result<core::pin<core::object>> o = core::enter<core::object>(object);
    if (!o) return kdevx::deliver(o.failure(), why);
    return kdevx::deliver(
        core::modify(o->file(), o->handle(), bytes(in, in_size), bytes(out, out_size)), why);
}

int kdevx_object_destroy(kdevx_object *object, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::object>(object), why);
}

int kdevx_object_get_info(const kdevx_object *object, kdevx_object_info *info,
                          kdevx_failure *why) noexcept {
    result<core::pin<core::object>> o = core::enter<core::object>(object);
    if (!o) return kdevx::deliver(o.failure(), why);
    kdevx_object_info mine{};
    mine.handle = o->handle();
    mine.opcode = (*o)->opcode;
    mine.obj_type = (*o)->obj_type;
    mine.device_id = (*o)->device_id;
    constexpr std::size_t least = offsetof(kdevx_object_info, opcode);
    return kdevx::deliver(write_answer(mine, info, least, "info"), why);
}

int kdevx_object_query_async(kdevx_object *object, const void *in, std::size_t in_size,
                             std::size_t out_size, std::uint64_t wr_id, kdevx_cmd_comp *comp,
                             kdevx_failure *why) noexcept {
    result<core::pin<core::object>> o = core::enter<core::object>(object);
    if (!o) return kdevx::deliver(o.failure(), why);
    result<core::pin<core::cmd_comp>> q = core::enter<core::cmd_comp>(comp);
    if (!q) return kdevx::deliver(q.failure(), why);
    // The kernel would find the fd to be of another file, and say EBADF.
    if (&o->context() != &q->context()) return kdevx::deliver(invalid("comp"), why);
    return kdevx::deliver(
        core::query_async(o->file(), o->handle(), bytes(in, in_size), out_size, wr_id, **q), why);
}
