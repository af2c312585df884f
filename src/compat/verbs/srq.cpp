// SPDX-License-Identifier: MIT
#include <atomic>

#include "compat/verbs/rings.hpp"
#include "compat/verbs/waits.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

namespace {

struct srq_wish {
    ibv_pd *pd;
    void *srq_context;
    ibv_xrcd *xrcd = nullptr; // XRC: this one and the next
    ibv_cq *cq = nullptr;
};

// By which the CQEs of an XRC SRQ name it: another one for each, all round.
std::uint32_t next_user_index() {
    constexpr std::uint32_t count = 0xffffff; // of 24 bits, the last one names nobody
    static std::atomic<std::uint32_t> next;
    return next.fetch_add(1, std::memory_order_relaxed) % count;
}

kdevx_srq_options options_of(const srq_wish &w, const ibv_srq_attr &attr, verbs::srq &q) {
    kdevx_srq_options o = sized<kdevx_srq_options>();
    o.max_wr = attr.max_wr;
    o.max_sge = attr.max_sge;
    o.limit = attr.srq_limit;
    o.user_handle = std::uint64_t(reinterpret_cast<std::uintptr_t>(&q));
    if (!w.xrcd) return o;
    o.type = KDEVX_SRQ_XRC;
    o.user_index = q.user_index = next_user_index();
    o.xrcd = ours(w.xrcd)->own;
    o.cq = ours(w.cq)->own;
    return o;
}

bool create(attempt &a, const srq_wish &w, const ibv_srq_attr &attr, verbs::srq &q) {
    const kdevx_srq_options o = options_of(w, attr, q);
    if (!a.good(kdevx_srq_create(ours(w.pd)->own, &o, &q.own, a))) return false;
    if (a.good(make_ring(*ours(w.pd->context), q, w.cq, a))) return true;
    kdevx_srq_destroy(q.own, nullptr);
    return false;
}

kdevx_srq_info info(const verbs::srq &q) {
    return info_of<kdevx_srq_info>(q.own, kdevx_srq_get_info);
}

// `attr` is what there is, afterwards.
ibv_srq *make_srq(attempt &a, const srq_wish &w, ibv_srq_attr &attr) {
    owned<verbs::srq> q = make<verbs::srq>();
    if (!q) return a.no_memory(), nullptr;
    if (!create(a, w, attr, *q)) return nullptr;
    const kdevx_srq_info i = info(*q);
    q->shown.context = w.pd->context;
    q->shown.srq_context = w.srq_context;
    q->shown.pd = w.pd;
    q->shown.handle = i.handle;
    make_waitable(q->shown);
    attr.max_wr = i.wqe_count - 1;
    attr.max_sge = i.max_sge;
    return &q.disown()->shown;
}

// What the mask names of an XRC SRQ: all of it, and nothing of another's.
bool is_sound(attempt &a, ibv_context *context, const ibv_srq_init_attr_ex &init) {
    constexpr std::uint32_t basic = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD;
    constexpr std::uint32_t all = basic | IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ;
    const bool xrc = init.comp_mask & IBV_SRQ_INIT_ATTR_TYPE && init.srq_type != IBV_SRQT_BASIC;
    if (!a.takes(context)) return false;
    if (init.comp_mask & ~all || (xrc && init.srq_type != IBV_SRQT_XRC))
        return a.not_supported("srq_type"), false;
    if (!(init.comp_mask & IBV_SRQ_INIT_ATTR_PD) || !init.pd) return a.invalid("pd"), false;
    if (init.comp_mask & (all & ~basic) && !xrc) return a.invalid("srq_type"), false;
    if (!xrc) return a.takes_all(init.pd);
    if (init.comp_mask != all || !init.xrcd || !init.cq) return a.invalid("comp_mask"), false;
    return a.takes_all(init.pd, init.xrcd, init.cq);
}

} // namespace

ibv_srq *ibv_create_srq(ibv_pd *pd, ibv_srq_init_attr *init) {
    attempt a;
    if (!a.takes(pd->context)) return nullptr;
    return make_srq(a, {pd, init->srq_context}, init->attr);
}

ibv_srq *ibv_create_srq_ex(ibv_context *context, ibv_srq_init_attr_ex *init) {
    attempt a;
    if (!is_sound(a, context, *init)) return nullptr;
    srq_wish w{init->pd, init->srq_context};
    if (init->comp_mask & IBV_SRQ_INIT_ATTR_XRCD) w.xrcd = init->xrcd, w.cq = init->cq;
    return make_srq(a, w, init->attr);
}

int ibv_modify_srq(ibv_srq *srq, ibv_srq_attr *attr, int mask) {
    attempt a;
    if (!a.takes(srq->context)) return EXDEV;
    if (mask != IBV_SRQ_LIMIT) return a.invalid("srq_attr_mask"); // mlx5 resizes none
    return a.ended(kdevx_srq_set_limit(ours(srq)->own, attr->srq_limit, a));
}

int ibv_query_srq(ibv_srq *srq, ibv_srq_attr *attr) {
    attempt a;
    if (!a.takes(srq->context)) return EXDEV;
    kdevx_srq_attr told{};
    if (int err = a.ended(kdevx_srq_query(ours(srq)->own, &told, a))) return err;
    *attr = {told.max_wr, told.max_sge, told.limit};
    return 0;
}

int ibv_get_srq_num(ibv_srq *srq, std::uint32_t *srq_num) {
    attempt a;
    if (!a.takes(srq->context)) return EXDEV;
    *srq_num = info(*ours(srq)).srqn;
    return 0;
}

int ibv_destroy_srq(ibv_srq *srq) {
    attempt a;
    if (!a.takes(srq->context)) return EXDEV;
    verbs::srq *q = ours(srq);
    if (int err = a.ended(kdevx_srq_destroy(q->own, a))) return err;
    kdevx_srq_ring_destroy(q->ring, nullptr);
    wait_for(*srq, srq->events_completed, q->events_taken);
    end_waitable(*srq);
    end(q);
    return 0;
}
