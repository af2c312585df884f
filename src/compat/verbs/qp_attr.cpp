// SPDX-License-Identifier: MIT
// Transitions and queries of queue pairs. The bits of the mask and the numbers of states, MTUs and
// access flags are the same on both sides.
#include "compat/verbs/address.hpp"
#include "compat/verbs/rings.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

static_assert(int(IBV_QP_STATE) == int(KDEVX_QP_STATE) && int(IBV_QP_AV) == int(KDEVX_QP_AV) &&
              int(IBV_QP_SQ_PSN) == int(KDEVX_QP_SQ_PSN) &&
              int(IBV_QP_DEST_QPN) == int(KDEVX_QP_DEST_QPN) &&
              int(IBV_QP_RATE_LIMIT) == int(KDEVX_QP_RATE_LIMIT));
static_assert(int(IBV_QPS_RTS) == int(KDEVX_QPS_RTS) && int(IBV_QPS_ERR) == int(KDEVX_QPS_ERR));

namespace {

// What has a place of the same name on both sides.
template <class To, class From>
void copy_numbers(To &to, const From &from) {
    to.qkey = from.qkey;
    to.rq_psn = from.rq_psn;
    to.sq_psn = from.sq_psn;
    to.dest_qp_num = from.dest_qp_num;
    to.rate_limit = from.rate_limit;
    to.pkey_index = from.pkey_index;
    to.alt_pkey_index = from.alt_pkey_index;
    to.en_sqd_async_notify = from.en_sqd_async_notify;
    to.sq_draining = from.sq_draining;
    to.max_rd_atomic = from.max_rd_atomic;
    to.max_dest_rd_atomic = from.max_dest_rd_atomic;
    to.min_rnr_timer = from.min_rnr_timer;
    to.port_num = from.port_num;
    to.timeout = from.timeout;
    to.retry_cnt = from.retry_cnt;
    to.rnr_retry = from.rnr_retry;
    to.alt_port_num = from.alt_port_num;
    to.alt_timeout = from.alt_timeout;
}

kdevx_qp_attr attr_of(const ibv_qp_attr &from) {
    kdevx_qp_attr to = sized<kdevx_qp_attr>();
    copy_numbers(to, from);
    to.access_flags = from.qp_access_flags;
    to.qp_state = std::uint8_t(from.qp_state);
    to.cur_qp_state = std::uint8_t(from.cur_qp_state);
    to.path_mtu = std::uint8_t(from.path_mtu);
    to.path_mig_state = std::uint8_t(from.path_mig_state);
    to.ah = address_of(from.ah_attr);
    to.alt_ah = address_of(from.alt_ah_attr);
    return to;
}

// Only what the mask names is looked at: the rest of a program's struct may be anything.
kdevx_qp_attr named(const ibv_qp_attr &from, int mask) {
    kdevx_qp_attr to = attr_of(from);
    if (!(mask & IBV_QP_AV)) to.ah = {};
    if (!(mask & IBV_QP_ALT_PATH)) to.alt_ah = {};
    return to;
}

ibv_qp_attr attr_of(const kdevx_qp_attr &from) {
    ibv_qp_attr to{};
    copy_numbers(to, from);
    to.qp_access_flags = from.access_flags;
    to.qp_state = ibv_qp_state(from.qp_state);
    to.cur_qp_state = ibv_qp_state(from.cur_qp_state);
    to.path_mtu = ibv_mtu(from.path_mtu);
    to.path_mig_state = ibv_mig_state(from.path_mig_state);
    to.ah_attr = verbs::attr_of(from.ah);
    to.alt_ah_attr = verbs::attr_of(from.alt_ah);
    return to;
}

ibv_qp_init_attr init_of(const verbs::qp &q) {
    return {q.shown.qp_context, q.shown.send_cq, q.shown.recv_cq, q.shown.srq, q.cap,
            q.shown.qp_type,    q.sq_sig_all};
}

} // namespace

int ibv_modify_qp(ibv_qp *qp, ibv_qp_attr *attr, int attr_mask) {
    attempt a;
    if (!a.takes(qp->context)) return EXDEV;
    if (attr_mask & IBV_QP_CAP) return a.not_supported("IBV_QP_CAP");
    const kdevx_qp_attr wanted = named(*attr, attr_mask);
    verbs::qp *q = ours(qp);
    if (int err = a.ended(kdevx_qp_modify(q->own, &wanted, std::uint32_t(attr_mask), a)))
        return err;
    if (!(attr_mask & IBV_QP_STATE)) return 0;
    qp->state = attr->qp_state;
    follow(*q);
    return 0;
}

int ibv_query_qp(ibv_qp *qp, ibv_qp_attr *attr, int attr_mask, ibv_qp_init_attr *init_attr) {
    attempt a;
    if (!a.takes(qp->context)) return EXDEV;
    kdevx_qp_attr told = sized<kdevx_qp_attr>();
    verbs::qp *q = ours(qp);
    if (int err = a.ended(kdevx_qp_query(q->own, std::uint32_t(attr_mask), &told, a))) return err;
    *attr = attr_of(told);
    attr->cap = q->cap;
    qp->state = attr->qp_state;
    follow(*q);
    if (init_attr) *init_attr = init_of(*q);
    return 0;
}
