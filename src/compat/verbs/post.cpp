// SPDX-License-Identifier: MIT
// Posting sends and receives of the plain kind.
#include <endian.h>

#include "compat/verbs/ops.hpp"
#include "compat/verbs/posting.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

namespace {

// By enum ibv_wr_opcode.
constexpr std::uint8_t operations_of[] = {
    KDEVX_RDMA_WRITE, KDEVX_RDMA_WRITE_IMM, KDEVX_SEND,        KDEVX_SEND_IMM,    KDEVX_RDMA_READ,
    KDEVX_ATOMIC_CAS, KDEVX_ATOMIC_ADD,     KDEVX_LOCAL_INVAL, no_op /*BIND_MW*/, KDEVX_SEND_INVAL,
};
constexpr unsigned known_flags =
    IBV_SEND_FENCE | IBV_SEND_SIGNALED | IBV_SEND_SOLICITED | IBV_SEND_INLINE;
static_assert(int(IBV_SEND_FENCE) == int(KDEVX_SEND_FENCE) &&
              int(IBV_SEND_INLINE) == int(KDEVX_SEND_INLINE));

template <class Post, class Ring>
int post_receives(Post *post, Ring *ring, ibv_recv_wr *wr, ibv_recv_wr **bad) {
    attempt a;
    if (!ring) return refuse(a.invalid("ring"), wr, bad);
    const kdevx_recv_wr *refused = as_own(wr);
    const int err = a.ended(post(ring, as_own(wr), &refused, a));
    return err ? refuse(err, as_shown(refused), bad) : 0;
}

} // namespace

int verbs::convert(const ibv_send_wr &from, ibv_qp_type type, kdevx_send_wr &to) noexcept {
    to = {};
    const auto opcode = unsigned(from.opcode);
    to.op = opcode < std::size(operations_of) ? operations_of[opcode] : no_op;
    if (to.op == no_op || from.send_flags & ~known_flags || from.num_sge < 0) return EINVAL;
    fill_memory(from, to);
    to.flags = from.send_flags;
    to.imm_or_rkey = has_key(to.op) ? from.invalidate_rkey : be32toh(from.imm_data);
    if (type == IBV_QPT_XRC_SEND) to.xrc_srqn = from.qp_type.xrc.remote_srqn;
    fill_target(from, type, to);
    return 0;
}

int verbs::post_send(ibv_qp *qp, ibv_send_wr *wr, ibv_send_wr **bad_wr) noexcept {
    return post_sends(qp, wr, bad_wr);
}

int verbs::post_recv(ibv_qp *qp, ibv_recv_wr *wr, ibv_recv_wr **bad_wr) noexcept {
    return post_receives(kdevx_post_recv, ours(qp)->recv_ring, wr, bad_wr);
}

int verbs::post_wq_recv(ibv_wq *wq, ibv_recv_wr *wr, ibv_recv_wr **bad_wr) noexcept {
    return post_receives(kdevx_post_recv, ours(wq)->ring, wr, bad_wr);
}

int verbs::post_srq_recv(ibv_srq *srq, ibv_recv_wr *wr, ibv_recv_wr **bad_wr) noexcept {
    return post_receives(kdevx_post_srq_recv, ours(srq)->ring, wr, bad_wr);
}
