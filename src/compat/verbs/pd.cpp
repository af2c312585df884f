// SPDX-License-Identifier: MIT
// Protection domains, memory regions and addresses.
#include "compat/verbs/address.hpp"
#include "compat/verbs/objects.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

namespace {

void describe(mr &m, ibv_pd *pd, void *addr, std::size_t length) {
    const auto info = info_of<kdevx_mr_info>(m.own, kdevx_mr_get_info);
    m.shown = {pd->context, pd, addr, length, info.handle, info.lkey, info.rkey};
}

} // namespace

ibv_pd *ibv_alloc_pd(ibv_context *context) {
    attempt a;
    if (!a.takes(context)) return nullptr;
    owned<verbs::pd> p = make<verbs::pd>();
    if (!p) return a.no_memory(), nullptr;
    if (!a.good(kdevx_pd_alloc(ours(context)->own, &p->own, a))) return nullptr;
    p->shown = {context, info_of<kdevx_pd_info>(p->own, kdevx_pd_get_info).handle};
    return &p.disown()->shown;
}

int ibv_dealloc_pd(ibv_pd *pd) {
    attempt a;
    if (!a.takes(pd->context)) return EXDEV;
    if (int err = a.ended(kdevx_pd_dealloc(ours(pd)->own, a))) return err;
    end(ours(pd));
    return 0;
}

ibv_mr *ibv_reg_mr_iova(ibv_pd *pd, void *addr, std::size_t length, std::uint64_t iova,
                        int access) {
    attempt a;
    if (!a.takes(pd->context)) return nullptr;
    owned<mr> m = make<mr>();
    if (!m) return a.no_memory(), nullptr;
    if (!a.good(kdevx_mr_reg(ours(pd)->own, addr, length, iova, std::uint32_t(access), &m->own, a)))
        return nullptr;
    describe(*m, pd, addr, length);
    return &m.disown()->shown;
}

ibv_mr *ibv_reg_mr(ibv_pd *pd, void *addr, std::size_t length, int access) {
    return ibv_reg_mr_iova(pd, addr, length, std::uint64_t(std::uintptr_t(addr)), access);
}

ibv_mr *ibv_reg_dmabuf_mr(ibv_pd *pd, std::uint64_t offset, std::size_t length, std::uint64_t iova,
                          int fd, int access) {
    attempt a;
    if (!a.takes(pd->context)) return nullptr;
    owned<mr> m = make<mr>();
    if (!m) return a.no_memory(), nullptr;
    if (!a.good(kdevx_mr_reg_dmabuf(ours(pd)->own, fd, offset, length, iova, std::uint32_t(access),
                                    0, &m->own, a)))
        return nullptr;
    describe(*m, pd, nullptr, length);
    return &m.disown()->shown;
}

int ibv_dereg_mr(ibv_mr *mr) {
    attempt a;
    if (!a.takes(mr->context)) return EXDEV;
    if (int err = a.ended(kdevx_mr_dereg(ours(mr)->own, a))) return err;
    end(ours(mr));
    return 0;
}

ibv_ah *ibv_create_ah(ibv_pd *pd, ibv_ah_attr *attr) {
    attempt a;
    if (!a.takes(pd->context)) return nullptr;
    owned<ah> h = make<ah>();
    if (!h) return a.no_memory(), nullptr;
    const kdevx_address to = address_of(*attr);
    if (!a.good(kdevx_ah_create(ours(pd)->own, &to, &h->own, a))) return nullptr;
    const auto info = info_of<kdevx_ah_info>(h->own, kdevx_ah_get_info);
    if (!a.good(kdevx_av_make(&to, info.has_dmac ? info.dmac : nullptr, &h->av, a))) {
        kdevx_ah_destroy(h->own, nullptr);
        return nullptr;
    }
    h->shown = {pd->context, pd, info.handle};
    return &h.disown()->shown;
}

int ibv_destroy_ah(ibv_ah *ah) {
    attempt a;
    if (!a.takes(ah->context)) return EXDEV;
    if (int err = a.ended(kdevx_ah_destroy(ours(ah)->own, a))) return err;
    end(ours(ah));
    return 0;
}
