// SPDX-License-Identifier: MIT
#include "engine/receive_queue.hpp"

#include "engine/engine.hpp"
#include "kdevx/prm/doorbell.hpp"
#include "kdevx/prm/wqe.hpp"
#include "memory/span_iterator.hpp"

#include <algorithm>

namespace kdevx::hca::engine {
namespace {

// Whether counter a lies behind counter b, cyclically.
bool is_before(std::uint16_t a, std::uint16_t b) {
    return std::int16_t(a - b) < 0;
}

} // namespace

shared_receive_queue *engine::find_srq(std::uint32_t number) {
    auto found = srqs_.find(number);
    return found == srqs_.end() ? nullptr : &found->second;
}

// Fills receiving.wqe. False: none is posted, or it cannot be read.
bool engine::take_receive(queue_pair &qp, std::uint32_t xrc_srq) {
    if (qp.type == service<"XRC">) return take_shared_receive(qp, xrc_srq);
    if (qp.uses_shared_queue) return take_shared_receive(qp, qp.shared_queue);
    return take_own_receive(qp);
}

bool engine::read_receive(const work_queue &q, std::uint16_t index, std::vector<std::byte> &wqe) {
    wqe.resize(std::size_t(1) << q.log_stride);
    const memory::span_iterator from(wires_.memory, q.ring, q.offset_of(index), wqe.size(), false);
    return copy_in(from, wqe) == memory::fault::none;
}

// ---- a queue pair's own queue

std::uint16_t engine::receives_left(const queue_pair &qp) {
    if (!qp.receive.exists) return 0;
    std::uint16_t posted = posted_receives(qp);
    const bool is_limited = qp.receive_is_managed && qp.state != qp_state<"ERR">;
    if (is_limited && is_before(qp.receiving.enabled, posted)) posted = qp.receiving.enabled;
    const auto left = std::uint16_t(posted - qp.receive.next);
    return left > 1u << qp.receive.log_size ? 0 : left; // a record that makes no sense
}

bool engine::take_own_receive(queue_pair &qp) {
    std::vector<std::byte> raw;
    if (!receives_left(qp) || !read_receive(qp.receive, qp.receive.next, raw)) return false;
    const std::size_t head = qp.receive.has_signature ? prm::rwqe_signature.size : 0;
    qp.receiving.wqe = {.counter = qp.receive.next++,
                        .data = data_list::of_receive(std::span(raw).subspan(head)),
                        .cq = qp.receive.cq,
                        .user_index = qp.user_index,
                        .pd = qp.pd,
                        .reserved_lkey = qp.reserved_lkey};
    qp.receiving.done = 0;
    return true;
}

// ---- a shared queue

std::uint16_t engine::posted_receives(const shared_receive_queue &q) {
    std::array<std::byte, prm::srq_doorbell_record.size> raw{};
    copy_in(memory::span_iterator(wires_.memory, q.queue.record, 0, raw.size(), false), raw);
    return std::uint16_t(prm::view<prm::srq_doorbell_record>(raw).get<"receive_counter">());
}

bool engine::take_shared_receive(queue_pair &qp, std::uint32_t number) {
    shared_receive_queue *q = find_srq(number);
    const bool xrc = qp.type == service<"XRC">;
    if (!q || q->is_xrc != xrc || (xrc && q->xrc_domain != qp.xrc_domain)) return false;
    const auto left = std::uint16_t(posted_receives(*q) - q->queue.next);
    const std::uint16_t index = q->is_linked ? q->head : q->queue.next;
    std::vector<std::byte> raw;
    if (left == 0 || left > 1u << q->queue.log_size || !read_receive(q->queue, index, raw))
        return false;
    q->head = std::uint16_t(prm::view<prm::srq_next>(raw).get<"next_wqe_index">());
    ++q->queue.next;
    const auto mask = std::uint16_t((1u << q->queue.log_size) - 1);
    qp.receiving.wqe = {.counter = std::uint16_t(index & mask),
                        .data = data_list::of_receive(std::span(raw).subspan(prm::srq_next.size)),
                        .cq = xrc ? q->queue.cq : qp.receive.cq,
                        .user_index = xrc ? q->user_index : qp.user_index,
                        .pd = q->pd,
                        .reserved_lkey = q->reserved_lkey};
    qp.receiving.done = 0;
    check_limit(*q);
    return true;
}

void engine::arm_srq(std::uint32_t number, std::uint32_t limit) {
    shared_receive_queue *q = find_srq(number);
    if (!q) return;
    q->limit = limit;
    check_limit(*q);
}

// One event for each arm.
void engine::check_limit(shared_receive_queue &q) {
    const auto left = std::uint16_t(posted_receives(q) - q.queue.next);
    if (q.limit == 0 || left >= q.limit) return;
    q.limit = 0;
    prm::mailbox<prm::qp_events> e;
    e.set<"type">(q.event_queue_type).set<"qpn_rqn_sqn">(q.number);
    raise(event<"SRQ_RQ_LIMIT">, 0, e.bytes());
}

} // namespace kdevx::hca::engine
