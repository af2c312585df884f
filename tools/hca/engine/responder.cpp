// SPDX-License-Identifier: MIT
// What becomes of a request that arrives at a queue pair.
#include "engine/atomic.hpp"
#include "engine/engine.hpp"
#include "kdevx/prm/cqe.hpp"

#include <algorithm>
#include <array>

namespace kdevx::hca::engine {
namespace {

using memory::fault;

constexpr std::uint64_t grh_size = 40; // before every datagram, in the receiver's buffers
constexpr std::uint32_t default_pkey = 0xffff;

bool listens(std::uint8_t state) {
    return state == qp_state<"RTR"> || state == qp_state<"RTS"> || state == qp_state<"SQD"> ||
           state == qp_state<"SQER">;
}

// A global route header: version 6, what follows is InfiniBand's.
std::array<std::byte, grh_size> route_header(const packet &p) {
    constexpr std::byte version{0x60}, next_header{0x1b}, hop_limit{0xff};
    std::array<std::byte, grh_size> h{};
    if (!p.has_grh) return h;
    h[0] = version;
    h[6] = next_header;
    h[7] = hop_limit;
    std::ranges::copy(p.from, h.begin() + 8);
    std::ranges::copy(p.to, h.begin() + 24);
    return h;
}

std::uint8_t opcode_of(const packet &p) {
    if (p.does == action::write) return prm::cqe_op<"RESP_WR_IMM">;
    if (p.has_immediate) return prm::cqe_op<"RESP_SEND_IMM">;
    return p.invalidates ? prm::cqe_op<"RESP_SEND_INV"> : prm::cqe_op<"RESP_SEND">;
}

} // namespace

// ---- is it for us

bool engine::is_for(const queue_pair &qp, const packet &p) const {
    if (!listens(qp.state) || qp.type != p.service) return false;
    if (!qp.is_connected()) return true;
    const bool from_peer = qp.path.to.loopback || qp.path.to.lid == p.source_lid;
    if (qp.path.remote_qpn != p.source_qpn || !from_peer) return false;
    return !qp.is_reliable() || qp.receiving.psn == p.psn;
}

answer engine::respond(const packet &p) {
    constexpr std::uint32_t psn_mask = 0xffffff;
    queue_pair *qp = find_qp(p.qpn);
    if (!qp || !is_for(*qp, p)) return {.what = verdict::lost};
    if (!qp->receiving.established && qp->state == qp_state<"RTR"> && qp->is_connected())
        raise_qp_event(*qp, event<"COMM_EST">);
    qp->receiving.established = true;
    answer a = perform(*qp, p);
    if (a.what == verdict::done) qp->receiving.psn = (p.psn + p.psns) & psn_mask;
    return a;
}

answer engine::perform(queue_pair &qp, const packet &p) {
    switch (p.does) {
    case action::send:
        return qp.type == service<"UD"> ? take_datagram(qp, p) : take_send_piece(qp, p);
    case action::write:
        return take_write(qp, p);
    case action::read:
        return give_read(qp, p);
    case action::atomic:
        return do_atomic(qp, p);
    default:
        return refuse(qp, verdict::invalid_request);
    }
}

// ---- requests that end badly

// An error of the requester's, found here: no receive is to blame, so there is an event. An
// unreliable request that cannot be done is dropped.
answer engine::refuse(queue_pair &qp, verdict why) {
    if (!qp.is_reliable()) return {.what = verdict::lost};
    fail(qp,
         why == verdict::remote_access ? event<"WQ_ACCESS_ERROR"> : event<"WQ_INVAL_REQ_ERROR">);
    return {.what = why};
}

// The receive that was taken completes in error, and with it the queue pair fails.
answer engine::fail_receive(queue_pair &qp, const cqe_error &error) {
    const receive_wqe w = std::move(*qp.receiving.wqe);
    qp.receiving.wqe.reset();
    complete({.cq = w.cq,
              .qpn = qp.number,
              .user_index = w.user_index,
              .opcode = prm::cqe_op<"RESP_ERR">,
              .error = &error,
              .wqe_counter = w.counter});
    if (qp.state != qp_state<"ERR">) {
        wires_.log.line("QP {:#x}: receive {}: {}", qp.number, w.counter, error.text);
        set_qp_state(qp.number, qp_state<"ERR">);
    }
    const bool is_length = error.syndrome == prm::cqe_syndrome<"LOCAL_LENGTH_ERR">;
    return {.what = is_length ? verdict::invalid_request : verdict::remote_operation};
}

// ---- send

answer engine::take_send_piece(queue_pair &qp, const packet &p) {
    receiving &r = qp.receiving;
    if (p.first && r.wqe) r.done = 0; // an unreliable message broke off: its receive is used again
    if (p.first && !r.wqe && !take_receive(qp, p.xrc_srq))
        return {.what = verdict::not_ready, .rnr_timer = qp.path.min_rnr_nak};
    if (!r.wqe) return {.what = verdict::lost}; // the beginning was dropped
    const std::span<const std::byte> payload(p.payload);
    if (r.done + payload.size() > r.wqe->data.length())
        return fail_receive(qp, errors::receive_too_short);
    const bool in_cqe =
        p.first && p.last && payload.size() <= room_in_cqe(r.wqe->cq, qp.scatter_receives);
    const accessor who{wires_.memory, keys, r.wqe->pd, qp.number, r.wqe->reserved_lkey};
    if (!in_cqe && r.wqe->data.scatter(who, r.done, payload) != fault::none)
        return fail_receive(qp, errors::receive_protection);
    r.done += payload.size();
    if (!p.last) return {.what = verdict::done};
    if (p.invalidates && !invalidate_key(qp, p.immediate))
        return refuse(qp, verdict::remote_access);
    finish_receive(qp, p, in_cqe ? payload : std::span<const std::byte>{});
    return {.what = verdict::done};
}

answer engine::take_datagram(queue_pair &qp, const packet &p) {
    receiving &r = qp.receiving;
    if (p.q_key != qp.path.q_key || !take_receive(qp, 0)) return {.what = verdict::lost};
    const std::span<const std::byte> payload(p.payload);
    if (grh_size + payload.size() > r.wqe->data.length())
        return fail_receive(qp, errors::receive_too_short);
    const accessor who{wires_.memory, keys, r.wqe->pd, qp.number, r.wqe->reserved_lkey};
    const auto header = route_header(p);
    fault f = p.has_grh ? r.wqe->data.scatter(who, 0, header) : fault::none;
    if (f == fault::none) f = r.wqe->data.scatter(who, grh_size, payload);
    if (f != fault::none) return fail_receive(qp, errors::receive_protection);
    r.done = grh_size + payload.size();
    finish_receive(qp, p, {});
    return {.what = verdict::done};
}

void engine::finish_receive(queue_pair &qp, const packet &p, std::span<const std::byte> for_cqe) {
    const receive_wqe w = std::move(*qp.receiving.wqe);
    qp.receiving.wqe.reset();
    const bool has_word = p.has_immediate || p.invalidates;
    complete({.cq = w.cq,
              .qpn = qp.number,
              .user_index = w.user_index,
              .opcode = opcode_of(p),
              .wqe_counter = w.counter,
              .solicited = p.solicited,
              .byte_count = std::uint32_t(qp.receiving.done),
              .immediate = has_word ? p.immediate : default_pkey,
              .source_qpn = p.source_qpn,
              .source_lid = p.source_lid,
              .sl = p.sl,
              .has_grh = p.has_grh,
              .data = for_cqe});
}

// ---- RDMA

answer engine::take_write(queue_pair &qp, const packet &p) {
    if (!qp.path.write_allowed) return refuse(qp, verdict::invalid_request);
    const accessor who = memory_of(qp);
    const auto rights = memory::remote_write;
    if (p.first && p.message_length &&
        who.check(p.key, p.address, p.message_length, rights) != fault::none)
        return refuse(qp, verdict::remote_access);
    const bool completes = p.last && p.has_immediate;
    if (completes && !take_receive(qp, p.xrc_srq))
        return {.what = verdict::not_ready, .rnr_timer = qp.path.min_rnr_nak};
    const auto f = copy_out(who.walk(p.key, p.address, p.payload.size(), rights), p.payload);
    if (!p.payload.empty() && f != fault::none) return refuse(qp, verdict::remote_access);
    if (!completes) return {.what = verdict::done};
    qp.receiving.done = p.message_length;
    finish_receive(qp, p, {});
    return {.what = verdict::done};
}

answer engine::give_read(queue_pair &qp, const packet &p) {
    if (!qp.path.read_allowed || p.length > piece_size) return refuse(qp, verdict::invalid_request);
    const accessor who = memory_of(qp);
    const auto rights = memory::remote_read;
    if (p.first && p.message_length &&
        who.check(p.key, p.address, p.message_length, rights) != fault::none)
        return refuse(qp, verdict::remote_access);
    answer a{.what = verdict::done};
    a.payload.resize(p.length);
    if (p.length && copy_in(who.walk(p.key, p.address, p.length, rights), a.payload) != fault::none)
        return refuse(qp, verdict::remote_access);
    return a;
}

answer engine::do_atomic(queue_pair &qp, const packet &p) {
    const bool has_size = p.operand_size == 4 || p.operand_size == 8;
    if (!qp.path.atomic_allowed || !has_size || p.address % p.operand_size)
        return refuse(qp, verdict::invalid_request);
    const accessor who = memory_of(qp);
    const auto walk = [&] {
        return who.walk(p.key, p.address, p.operand_size, memory::remote_atomic);
    };
    answer a{.what = verdict::done};
    a.payload.resize(p.operand_size);
    if (copy_in(walk(), a.payload) != fault::none) return refuse(qp, verdict::remote_access);
    const bool host_order = qp.path.atomics_in_host_order;
    const std::uint64_t after =
        apply_atomic(p.atomic, p.operand_size, p.arguments, load_operand(a.payload, host_order));
    std::vector<std::byte> written(p.operand_size);
    store_operand(written, host_order, after);
    if (copy_out(walk(), written) != fault::none) return refuse(qp, verdict::remote_access);
    return a;
}

} // namespace kdevx::hca::engine
