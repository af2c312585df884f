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
    engine::shared_receive_queue queue;
};

constexpr unsigned log_unit = 4; // an SRQ's entries are 16 << stride bytes

syndrome check_srq_limits(state &s, command &c, const engine::shared_receive_queue &q) {
    if (q.queue.log_size > s.caps.general("log_max_srq_sz"))
        return c.refuse(syndrome::queue_size, "2^{}", q.queue.log_size);
    // That key is all of the guest's memory.
    if (q.reserved_lkey && !is_driver(c.uid)) return c.refuse(syndrome::privileged, "rlky");
    return syndrome::none;
}

} // namespace

syndrome use_shared_receive_queue(state &s, command &c, object &o, std::uint32_t number) {
    for (kind k : shared_receive_kinds)
        if (s.objects.find(k, number)) return use_object(s, c, o, k, number);
    return c.refuse(syndrome::no_such_object, "SRQ {:#x}", number);
}

// Of all queues this one cannot be in a umem, and in this inbox the driver checks no addresses. It
// makes none for programs itself: with ISSI 1 their SRQs are RMPs.
syndrome check_srq(state &s, command &c, object &o) {
    if (!is_driver(c.uid)) return c.refuse(syndrome::umem_required, "uid {:#x}", c.uid);
    const auto in = c.inbox<prm::create_srq_in>();
    auto parts = std::make_unique<srq_parts>();
    engine::shared_receive_queue &q = parts->queue;
    o.own = std::move(parts);
    q.queue.log_size = unsigned(in.get<"srq_context_entry.log_srq_size">());
    q.queue.log_stride = log_unit + unsigned(in.get<"srq_context_entry.log_rq_stride">());
    q.pd = std::uint32_t(in.get<"srq_context_entry.pd">());
    q.reserved_lkey = in.get<"srq_context_entry.rlky">();
    if (syndrome why = check_srq_limits(s, c, q); why != syndrome::none) return why;
    syndrome why =
        place_ring(s, c, o,
                   {.list = prm::create_srq_in.size,
                    .log_page_size = unsigned(in.get<"srq_context_entry.log_page_size">()),
                    .page_offset = in.get<"srq_context_entry.page_offset">(),
                    .length = q.queue.bytes()},
                   q.queue.ring);
    if (why != syndrome::none) return why;
    return place_record(s, c, o, {.address = in.get<"srq_context_entry.dbr_addr">()},
                        q.queue.record);
}

namespace {

engine::shared_receive_queue parse_xrc(const command &c) {
    const auto in = c.inbox<prm::create_xrc_srq_in>();
    engine::shared_receive_queue q;
    q.queue.log_size = unsigned(in.get<"xrc_srq_context_entry.log_xrc_srq_size">());
    q.queue.log_stride = log_unit + unsigned(in.get<"xrc_srq_context_entry.log_rq_stride">());
    q.queue.cq = std::uint32_t(in.get<"xrc_srq_context_entry.cqn">());
    q.pd = std::uint32_t(in.get<"xrc_srq_context_entry.pd">());
    q.is_xrc = true;
    q.is_linked = !in.get<"xrc_srq_context_entry.basic_cyclic_rcv_wqe">();
    q.xrc_domain = std::uint32_t(in.get<"xrc_srq_context_entry.xrcd">());
    q.user_index = std::uint32_t(in.get<"xrc_srq_context_entry.user_index">());
    q.reserved_lkey = in.get<"xrc_srq_context_entry.rlky">();
    return q;
}

} // namespace

syndrome check_xrc_srq(state &s, command &c, object &o) {
    const auto in = c.inbox<prm::create_xrc_srq_in>();
    auto parts = std::make_unique<srq_parts>();
    engine::shared_receive_queue &q = parts->queue;
    o.own = std::move(parts);
    q = parse_xrc(c);
    if (syndrome why = check_srq_limits(s, c, q); why != syndrome::none) return why;
    syndrome why =
        place_ring(s, c, o,
                   {.in_umem = in.get<"xrc_srq_umem_valid">() != 0,
                    .umem = std::uint32_t(in.get<"xrc_srq_umem_id">()),
                    .umem_offset = in.get<"xrc_srq_umem_offset">(),
                    .list = prm::create_xrc_srq_in.size,
                    .log_page_size = unsigned(in.get<"xrc_srq_context_entry.log_page_size">()),
                    .page_offset = in.get<"xrc_srq_context_entry.page_offset">(),
                    .length = q.queue.bytes()},
                   q.queue.ring);
    if (why != syndrome::none) return why;
    return place_record(s, c, o,
                        {.in_umem = in.get<"xrc_srq_context_entry.dbr_umem_valid">() != 0,
                         .umem = std::uint32_t(in.get<"xrc_srq_context_entry.dbr_umem_id">()),
                         .address = in.get<"xrc_srq_context_entry.db_record_addr_h">() << 32 |
                                    in.get<"xrc_srq_context_entry.db_record_addr_l">() << 2},
                        q.queue.record);
}

syndrome check_rmp(state &s, command &c, object &o) {
    constexpr auto at = prm::place_of<prm::create_rmp_in, "ctx.wq">.row.offset;
    const auto in = c.inbox<prm::create_rmp_in>();
    auto parts = std::make_unique<srq_parts>();
    engine::shared_receive_queue &q = parts->queue;
    o.own = std::move(parts);
    q.pd = std::uint32_t(in.get<"ctx.wq.pd">());
    q.event_queue_type = engine::event_of_rq;
    q.is_linked = in.get<"ctx.wq.wq_type">() == prm::value_of<prm::wq_types, "LINKED_LIST">;
    syndrome why = place_wq(s, c, o, at, q.queue);
    prm::editor<prm::rmpc>(o.context).set<"state", prm::value_of<prm::rmpc_states, "RDY">>();
    return why;
}

syndrome check_xrq(state &s, command &c, object &o) {
    constexpr auto at = prm::place_of<prm::create_xrq_in, "xrq_context.wq">.row.offset;
    engine::work_queue wq;
    return place_wq(s, c, o, at, wq);
}

// ---- running

void start_srq(state &s, command &c, object &o) {
    engine::shared_receive_queue &q = static_cast<srq_parts &>(*o.own).queue;
    q.number = o.id;
    if (q.is_xrc && prm::view<prm::xrc_srqc>(o.context).get<"user_index_equal_xrc_srqn">())
        q.user_index = o.id;
    c.note("{} {:#x}", o.type->noun, o.id);
    s.engine.create_srq(std::move(q));
}

syndrome stop_srq(state &s, command &, object &o) {
    s.engine.destroy_srq(o.id);
    return syndrome::none;
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
    s.engine.arm_srq(number, std::uint32_t(lwm));
    return syndrome::none;
}

// How the driver arms an RMP, which is what a program's SRQ is.
syndrome change_rmp(state &s, command &c, object &o) {
    const auto in = c.inbox<prm::modify_rmp_in>();
    if (in.get<"bitmask.lwm">()) s.engine.arm_srq(o.id, std::uint32_t(in.get<"ctx.wq.lwm">()));
    return syndrome::none;
}

} // namespace kdevx::hca::firmware
