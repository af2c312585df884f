// SPDX-License-Identifier: MIT
#include "core/share.hpp"

#include <cstddef>

#include "capi/calls.hpp"

using namespace kdevx;
using namespace kdevx::capi;

namespace {

// What every export fills: without it an import means nothing.
constexpr std::size_t whole = sizeof(kdevx_exported);

template <class Body, class Handle, class Import>
int import(kdevx_context *context, const kdevx_exported *exported, Handle **made,
           kdevx_failure *why, Import from_data) noexcept {
    result<kdevx_exported> e = read_options(exported, "exported");
    if (!exported) return kdevx::deliver(invalid("exported"), why);
    if (!e) return kdevx::deliver(e.failure(), why);
    return make_in(context, made, Body::noun.name, why,
                   [&](core::context &c) { return from_data(c, *e); });
}

} // namespace

int kdevx_object_export(const kdevx_object *object, kdevx_exported *exported,
                        kdevx_failure *why) noexcept {
    return answer<core::object>(
        object, exported, whole, "exported", why,
        [](auto &o) -> result<kdevx_exported> { return core::export_object(o); });
}

int kdevx_object_import(kdevx_context *context, const kdevx_exported *exported,
                        kdevx_object **object, kdevx_failure *why) noexcept {
    return import <core::object>(context, exported, object, why, core::import_object);
}

int kdevx_object_forget(kdevx_object *object, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::forget<core::object>(object), why);
}

int kdevx_umem_export(const kdevx_umem *umem, kdevx_exported *exported,
                      kdevx_failure *why) noexcept {
    return answer<core::umem>(
        umem, exported, whole, "exported", why,
        [](auto &u) -> result<kdevx_exported> { return core::export_umem(u); });
}

int kdevx_umem_import(kdevx_context *context, const kdevx_exported *exported, kdevx_umem **umem,
                      kdevx_failure *why) noexcept {
    return import <core::umem>(context, exported, umem, why, core::import_umem);
}

int kdevx_umem_forget(kdevx_umem *umem, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::forget<core::umem>(umem), why);
}

int kdevx_var_export(const kdevx_var *var, kdevx_exported *exported, kdevx_failure *why) noexcept {
    return answer<core::var>(var, exported, whole, "exported", why,
                             [](auto &v) -> result<kdevx_exported> { return core::export_var(v); });
}

int kdevx_var_import(kdevx_context *context, const kdevx_exported *exported, kdevx_var **var,
                     kdevx_failure *why) noexcept {
    return import <core::var>(context, exported, var, why, core::import_var);
}

int kdevx_var_forget(kdevx_var *var, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::forget<core::var>(var), why);
}
