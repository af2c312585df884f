// SPDX-License-Identifier: MIT
// Shared receive queues. Their numbers come out of one space, whatever form they have.
#include "kdevx/prm/srq.hpp"
#include "firmware/queue_memory.hpp"
#include "firmware/queues.hpp"
#include "firmware/wq.hpp"
#include "kdevx/prm/wq.hpp"
#include "kdevx/prm/xrq.hpp"

namespace kdevx::hca::firmware {
namespace {

using prm::op;

constexpr kind shared_receive_kinds[] = {kind::srq, kind::xrc_srq, kind::rmp, kind::xrq};

struct srq_parts : extension {
    memory::buffer ring, record;
};

// An SRQ's entries are 16 << stride bytes.
constexpr std::uint64_t ring_bytes(std::uint64_t log_size, std::uint64_t log_stride) {
    return 16ull << (log_size + log_stride);
}

syndrome check_log_size(state &s, command &c, std::uint64_t log_size) {
    if (log_size > s.caps.general("log_max_srq_sz"))
        return c.refuse(syndrome::queue_size, "2^{}", log_size);
    return syndrome::none;
}

} // namespace

syndrome use_shared_receive_queue(state &s, command &c, object &o, std::uint32_t number) {
    for (kind k : shared_receive_kinds)
        if (s.objects.find(k, number)) return use_object(s, c, o, k, number);
    return c.refuse(syndrome::no_such_object, "SRQ {:#x}", number);
}

syndrome check_srq(state &s, command &c, object &o) {
    const auto in = c.inbox<prm::create_srq_in>();
    auto parts = std::make_unique<srq_parts>();
    srq_parts &p = *parts;
    o.own = std::move(parts);
    const auto log_size = in.get<"srq_context_entry.log_srq_size">();
    if (syndrome why = check_log_size(s, c, log_size); why != syndrome::none) return why;
    syndrome why =
        place_ring(s, c, o,
                   {.list = prm::create_srq_in.size,
                    .log_page_size = unsigned(in.get<"srq_context_entry.log_page_size">()),
                    .page_offset = in.get<"srq_context_entry.page_offset">(),
                    .length = ring_bytes(log_size, in.get<"srq_context_entry.log_rq_stride">())},
                   p.ring);
    if (why != syndrome::none) return why;
    return place_record(s, c, o, {.address = in.get<"srq_context_entry.dbr_addr">()}, p.record);
}

syndrome check_xrc_srq(state &s, command &c, object &o) {
    const auto in = c.inbox<prm::create_xrc_srq_in>();
    auto parts = std::make_unique<srq_parts>();
    srq_parts &p = *parts;
    o.own = std::move(parts);
    const auto log_size = in.get<"xrc_srq_context_entry.log_xrc_srq_size">();
    if (syndrome why = check_log_size(s, c, log_size); why != syndrome::none) return why;
    syndrome why = place_ring(
        s, c, o,
        {.in_umem = in.get<"xrc_srq_umem_valid">() != 0,
         .umem = std::uint32_t(in.get<"xrc_srq_umem_id">()),
         .umem_offset = in.get<"xrc_srq_umem_offset">(),
         .list = prm::create_xrc_srq_in.size,
         .log_page_size = unsigned(in.get<"xrc_srq_context_entry.log_page_size">()),
         .page_offset = in.get<"xrc_srq_context_entry.page_offset">(),
         .length = ring_bytes(log_size, in.get<"xrc_srq_context_entry.log_rq_stride">())},
        p.ring);
    if (why != syndrome::none) return why;
    return place_record(s, c, o,
                        {.in_umem = in.get<"xrc_srq_context_entry.dbr_umem_valid">() != 0,
                         .umem = std::uint32_t(in.get<"xrc_srq_context_entry.dbr_umem_id">()),
                         .address = in.get<"xrc_srq_context_entry.db_record_addr_h">() << 32 |
                                    in.get<"xrc_srq_context_entry.db_record_addr_l">() << 2},
                        p.record);
}

syndrome check_rmp(state &s, command &c, object &o) {
    constexpr auto at = prm::place_of<prm::create_rmp_in, "ctx.wq">.row.offset;
    engine::work_queue wq;
    syndrome why = place_wq(s, c, o, at, wq);
    prm::editor<prm::rmpc>(o.context).set<"state", prm::value_of<prm::rmpc_states, "RDY">>();
    return why;
}

syndrome check_xrq(state &s, command &c, object &o) {
    constexpr auto at = prm::place_of<prm::create_xrq_in, "xrq_context.wq">.row.offset;
    engine::work_queue wq;
    return place_wq(s, c, o, at, wq);
}

// ---- arming: an event when fewer than `lwm` receives are left
// -------------------------------------

syndrome arm_srq(state &s, command &c) {
    const auto in = c.inbox<prm::arm_xrc_srq_in>(); // the three commands are laid out alike
    const auto number = std::uint32_t(in.get<"xrc_srqn">());
    const auto lwm = in.get<"lwm">();
    kind k = c.opcode == op<"ARM_XRC_SRQ"> ? kind::xrc_srq : kind::xrq;
    if (c.opcode == op<"ARM_RQ">) {
        k = kind::srq;
        if (c.op_mod == prm::value_of<prm::arm_rq_ops, "XRQ">)
            k = kind::xrq;
        else if (c.op_mod != prm::value_of<prm::arm_rq_ops, "SRQ">)
            return c.refuse(syndrome::unknown_op_mod, "{:#x}", c.op_mod);
        else if (s.objects.find(kind::rmp, number))
            k = kind::rmp;
    }
    object *o = nullptr;
    if (syndrome why = find_object(s, c, k, number, true, o); why != syndrome::none) return why;
    c.note("{} {:#x} lwm {}", o->type->noun, number, lwm);
    if (k == kind::srq) prm::editor<prm::srqc>(o->context).set<"lwm">(lwm);
    if (k == kind::xrc_srq) prm::editor<prm::xrc_srqc>(o->context).set<"lwm">(lwm);
    if (k == kind::rmp) prm::editor<prm::rmpc>(o->context).set<"wq.lwm">(lwm);
    if (k == kind::xrq) prm::editor<prm::xrqc>(o->context).set<"wq.lwm">(lwm);
    return syndrome::none;
}

} // namespace kdevx::hca::firmware
