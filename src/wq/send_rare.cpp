// SPDX-License-Identifier: MIT
// Atomics, UMRs and the cross-channel operations. Each is measured first; when it is certain to
// fit, its segments are put together here and copied into the ring, which may wrap inside of them.
#include "kdevx/prm/mkey.hpp"
#include "wq/cq.hpp"
#include "wq/queue_pair.hpp"
#include "wq/send_wqe.hpp"

namespace kdevx::wq {

namespace {

struct rare_plan {
    error refused = error::none;
    std::uint32_t units = 1; // with control segment and transport
    std::uint32_t opc_mod = 0;
    std::uint32_t general_id = 0;
    resolved_index index{};
};
rare_plan refuse_rare(error e) noexcept {
    return {.refused = e};
}

bool is_one_operand(const send_request &r, std::uint32_t size) noexcept {
    return r.num_sge == 1 && r.sg_list[0].length == size;
}

rare_plan plan_atomic(const send_request &r, std::uint32_t transport_size) noexcept {
    if (!is_one_operand(r, 8)) return refuse_rare(error::bad_operand_size);
    return {.units = 1 + transport_size + 3};
}

rare_plan plan_masked(const send_request &r, std::uint32_t transport_size) noexcept {
    const bool eight = is_one_operand(r, 8);
    if (!eight && !is_one_operand(r, 4)) return refuse_rare(error::bad_operand_size);
    const std::uint32_t operands = eight && r.op == send_op::masked_cas ? 2 : 1;
    return {.units = 1 + transport_size + 1 + operands + 1,
            .opc_mod = eight ? prm::masked_atomic_opc_mod<"8"> : prm::masked_atomic_opc_mod<"4">};
}

constexpr std::uint32_t umr_head_units = 1 + (prm::umr_ctrl.size + prm::mkc.size) / 16;
constexpr std::size_t in_wqebbs(std::size_t bytes) {
    return (bytes + prm::MLX5_SEND_WQE_BB - 1) / prm::MLX5_SEND_WQE_BB * prm::MLX5_SEND_WQE_BB;
}

bool good_umr(const umr_request &u) noexcept {
    const bool by_pointer = u.xlt_at.length != 0;
    return u.context && u.check <= prm::umr_check<"FREE"> && u.xlt.size() % 8 == 0 &&
           u.bsf.size() % prm::MLX5_SEND_WQE_BB == 0 && !(by_pointer && !u.xlt.empty()) &&
           !(by_pointer && !u.bsf.empty()) && !(u.translation_offset && !u.bsf.empty()) &&
           u.xlt_at.length % prm::MLX5_SEND_WQE_BB == 0 && u.xlt_at.length / 16 <= 0xffff &&
           u.xlt_offset >> 48 == 0;
}

rare_plan plan_umr(const send_request &r) noexcept {
    if (!r.umr || !good_umr(*r.umr)) return refuse_rare(error::bad_umr);
    const umr_request &u = *r.umr;
    if (u.xlt.size() + u.bsf.size() > prm::MLX5_SEND_WQE_MAX_DS * 16)
        return refuse_rare(error::wqe_too_long);
    const std::size_t behind = u.xlt_at.length != 0 ? 16 : in_wqebbs(u.xlt.size()) + u.bsf.size();
    return {.units = umr_head_units + std::uint32_t(behind / 16), .general_id = u.mkey};
}

rare_plan plan_wait_data(const send_request &r) noexcept {
    const wait_data_request &w = r.wait_data;
    if (w.condition > prm::wait_condition<"CYCLIC_SMALLER">)
        return refuse_rare(error::bad_condition);
    if (r.op == send_op::wait_data && w.addr % 8) return refuse_rare(error::misaligned);
    return {.units = 3,
            .opc_mod =
                r.op == send_op::wait_data ? prm::wait_opc_mod<"DATA"> : prm::wait_opc_mod<"TIME">};
}

rare_plan with_index(resolved_index i) noexcept {
    return {.refused = i.refused, .units = 2, .index = i};
}

rare_plan plan(const send_request &r, body b, std::uint32_t transport_size) noexcept {
    switch (b) {
    case body::atomic:
        return plan_atomic(r, transport_size);
    case body::masked_atomic:
        return plan_masked(r, transport_size);
    case body::invalidate:
        return {.units = umr_head_units, .general_id = r.imm_or_rkey};
    case body::umr:
        return plan_umr(r);
    case body::wait_cq:
        return with_index(resolve_wait(r.wait));
    case body::wait_data:
        return plan_wait_data(r);
    case body::enable:
        return with_index(r.op == send_op::send_enable ? resolve_send_enable(r.enable)
                                                       : resolve_receive_enable(r.enable));
    default:
        return {};
    }
}

// ---- segments
// ------------------------------------------------------------------------------------

void put_atomic(wqe_writer &w, const send_request &r) noexcept {
    std::byte *s = w.c.unit();
    const bool cas = r.op == send_op::atomic_cas;
    put<prm::wqe_atomic, "swap_add">(s, r.atomic.swap_or_add);
    put<prm::wqe_atomic, "compare">(s, cas ? r.atomic.compare : 0);
}

void put_masked_8(wqe_writer &w, const send_request &r) noexcept {
    const atomic_request &a = r.atomic;
    std::byte s[prm::wqe_masked_cas_8.size];
    if (r.op == send_op::masked_cas) {
        put<prm::wqe_masked_cas_8, "swap">(s, a.swap_or_add);
        put<prm::wqe_masked_cas_8, "compare">(s, a.compare);
        put<prm::wqe_masked_cas_8, "swap_mask">(s, a.swap_mask);
        put<prm::wqe_masked_cas_8, "compare_mask">(s, a.compare_mask);
        w.c.copy(s, prm::wqe_masked_cas_8.size);
    } else {
        put<prm::wqe_masked_add_8, "add">(s, a.swap_or_add);
        put<prm::wqe_masked_add_8, "field_boundary">(s, a.swap_mask);
        w.c.copy(s, prm::wqe_masked_add_8.size);
    }
}

void put_masked_4(wqe_writer &w, const send_request &r) noexcept {
    const atomic_request &a = r.atomic;
    std::byte *s = w.c.unit();
    if (r.op == send_op::masked_cas) {
        put<prm::wqe_masked_cas_4, "swap">(s, std::uint32_t(a.swap_or_add));
        put<prm::wqe_masked_cas_4, "compare">(s, std::uint32_t(a.compare));
        put<prm::wqe_masked_cas_4, "swap_mask">(s, std::uint32_t(a.swap_mask));
        put<prm::wqe_masked_cas_4, "compare_mask">(s, std::uint32_t(a.compare_mask));
    } else {
        put<prm::wqe_masked_add_4, "add">(s, std::uint32_t(a.swap_or_add));
        put<prm::wqe_masked_add_4, "field_boundary">(s, std::uint32_t(a.swap_mask));
        put_zero<0x08, 0x08>(s);
    }
}

// What kernel drivers do to a key of theirs: its context keeps everything, but is free.
void put_invalidate(wqe_writer &w) noexcept {
    prm::mailbox<prm::umr_ctrl> control;
    control.set<"inline", 1>().set<"mkey_mask", prm::mkey_mask<"FREE">>();
    prm::mailbox<prm::mkc> context;
    context.set<"free", 1>();
    w.c.copy(control.bytes().data(), prm::umr_ctrl.size);
    w.c.copy(context.bytes().data(), prm::mkc.size);
}

void put_umr(wqe_writer &w, const send_request &r) noexcept {
    const umr_request &u = *r.umr;
    const bool by_pointer = u.xlt_at.length != 0;
    const std::size_t bytes = by_pointer ? u.xlt_at.length : in_wqebbs(u.xlt.size());
    prm::mailbox<prm::umr_ctrl> control;
    control.set<"inline">(!by_pointer)
        .set<"check_free">(u.check)
        .set<"translation_offset_en">(u.translation_offset)
        .set<"xlt_octowords">(bytes / 16)
        .set<"xlt_offset_or_bsf_octowords">(u.translation_offset ? u.xlt_offset & 0xffff
                                                                 : u.bsf.size() / 16)
        .set<"mkey_mask">(u.mkey_mask)
        .set<"xlt_offset_47_16">(u.translation_offset ? u.xlt_offset >> 16 : 0);
    w.c.copy(control.bytes().data(), prm::umr_ctrl.size);
    w.c.copy(u.context, prm::mkc.size);
    if (by_pointer) return w.put_data(u.xlt_at);
    w.c.copy(u.xlt.data(), u.xlt.size() & ~std::size_t(15));
    if (u.xlt.size() % 16) { // an odd number of mtts
        std::byte last[16]{};
        std::memcpy(last, u.xlt.data() + u.xlt.size() - 8, 8);
        w.c.copy(last, sizeof last);
    }
    w.c.zero((bytes - u.xlt.size()) & ~std::size_t(15));
    w.c.copy(u.bsf.data(), u.bsf.size());
}

void put_wait_data(wqe_writer &w, const send_request &r) noexcept {
    const wait_data_request &d = r.wait_data;
    const bool memory = r.op == send_op::wait_data;
    prm::mailbox<prm::wqe_wait_on_data> s;
    s.set<"invert">(d.invert)
        .set<"condition">(d.condition)
        .set<"lkey">(memory ? d.lkey : 0)
        .set<"va_63_3">(memory ? d.addr >> 3 : 0)
        .set<"fail_action">(d.fail_to_error_cqe ? prm::wait_fail_action<"ERROR_CQE">
                                                : prm::wait_fail_action<"RETRY">)
        .set<"data">(d.value)
        .set<"data_mask">(d.mask);
    w.c.copy(s.bytes().data(), prm::wqe_wait_on_data.size);
}

void put_wait_cq(wqe_writer &w, const send_request &r, std::uint32_t index) noexcept {
    std::byte *s = w.c.unit();
    put_zero<0x00, 0x08>(s);
    put<prm::wqe_wait, "max_index">(s, index);
    put<prm::wqe_wait, "cqn">(s, r.wait.cq->number());
}

void put_enable(wqe_writer &w, const send_request &r, std::uint32_t index) noexcept {
    const queue_pair &target = *r.enable.target;
    std::byte *s = w.c.unit();
    put_zero<0x00, 0x08>(s);
    put<prm::wqe_enable, "pi">(s, index);
    put<prm::wqe_enable, "qpn_or_sqn">(s, r.op == send_op::send_enable ? target.sq.number()
                                                                       : target.rq.number());
}

void put_body(wqe_writer &w, const send_request &r, body b, const rare_plan &p) noexcept {
    switch (b) {
    case body::atomic:
        return put_atomic(w, r);
    case body::masked_atomic:
        return p.opc_mod == prm::masked_atomic_opc_mod<"8"> ? put_masked_8(w, r)
                                                            : put_masked_4(w, r);
    case body::invalidate:
        return put_invalidate(w);
    case body::umr:
        return put_umr(w, r);
    case body::wait_cq:
        return put_wait_cq(w, r, r.wait.cq->wait_index(p.index.end));
    case body::wait_data:
        return put_wait_data(w, r);
    case body::enable:
        return put_enable(w, r, p.index.end & enable_index_mask);
    default:
        return;
    }
}

void move_counters(const send_request &r, const resolved_index &i) noexcept {
    const bool last = r.flags & send_wait_enable_last;
    if (r.op == send_op::wait_cq) r.wait.cq->waits.note(i.count, i.end, last);
    if (r.op == send_op::send_enable) r.enable.target->send_enables.note(i.count, i.end, last);
    if (r.op == send_op::receive_enable)
        r.enable.target->receive_enables.note(i.count, i.end, last);
}

bool is_atomic(body b) noexcept {
    return b == body::atomic || b == body::masked_atomic;
}
bool is_cross_channel(body b) noexcept {
    return b == body::wait_cq || b == body::wait_data || b == body::enable;
}

} // namespace

error post_rare(send_ring &q, const send_request &r, const op_row &op) noexcept {
    if (is_cross_channel(op.body) && !q.master()) return error::not_a_master;
    const bool atomic = is_atomic(op.body);
    if (!atomic && (r.num_sge != 0 || r.flags & send_inline)) return error::takes_no_data;
    if (atomic && r.flags & send_inline) return error::response_not_inline;
    const transport t = q.kind();
    if (atomic && t == transport::dci && !has_address(r)) return error::no_address;
    const rare_plan p = plan(r, op.body, atomic ? transport_units(t) : 0);
    if (p.refused != error::none) return p.refused;
    if (error e = q.reserve(p.units); e != error::none) return e;

    wqe_writer w(q, p.units);
    w.put_control(q, r.flags, op.opcode, p.opc_mod, p.general_id);
    if (atomic) {
        w.put_transport(t, r);
        w.put_remote(r.atomic.addr, r.atomic.rkey);
    }
    put_body(w, r, op.body, p);
    if (atomic) w.put_data(r.sg_list[0]);
    w.finish(q, r, op.flags & keys);
    move_counters(r, p.index);
    return error::none;
}

} // namespace kdevx::wq
