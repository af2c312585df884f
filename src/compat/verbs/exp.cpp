// SPDX-License-Identifier: MIT
// Experimental verbs: devices, queues, and requests that wait and enable.
#include <cstring>
#include <endian.h>

#include <kdevx/prm/caps.hpp>
#include <kdevx/prm/cq.hpp>
#include <kdevx/prm/hca.hpp>

#include "compat/verbs/make_qp.hpp"
#include "compat/verbs/posting.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

namespace {

// ---- devices -----------------------------------------------------------------------------------

int query_cross_channel(attempt &a, context &c, bool &there) {
    constexpr std::size_t page_offset = 0x10;
    std::byte outbox[prm::query_hca_cap_out.size];
    prm::mailbox<prm::query_hca_cap_in> in;
    in.set<"opcode", prm::value_of<prm::opcodes, "QUERY_HCA_CAP">>();
    in.set<"op_mod">(prm::cap_op_mod(0, prm::cap_kind::current));
    const auto bytes = in.bytes();
    if (int err =
            a.ended(kdevx_general_cmd(c.own, bytes.data(), bytes.size(), outbox, sizeof outbox, a)))
        return err;
    prm::view<prm::cmd_hca_cap> caps(std::span<const std::byte>(outbox).subspan(page_offset));
    there = caps.get<"cd">();
    return 0;
}

void fill(ibv_exp_device_attr &to, const ibv_device_attr &from) {
    std::memcpy(to.fw_ver, from.fw_ver, sizeof to.fw_ver);
    to.node_guid = from.node_guid;
    to.sys_image_guid = from.sys_image_guid;
    to.vendor_id = from.vendor_id;
    to.vendor_part_id = from.vendor_part_id;
    to.max_qp = from.max_qp;
    to.max_qp_wr = from.max_qp_wr;
    to.max_sge = from.max_sge;
    to.max_cq = from.max_cq;
    to.max_cqe = from.max_cqe;
    to.phys_port_cnt = from.phys_port_cnt;
}

// ---- queues ------------------------------------------------------------------------------------

constexpr std::uint32_t channel_flags = IBV_EXP_QP_CREATE_CROSS_CHANNEL |
                                        IBV_EXP_QP_CREATE_MANAGED_SEND |
                                        IBV_EXP_QP_CREATE_MANAGED_RECV;
constexpr std::uint32_t overflow_flags =
    IBV_EXP_QP_CREATE_IGNORE_SQ_OVERFLOW | IBV_EXP_QP_CREATE_IGNORE_RQ_OVERFLOW;
static_assert(int(IBV_EXP_QP_CREATE_CROSS_CHANNEL) == int(KDEVX_QP_CROSS_CHANNEL) &&
              int(IBV_EXP_QP_CREATE_MANAGED_SEND) == int(KDEVX_QP_MANAGED_SEND) &&
              int(IBV_EXP_QP_CREATE_MANAGED_RECV) == int(KDEVX_QP_MANAGED_RECV));

bool fill_flags(attempt &a, std::uint32_t flags, qp_wish &w) {
    if (flags & ~(channel_flags | overflow_flags))
        return a.not_supported("exp_create_flags"), false;
    const std::uint32_t overflow = flags & overflow_flags;
    if (overflow && overflow != overflow_flags)
        return a.invalid("IGNORE_SQ_OVERFLOW without IGNORE_RQ_OVERFLOW"), false;
    w.create_flags = flags & channel_flags;
    w.ring_flags = overflow ? std::uint32_t(KDEVX_QP_RING_IGNORE_OVERFLOW) : 0;
    return true;
}

int ignore_overrun(attempt &a, const verbs::cq &q, bool ignore) {
    const auto info = info_of<kdevx_cq_info>(q.own, kdevx_cq_get_info);
    prm::mailbox<prm::modify_cq_in> in;
    std::byte out[prm::modify_cq_out.size];
    in.set<"opcode", prm::value_of<prm::opcodes, "MODIFY_CQ">>();
    in.set<"cqn">(info.cqn);
    in.set<"modify_field_select_resize_field_select">(prm::value_of<prm::modify_cq_fields, "OI">);
    in.set<"cq_context.oi">(ignore);
    const auto bytes = in.bytes();
    return a.ended(kdevx_cq_devx_modify(q.own, bytes.data(), bytes.size(), out, sizeof out, a));
}

// ---- requests ----------------------------------------------------------------------------------

constexpr struct {
    ibv_exp_wr_opcode theirs;
    kdevx_send_op op;
} exp_operations[] = {
    {IBV_EXP_WR_RDMA_WRITE, KDEVX_RDMA_WRITE},
    {IBV_EXP_WR_RDMA_WRITE_WITH_IMM, KDEVX_RDMA_WRITE_IMM},
    {IBV_EXP_WR_SEND, KDEVX_SEND},
    {IBV_EXP_WR_SEND_WITH_IMM, KDEVX_SEND_IMM},
    {IBV_EXP_WR_RDMA_READ, KDEVX_RDMA_READ},
    {IBV_EXP_WR_ATOMIC_CMP_AND_SWP, KDEVX_ATOMIC_CAS},
    {IBV_EXP_WR_ATOMIC_FETCH_AND_ADD, KDEVX_ATOMIC_ADD},
    {IBV_EXP_WR_SEND_WITH_INV, KDEVX_SEND_INVAL},
    {IBV_EXP_WR_LOCAL_INV, KDEVX_LOCAL_INVAL},
    {IBV_EXP_WR_SEND_ENABLE, KDEVX_SEND_ENABLE},
    {IBV_EXP_WR_RECV_ENABLE, KDEVX_RECV_ENABLE},
    {IBV_EXP_WR_CQE_WAIT, KDEVX_WAIT_CQ},
    {IBV_EXP_WR_NOP, KDEVX_NOP},
};

std::uint8_t operation_of(ibv_exp_wr_opcode opcode) {
    for (const auto &row : exp_operations)
        if (row.theirs == opcode) return row.op;
    return no_op;
}

constexpr std::uint64_t plain_flags =
    IBV_EXP_SEND_FENCE | IBV_EXP_SEND_SIGNALED | IBV_EXP_SEND_SOLICITED | IBV_EXP_SEND_INLINE;

std::uint32_t flags_of(std::uint64_t flags) {
    return std::uint32_t(flags & plain_flags) |
           (flags & IBV_EXP_SEND_WAIT_EN_LAST ? std::uint32_t(KDEVX_SEND_WAIT_ENABLE_LAST) : 0);
}

template <class Object>
bool is_foreign(const Object *o) {
    return o && !verbs::is_ours(o->context);
}

int fill_wait(const ibv_exp_send_wr &from, kdevx_send_wr &to) {
    ibv_cq *cq = from.task.cqe_wait.cq;
    if (is_foreign(cq)) return EXDEV;
    if (from.task.cqe_wait.cq_count < 0) return EINVAL;
    to.u.wait = {cq ? ours(cq)->ring : nullptr, std::uint32_t(from.task.cqe_wait.cq_count)};
    return 0;
}

int fill_enable(const ibv_exp_send_wr &from, kdevx_send_wr &to) {
    ibv_qp *qp = from.task.wqe_enable.qp;
    if (is_foreign(qp)) return EXDEV;
    if (from.task.wqe_enable.wqe_count < 0) return EINVAL;
    kdevx_qp_ring *target = nullptr;
    if (qp) target = to.op == KDEVX_SEND_ENABLE ? ours(qp)->ring : ours(qp)->recv_ring;
    to.u.enable = {target, std::uint32_t(from.task.wqe_enable.wqe_count)};
    return 0;
}

} // namespace

