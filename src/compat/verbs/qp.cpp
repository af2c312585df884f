// SPDX-License-Identifier: MIT
// Queue pairs: their making and their end.
#include "compat/verbs/make_qp.hpp"
#include "compat/verbs/rings.hpp"
#include "compat/verbs/waits.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

namespace {

bool is_known(ibv_qp_type type) {
    return type == IBV_QPT_RC || type == IBV_QPT_UC || type == IBV_QPT_UD ||
           type == IBV_QPT_RAW_PACKET || type == IBV_QPT_XRC_SEND || type == IBV_QPT_XRC_RECV;
}

void spread(const qp_wish &w, kdevx_qp_options &o) {
    o.ind_table = ours(w.table)->own;
    o.rss.rx_hash_fields_mask = w.hash->rx_hash_fields_mask;
    o.rss.rx_hash_function = w.hash->rx_hash_function;
    o.rss.rx_key_len = w.hash->rx_hash_key_len;
    o.rss.rx_hash_key = w.hash->rx_hash_key;
}

// An RSS QP has no queues of its own.
void fill_queues(const qp_wish &w, kdevx_qp_options &o) {
    o.send_cq = w.send_cq ? ours(w.send_cq)->own : nullptr;
    o.recv_cq = w.recv_cq && w.type != IBV_QPT_XRC_SEND ? ours(w.recv_cq)->own : nullptr;
    o.srq = w.srq ? ours(w.srq)->own : nullptr;
    const bool receives = !w.srq && w.type != IBV_QPT_XRC_SEND;
    o.max_send_wr = w.cap.max_send_wr;
    o.max_recv_wr = receives ? w.cap.max_recv_wr : 0;
    o.max_send_sge = w.cap.max_send_sge;
    o.max_recv_sge = receives ? w.cap.max_recv_sge : 0;
    o.max_inline_data = w.cap.max_inline_data;
}

kdevx_qp_options options_of(const qp_wish &w, verbs::qp &q) {
    kdevx_qp_options o = sized<kdevx_qp_options>();
    o.type = w.type;
    o.create_flags = w.create_flags | (w.sq_sig_all ? std::uint32_t(KDEVX_QP_SQ_SIG_ALL) : 0);
    o.source_qpn = w.source_qpn;
    o.user_handle = std::uint64_t(reinterpret_cast<std::uintptr_t>(&q));
    if (w.xrcd)
        o.xrcd = ours(w.xrcd)->own;
    else if (w.table)
        spread(w, o);
    else
        fill_queues(w, o);
    return o;
}

std::uint32_t ring_flags_of(const qp_wish &w) {
    std::uint32_t flags = w.ring_flags;
    if (w.create_flags & KDEVX_QP_CROSS_CHANNEL) flags |= KDEVX_QP_RING_MASTER;
    if (w.create_flags & KDEVX_QP_MANAGED_SEND) flags |= KDEVX_QP_RING_MANAGED_SEND;
    if (w.create_flags & KDEVX_QP_MANAGED_RECV) flags |= KDEVX_QP_RING_MANAGED_RECV;
    return flags;
}

// What was asked for fits at least; a receive queue takes as many as it has entries.
ibv_qp_cap cap_of(const qp_wish &w, const kdevx_qp_info &info) {
    ibv_qp_cap cap = w.cap;
    if (!info.rq_wqe_count) return cap;
    cap.max_recv_wr = info.rq_wqe_count;
    cap.max_recv_sge = 1u << info.rq_wqe_shift >> 4;
    return cap;
}

ibv_context *context_of(const qp_wish &w) {
    return w.xrcd ? w.xrcd->context : w.pd->context;
}

void describe(verbs::qp &q, const qp_wish &w) {
    const auto info = info_of<kdevx_qp_info>(q.own, kdevx_qp_get_info);
    q.shown.context = context_of(w);
    q.shown.qp_context = w.qp_context;
    q.shown.pd = w.pd;
    q.shown.send_cq = w.send_cq;
    q.shown.recv_cq = w.recv_cq;
    q.shown.srq = w.srq;
    q.shown.handle = info.handle;
    q.shown.qp_num = info.qpn;
    q.shown.state = w.table ? IBV_QPS_RTS : IBV_QPS_RESET;
    q.shown.qp_type = w.type;
    q.cap = cap_of(w, info);
    q.sq_sig_all = w.sq_sig_all;
}

bool is_sound(attempt &a, const qp_wish &w) {
    if (!a.takes_all(w.pd, w.send_cq, w.recv_cq, w.srq, w.table, w.xrcd)) return false;
    if (!is_known(w.type)) return a.not_supported("qp_type"), false;
    if (!w.xrcd != (w.type != IBV_QPT_XRC_RECV)) return a.invalid("xrcd"), false;
    if (!w.xrcd && !w.pd) return a.invalid("pd"), false;
    if (w.table && !w.hash) return a.invalid("rx_hash_conf"), false;
    return true;
}

int create(const qp_wish &w, const kdevx_qp_options &o, verbs::qp &q, kdevx_failure *why) {
    if (w.xrcd) return kdevx_qp_create_xrc_tgt(ours(w.xrcd->context)->own, &o, &q.own, why);
    return kdevx_qp_create(ours(w.pd)->own, &o, &q.own, why);
}

} // namespace

