// SPDX-License-Identifier: MIT
// What becomes of a send WQE: the message that it makes, piece by piece, and the answers.
#include "engine/engine.hpp"
#include "kdevx/prm/cqe.hpp"
#include "kdevx/prm/wqe.hpp"

#include <algorithm>

namespace kdevx::hca::engine {
namespace {

using std::chrono::nanoseconds;

// The Q_Key of a WQE stands for the queue pair's own if this bit is set.
constexpr std::uint32_t q_key_is_controlled = 1u << 31;
constexpr std::uint8_t retry_for_ever = 7; // qpc.rnr_retry

// The time of an RNR NAK, in units of 10 microseconds.
constexpr std::uint32_t rnr_times[32] = {65536, 1,    2,    3,     4,     6,     8,     12,
                                         16,    24,   32,   48,    64,    96,    128,   192,
                                         256,   384,  512,  768,   1024,  1536,  2048,  3072,
                                         4096,  6144, 8192, 12288, 16384, 24576, 32768, 49152};

nanoseconds rnr_time(std::uint8_t timer) {
    return nanoseconds(rnr_times[timer % 32] * 10'000ull);
}
nanoseconds ack_time(std::uint8_t timeout) {
    return nanoseconds(4096ull << timeout);
}

bool has_response(const send_wqe &w) {
    return w.op->does == action::read || w.op->does == action::atomic;
}

std::uint64_t length_of(const send_wqe &w) {
    return w.op->does == action::atomic ? w.operand_size : w.data.length();
}

bool is_wanted(const send_wqe &w) {
    return w.completion == prm::completion_mode<"ALWAYS"> ||
           w.completion == prm::completion_mode<"ALWAYS_AND_EQE">;
}

} // namespace

void engine::start(queue_pair &qp, std::uint16_t at, std::span<const std::byte> wqe) {
    send_wqe &w = qp.sending.wqe.emplace();
    w.counter = at;
    const cqe_error *wrong = parse(wqe, qp.type, w);
    qp.sending.done = 0;
    qp.sending.retries_left = qp.path.retry_count;
    qp.sending.rnr_retries_left = qp.path.rnr_retry;
    if (qp.state != qp_state<"RTS">)
        wrong = &errors::flushed;
    else if (qp.is_management())
        return finish_send(qp);
    if (!wrong) wrong = check_message(qp);
    if (wrong) return finish_send(qp, wrong);
    proceed(qp);
}

// What can be told before anything is sent: then nobody gets half of a message.
const cqe_error *engine::check_message(const queue_pair &qp) const {
    const send_wqe &w = *qp.sending.wqe;
    switch (w.op->does) {
    case action::send:
    case action::write:
    case action::read:
    case action::atomic: {
        if (w.data.length() > 1ull << qp.path.log_msg_max) return &errors::message_too_long;
        const unsigned rights = has_response(w) ? memory::local_write : memory::local_read;
        const bool allowed = w.data.check(memory_of(qp), rights) == memory::fault::none;
        return allowed ? nullptr : &errors::local_protection;
    }
    case action::wait:
    case action::enable_send:
    case action::enable_receive:
        return qp.is_master ? nullptr : &errors::not_a_master;
    default:
        return nullptr;
    }
}

void engine::proceed(queue_pair &qp) {
    switch (qp.sending.wqe->op->does) {
    case action::none:
        return finish_send(qp);
    case action::umr:
        return finish_send(qp, change_key(qp));
    case action::wait:
        return wait(qp);
    case action::enable_send:
        return finish_send(qp, enable_sends(qp));
    case action::enable_receive:
        return finish_send(qp, enable_receives(qp));
    default:
        return send_piece(qp);
    }
}

// ---- the message

void engine::send_piece(queue_pair &qp) {
    packet p = next_packet(qp);
    if (const cqe_error *wrong = fill(qp, p)) return finish_send(qp, wrong);
    qp.sending.piece_psns = p.psns;
    transmit(qp, std::move(p));
}

packet engine::next_packet(const queue_pair &qp) const {
    const send_wqe &w = *qp.sending.wqe;
    const bool datagram = qp.type == service<"UD">;
    const address &to = datagram ? w.to : qp.path.to;
    const port_address from =
        qp.path.port - 1 < ports_.size() ? ports_[qp.path.port - 1] : port_address{};
    packet p{.source_lid = from.lid,
             .lid = to.lid,
             .source_qpn = qp.number,
             .qpn = datagram ? w.remote_qpn : qp.path.remote_qpn,
             .service = qp.type,
             .sl = to.sl,
             .has_grh = to.has_grh,
             .from = from.id,
             .to = to.to,
             .does = w.op->does};
    p.solicited = w.solicited;
    p.has_immediate = w.op->immediate;
    p.invalidates = w.op->invalidates;
    p.immediate = w.general_id;
    p.psn = qp.sending.psn;
    p.xrc_srq = w.xrc_srq;
    p.q_key = w.q_key & q_key_is_controlled ? qp.path.q_key : w.q_key;
    p.message_length = length_of(w);
    p.key = w.remote_key;
    p.address = w.remote_address + qp.sending.done;
    p.atomic = w.opcode;
    p.operand_size = w.operand_size;
    p.arguments = w.arguments;
    return p;
}

const cqe_error *engine::fill(queue_pair &qp, packet &p) {
    const send_wqe &w = *qp.sending.wqe;
    const std::uint64_t left = p.message_length - qp.sending.done;
    const auto n = std::uint32_t(std::min(left, piece_size));
    p.first = qp.sending.done == 0;
    p.last = n == left;
    p.length = n;
    p.psns = std::max(1u, (n + qp.path.mtu - 1) / qp.path.mtu);
    qp.sending.piece = n;
    if (has_response(w)) return nullptr;
    p.payload.resize(n);
    const auto f = w.data.gather(memory_of(qp), qp.sending.done, p.payload);
    return f == memory::fault::none ? nullptr : &errors::local_protection;
}

bool engine::is_here(const address &to) const {
    return to.loopback || std::ranges::any_of(ports_, [&](const port_address &p) {
               return p.lid != 0 && p.lid == to.lid;
           });
}

void engine::transmit(queue_pair &qp, packet p) {
    const address &to = qp.type == service<"UD"> ? qp.sending.wqe->to : qp.path.to;
    answer a;
    if (is_here(to)) {
        a = respond(p);
    } else if (peer_ && peer_->has(to.lid)) {
        if (qp.is_reliable()) qp.sending.ticket = ++tickets_;
        peer_->request(p, qp.sending.ticket);
        if (qp.is_reliable()) return;
    }
    // Unreliable services do not hear what has become of it.
    if (!qp.is_reliable()) a = {.what = verdict::done};
    // The responder can be this very queue pair, and have failed.
    if (qp.sending.wqe) take_answer(qp, a);
}

// An answer to what has been given up since is of no use.
void engine::answered(std::uint32_t qpn, std::uint64_t ticket, const answer &a) {
    queue_pair *qp = find_qp(qpn);
    if (!qp || qp->sending.ticket != ticket || !qp->sending.wqe) return;
    qp->sending.ticket = 0;
    take_answer(*qp, a);
    schedule(*qp);
}

// ---- the answer

void engine::take_answer(queue_pair &qp, const answer &a) {
    switch (a.what) {
    case verdict::done:
        return piece_done(qp, a.payload);
    case verdict::not_ready:
        return wait_until_ready(qp, a.rnr_timer);
    case verdict::lost:
        return try_again(qp);
    case verdict::invalid_request:
        return finish_send(qp, &errors::remote_invalid);
    case verdict::remote_access:
        return finish_send(qp, &errors::remote_access);
    case verdict::remote_operation:
        return finish_send(qp, &errors::remote_operation);
    }
}

void engine::piece_done(queue_pair &qp, const std::vector<std::byte> &response) {
    constexpr std::uint32_t psn_mask = 0xffffff;
    sending &s = qp.sending;
    if (has_response(*s.wqe) && !take_response(qp, response))
        return finish_send(qp, &errors::local_protection);
    s.psn = (s.psn + s.piece_psns) & psn_mask;
    s.done += s.piece;
    s.retries_left = qp.path.retry_count;
    s.rnr_retries_left = qp.path.rnr_retry;
    if (s.done == length_of(*s.wqe)) finish_send(qp);
}

// A small response that somebody will read a CQE about can stand in that CQE.
bool engine::take_response(queue_pair &qp, const std::vector<std::byte> &response) {
    const send_wqe &w = *qp.sending.wqe;
    if (response.size() != qp.sending.piece) return false;
    const bool small = length_of(w) <= room_in_cqe(qp.send.cq, qp.scatter_responses);
    if (small && is_wanted(w)) {
        qp.sending.for_cqe = response;
        return true;
    }
    return w.data.scatter(memory_of(qp), qp.sending.done, response) == memory::fault::none;
}

void engine::wait_until_ready(queue_pair &qp, std::uint8_t rnr_timer) {
    sending &s = qp.sending;
    if (qp.path.rnr_retry != retry_for_ever && s.rnr_retries_left-- == 0)
        return finish_send(qp, &errors::remote_not_ready);
    park(qp, rnr_time(rnr_timer));
}

// Without a timeout the queue pair waits for ever, as it was told.
void engine::try_again(queue_pair &qp) {
    sending &s = qp.sending;
    if (qp.path.ack_timeout == 0) {
        s.ticket = ++tickets_;
        return;
    }
    if (s.retries_left-- == 0) return finish_send(qp, &errors::no_answer);
    park(qp, ack_time(qp.path.ack_timeout));
}

// ---- the end

void engine::finish_send(queue_pair &qp, const cqe_error *error) {
    const send_wqe w = std::move(*qp.sending.wqe);
    const std::vector<std::byte> for_cqe = std::move(qp.sending.for_cqe);
    qp.sending.wqe.reset();
    qp.sending.for_cqe.clear();
    qp.sending.ticket = 0;
    const bool drains = qp.state == qp_state<"SQD">;
    const bool fails = error && (drains || qp.state == qp_state<"RTS">);
    if (fails) {
        wires_.log.line("QP {:#x}: WQE {} opcode {:#x}: {}", qp.number, w.counter, w.opcode,
                        error->text);
        // What is completed below must not find the queue running.
        const bool only_sends = qp.type == service<"UD"> || qp.type == service<"UC">;
        qp.state = only_sends ? qp_state<"SQER"> : qp_state<"ERR">;
    }
    if (error || is_wanted(w))
        complete({.cq = qp.send.cq,
                  .qpn = qp.number,
                  .user_index = qp.user_index,
                  .opcode = error ? prm::cqe_op<"REQ_ERR"> : prm::cqe_op<"REQ">,
                  .error = error,
                  .wqe_opcode = w.opcode,
                  .wqe_counter = w.counter,
                  .byte_count = error ? 0 : std::uint32_t(has_response(w) ? length_of(w) : 0),
                  .data = error ? std::span<const std::byte>{} : for_cqe});
    if (fails) return set_qp_state(qp.number, qp.state);
    if (drains) raise_qp_event(qp, event<"SQ_DRAINED">);
}

} // namespace kdevx::hca::engine