int verbs::convert(const ibv_exp_send_wr &from, ibv_qp_type type, kdevx_send_wr &to) noexcept {
    to = {};
    to.op = operation_of(from.exp_opcode);
    const std::uint64_t unknown = ~(plain_flags | IBV_EXP_SEND_WAIT_EN_LAST);
    if (to.op == no_op || from.exp_send_flags & unknown || from.comp_mask || from.num_sge < 0)
        return EINVAL;
    fill_memory(from, to);
    to.flags = flags_of(from.exp_send_flags);
    to.imm_or_rkey = has_key(to.op) ? from.ex.invalidate_rkey : be32toh(from.ex.imm_data);
    if (to.op == KDEVX_WAIT_CQ) return fill_wait(from, to);
    if (to.op == KDEVX_SEND_ENABLE || to.op == KDEVX_RECV_ENABLE) return fill_enable(from, to);
    if (type == IBV_QPT_XRC_SEND) to.xrc_srqn = from.xrc_remote_srq_num;
    fill_target(from, type, to);
    return 0;
}

int ibv_exp_query_device(ibv_context *context, ibv_exp_device_attr *attr) {
    attempt a;
    if (!a.takes(context)) return EXDEV;
    ibv_device_attr plain{};
    if (int err = ibv_query_device(context, &plain)) return err;
    bool cross_channel = false;
    if (int err = query_cross_channel(a, *ours(context), cross_channel)) return err;
    const std::uint32_t wanted = attr->comp_mask;
    *attr = {};
    fill(*attr, plain);
    attr->comp_mask = wanted & IBV_EXP_DEVICE_ATTR_EXP_CAP_FLAGS;
    attr->exp_device_cap_flags = plain.device_cap_flags;
    if (cross_channel) attr->exp_device_cap_flags |= IBV_EXP_DEVICE_CROSS_CHANNEL;
    return 0;
}

