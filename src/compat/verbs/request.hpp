// SPDX-License-Identifier: MIT
// Work requests as kdevx.h has them.
#pragma once

#include "compat/verbs/objects.hpp"

namespace kdevx::verbs {

// One for the opcodes that there are no requests for.
inline constexpr std::uint8_t no_op = 0xff;

// A receive is the same on both sides, and is passed as it is.
static_assert(sizeof(ibv_recv_wr) == sizeof(kdevx_recv_wr) &&
              offsetof(ibv_recv_wr, next) == offsetof(kdevx_recv_wr, next) &&
              offsetof(ibv_recv_wr, sg_list) == offsetof(kdevx_recv_wr, sg_list) &&
              offsetof(ibv_recv_wr, num_sge) == offsetof(kdevx_recv_wr, num_sge));
static_assert(sizeof(ibv_sge) == sizeof(kdevx_sge) &&
              offsetof(ibv_sge, length) == offsetof(kdevx_sge, length) &&
              offsetof(ibv_sge, lkey) == offsetof(kdevx_sge, lkey));
inline const kdevx_recv_wr *as_own(const ibv_recv_wr *list) noexcept {
    return reinterpret_cast<const kdevx_recv_wr *>(list);
}
inline ibv_recv_wr *as_shown(const kdevx_recv_wr *list) noexcept {
    return reinterpret_cast<ibv_recv_wr *>(const_cast<kdevx_recv_wr *>(list));
}

template <class Wr>
void fill_memory(const Wr &from, kdevx_send_wr &to) noexcept {
    to.wr_id = from.wr_id;
    to.sg_list = reinterpret_cast<const kdevx_sge *>(from.sg_list);
    to.num_sge = std::uint32_t(from.num_sge);
}

// The other end, by opcode and type of QP. The two kinds of requests name it alike.
template <class Wr>
void fill_target(const Wr &from, ibv_qp_type type, kdevx_send_wr &to) noexcept {
    if (type == IBV_QPT_UD) {
        const ah *h = ours(from.wr.ud.ah);
        to.av = h ? &h->av : nullptr;
        to.remote_qpn = from.wr.ud.remote_qpn;
        to.remote_qkey = from.wr.ud.remote_qkey;
        return;
    }
    const auto &theirs = from.wr.atomic;
    const bool swaps = to.op == KDEVX_ATOMIC_CAS;
    if (swaps || to.op == KDEVX_ATOMIC_ADD)
        to.u.atomic = {theirs.remote_addr,
                       theirs.rkey,
                       swaps ? theirs.swap : theirs.compare_add,
                       swaps ? theirs.compare_add : 0,
                       0,
                       0};
    else
        to.u.rdma = {from.wr.rdma.remote_addr, from.wr.rdma.rkey};
}

inline bool has_key(std::uint8_t op) noexcept {
    return op == KDEVX_SEND_INVAL || op == KDEVX_LOCAL_INVAL;
}

// 0, or the errno.
int convert(const ibv_send_wr &from, ibv_qp_type type, kdevx_send_wr &to) noexcept;
int convert(const ibv_exp_send_wr &from, ibv_qp_type type, kdevx_send_wr &to) noexcept;

// The request or task that many places behind.
template <class Element>
Element *after(Element *list, std::ptrdiff_t count) noexcept {
    while (count-- > 0)
        list = list->next;
    return list;
}

} // namespace kdevx::verbs
