// SPDX-License-Identifier: MIT
// Queue pairs of the verbs kind.
#pragma once

#include <atomic>

#include <kdevx/qp.h>

#include "core/qp_size.hpp"
#include "core/srq.hpp"
#include "core/wq.hpp"

namespace kdevx::core {

struct qp {
    using handle_type = kdevx_qp;
    static const core::noun noun;

    std::uint16_t type;
    std::atomic<std::uint8_t> state; // enum kdevx_qp_state: what is believed, see qp.h
    std::atomic<std::uint8_t> ids;   // enum kdevx_qp_ids
    std::uint32_t qpn, tirn, tisn, rqn, sqn;
    std::atomic<std::uint32_t> dctn;
    std::uint64_t tir_icm_addr;
    std::atomic<std::uint32_t> ece_options;
    qp_size size;
    queue_memory memory;
    std::uint16_t create_flags, driver_flags;
    std::uint32_t max_send_sge, max_recv_sge, max_inline_data; // as asked for, may be 0
    std::atomic<std::uint32_t> rings;                          // of it that live
    // What it uses; those it has not are null.
    const slot *pd, *send_cq, *recv_cq, *srq, *xrcd, *ind_table;

    bool is_raw_packet() const noexcept { return type == KDEVX_QP_RAW_PACKET; }
};

// domain NULL: XRC_TGT, which has none.
result<kdevx_qp *> create_qp(context &c, const pin<pd> *domain,
                             const kdevx_qp_options *given) noexcept;
result<void> modify_qp(const pin<qp> &q, const kdevx_qp_attr *given, std::uint32_t mask) noexcept;
result<kdevx_qp_attr> query_qp(const pin<qp> &q, std::uint32_t mask) noexcept;
kdevx_qp_info describe(const pin<qp> &q) noexcept;

} // namespace kdevx::core
