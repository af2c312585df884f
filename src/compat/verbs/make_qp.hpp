// SPDX-License-Identifier: MIT
// A queue pair from what the different create functions ask for.
#pragma once

#include "compat/verbs/objects.hpp"

namespace kdevx::verbs {

struct qp_wish {
    ibv_pd *pd;
    void *qp_context;
    ibv_cq *send_cq, *recv_cq;
    ibv_srq *srq;
    ibv_qp_cap cap;
    ibv_qp_type type;
    int sq_sig_all;
    std::uint32_t create_flags;         // enum kdevx_qp_create_flags
    std::uint32_t ring_flags;           // enum kdevx_qp_ring_flags
    std::uint32_t source_qpn;           // 0: none
    ibv_rwq_ind_table *table = nullptr; // then the next one too
    const ibv_rx_hash_conf *hash = nullptr;
    ibv_xrcd *xrcd = nullptr; // XRC_RECV: this one alone
};

// `cap` is what there is, afterwards.
ibv_qp *make_qp(attempt &a, const qp_wish &w, ibv_qp_cap &cap) noexcept;

template <class Init>
qp_wish wish_of(const Init &i, ibv_pd *pd) noexcept {
    return {pd, i.qp_context, i.send_cq, i.recv_cq, i.srq, i.cap, i.qp_type, i.sq_sig_all, 0, 0, 0};
}

} // namespace kdevx::verbs
