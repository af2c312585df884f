// SPDX-License-Identifier: MIT
// The completion side of the engine: CQEs, overruns, arming.
#include "engine/engine.hpp"
#include "kdevx/prm/cqe.hpp"
#include "kdevx/prm/doorbell.hpp"

#include <array>

namespace kdevx::hca::engine {

void engine::create_cq(completion_queue::config c) {
    const auto number = c.number;
    cqs_.insert_or_assign(number, completion_queue(std::move(c)));
}

completion_queue *engine::find_cq(std::uint32_t number) {
    auto found = cqs_.find(number);
    return found == cqs_.end() ? nullptr : &found->second;
}

void engine::resize_cq(std::uint32_t number, memory::buffer ring, unsigned log_size) {
    completion_queue *cq = find_cq(number);
    if (!cq) return;
    prm::mailbox<prm::cqe64> last;
    last.set<"opcode", prm::value_of<prm::cqe_opcodes, "RESIZE_CQ">>();
    cq->post(wires_.memory, last.bytes().first<cqe_size>(), false);
    cq->settings().ring = std::move(ring);
    cq->settings().log_size = log_size;
}

void engine::complete(const queue_pair &qp, const work_queue &wq, const completion &what) {
    completion_queue *cq = find_cq(wq.cq);
    if (!cq) return;
    if (auto drop = dropped_.find(wq.cq); drop != dropped_.end() && drop->second) {
        --drop->second;
        wires_.log.line("CQ {:#x}: a completion of QP {:#x} dropped by injection", wq.cq,
                        qp.number);
        return;
    }
    prm::mailbox<prm::cqe64> cqe;
    cqe.set<"srqn_uidx">(qp.user_index)
        .set<"s_wqe_opcode">(what.wqe_opcode)
        .set<"qpn">(qp.number)
        .set<"wqe_counter">(what.wqe_counter)
        .set<"opcode">(what.opcode)
        .set<"se">(what.solicited);
    if (what.syndrome)
        prm::editor<prm::err_cqe>(cqe.bytes()).set<"error_syndrome.syndrome">(what.syndrome);
    // An error is always worth an event.
    const bool solicited = what.solicited || what.syndrome;
    switch (cq->post(wires_.memory, cqe.bytes().first<cqe_size>(), solicited)) {
    case completion_queue::posted::ok:
        if (cq->fire(solicited)) signal(*cq);
        break;
    case completion_queue::posted::overrun:
        overrun(*cq, prm::value_of<prm::cq_error_syndromes, "CQ_OVERRUN">);
        break;
    case completion_queue::posted::unreachable:
        overrun(*cq, prm::value_of<prm::cq_error_syndromes, "CQ_ACCESS_VIOLATION_ERROR">);
        break;
    }
}

void engine::overrun(completion_queue &cq, std::uint8_t syndrome) {
    wires_.log.line("CQ {:#x}: error {:#x}", cq.settings().number, syndrome);
    prm::mailbox<prm::cq_error> e;
    e.set<"cqn">(cq.settings().number).set<"syndrome">(syndrome);
    raise(event<"CQ_ERROR">, 0, e.bytes());
}

void engine::signal(completion_queue &cq) {
    prm::mailbox<prm::comp_event> e;
    e.set<"cq_number">(cq.settings().number);
    auto eq = eqs_.find(cq.settings().eq);
    if (eq != eqs_.end()) post(eq->second, event<"COMP">, 0, e.bytes());
}

void engine::cq_doorbell(std::uint32_t page, std::span<const std::byte> data) {
    prm::view<prm::cq_doorbell> v(data);
    completion_queue *cq = find_cq(std::uint32_t(v.get<"cqn">()));
    if (!cq || cq->settings().uar != page) return;
    const bool solicited_only = v.get<"arm_cmd">() == prm::cq_arm_command<"REQ_NOT_SOL">;
    if (cq->arm(unsigned(v.get<"arm_sn">()), solicited_only, std::uint32_t(v.get<"arm_ci">())))
        signal(*cq);
}

} // namespace kdevx::hca::engine
