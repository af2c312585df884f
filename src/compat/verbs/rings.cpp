// SPDX-License-Identifier: MIT
#include "compat/verbs/rings.hpp"

namespace kdevx::verbs {

namespace {

std::uint32_t transport_of(ibv_qp_type type) {
    switch (type) {
    case IBV_QPT_UC:
        return KDEVX_TRANSPORT_UC;
    case IBV_QPT_UD:
        return KDEVX_TRANSPORT_UD;
    case IBV_QPT_XRC_SEND:
        return KDEVX_TRANSPORT_XRC;
    case IBV_QPT_RAW_PACKET:
        return KDEVX_TRANSPORT_LOCAL;
    default:
        return KDEVX_TRANSPORT_RC;
    }
}

void fill_sends(const qp &q, const kdevx_qp_info &i, kdevx_qp_ring_options &o) {
    const kdevx_queue_memory &m = i.memory;
    o.sq_buffer = m.sq_buffer_size ? m.sq_buffer : static_cast<char *>(m.buffer) + i.sq_offset;
    o.sq_size = std::uint64_t(i.sq_wqe_count) * 64;
    o.send_cq = q.shown.send_cq ? ours(q.shown.send_cq)->ring : nullptr;
    o.max_send_sge = q.cap.max_send_sge;
    o.max_inline_data = q.cap.max_inline_data;
    o.uar = m.uar;
    o.uar_reg = m.uar_reg;
}

void fill_receives(const qp &q, const kdevx_qp_info &i, kdevx_qp_ring_options &o) {
    o.srq = q.shown.srq ? ours(q.shown.srq)->ring : nullptr;
    o.recv_cq = q.shown.recv_cq ? ours(q.shown.recv_cq)->ring : nullptr;
    if (!i.rq_wqe_count) return;
    o.rq_buffer = i.memory.buffer;
    o.rq_stride = 1u << i.rq_wqe_shift;
    o.rq_size = std::uint64_t(i.rq_wqe_count) << i.rq_wqe_shift;
}

// Two queues, each with a number of its own.
int make_apart(context &c, qp &q, const kdevx_qp_info &i, kdevx_qp_ring_options o,
               kdevx_failure *why) {
    kdevx_qp_ring_options send = o, receive = o;
    fill_sends(q, i, send);
    fill_receives(q, i, receive);
    send.qpn = i.sqn;
    receive.qpn = i.rqn;
    if (send.sq_size)
        if (int rc = kdevx_qp_ring_create_devx(c.own, &send, &q.ring, why)) return rc;
    if (!receive.rq_size && !receive.srq) return 0;
    return kdevx_qp_ring_create_devx(c.own, &receive, &q.recv_ring, why);
}

int make_one(context &c, qp &q, const kdevx_qp_info &i, kdevx_qp_ring_options o,
             kdevx_failure *why) {
    fill_sends(q, i, o);
    if (q.shown.qp_type != IBV_QPT_XRC_SEND) fill_receives(q, i, o);
    o.qpn = i.qpn;
    if (!o.sq_size && !o.rq_size && !o.srq) return 0;
    if (int rc = kdevx_qp_ring_create_devx(c.own, &o, &q.ring, why)) return rc;
    q.recv_ring = q.ring;
    return 0;
}

} // namespace

int make_ring(context &c, cq &q, kdevx_failure *why) noexcept {
    const auto i = info_of<kdevx_cq_info>(q.own, kdevx_cq_get_info);
    kdevx_cq_ring_options o = sized<kdevx_cq_ring_options>();
    o.buffer = i.memory.buffer;
    o.buffer_size = i.memory.buffer_size;
    o.dbrec = i.memory.dbrec;
    o.uar = i.memory.uar;
    o.cqn = i.cqn;
    o.cqe_size = i.cqe_size;
    return kdevx_cq_ring_create_devx(c.own, &o, &q.ring, why);
}

int make_ring(context &c, srq &q, ibv_cq *cq, kdevx_failure *why) noexcept {
    const auto i = info_of<kdevx_srq_info>(q.own, kdevx_srq_get_info);
    kdevx_srq_ring_options o = sized<kdevx_srq_ring_options>();
    o.buffer = i.memory.buffer;
    o.buffer_size = i.memory.buffer_size;
    o.dbrec = i.memory.dbrec;
    o.srqn = i.srqn;
    o.stride = 1u << i.wqe_shift;
    o.max_sge = i.max_sge;
    o.user_index = q.user_index;
    o.cq = cq ? ours(cq)->ring : nullptr;
    return kdevx_srq_ring_create_devx(c.own, &o, &q.ring, why);
}

int make_ring(context &c, wq &q, kdevx_failure *why) noexcept {
    const auto i = info_of<kdevx_wq_info>(q.own, kdevx_wq_get_info);
    kdevx_qp_ring_options o = sized<kdevx_qp_ring_options>();
    o.recv_cq = ours(q.shown.cq)->ring;
    o.qpn = i.rqn;
    o.transport = KDEVX_TRANSPORT_LOCAL;
    o.rq_buffer = i.memory.buffer;
    o.rq_stride = 1u << i.wqe_shift;
    o.rq_size = std::uint64_t(i.wqe_count) << i.wqe_shift;
    o.dbrec = i.memory.dbrec;
    return kdevx_qp_ring_create_devx(c.own, &o, &q.ring, why);
}

int make_rings(context &c, qp &q, std::uint32_t flags, kdevx_failure *why) noexcept {
    const auto i = info_of<kdevx_qp_info>(q.own, kdevx_qp_get_info);
    kdevx_qp_ring_options o = sized<kdevx_qp_ring_options>();
    o.flags = flags | (q.sq_sig_all ? std::uint32_t(KDEVX_QP_RING_SIGNAL_ALL) : 0);
    o.transport = transport_of(q.shown.qp_type);
    o.dbrec = i.memory.dbrec;
    const bool apart = q.shown.qp_type == IBV_QPT_RAW_PACKET;
    const int rc = apart ? make_apart(c, q, i, o, why) : make_one(c, q, i, o, why);
    if (rc) end_rings(q);
    return rc;
}

void end_rings(qp &q) noexcept {
    if (q.recv_ring && q.recv_ring != q.ring) kdevx_qp_ring_destroy(q.recv_ring, nullptr);
    if (q.ring) kdevx_qp_ring_destroy(q.ring, nullptr);
    q.ring = q.recv_ring = nullptr;
}

void follow(const qp &q) noexcept {
    const auto state = std::uint32_t(q.shown.state);
    if (q.recv_ring && q.recv_ring != q.ring) kdevx_qp_ring_set_state(q.recv_ring, state, nullptr);
    if (q.ring) kdevx_qp_ring_set_state(q.ring, state, nullptr);
}

} // namespace kdevx::verbs
