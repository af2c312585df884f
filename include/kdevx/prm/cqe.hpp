// SPDX-License-Identifier: MIT
// Completion queue elements. A CQE of 128 bytes is 64 bytes of inline data (or a GRH) followed by
// the 64 bytes that a small CQE has. Software owns an entry when `opcode` is not INVALID and
// `owner` is the parity of how often the ring has wrapped; before its first completion an entry is
// 0xf1 there.
#pragma once

#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/qp.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr std::uint32_t MLX5_CQ_INDEX_WIDTH = 24; // bits of a CQ's counters

inline constexpr values cqe_opcodes{"MLX5_CQE_", {
    {"REQ",           0x0},
    {"RESP_WR_IMM",   0x1},
    {"RESP_SEND",     0x2},
    {"RESP_SEND_IMM", 0x3},
    {"RESP_SEND_INV", 0x4},
    {"RESIZE_CQ",     0x5},
    {"NO_PACKET",     0x6},
    {"SIG_ERR",       0xc},
    {"REQ_ERR",       0xd},
    {"RESP_ERR",      0xe},
    {"INVALID",       0xf},
}};
template <fixed_string Name>
inline constexpr std::uint8_t cqe_op = std::uint8_t(value_of<cqe_opcodes, Name>);

// cqe64.format: where the payload of a small message went instead of its scatter list.
inline constexpr values cqe_formats{"MLX5_CQE_FORMAT_", {
    {"NO_INLINE",  0},
    {"INLINE_32",  1}, // bytes 0..31 of the CQE
    {"INLINE_64",  2}, // the 64 bytes before it; 128-byte CQEs only
    {"COMPRESSED", 3},
}};
template <fixed_string Name>
inline constexpr std::uint8_t cqe_format = std::uint8_t(value_of<cqe_formats, Name>);
// cqc.cqe_sz
inline constexpr values cqe_strides{"CQE_STRIDE_", {
    {"64",      0},
    {"128",     1},
    {"128_PAD", 2}, // 64-byte CQEs, each in 128 bytes
}};
template <fixed_string Name>
inline constexpr std::uint8_t cqe_stride = std::uint8_t(value_of<cqe_strides, Name>);
// qpc.cs_req, and qpc.cs_res / rmpc.cs_res: scatter to CQE.
inline constexpr values cqe_scatters{"MLX5_", {
    {"SCAT_NONE",           0x00},
    {"RES_SCAT_DATA32_CQE", 0x01},
    {"RES_SCAT_DATA64_CQE", 0x02},
    {"REQ_SCAT_DATA32_CQE", 0x11},
    {"REQ_SCAT_DATA64_CQE", 0x22},
}};
template <fixed_string Name>
inline constexpr std::uint8_t cqe_scatter = std::uint8_t(value_of<cqe_scatters, Name>);

inline constexpr layout cqe64{"cqe64", 0x40, {
    {"tls_offload",             0x00, 28, 27},
    {"outer_l3_tunneled",       0x00, 24, 24},
    {"wqe_id",                  0x00, 15,  0},
    {"lro_tcppsh_abort_dupack", 0x04, 31, 24},
    {"lro_min_ttl",             0x04, 23, 16},
    {"lro_tcp_win",             0x04, 15,  0},
    {"lro_ack_seq_num",         0x08, 31,  0},
    {"rss_hash_result",         0x0c, 31,  0},
    {"rss_hash_type",           0x10, 31, 24},
    {"ml_path",                 0x10, 23, 16},
    {"check_sum",               0x14, 31, 16},
    {"slid",                    0x14, 15,  0},
    {"g",                       0x18, 29, 28}, // where the GRH is, 0 = there is none
    {"sl",                      0x18, 27, 24},
    {"rqpn",                    0x18, 23,  0},
    {"hds_ip_ext",              0x1c, 31, 24},
    {"l4_l3_hdr_type",          0x1c, 23, 16},
    {"vlan_info",               0x1c, 15,  0},
    {"lro_num_seg",             0x20, 31, 24},
    {"srqn_uidx",               0x20, 23,  0}, // user index where cqe_version = 1
    {"imm_inval_pkey",          0x24, 31,  0},
    {"app",                     0x28, 31, 24},
    {"app_op",                  0x28, 23, 16},
    {"app_info",                0x28, 15,  0},
    {"byte_cnt",                0x2c, 31,  0},
    {"timestamp",               0x30, 63,  0},
    {"s_wqe_opcode",            0x38, 31, 24},
    {"qpn",                     0x38, 23,  0},
    {"wqe_counter",             0x3c, 31, 16},
    {"signature",               0x3c, 15,  8},
    {"opcode",                  0x3c,  7,  4},
    {"format",                  0x3c,  3,  2},
    {"se",                      0x3c,  1,  1},
    {"owner",                   0x3c,  0,  0},
}};
inline constexpr layout cqe128{"cqe128", 0x80, {
    {"inline_or_grh", 0x00, bytes{64}},
    {"cqe64",         0x40, cqe64},
}};

