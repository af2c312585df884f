// SPDX-License-Identifier: MIT
// Completions as libibverbs tells them.
#include <algorithm>
#include <endian.h>
#include <string_view>

#include "compat/verbs/objects.hpp"
#include "compat/verbs/ops.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

namespace {

constexpr int batch = 16;

constexpr struct {
    std::uint8_t syndrome; // prm::cqe_syndromes
    ibv_wc_status status;
} wc_statuses[] = {
    {0x00, IBV_WC_SUCCESS},           {0x01, IBV_WC_LOC_LEN_ERR},    {0x02, IBV_WC_LOC_QP_OP_ERR},
    {0x04, IBV_WC_LOC_PROT_ERR},      {0x05, IBV_WC_WR_FLUSH_ERR},   {0x06, IBV_WC_MW_BIND_ERR},
    {0x10, IBV_WC_BAD_RESP_ERR},      {0x11, IBV_WC_LOC_ACCESS_ERR}, {0x12, IBV_WC_REM_INV_REQ_ERR},
    {0x13, IBV_WC_REM_ACCESS_ERR},    {0x14, IBV_WC_REM_OP_ERR},     {0x15, IBV_WC_RETRY_EXC_ERR},
    {0x16, IBV_WC_RNR_RETRY_EXC_ERR}, {0x22, IBV_WC_REM_ABORT_ERR},
};

constexpr struct {
    std::uint8_t what; // enum kdevx_send_op, enum kdevx_completed
    ibv_wc_opcode opcode;
} opcodes[] = {
    {KDEVX_SEND, IBV_WC_SEND},
    {KDEVX_SEND_IMM, IBV_WC_SEND},
    {KDEVX_SEND_INVAL, IBV_WC_SEND},
    {KDEVX_RDMA_WRITE, IBV_WC_RDMA_WRITE},
    {KDEVX_RDMA_WRITE_IMM, IBV_WC_RDMA_WRITE},
    {KDEVX_RDMA_READ, IBV_WC_RDMA_READ},
    {KDEVX_ATOMIC_CAS, IBV_WC_COMP_SWAP},
    {KDEVX_MASKED_CAS, IBV_WC_COMP_SWAP},
    {KDEVX_ATOMIC_ADD, IBV_WC_FETCH_ADD},
    {KDEVX_MASKED_ADD, IBV_WC_FETCH_ADD},
    {KDEVX_LOCAL_INVAL, IBV_WC_LOCAL_INV},
    {KDEVX_COMPLETED_RECV, IBV_WC_RECV},
    {KDEVX_COMPLETED_RECV_RDMA_IMM, IBV_WC_RECV_RDMA_WITH_IMM},
};

// What is left of a QP that was destroyed or reset: a user of verbs never sees it.
bool is_left_over(const kdevx_wc &c) {
    if (!c.problem) return false;
    const std::string_view problem = kdevx_wc_problem_name(c.problem);
    return problem == "UNKNOWN_QUEUE" || problem == "STRAY_COMPLETION";
}

// Any other completion that belongs to no request is an error of no name there.
ibv_wc_status status_of(const kdevx_wc &c) {
    for (const auto &row : wc_statuses)
        if (row.syndrome == c.syndrome && !c.problem) return row.status;
    return IBV_WC_GENERAL_ERR;
}
ibv_wc_opcode opcode_of(const kdevx_wc &c) {
    for (const auto &row : opcodes)
        if (row.what == c.what) return row.opcode;
    return IBV_WC_DRIVER1;
}
unsigned flags_of(const kdevx_wc &c) {
    return (c.flags & KDEVX_WC_HAS_GRH ? unsigned(IBV_WC_GRH) : 0) |
           (c.flags & KDEVX_WC_HAS_IMM ? unsigned(IBV_WC_WITH_IMM) : 0) |
           (c.flags & KDEVX_WC_HAS_INVAL ? unsigned(IBV_WC_WITH_INV) : 0);
}

ibv_wc told(const kdevx_wc &c) {
    ibv_wc to{};
    to.wr_id = c.wr_id;
    to.status = status_of(c);
    to.opcode = opcode_of(c);
    to.vendor_err = c.problem ? c.problem : c.vendor_error;
    to.byte_len = c.byte_len;
    to.wc_flags = flags_of(c);
    if (c.flags & KDEVX_WC_HAS_INVAL)
        to.invalidated_rkey = c.imm_or_rkey;
    else
        to.imm_data = htobe32(c.imm_or_rkey);
    to.qp_num = c.qpn;
    to.src_qp = c.src_qp;
    to.slid = c.slid;
    to.sl = c.sl;
    to.dlid_path_bits = c.path_bits;
    return to;
}

} // namespace

int verbs::poll_cq(ibv_cq *cq, int num_entries, ibv_wc *wc) noexcept {
    kdevx_wc own[batch];
    int n = 0;
    while (n < num_entries) {
        const int wanted = std::min(batch, num_entries - n);
        const int got = kdevx_poll_cq(ours(cq)->ring, own, wanted);
        for (int i = 0; i < got; ++i)
            if (!is_left_over(own[i])) wc[n++] = told(own[i]);
        if (got < 0 && !n) return got;
        if (got < wanted) break;
    }
    return n;
}

int verbs::req_notify_cq(ibv_cq *cq, int solicited_only) noexcept {
    const int rc = kdevx_arm_cq(ours(cq)->ring, solicited_only);
    return rc < 0 ? -rc : 0;
}
