// SPDX-License-Identifier: MIT
// What libmlx5 tells about its device and the inside of its objects.
#include "compat/verbs/objects.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

namespace {

__be32 *record(const kdevx_queue_memory &m) {
    return m.dbrec;
}

void fill(const verbs::qp &q, mlx5dv_qp &to) {
    const auto i = info_of<kdevx_qp_info>(q.own, kdevx_qp_get_info);
    const std::uint64_t wanted = to.comp_mask;
    auto *buffer = static_cast<char *>(i.memory.buffer);
    const bool apart = i.memory.sq_buffer_size;
    to = {};
    to.dbrec = record(i.memory);
    to.sq = {apart ? i.memory.sq_buffer : buffer + i.sq_offset, i.sq_wqe_count, 64};
    to.rq = {buffer, i.rq_wqe_count, i.rq_wqe_count ? 1u << i.rq_wqe_shift : 0};
    to.bf = {i.memory.uar_reg, 0};
    if (!(wanted & MLX5DV_QP_MASK_RAW_QP_HANDLES)) return;
    to.comp_mask |= MLX5DV_QP_MASK_RAW_QP_HANDLES;
    to.tirn = i.tirn;
    to.tisn = i.tisn;
    to.rqn = i.rqn;
    to.sqn = i.sqn;
    if (wanted & MLX5DV_QP_MASK_RAW_QP_TIR_ADDR && i.ids & KDEVX_QP_HAS_TIR_ICM_ADDR) {
        to.comp_mask |= MLX5DV_QP_MASK_RAW_QP_TIR_ADDR;
        to.tir_icm_addr = i.tir_icm_addr;
    }
}

void fill(const verbs::cq &q, mlx5dv_cq &to) {
    const auto i = info_of<kdevx_cq_info>(q.own, kdevx_cq_get_info);
    to = {i.memory.buffer, record(i.memory), i.cqe, i.cqe_size, i.memory.uar, i.cqn, 0};
}

// The list of free entries begins with all of them; our own posting does not show here.
void fill(const verbs::srq &q, mlx5dv_srq &to) {
    const auto i = info_of<kdevx_srq_info>(q.own, kdevx_srq_get_info);
    const std::uint64_t wanted = to.comp_mask & MLX5DV_SRQ_MASK_SRQN;
    to = {i.memory.buffer, record(i.memory), 1u << i.wqe_shift,  0,
          i.wqe_count - 1, wanted,           wanted ? i.srqn : 0};
}

void fill(const verbs::wq &q, mlx5dv_rwq &to) {
    const auto i = info_of<kdevx_wq_info>(q.own, kdevx_wq_get_info);
    to = {i.memory.buffer, record(i.memory), i.wqe_count, 1u << i.wqe_shift, 0};
}

void fill(const verbs::dm &d, mlx5dv_dm &to) {
    const auto i = info_of<kdevx_dm_info>(d.own, kdevx_dm_get_info);
    to = {i.address, i.length, 0, 0};
}

void fill(const verbs::pd &p, mlx5dv_pd &to) {
    to = {info_of<kdevx_pd_info>(p.own, kdevx_pd_get_info).pdn, 0};
}

static_assert(sizeof(mlx5_wqe_av) == sizeof(kdevx_av));
void fill(verbs::ah &h, mlx5dv_ah &to) {
    to = {reinterpret_cast<mlx5_wqe_av *>(&h.av), 0};
}

// Whether it was not asked for, or is ours and filled.
template <class Pair>
bool fill_if(attempt &a, bool asked, const Pair &p) {
    if (!asked) return true;
    if (!a.takes(p.in->context)) return false;
    fill(*ours(p.in), *p.out);
    return true;
}

constexpr std::uint64_t known_objects = MLX5DV_OBJ_QP | MLX5DV_OBJ_CQ | MLX5DV_OBJ_SRQ |
                                        MLX5DV_OBJ_RWQ | MLX5DV_OBJ_DM | MLX5DV_OBJ_AH |
                                        MLX5DV_OBJ_PD | MLX5DV_OBJ_DEVX;

} // namespace

int mlx5dv_init_obj(mlx5dv_obj *obj, std::uint64_t obj_type) {
    attempt a;
    if (obj_type & ~known_objects) return a.not_supported("obj_type");
    const bool all = fill_if(a, obj_type & MLX5DV_OBJ_QP, obj->qp) &&
                     fill_if(a, obj_type & MLX5DV_OBJ_CQ, obj->cq) &&
                     fill_if(a, obj_type & MLX5DV_OBJ_SRQ, obj->srq) &&
                     fill_if(a, obj_type & MLX5DV_OBJ_RWQ, obj->rwq) &&
                     fill_if(a, obj_type & MLX5DV_OBJ_DM, obj->dm) &&
                     fill_if(a, obj_type & MLX5DV_OBJ_AH, obj->ah) &&
                     fill_if(a, obj_type & MLX5DV_OBJ_PD, obj->pd);
    if (!all) return EXDEV;
    if (obj_type & MLX5DV_OBJ_DEVX) obj->devx.out->handle = obj->devx.in->handle;
    return 0;
}

// comp_mask comes back with what is known of what was asked for.
int mlx5dv_query_device(ibv_context *context, mlx5dv_context *attrs) {
    attempt a;
    if (!a.takes(context)) return EXDEV;
    kdevx_context_info i = sized<kdevx_context_info>();
    if (int err = a.ended(kdevx_context_get_info(ours(context)->own, &i, a))) return err;
    const std::uint64_t wanted = attrs->comp_mask;
    *attrs = {};
    attrs->comp_mask =
        wanted & (MLX5DV_CONTEXT_MASK_DYN_BFREGS | MLX5DV_CONTEXT_MASK_FLOW_ACTION_FLAGS);
    attrs->flags = i.cqe_version ? std::uint64_t(MLX5DV_CONTEXT_FLAGS_CQE_V1) : 0;
    if (wanted & MLX5DV_CONTEXT_MASK_DYN_BFREGS) attrs->max_dynamic_bfregs = i.num_dyn_bfregs;
    if (wanted & MLX5DV_CONTEXT_MASK_FLOW_ACTION_FLAGS)
        attrs->flow_action_flags = i.flow_action_flags;
    return 0;
}