// MLX5_CQE_REQ_ERR and MLX5_CQE_RESP_ERR.
inline constexpr layout err_cqe{"err_cqe", 0x40, {
    {"srqn_uidx",      0x20, 23,  0},
    {"error_syndrome", 0x34, cqe_error_syndrome},
    {"s_wqe_opcode",   0x38, 31, 24},
    {"qpn",            0x38, 23,  0},
    {"wqe_counter",    0x3c, 31, 16},
    {"signature",      0x3c, 15,  8},
    {"opcode",         0x3c,  7,  4},
    {"format",         0x3c,  3,  2},
    {"se",             0x3c,  1,  1},
    {"owner",          0x3c,  0,  0},
}};
// MLX5_CQE_SIG_ERR: a signature (T10-DIF, CRC) did not match.
inline constexpr layout sig_err_cqe{"sig_err_cqe", 0x40, {
    {"expected_trans_sig", 0x10, 31,  0},
    {"actual_trans_sig",   0x14, 31,  0},
    {"expected_reftag",    0x18, 31,  0},
    {"actual_reftag",      0x1c, 31,  0},
    {"syndrome",           0x20, 31, 16},
    {"mkey",               0x24, 31,  0},
    {"err_offset",         0x28, 63,  0},
    {"qpn",                0x38, 31,  0},
    {"signature",          0x3c, 15,  8},
    {"opcode",             0x3c,  7,  4},
    {"owner",              0x3c,  0,  0},
}};

// An element of a compressed CQE's array of eight: of a receive, and of a send completion.
inline constexpr layout mini_cqe_rx{"mini_cqe_rx", 0x08, {
    {"rx_hash_result", 0x00, 31,  0},
    {"byte_cnt",       0x04, 31,  0},
}};
inline constexpr layout mini_cqe_stride{"mini_cqe_stride", 0x08, {
    {"checksum", 0x00, 31, 16},
    {"stridx",   0x00, 15,  0},
    {"byte_cnt", 0x04, 31,  0},
}};
inline constexpr layout mini_cqe_tx{"mini_cqe_tx", 0x08, {
    {"wqe_counter",  0x00, 31, 16},
    {"s_wqe_opcode", 0x00, 15,  8},
    {"byte_cnt",     0x04, 31,  0},
}};

// What went wrong, and what to look at.
inline constexpr values cqe_syndromes{"MLX5_CQE_SYNDROME_", {
    {"LOCAL_LENGTH_ERR",        0x01,
     "the message does not fit the posted buffers, or is longer than the path allows"},
    {"LOCAL_QP_OP_ERR",         0x02,
     "the WQE is malformed or its operation is not allowed on this queue"},
    {"LOCAL_PROT_ERR",          0x04,
     "an lkey, its bounds, its access rights or its protection domain do not fit the data segment"},
    {"WR_FLUSH_ERR",            0x05,
     "the queue went to its error state before this WQE was executed; look at the first error"},
    {"MW_BIND_ERR",             0x06, "a memory window could not be bound to the region"},
    {"BAD_RESP_ERR",            0x10, "the responder sent an unexpected opcode"},
    {"LOCAL_ACCESS_ERR",        0x11, "a remote access was refused by this side's memory key"},
    {"REMOTE_INVAL_REQ_ERR",    0x12,
     "the responder found the request invalid: too long, or not enabled there"},
    {"REMOTE_ACCESS_ERR",       0x13,
     "the rkey, its bounds or its access rights do not fit the remote address"},
    {"REMOTE_OP_ERR",           0x14, "the responder could not complete the operation"},
    {"TRANSPORT_RETRY_EXC_ERR", 0x15,
     "no acknowledgement after all retries: is the peer there and in RTR?"},
    {"RNR_RETRY_EXC_ERR",       0x16, "the peer had no receive posted after all RNR retries"},
    {"REMOTE_ABORTED_ERR",      0x22, "the responder aborted the operation"},
}};
template <fixed_string Name>
inline constexpr std::uint8_t cqe_syndrome = std::uint8_t(value_of<cqe_syndromes, Name>);
// clang-format on

} // namespace kdevx::prm
