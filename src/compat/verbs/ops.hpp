// SPDX-License-Identifier: MIT
// What the inline functions of the header come to.
#pragma once

#include "compat/verbs/api.hpp"

namespace kdevx::verbs {

int post_send(ibv_qp *qp, ibv_send_wr *wr, ibv_send_wr **bad_wr) noexcept;
int post_recv(ibv_qp *qp, ibv_recv_wr *wr, ibv_recv_wr **bad_wr) noexcept;
int post_srq_recv(ibv_srq *srq, ibv_recv_wr *wr, ibv_recv_wr **bad_wr) noexcept;
int post_wq_recv(ibv_wq *wq, ibv_recv_wr *wr, ibv_recv_wr **bad_wr) noexcept;
int poll_cq(ibv_cq *cq, int num_entries, ibv_wc *wc) noexcept;
int req_notify_cq(ibv_cq *cq, int solicited_only) noexcept;

inline ibv_context_ops operations() noexcept {
    ibv_context_ops o{};
    o.poll_cq = poll_cq;
    o.req_notify_cq = req_notify_cq;
    o.post_srq_recv = post_srq_recv;
    o.post_send = post_send;
    o.post_recv = post_recv;
    return o;
}

} // namespace kdevx::verbs
