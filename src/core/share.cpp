// SPDX-License-Identifier: MIT
#include "core/share.hpp"

namespace kdevx::core {

namespace {

kdevx_exported of_kind(kdevx_kind kind, std::uint32_t handle) {
    kdevx_exported e{};
    e.size = sizeof e;
    e.kind = kind;
    e.handle = handle;
    return e;
}

// The part that all have in common.
template <class Body>
result<draft<Body>> begin_import(context &c, const kdevx_exported &e) {
    if (e.kind != std::uint32_t(Body::noun.kind))
        return invalid("exported", e.kind, Body::noun.kind);
    draft<Body> d(c);
    if (!d) return no_memory(Body::noun.name);
    d.handle() = e.handle;
    return d;
}

} // namespace

kdevx_exported export_object(const pin<object> &o) noexcept {
    kdevx_exported e = of_kind(KDEVX_KIND_OBJECT, o.handle());
    e.device_id = o->device_id;
    e.opcode = o->opcode;
    e.obj_type = o->obj_type;
    return e;
}

kdevx_exported export_umem(const pin<umem> &u) noexcept {
    kdevx_exported e = of_kind(KDEVX_KIND_UMEM, u.handle());
    e.device_id = u->id;
    e.length = u->length;
    return e;
}

kdevx_exported export_var(const pin<var> &v) noexcept {
    kdevx_exported e = of_kind(KDEVX_KIND_VAR, v.handle());
    e.device_id = v->page_id;
    e.mmap_off = v->mmap_off;
    e.length = v->length;
    return e;
}

result<kdevx_object *> import_object(context &c, const kdevx_exported &e) noexcept {
    result<draft<object>> d = begin_import<object>(c, e);
    if (!d) return d.failure();
    (*d)->opcode = e.opcode;
    (*d)->obj_type = e.obj_type;
    (*d)->device_id = e.device_id;
    return d->publish();
}

result<kdevx_umem *> import_umem(context &c, const kdevx_exported &e) noexcept {
    result<draft<umem>> d = begin_import<umem>(c, e);
    if (!d) return d.failure();
    (*d)->id = e.device_id;
    (*d)->length = e.length;
    return d->publish();
}

result<kdevx_var *> import_var(context &c, const kdevx_exported &e) noexcept {
    result<draft<var>> d = begin_import<var>(c, e);
    if (!d) return d.failure();
    (*d)->page_id = e.device_id;
    (*d)->mmap_off = e.mmap_off;
    (*d)->length = std::uint32_t(e.length);
    return d->publish();
}

} // namespace kdevx::core
