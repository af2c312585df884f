// SPDX-License-Identifier: MIT
// The sending side of the engine: doorbells, the run queue, fetching WQEs.
#include "engine/engine.hpp"
#include "kdevx/prm/wqe.hpp"
#include "memory/span_iterator.hpp"

#include <algorithm>
#include <array>

namespace kdevx::hca::engine {
namespace {

constexpr unsigned ds_per_wqebb = prm::MLX5_SEND_WQE_BB / prm::MLX5_SEND_WQE_DS;

bool runs(std::uint8_t state) {
    return state == qp_state<"RTS"> || state == qp_state<"SQER"> || state == qp_state<"ERR">;
}

} // namespace

// ---- the run queue

// The queue that was rung. Null: there is none of that number in that page, or it does not run.
queue_pair *engine::send_doorbell(std::uint32_t page, std::span<const std::byte> data) {
    if (data.size() < 8) return nullptr;
    queue_pair *qp = find_qp(std::uint32_t(prm::view<prm::wqe_ctrl>(data).get<"qpn_or_sqn">()));
    if (!qp || qp->uar != page || !runs(qp->state)) return nullptr;
    if (qp->send_is_managed) qp->sending.enabled = posted_sends(*qp);
    schedule(*qp);
    return qp;
}

void engine::schedule(queue_pair &qp) {
    if (qp.scheduled || !qp.send.exists) return;
    qp.scheduled = true;
    run_queue_.push_back(qp.number);
}

bool engine::run() {
    // A queue that is scheduled again during this round waits for the next one.
    for (std::size_t n = run_queue_.size(); n > 0; --n) {
        const std::uint32_t number = run_queue_.front();
        run_queue_.pop_front();
        queue_pair *qp = find_qp(number);
        if (!qp) continue;
        qp->scheduled = false;
        if (turn(*qp)) schedule(*qp);
    }
    return !run_queue_.empty();
}

// Whether there is more to do.
bool engine::turn(queue_pair &qp) {
    for (unsigned n = 0; n < steps_per_turn; ++n)
        if (!step(qp)) return false;
    return true;
}

bool engine::step(queue_pair &qp) {
    if (qp.sending.ticket) return false;
    if (!qp.sending.wqe) return take_send(qp);
    proceed(qp);
    return true;
}

// ---- one WQE

// A managed queue goes as far as it was enabled, any other as far as its record says.
std::uint16_t engine::send_limit(const queue_pair &qp) {
    return qp.send_is_managed && qp.state == qp_state<"RTS"> ? qp.sending.enabled
                                                             : posted_sends(qp);
}

bool engine::take_send(queue_pair &qp) {
    const std::uint16_t at = qp.send.next, left = std::uint16_t(send_limit(qp) - at);
    if (!runs(qp.state) || left == 0 || left > 1u << qp.send.log_size) return false;
    std::vector<std::byte> wqe;
    if (!fetch(qp, at, wqe)) {
        fail(qp, event<"WQ_CATAS_ERROR">);
        return false;
    }
    const auto ds = unsigned(prm::view<prm::wqe_ctrl>(wqe).get<"ds">());
    const unsigned blocks = std::max(1u, (ds + ds_per_wqebb - 1) / ds_per_wqebb);
    qp.send.next = std::uint16_t(at + std::min<unsigned>(blocks, left));
    start(qp, at, wqe);
    return true;
}

// The WQE in one piece, whatever the ring's end has cut.
bool engine::fetch(queue_pair &qp, std::uint16_t at, std::vector<std::byte> &wqe) {
    wqe.resize(prm::wqe_ctrl.size);
    const std::uint64_t begin = qp.send.offset_of(at), ring = qp.send.bytes();
    const auto copy = [&](std::uint64_t from, std::span<std::byte> to) {
        const memory::span_iterator in_ring(wires_.memory, qp.send.ring, from, to.size(), false);
        return copy_in(in_ring, to) == memory::fault::none;
    };
    if (!copy(begin, wqe)) return false;
    const auto ds = std::size_t(prm::view<prm::wqe_ctrl>(wqe).get<"ds">());
    const std::size_t size =
        std::min<std::uint64_t>(std::max<std::size_t>(ds, 1) * prm::MLX5_SEND_WQE_DS, ring);
    wqe.resize(size);
    const std::size_t straight = std::min<std::uint64_t>(size, ring - begin);
    const std::span<std::byte> all(wqe);
    const bool copied = copy(begin, all.first(straight)) && copy(0, all.subspan(straight));
    if (qp.sending.blueflame_at == at) {
        qp.sending.blueflame_at.reset();
        std::ranges::copy(std::span(qp.sending.blueflame).first(std::min(size, blueflame_size)),
                          wqe.begin());
    }
    return copied;
}

void engine::fail(queue_pair &qp, std::uint8_t type) {
    raise_qp_event(qp, type);
    set_qp_state(qp.number, qp_state<"ERR">);
}

// The queue pair goes on after that time, unless something else has happened to it by then.
void engine::park(queue_pair &qp, std::chrono::nanoseconds time) {
    qp.sending.ticket = ++tickets_;
    wires_.timers.after(time, [this, number = qp.number, ticket = tickets_] {
        queue_pair *waiting = find_qp(number);
        if (!waiting || waiting->sending.ticket != ticket) return;
        waiting->sending.ticket = 0;
        schedule(*waiting);
    });
}

} // namespace kdevx::hca::engine