ibv_qp *verbs::make_qp(attempt &a, const qp_wish &w, ibv_qp_cap &cap) noexcept {
    if (!is_sound(a, w)) return nullptr;
    owned<verbs::qp> q = make<verbs::qp>();
    if (!q) return a.no_memory(), nullptr;
    const kdevx_qp_options o = options_of(w, *q);
    if (!a.good(create(w, o, *q, a))) return nullptr;
    describe(*q, w);
    const bool posts = !w.table && !w.xrcd;
    if (posts && !a.good(make_rings(*ours(w.pd->context), *q, ring_flags_of(w), a))) {
        kdevx_qp_destroy(q->own, nullptr);
        return nullptr;
    }
    make_waitable(q->shown);
    cap = q->cap;
    return &q.disown()->shown;
}

ibv_qp *ibv_create_qp(ibv_pd *pd, ibv_qp_init_attr *init) {
    attempt a;
    return make_qp(a, wish_of(*init, pd), init->cap);
}

// The bits of the create flags are those of kdevx.h, but for the underlay QP's number.
ibv_qp *ibv_create_qp_ex(ibv_context *context, ibv_qp_init_attr_ex *init) {
    attempt a;
    constexpr std::uint32_t known = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_XRCD |
                                    IBV_QP_INIT_ATTR_CREATE_FLAGS | IBV_QP_INIT_ATTR_IND_TABLE |
                                    IBV_QP_INIT_ATTR_RX_HASH;
    constexpr std::uint32_t flags = IBV_QP_CREATE_BLOCK_SELF_MCAST_LB | IBV_QP_CREATE_SCATTER_FCS |
                                    IBV_QP_CREATE_CVLAN_STRIPPING |
                                    IBV_QP_CREATE_PCI_WRITE_END_PADDING;
    if (!a.takes(context)) return nullptr;
    if (init->comp_mask & ~known) return a.not_supported("comp_mask"), nullptr;
    qp_wish w = wish_of(*init, init->comp_mask & IBV_QP_INIT_ATTR_PD ? init->pd : nullptr);
    if (init->comp_mask & IBV_QP_INIT_ATTR_CREATE_FLAGS) {
        if (init->create_flags & ~(flags | IBV_QP_CREATE_SOURCE_QPN))
            return a.not_supported("create_flags"), nullptr;
        w.create_flags = init->create_flags & flags;
        if (init->create_flags & IBV_QP_CREATE_SOURCE_QPN) w.source_qpn = init->source_qpn;
    }
    if (init->comp_mask & IBV_QP_INIT_ATTR_XRCD) w.xrcd = init->xrcd;
    if (init->comp_mask & IBV_QP_INIT_ATTR_IND_TABLE) w.table = init->rwq_ind_tbl;
    if (init->comp_mask & IBV_QP_INIT_ATTR_RX_HASH) w.hash = &init->rx_hash_conf;
    return make_qp(a, w, init->cap);
}

int ibv_destroy_qp(ibv_qp *qp) {
    attempt a;
    if (!a.takes(qp->context)) return EXDEV;
    verbs::qp *q = ours(qp);
    if (int err = a.ended(kdevx_qp_destroy(q->own, a))) return err;
    end_rings(*q);
    wait_for(*qp, qp->events_completed, q->events_taken);
    end_waitable(*qp);
    end(q);
    return 0;
}
