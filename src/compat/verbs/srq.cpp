// SPDX-License-Identifier: MIT
#include "compat/verbs/rings.hpp"
#include "compat/verbs/waits.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

namespace {

bool create(attempt &a, context &c, const verbs::pd &p, const ibv_srq_attr &attr, verbs::srq &q) {
    kdevx_srq_options o = sized<kdevx_srq_options>();
    o.max_wr = attr.max_wr;
    o.max_sge = attr.max_sge;
    o.limit = attr.srq_limit;
    o.user_handle = std::uint64_t(reinterpret_cast<std::uintptr_t>(&q));
    if (!a.good(kdevx_srq_create(p.own, &o, &q.own, a))) return false;
    if (a.good(make_ring(c, q, a))) return true;
    kdevx_srq_destroy(q.own, nullptr);
    return false;
}

kdevx_srq_info info(const verbs::srq &q) {
    return info_of<kdevx_srq_info>(q.own, kdevx_srq_get_info);
}

} // namespace

ibv_srq *ibv_create_srq(ibv_pd *pd, ibv_srq_init_attr *init) {
    attempt a;
    if (!a.takes(pd->context)) return nullptr;
    owned<verbs::srq> q = make<verbs::srq>();
    if (!q) return a.no_memory(), nullptr;
    if (!create(a, *ours(pd->context), *ours(pd), init->attr, *q)) return nullptr;
    const kdevx_srq_info i = info(*q);
    q->shown.context = pd->context;
    q->shown.srq_context = init->srq_context;
    q->shown.pd = pd;
    q->shown.handle = i.handle;
    make_waitable(q->shown);
    init->attr.max_wr = i.wqe_count - 1;
    init->attr.max_sge = i.max_sge;
    return &q.disown()->shown;
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