ibv_qp *ibv_exp_create_qp(ibv_context *context, ibv_exp_qp_init_attr *init) {
    attempt a;
    constexpr std::uint32_t known = IBV_EXP_QP_INIT_ATTR_PD | IBV_EXP_QP_INIT_ATTR_CREATE_FLAGS;
    if (!a.takes(context)) return nullptr;
    if (init->comp_mask & ~known) return a.not_supported("comp_mask"), nullptr;
    qp_wish w = wish_of(*init, init->comp_mask & IBV_EXP_QP_INIT_ATTR_PD ? init->pd : nullptr);
    const bool flags = init->comp_mask & IBV_EXP_QP_INIT_ATTR_CREATE_FLAGS;
    if (flags && !fill_flags(a, init->exp_create_flags, w)) return nullptr;
    return make_qp(a, w, init->cap);
}

int ibv_exp_modify_cq(ibv_cq *cq, ibv_exp_cq_attr *attr, int mask) {
    attempt a;
    constexpr int known = IBV_EXP_CQ_MODERATION | IBV_EXP_CQ_CAP_FLAGS;
    if (!a.takes(cq->context)) return EXDEV;
    if (!mask || mask & ~known) return a.invalid("cq_attr_mask");
    if (attr->comp_mask & ~std::uint32_t(known)) return a.invalid("comp_mask");
    const verbs::cq *q = ours(cq);
    if (mask & IBV_EXP_CQ_CAP_FLAGS) {
        if (attr->cq_cap_flags & ~std::uint32_t(IBV_EXP_CQ_IGNORE_OVERRUN))
            return a.invalid("cq_cap_flags");
        if (int err = ignore_overrun(a, *q, attr->cq_cap_flags)) return err;
    }
    if (!(mask & IBV_EXP_CQ_MODERATION)) return 0;
    return a.ended(
        kdevx_cq_moderate(q->own, attr->moderation.cq_count, attr->moderation.cq_period, a));
}

int ibv_exp_post_send(ibv_qp *qp, ibv_exp_send_wr *wr, ibv_exp_send_wr **bad_wr) {
    attempt a;
    if (!a.takes(qp->context)) return refuse(EXDEV, wr, bad_wr);
    return post_sends(qp, wr, bad_wr);
}
