// SPDX-License-Identifier: MIT
// The completion side of the engine: CQEs, overruns, arming.
#include "engine/engine.hpp"
#include "kdevx/prm/cqe.hpp"
#include "kdevx/prm/doorbell.hpp"

#include <algorithm>

namespace kdevx::hca::engine {

void engine::create_cq(completion_queue::config c) {
    const auto number = c.number;
    cqs_.insert_or_assign(number, completion_queue(std::move(c)));
}

completion_queue *engine::find_cq(std::uint32_t number) {
    auto found = cqs_.find(number);
    return found == cqs_.end() ? nullptr : &found->second;
}

void engine::resize_cq(std::uint32_t number, memory::buffer ring, unsigned log_size,
                       unsigned stride) {
    completion_queue *cq = find_cq(number);
    if (!cq) return;
    prm::mailbox<prm::cqe64> last;
    last.set<"opcode", prm::value_of<prm::cqe_opcodes, "RESIZE_CQ">>();
    cq->post(wires_.memory, last.bytes().first<cqe_size>(), {}, false);
    cq->settings().ring = std::move(ring);
    cq->settings().log_size = log_size;
    cq->settings().stride = stride;
}

namespace {

constexpr std::uint64_t grh_in_buffer = 2; // cqe64.g

void say_where_from(prm::mailbox<prm::cqe64> &cqe, const completion &what) {
    cqe.set<"rqpn">(what.source_qpn)
        .set<"slid">(what.source_lid)
        .set<"sl">(what.sl)
        .set<"g">(what.has_grh ? grh_in_buffer : 0);
}

// Up to 32 bytes stand in the CQE itself, more of them in the other half of a large one.
std::span<const std::byte> put_data(prm::mailbox<prm::cqe64> &cqe,
                                    std::span<const std::byte> data) {
    constexpr std::size_t in_cqe = 32;
    if (data.size() > in_cqe) {
        cqe.set<"format", prm::cqe_format<"INLINE_64">>();
        return data;
    }
    std::ranges::copy(data, cqe.bytes().begin());
    cqe.set<"format", prm::cqe_format<"INLINE_32">>();
    return {};
}

} // namespace

void engine::complete(const completion &what) {
    completion_queue *cq = find_cq(what.cq);
    if (!cq) return;
    if (auto drop = dropped_.find(what.cq); drop != dropped_.end() && drop->second) {
        --drop->second;
        wires_.log.line("CQ {:#x}: a completion of QP {:#x} dropped by injection", what.cq,
                        what.qpn);
        return;
    }
    prm::mailbox<prm::cqe64> cqe;
    cqe.set<"srqn_uidx">(what.user_index)
        .set<"s_wqe_opcode">(what.wqe_opcode)
        .set<"qpn">(what.qpn)
        .set<"wqe_counter">(what.wqe_counter)
        .set<"opcode">(what.opcode)
        .set<"se">(what.solicited)
        .set<"byte_cnt">(what.byte_count)
        .set<"imm_inval_pkey">(what.immediate);
    say_where_from(cqe, what);
    std::span<const std::byte> before;
    if (!what.data.empty()) before = put_data(cqe, what.data);
    if (what.error)
        prm::editor<prm::err_cqe>(cqe.bytes())
            .set<"error_syndrome.syndrome">(what.error->syndrome)
            .set<"error_syndrome.vendor_error_syndrome">(what.error->vendor);
    // An error is always worth an event.
    const bool solicited = what.solicited || what.error;
    switch (cq->post(wires_.memory, cqe.bytes().first<cqe_size>(), before, solicited)) {
    case completion_queue::posted::ok:
        if (cq->fire(solicited)) signal(*cq);
        wake_waiting(what.cq);
        break;
    case completion_queue::posted::overrun:
        overrun(*cq, prm::value_of<prm::cq_error_syndromes, "CQ_OVERRUN">);
        break;
    case completion_queue::posted::unreachable:
        overrun(*cq, prm::value_of<prm::cq_error_syndromes, "CQ_ACCESS_VIOLATION_ERROR">);
        break;
    case completion_queue::posted::broken:
        break;
    }
}

void engine::overrun(completion_queue &cq, std::uint8_t syndrome) {
    wires_.log.line("CQ {:#x}: error {:#x}", cq.settings().number, syndrome);
    prm::mailbox<prm::cq_error> e;
    e.set<"cqn">(cq.settings().number).set<"syndrome">(syndrome);
    raise(event<"CQ_ERROR">, 0, e.bytes());
    // Whoever completes there cannot tell how its work ends any more.
    for (auto &[number, qp] : qps_)
        if ((qp.send.exists && qp.send.cq == cq.settings().number) ||
            qp.receive.cq == cq.settings().number)
            if (qp.state != qp_state<"RST">) set_qp_state(number, qp_state<"ERR">);
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

std::size_t engine::room_in_cqe(std::uint32_t number, std::uint8_t scatter) {
    constexpr unsigned size_bits = 0xf; // of qpc.cs_req and cs_res
    const completion_queue *cq = find_cq(number);
    if (!cq) return 0;
    if ((scatter & size_bits) == prm::cqe_scatter<"RES_SCAT_DATA32_CQE">) return cqe_size / 2;
    const bool large = (scatter & size_bits) == prm::cqe_scatter<"RES_SCAT_DATA64_CQE">;
    return large && cq->settings().stride > cqe_size ? cqe_size : 0;
}

} // namespace kdevx::hca::engine
