// SPDX-License-Identifier: MIT
// Queues that drive each other: masters wait for completions or data, and say how far managed
// queues may go. All counters compare cyclically.
#include "engine/engine.hpp"
#include "kdevx/prm/wqe.hpp"

#include <algorithm>
#include <array>

namespace kdevx::hca::engine {
namespace {

// Nothing tells when somebody has written to memory: it is looked at again after this time.
constexpr std::chrono::milliseconds look_again{2};

// Whether counter a, of so many bits, has come as far as b.
template <unsigned Bits>
bool has_reached(std::uint32_t a, std::uint32_t b) {
    constexpr std::uint32_t mask = (1u << Bits) - 1;
    return ((a - b) & mask) <= mask / 2;
}

// An enable that is behind what was enabled already changes nothing.
void raise_to(std::uint16_t &enabled, std::uint64_t index) {
    const auto wanted = std::uint16_t(index);
    if (has_reached<prm::MLX5_WQ_INDEX_WIDTH>(wanted, enabled)) enabled = wanted;
}

bool compares(std::uint64_t condition, std::uint64_t a, std::uint64_t b) {
    switch (condition) {
    case prm::wait_condition<"ALWAYS_TRUE">:
        return true;
    case prm::wait_condition<"EQUAL">:
        return a == b;
    case prm::wait_condition<"BIGGER">:
        return a > b;
    case prm::wait_condition<"SMALLER">:
        return a < b;
    case prm::wait_condition<"CYCLIC_BIGGER">:
        return std::int64_t(a - b) > 0;
    case prm::wait_condition<"CYCLIC_SMALLER">:
        return std::int64_t(a - b) < 0;
    }
    return false;
}

template <const auto &L>
bool holds(const send_wqe &w) {
    return w.body.size() >= L.size;
}

} // namespace

void engine::wait(queue_pair &qp) {
    const send_wqe &w = *qp.sending.wqe;
    if (w.opc_mod == prm::wait_opc_mod<"CQ"> && holds<prm::wqe_wait>(w)) return wait_for_cq(qp);
    if (w.opc_mod == prm::wait_opc_mod<"DATA"> && holds<prm::wqe_wait_on_data>(w))
        return wait_for_data(qp);
    const bool known = w.opc_mod <= prm::wait_opc_mod<"DATA">;
    finish_send(qp, known ? &errors::malformed_wqe : &errors::unknown_operation);
}

// ---- completions

void engine::wait_for_cq(queue_pair &qp) {
    const prm::view<prm::wqe_wait> v(qp.sending.wqe->body);
    const auto number = std::uint32_t(v.get<"cqn">());
    const completion_queue *cq = find_cq(number);
    if (!cq || cq->settings().owner != qp.owner) return finish_send(qp, &errors::no_cq_to_wait_for);
    const auto index = std::uint32_t(v.get<"max_index">());
    if (has_reached<prm::MLX5_CQ_INDEX_WIDTH>(cq->producer(), index)) return finish_send(qp);
    // The CQ wakes the queue up; until then it costs nothing.
    qp.sending.ticket = ++tickets_;
    auto &waiting = waiting_[number];
    if (std::ranges::find(waiting, qp.number) == waiting.end()) waiting.push_back(qp.number);
}

void engine::wake_waiting(std::uint32_t cq) {
    auto found = waiting_.find(cq);
    if (found == waiting_.end()) return;
    const std::vector<std::uint32_t> numbers = std::move(found->second);
    waiting_.erase(found);
    for (std::uint32_t number : numbers) {
        queue_pair *qp = find_qp(number);
        const bool waits = qp && qp->sending.wqe && qp->sending.wqe->op &&
                           qp->sending.wqe->op->does == action::wait;
        if (!waits) continue;
        qp->sending.ticket = 0;
        schedule(*qp);
    }
}

void engine::destroy_cq(std::uint32_t number) {
    cqs_.erase(number);
    wake_waiting(number);
}

// ---- data

void engine::wait_for_data(queue_pair &qp) {
    const prm::view<prm::wqe_wait_on_data> v(qp.sending.wqe->body);
    std::array<std::byte, 8> raw{};
    const auto at = memory_of(qp).walk(std::uint32_t(v.get<"lkey">()), v.get<"va_63_3">() << 3,
                                       raw.size(), memory::local_read);
    if (copy_in(at, raw) != memory::fault::none) return finish_send(qp, &errors::local_protection);
    const std::uint64_t mask = v.get<"data_mask">();
    const std::uint64_t seen = prm::load_be<std::uint64_t>(raw.data()) & mask;
    if (compares(v.get<"condition">(), seen, v.get<"data">() & mask) != (v.get<"invert">() != 0))
        return finish_send(qp);
    if (v.get<"fail_action">() == prm::wait_fail_action<"ERROR_CQE">)
        return finish_send(qp, &errors::wait_refused);
    park(qp, look_again);
}

// ---- enabling

const cqe_error *engine::enable_sends(queue_pair &master) {
    if (!holds<prm::wqe_enable>(*master.sending.wqe)) return &errors::malformed_wqe;
    const prm::view<prm::wqe_enable> v(master.sending.wqe->body);
    queue_pair *managed = find_qp(std::uint32_t(v.get<"qpn_or_sqn">()));
    if (!managed || !managed->send_is_managed || managed->owner != master.owner)
        return &errors::not_managed;
    raise_to(managed->sending.enabled, v.get<"pi">());
    schedule(*managed);
    return nullptr;
}

const cqe_error *engine::enable_receives(queue_pair &master) {
    if (!holds<prm::wqe_enable>(*master.sending.wqe)) return &errors::malformed_wqe;
    const prm::view<prm::wqe_enable> v(master.sending.wqe->body);
    queue_pair *managed = find_qp(std::uint32_t(v.get<"qpn_or_sqn">()));
    if (!managed || !managed->receive_is_managed || managed->owner != master.owner)
        return &errors::not_managed;
    raise_to(managed->receiving.enabled, v.get<"pi">());
    return nullptr;
}

} // namespace kdevx::hca::engine
