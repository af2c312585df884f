// SPDX-License-Identifier: MIT
#include <cstddef>

#include "capi/calls.hpp"
#include "core/pp.hpp"
#include "core/uar.hpp"
#include "core/var.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_var_alloc(kdevx_context *context, std::uint32_t flags, kdevx_var **var,
                    kdevx_failure *why) noexcept {
    return make_in(context, var, "var", why,
                   [=](core::context &c) { return core::alloc_var(c, flags); });
}

int kdevx_var_free(kdevx_var *var, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::var>(var), why);
}

int kdevx_var_get_info(const kdevx_var *var, kdevx_var_info *info, kdevx_failure *why) noexcept {
    return answer<core::var>(
        var, info, offsetof(kdevx_var_info, page_id), "info", why,
        [](auto &v) -> result<kdevx_var_info> {
            return kdevx_var_info{
                sizeof(kdevx_var_info), v.handle(), v->page_id, v->length, 0, v->mmap_off};
        });
}

int kdevx_uar_export_dmabuf(kdevx_uar *uar, int *fd, kdevx_failure *why) noexcept {
    return make_with<core::uar>(
        uar, fd, "fd", why, [](auto &u) { return core::export_page(u.file(), u->page.mmap_off); });
}

int kdevx_var_export_dmabuf(kdevx_var *var, int *fd, kdevx_failure *why) noexcept {
    return make_with<core::var>(var, fd, "fd", why,
                                [](auto &v) { return core::export_page(v.file(), v->mmap_off); });
}

int kdevx_pp_alloc(kdevx_context *context, const void *rate, std::size_t rate_size,
                   std::uint32_t flags, kdevx_pp **pp, kdevx_failure *why) noexcept {
    return make_in(context, pp, "pp", why, [=](core::context &c) {
        return core::alloc_pp(c, bytes(rate, rate_size), flags);
    });
}

int kdevx_pp_free(kdevx_pp *pp, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::pp>(pp), why);
}

int kdevx_pp_get_info(const kdevx_pp *pp, kdevx_pp_info *info, kdevx_failure *why) noexcept {
    return answer<core::pp>(pp, info, offsetof(kdevx_pp_info, index), "info", why,
                            [](auto &p) -> result<kdevx_pp_info> {
                                return kdevx_pp_info{sizeof(kdevx_pp_info), p.handle(), p->index};
                            });
}
