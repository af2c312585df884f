// SPDX-License-Identifier: MIT
// Queue pairs come, change their state, and go; flushing.
#include "engine/engine.hpp"
#include "kdevx/prm/cqe.hpp"
#include "kdevx/prm/doorbell.hpp"
#include "memory/span_iterator.hpp"

#include <algorithm>
#include <array>

namespace kdevx::hca::engine {
namespace {

// Times between two looks at the receives of a queue pair in ERR.
constexpr std::chrono::milliseconds first_look{2}, last_look{256};

} // namespace

void engine::create_qp(queue_pair qp) {
    const auto number = qp.number;
    qps_.insert_or_assign(number, std::move(qp));
}

queue_pair *engine::find_qp(std::uint32_t number) {
    auto found = qps_.find(number);
    return found == qps_.end() ? nullptr : &found->second;
}

void engine::set_qp_state(std::uint32_t number, std::uint8_t state) {
    queue_pair *qp = find_qp(number);
    if (!qp) return;
    qp->state = state;
    if (state == qp_state<"RST">) forget(*qp);
    if (state == qp_state<"ERR">) flush(*qp);
    // What is being executed comes to its end first.
    if (state == qp_state<"SQD"> && !qp->sending.wqe) raise_qp_event(*qp, event<"SQ_DRAINED">);
    if (state == qp_state<"RTS"> || state == qp_state<"SQER"> || state == qp_state<"ERR">)
        schedule(*qp);
}

accessor engine::memory_of(const queue_pair &qp) const {
    return {wires_.memory, keys, qp.pd, qp.number, qp.reserved_lkey};
}

void engine::forget(queue_pair &qp) {
    qp.send.next = qp.receive.next = 0;
    qp.sending = {};
    qp.receiving = {};
}

// What is being executed goes first; the sends that are posted behind it follow in turns.
void engine::flush(queue_pair &qp) {
    if (qp.sending.wqe) finish_send(qp, &errors::flushed);
    if (qp.receiving.wqe) fail_receive(qp, errors::flushed);
    if (qp.uses_shared_queue) raise_qp_event(qp, event<"SRQ_LAST_WQE">);
    if (!qp.receive.exists) return;
    flush_receives(qp);
    flush_later(qp.number, first_look);
}

// Whether there was one.
bool engine::flush_receives(queue_pair &qp) {
    bool any = false;
    for (; receives_left(qp) && take_own_receive(qp); any = true)
        fail_receive(qp, errors::flushed);
    return any;
}

// Receives are posted without a doorbell, and those posted in ERR are flushed too: who drains a
// queue waits for that. So it is looked at again, less and less often.
void engine::flush_later(std::uint32_t number, std::chrono::milliseconds delay) {
    wires_.timers.after(delay, [this, number, delay] {
        queue_pair *qp = find_qp(number);
        if (!qp || qp->state != qp_state<"ERR">) return;
        flush_later(number, flush_receives(*qp) ? first_look : std::min(2 * delay, last_look));
    });
}

// ---- doorbell records

std::uint16_t engine::posted_sends(const queue_pair &qp) {
    std::array<std::byte, prm::qp_doorbell_record.size> raw{};
    copy_in(memory::span_iterator(wires_.memory, qp.send.record, 0, raw.size(), false), raw);
    return std::uint16_t(prm::view<prm::qp_doorbell_record>(raw).get<"send_counter">());
}

std::uint16_t engine::posted_receives(const queue_pair &qp) {
    std::array<std::byte, prm::qp_doorbell_record.size> raw{};
    copy_in(memory::span_iterator(wires_.memory, qp.receive.record, 0, raw.size(), false), raw);
    return std::uint16_t(prm::view<prm::qp_doorbell_record>(raw).get<"receive_counter">());
}

} // namespace kdevx::hca::engine
