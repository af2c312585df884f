// SPDX-License-Identifier: MIT
#include "core/pd.hpp"

#include <cstddef>

#include "capi/calls.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_pd_alloc(kdevx_context *context, kdevx_pd **pd, kdevx_failure *why) noexcept {
    return make_in(context, pd, "pd", why, [](core::context &c) { return core::alloc_pd(c); });
}

int kdevx_pd_dealloc(kdevx_pd *pd, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::pd>(pd), why);
}

int kdevx_pd_get_info(const kdevx_pd *pd, kdevx_pd_info *info, kdevx_failure *why) noexcept {
    return answer<core::pd>(pd, info, offsetof(kdevx_pd_info, pdn), "info", why,
                            [](auto &p) -> result<kdevx_pd_info> {
                                return kdevx_pd_info{sizeof(kdevx_pd_info), p.handle(), p->pdn};
                            });
}

int kdevx_xrcd_open(kdevx_context *context, kdevx_xrcd **xrcd, kdevx_failure *why) noexcept {
    return make_in(context, xrcd, "xrcd", why,
                   [](core::context &c) { return core::open_xrcd(c, -1, 0); });
}

int kdevx_xrcd_open_shared(kdevx_context *context, int fd, std::uint32_t flags, kdevx_xrcd **xrcd,
                           kdevx_failure *why) noexcept {
    if (fd < 0) return kdevx::deliver(fail(KDEVX_CAUSE_INVALID, EBADF, "fd"), why);
    return make_in(context, xrcd, "xrcd", why,
                   [=](core::context &c) { return core::open_xrcd(c, fd, flags); });
}

int kdevx_xrcd_close(kdevx_xrcd *xrcd, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::xrcd>(xrcd), why);
}

std::int64_t kdevx_xrcd_handle(const kdevx_xrcd *xrcd) noexcept {
    result<core::pin<core::xrcd>> x = core::enter<core::xrcd>(xrcd);
    return x ? std::int64_t(x->handle()) : -EBADF;
}
