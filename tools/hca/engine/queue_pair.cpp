// SPDX-License-Identifier: MIT
// The sending side of the engine: doorbells, the run queue, fetching WQEs, flushing.
#include "engine/engine.hpp"
#include "kdevx/prm/cqe.hpp"
#include "kdevx/prm/doorbell.hpp"
#include "kdevx/prm/wqe.hpp"
#include "memory/span_iterator.hpp"

#include <array>

namespace kdevx::hca::engine {
namespace {

template <prm::fixed_string Name>
constexpr auto cqe_opcode = std::uint8_t(prm::value_of<prm::cqe_opcodes, Name>);
template <prm::fixed_string Name>
constexpr auto cqe_syndrome = std::uint8_t(prm::value_of<prm::cqe_syndromes, Name>);
template <prm::fixed_string Name>
constexpr auto wqe_opcode = std::uint8_t(prm::value_of<prm::wqe_opcodes, Name>);

constexpr unsigned ds_per_wqebb = prm::MLX5_SEND_WQE_BB / prm::MLX5_SEND_WQE_DS;

bool runs(std::uint8_t state) {
    return state == qp_state<"RTS"> || state == qp_state<"ERR">;
}

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
    if (state == qp_state<"RST">) qp->send.next = qp->receive.next = 0;
    if (state == qp_state<"ERR">) flush_receives(*qp);
    if (runs(state)) schedule(*qp);
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

// ---- the run queue

void engine::send_doorbell(std::uint32_t page, std::span<const std::byte> data) {
    if (data.size() < 8) return;
    queue_pair *qp = find_qp(std::uint32_t(prm::view<prm::wqe_ctrl>(data).get<"qpn_or_sqn">()));
    if (qp && qp->uar == page && runs(qp->state)) schedule(*qp);
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

bool engine::turn(queue_pair &qp) {
    const std::uint16_t posted = posted_sends(qp);
    for (unsigned n = 0; n < wqes_per_turn; ++n)
        if (!take_send(qp, posted)) return false;
    return true;
}

// ---- one WQE

bool engine::take_send(queue_pair &qp, std::uint16_t posted) {
    const std::uint16_t at = qp.send.next, left = std::uint16_t(posted - at);
    if (!runs(qp.state) || left == 0 || left > 1u << qp.send.log_size) return false;
    std::array<std::byte, prm::wqe_ctrl.size> control;
    memory::span_iterator from(wires_.memory, qp.send.ring, qp.send.offset_of(at), control.size(),
                               false);
    if (copy_in(from, control) != memory::fault::none) {
        fail(qp, event<"WQ_CATAS_ERROR">);
        return false;
    }
    const auto ds = unsigned(prm::view<prm::wqe_ctrl>(control).get<"ds">());
    const unsigned blocks = std::max(1u, (ds + ds_per_wqebb - 1) / ds_per_wqebb);
    qp.send.next = std::uint16_t(at + std::min<unsigned>(blocks, left));
    execute(qp, at, control);
    return true;
}

void engine::execute(queue_pair &qp, std::uint16_t at, std::span<const std::byte> control) {
    const prm::view<prm::wqe_ctrl> v(control);
    completion c{.opcode = cqe_opcode<"REQ">,
                 .wqe_opcode = std::uint8_t(v.get<"opcode">()),
                 .wqe_counter = at};
    if (qp.state == qp_state<"ERR">) {
        c.opcode = cqe_opcode<"REQ_ERR">;
        c.syndrome = cqe_syndrome<"WR_FLUSH_ERR">;
        return complete(qp, qp.send, c);
    }
    if (qp.is_management() || c.wqe_opcode == wqe_opcode<"NOP">) {
        const auto when = v.get<"ce">();
        const bool wanted = when == prm::value_of<prm::completion_modes, "ALWAYS"> ||
                            when == prm::value_of<prm::completion_modes, "ALWAYS_AND_EQE">;
        if (wanted) complete(qp, qp.send, c);
        return;
    }
    c.opcode = cqe_opcode<"REQ_ERR">;
    c.syndrome = cqe_syndrome<"LOCAL_QP_OP_ERR">;
    complete(qp, qp.send, c);
    wires_.log.line("QP {:#x}: WQE {} opcode {:#x} is not executed by this engine", qp.number, at,
                    c.wqe_opcode);
    set_qp_state(qp.number, qp_state<"ERR">);
}

void engine::fail(queue_pair &qp, std::uint8_t type) {
    wires_.log.line("QP {:#x}: event {:#x}", qp.number, type);
    prm::mailbox<prm::qp_events> e;
    e.set<"qpn_rqn_sqn">(qp.number);
    raise(type, 0, e.bytes());
    set_qp_state(qp.number, qp_state<"ERR">);
}

void engine::flush_receives(queue_pair &qp) {
    if (!qp.receive.exists) return;
    const std::uint16_t posted = posted_receives(qp);
    const std::uint16_t left = std::uint16_t(posted - qp.receive.next);
    if (left > 1u << qp.receive.log_size) return; // a record that makes no sense
    for (; qp.receive.next != posted; ++qp.receive.next)
        complete(qp, qp.receive,
                 {.opcode = cqe_opcode<"RESP_ERR">,
                  .syndrome = cqe_syndrome<"WR_FLUSH_ERR">,
                  .wqe_counter = qp.receive.next});
}

} // namespace kdevx::hca::engine
