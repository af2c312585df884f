// SPDX-License-Identifier: MIT
// XRC domains: of this process alone, or shared by all who open them by the same file.
#include "compat/verbs/objects.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

namespace {

int open(attempt &a, const context &c, const ibv_xrcd_init_attr &init, verbs::xrcd &x) {
    if (init.fd == -1) return kdevx_xrcd_open(c.own, &x.own, a);
    return kdevx_xrcd_open_shared(c.own, init.fd, std::uint32_t(init.oflags), &x.own, a);
}

} // namespace

ibv_xrcd *ibv_open_xrcd(ibv_context *context, ibv_xrcd_init_attr *init) {
    attempt a;
    constexpr std::uint32_t both = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS;
    if (!a.takes(context)) return nullptr;
    if (init->comp_mask & ~both) return a.not_supported("comp_mask"), nullptr;
    if (init->comp_mask != both) return a.invalid("comp_mask"), nullptr;
    owned<verbs::xrcd> x = make<verbs::xrcd>();
    if (!x) return a.no_memory(), nullptr;
    if (!a.good(open(a, *ours(context), *init, *x))) return nullptr;
    x->shown = {context};
    return &x.disown()->shown;
}

int ibv_close_xrcd(ibv_xrcd *xrcd) {
    attempt a;
    if (!a.takes(xrcd->context)) return EXDEV;
    if (int err = a.ended(kdevx_xrcd_close(ours(xrcd)->own, a))) return err;
    end(ours(xrcd));
    return 0;
}
