// SPDX-License-Identifier: MIT
#include "core/post.hpp"

#include <cstring>

namespace kdevx::core {

namespace {

// What the two sides must agree on for as_requests() and poll().
static_assert(sizeof(kdevx_sge) == sizeof(rings::sge) &&
              offsetof(kdevx_sge, lkey) == offsetof(rings::sge, lkey));
static_assert(sizeof(kdevx_send_wr) == sizeof(rings::send_request));
static_assert(offsetof(kdevx_send_wr, next) == offsetof(rings::send_request, next));
static_assert(offsetof(kdevx_send_wr, sg_list) == offsetof(rings::send_request, sg_list));
static_assert(offsetof(kdevx_send_wr, num_sge) == offsetof(rings::send_request, num_sge));
static_assert(offsetof(kdevx_send_wr, op) == offsetof(rings::send_request, op));
static_assert(offsetof(kdevx_send_wr, flags) == offsetof(rings::send_request, flags));
static_assert(offsetof(kdevx_send_wr, imm_or_rkey) == offsetof(rings::send_request, imm_or_rkey));
static_assert(offsetof(kdevx_send_wr, u) == offsetof(rings::send_request, atomic));
static_assert(offsetof(kdevx_send_wr, av) == offsetof(rings::send_request, to.to));
static_assert(offsetof(kdevx_send_wr, remote_qpn) == offsetof(rings::send_request, to.qpn));
static_assert(offsetof(kdevx_send_wr, remote_qkey) == offsetof(rings::send_request, to.q_key));
static_assert(offsetof(kdevx_send_wr, dc_key) == offsetof(rings::send_request, to.dc_key));
static_assert(offsetof(kdevx_send_wr, xrc_srqn) == offsetof(rings::send_request, xrc_srqn));
static_assert(sizeof(kdevx_rdma) == sizeof(rings::remote_memory) &&
              offsetof(kdevx_rdma, rkey) == offsetof(rings::remote_memory, rkey));
static_assert(sizeof(kdevx_atomic) == sizeof(rings::atomic_request));
static_assert(offsetof(kdevx_atomic, swap_or_add) == offsetof(rings::atomic_request, swap_or_add));
static_assert(offsetof(kdevx_atomic, compare_mask) ==
              offsetof(rings::atomic_request, compare_mask));
static_assert(sizeof(kdevx_wait_data) == sizeof(rings::wait_data_request));
static_assert(offsetof(kdevx_wait_data, condition) ==
              offsetof(rings::wait_data_request, condition));
static_assert(offsetof(kdevx_wait_data, fail_to_error_cqe) ==
              offsetof(rings::wait_data_request, fail_to_error_cqe));
static_assert(offsetof(kdevx_wait_data, mask) == offsetof(rings::wait_data_request, mask));
static_assert(sizeof(kdevx_av) == sizeof(rings::address));
static_assert(sizeof(kdevx_recv_wr) == sizeof(rings::receive_request));
static_assert(offsetof(kdevx_recv_wr, num_sge) == offsetof(rings::receive_request, num_sge));
static_assert(sizeof(kdevx_wc) == sizeof(rings::completion));
static_assert(offsetof(kdevx_wc, qp) == offsetof(rings::completion, qp));
static_assert(offsetof(kdevx_wc, src_qp) == offsetof(rings::completion, src_qp));
static_assert(offsetof(kdevx_wc, what) == offsetof(rings::completion, what));
static_assert(offsetof(kdevx_wc, problem) == offsetof(rings::completion, problem));

bool names_a_ring(std::uint8_t op) {
    return op == KDEVX_WAIT_CQ || op == KDEVX_SEND_ENABLE || op == KDEVX_RECV_ENABLE;
}

std::span<const std::byte> bytes_of(const void *p, std::size_t size) {
    return {static_cast<const std::byte *>(p), p ? size : 0};
}

rings::umr_request umr_of(const kdevx_umr &u) {
    rings::umr_request r;
    r.mkey = u.mkey;
    r.mkey_mask = u.mkey_mask;
    r.context = static_cast<const std::byte *>(u.context);
    r.check = std::uint8_t(u.check);
    r.translation_offset = u.flags & KDEVX_UMR_TRANSLATION_OFFSET;
    r.xlt_offset = u.xlt_offset;
    r.xlt = bytes_of(u.xlt, u.xlt_size);
    r.xlt_at = {u.xlt_at, u.xlt_at_length, u.xlt_at_lkey};
    r.bsf = bytes_of(u.bsf, u.bsf_size);
    return r;
}

// No ring is of any context.
bool is_of(const context &c, const void *ring) {
    return !ring || slot_of(ring)->context == &c;
}

void look_at(cq_ring_data &cq) {
    locked l(cq.lock);
    cq.look();
}

rings::error post_one(qp_ring_data &qp, const kdevx_send_wr &w) {
    translated_send t;
    rings::error e = t.translate(w, *slot_of(qp.self)->context);
    return e == rings::error::none ? qp.sq.post(t.request) : e;
}

} // namespace

rings::error translated_send::translate(const kdevx_send_wr &w, const context &c) noexcept {
    std::memcpy(static_cast<void *>(&request), &w, sizeof request);
    request.next = nullptr;
    if (w.op == KDEVX_WAIT_CQ) {
        if (!is_of(c, w.u.wait.cq)) return rings::error::foreign_target;
        cq_ring_data *cq = data_of<cq_ring>(w.u.wait.cq);
        if (cq) look_at(*cq);
        request.wait = {cq, w.u.wait.count};
    } else if (names_a_ring(w.op)) {
        if (!is_of(c, w.u.enable.target)) return rings::error::foreign_target;
        qp_ring_data *target = data_of<qp_ring>(w.u.enable.target);
        if (target) look_at_state(*target);
        request.enable = {target, w.u.enable.count};
    } else if (w.op == KDEVX_UMR && w.u.umr) {
        if (w.u.umr->check > 0xff) return rings::error::bad_umr;
        umr = umr_of(*w.u.umr);
        request.umr = &umr;
    }
    return rings::error::none;
}

rings::error post_receives(qp_ring_data &qp, const kdevx_recv_wr *list,
                           const kdevx_recv_wr **bad) noexcept {
    locked l(*qp.lock);
    look_at_state(qp);
    const rings::receive_request *refused = nullptr;
    const rings::error e = rings::post_receives(qp, as_requests(list), &refused);
    *bad = reinterpret_cast<const kdevx_recv_wr *>(refused);
    return e;
}

rings::error post_receives(srq_ring_data &srq, const kdevx_recv_wr *list,
                           const kdevx_recv_wr **bad) noexcept {
    locked l(*srq.lock);
    const rings::receive_request *refused = nullptr;
    const rings::error e = rings::post_receives(srq, as_requests(list), &refused);
    *bad = reinterpret_cast<const kdevx_recv_wr *>(refused);
    return e;
}

namespace {

bool needs_translation(const kdevx_send_wr *list) {
    for (; list; list = list->next)
        if (names_a_ring(list->op) || list->op == KDEVX_UMR) return true;
    return false;
}

rings::error post_translated(qp_ring_data &qp, const kdevx_send_wr *list,
                             const kdevx_send_wr **bad) {
    rings::error e = qp.check_send();
    while (e == rings::error::none && list) {
        e = post_one(qp, *list);
        if (e == rings::error::none) list = list->next;
    }
    qp.sq.ring();
    if (bad && e != rings::error::none) *bad = list;
    return e;
}

} // namespace

std::size_t poll_and_unlock(cq_ring_data &cq, const std::byte *first,
                            std::span<kdevx_wc> out) noexcept {
    const std::span mine{reinterpret_cast<rings::completion *>(out.data()), out.size()};
    queue_lock *const srqs = cq.srq_lock;
    if (srqs) [[unlikely]]
        srqs->lock();
    const std::size_t n = cq.poll_from(first, mine, cq.queues, &cq.srqs);
    if (srqs) [[unlikely]]
        srqs->unlock();
    cq.lock.unlock();
    return n;
}

std::size_t poll_waiting(cq_ring_data &cq, std::span<kdevx_wc> out) noexcept {
    cq.lock.lock();
    const std::byte *first = cq.peek();
    if (first) return poll_and_unlock(cq, first, out);
    cq.lock.unlock();
    return 0;
}

rings::error post_many(qp_ring_data &qp, const kdevx_send_wr *list,
                       const kdevx_send_wr **bad) noexcept {
    if (needs_translation(list)) return post_translated(qp, list, bad);
    const rings::send_request *refused = nullptr;
    const rings::error e = rings::post_sends(qp, as_requests(list), &refused);
    if (bad && e != rings::error::none) *bad = reinterpret_cast<const kdevx_send_wr *>(refused);
    return e;
}

} // namespace kdevx::core
