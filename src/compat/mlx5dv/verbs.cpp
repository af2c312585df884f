// SPDX-License-Identifier: MIT
// Query and modify by a verbs object's handle.
#include "core/object.hpp"

#include "compat/mlx5dv/call.hpp"

using namespace kdevx;
using namespace kdevx::mlx5dv;

namespace {

std::uint32_t handle_of(const ibv_rwq_ind_table *t) {
    return std::uint32_t(t->ind_tbl_handle);
}
template <class Verbs>
std::uint32_t handle_of(const Verbs *v) {
    return v->handle;
}

template <class Verbs>
using function_of = int(Verbs *, const void *, std::size_t, void *, std::size_t);

template <class Verbs>
int query(const call &c, function_of<Verbs> *self, Verbs *v, const void *in, std::size_t inlen,
          void *out, std::size_t outlen) {
    if (is_elsewhere(v->context)) return c.pass_on(self, v, in, inlen, out, outlen);
    return c.ended(
        core::query(file_of(v->context), handle_of(v), box(in, inlen), box(out, outlen)));
}

template <class Verbs>
int modify(const call &c, function_of<Verbs> *self, Verbs *v, const void *in, std::size_t inlen,
           void *out, std::size_t outlen) {
    if (is_elsewhere(v->context)) return c.pass_on(self, v, in, inlen, out, outlen);
    return c.ended(
        core::modify(file_of(v->context), handle_of(v), box(in, inlen), box(out, outlen)));
}

// XRC targets, opened ones too: the kernel would look their numbers up in memory that is not theirs
// (docs/kabi.md).
bool is_share(const ibv_qp *qp) {
    return qp->qp_type == IBV_QPT_XRC_RECV && !is_elsewhere(qp->context);
}

// RST2INIT_QP to INIT2INIT_QP: commands that take a QP to another state.
bool is_transition(const void *in, std::size_t inlen) {
    std::uint16_t opcode = core::opcode_of(box(in, inlen));
    return opcode >= 0x502 && opcode <= 0x50e;
}

} // namespace

int mlx5dv_devx_cq_query(ibv_cq *cq, const void *in, std::size_t inlen, void *out,
                         std::size_t outlen) {
    call c(function<"mlx5dv_devx_cq_query">);
    return query(c, mlx5dv_devx_cq_query, cq, in, inlen, out, outlen);
}

int mlx5dv_devx_cq_modify(ibv_cq *cq, const void *in, std::size_t inlen, void *out,
                          std::size_t outlen) {
    call c(function<"mlx5dv_devx_cq_modify">);
    return modify(c, mlx5dv_devx_cq_modify, cq, in, inlen, out, outlen);
}

int mlx5dv_devx_qp_query(ibv_qp *qp, const void *in, std::size_t inlen, void *out,
                         std::size_t outlen) {
    call c(function<"mlx5dv_devx_qp_query">);
    if (is_share(qp)) return c.ended(EOPNOTSUPP);
    return query(c, mlx5dv_devx_qp_query, qp, in, inlen, out, outlen);
}

// What a QP's owner lets be posted depends on the state it believes the QP to be in, and only its
// own function tells it (in libmlx5 that is private memory, placed differently in each release). So
// a transition goes to the owner, if there is one.
int mlx5dv_devx_qp_modify(ibv_qp *qp, const void *in, std::size_t inlen, void *out,
                          std::size_t outlen) {
    call c(function<"mlx5dv_devx_qp_modify">);
    if (is_share(qp)) return c.ended(EOPNOTSUPP);
    if (is_transition(in, inlen) && next("mlx5dv_devx_qp_modify"))
        return c.pass_on(mlx5dv_devx_qp_modify, qp, in, inlen, out, outlen);
    return modify(c, mlx5dv_devx_qp_modify, qp, in, inlen, out, outlen);
}

int mlx5dv_devx_srq_query(ibv_srq *srq, const void *in, std::size_t inlen, void *out,
                          std::size_t outlen) {
    call c(function<"mlx5dv_devx_srq_query">);
    return query(c, mlx5dv_devx_srq_query, srq, in, inlen, out, outlen);
}

int mlx5dv_devx_srq_modify(ibv_srq *srq, const void *in, std::size_t inlen, void *out,
                           std::size_t outlen) {
    call c(function<"mlx5dv_devx_srq_modify">);
    return modify(c, mlx5dv_devx_srq_modify, srq, in, inlen, out, outlen);
}

int mlx5dv_devx_wq_query(ibv_wq *wq, const void *in, std::size_t inlen, void *out,
                         std::size_t outlen) {
    call c(function<"mlx5dv_devx_wq_query">);
    return query(c, mlx5dv_devx_wq_query, wq, in, inlen, out, outlen);
}

int mlx5dv_devx_wq_modify(ibv_wq *wq, const void *in, std::size_t inlen, void *out,
                          std::size_t outlen) {
    call c(function<"mlx5dv_devx_wq_modify">);
    return modify(c, mlx5dv_devx_wq_modify, wq, in, inlen, out, outlen);
}

int mlx5dv_devx_ind_tbl_query(ibv_rwq_ind_table *ind_tbl, const void *in, std::size_t inlen,
                              void *out, std::size_t outlen) {
    call c(function<"mlx5dv_devx_ind_tbl_query">);
    return query(c, mlx5dv_devx_ind_tbl_query, ind_tbl, in, inlen, out, outlen);
}

int mlx5dv_devx_ind_tbl_modify(ibv_rwq_ind_table *ind_tbl, const void *in, std::size_t inlen,
                               void *out, std::size_t outlen) {
    call c(function<"mlx5dv_devx_ind_tbl_modify">);
    return modify(c, mlx5dv_devx_ind_tbl_modify, ind_tbl, in, inlen, out, outlen);
}
