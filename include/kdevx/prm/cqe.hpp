// SPDX-License-Identifier: MIT
// Completion queue elements. A CQE of 128 bytes is 64 bytes of inline data (or a GRH) followed by
// the 64 bytes that a small CQE has. Software owns an entry when `opcode` is not INVALID and
// `owner` is the parity of how often the ring has wrapped; before its first completion an entry is
// 0xf1 there.
#pragma once

#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/named_code.hpp"

namespace kdevx::prm {

inline constexpr std::uint32_t MLX5_CQ_INDEX_WIDTH = 24; // bits of a CQ's counters

enum cqe_opcode : std::uint8_t {
    MLX5_CQE_REQ = 0x0,
    MLX5_CQE_RESP_WR_IMM = 0x1,
    MLX5_CQE_RESP_SEND = 0x2,
    MLX5_CQE_RESP_SEND_IMM = 0x3,
    MLX5_CQE_RESP_SEND_INV = 0x4,
    MLX5_CQE_RESIZE_CQ = 0x5,
    MLX5_CQE_NO_PACKET = 0x6,
    MLX5_CQE_SIG_ERR = 0xc,
    MLX5_CQE_REQ_ERR = 0xd,
    MLX5_CQE_RESP_ERR = 0xe,
    MLX5_CQE_INVALID = 0xf,
};
inline constexpr named_code cqe_opcodes[] = {
    {MLX5_CQE_REQ, "REQ"},
    {MLX5_CQE_RESP_WR_IMM, "RESP_WR_IMM"},
    {MLX5_CQE_RESP_SEND, "RESP_SEND"},
    {MLX5_CQE_RESP_SEND_IMM, "RESP_SEND_IMM"},
    {MLX5_CQE_RESP_SEND_INV, "RESP_SEND_INV"},
    {MLX5_CQE_RESIZE_CQ, "RESIZE_CQ"},
    {MLX5_CQE_NO_PACKET, "NO_PACKET"},
    {MLX5_CQE_SIG_ERR, "SIG_ERR"},
    {MLX5_CQE_REQ_ERR, "REQ_ERR"},
    {MLX5_CQE_RESP_ERR, "RESP_ERR"},
    {MLX5_CQE_INVALID, "INVALID"},
};

// cqe64.format: where the payload of a small message went instead of its scatter list.
enum cqe_format : std::uint8_t {
    MLX5_CQE_FORMAT_NO_INLINE = 0,
    MLX5_CQE_FORMAT_INLINE_32 = 1, // bytes 0..31 of the CQE
    MLX5_CQE_FORMAT_INLINE_64 = 2, // the 64 bytes before it; 128-byte CQEs only
    MLX5_CQE_FORMAT_COMPRESSED = 3,
};
// cqc.cqe_sz
enum cqe_stride : std::uint8_t {
    CQE_STRIDE_64 = 0,
    CQE_STRIDE_128 = 1,
    CQE_STRIDE_128_PAD = 2, // 64-byte CQEs, each in 128 bytes
};
// qpc.cs_req, and qpc.cs_res / rmpc.cs_res: scatter to CQE.
enum cqe_scatter : std::uint8_t {
    MLX5_SCATTER_TO_CQE_NONE = 0,
    MLX5_RES_SCAT_DATA32_CQE = 0x1,
    MLX5_RES_SCAT_DATA64_CQE = 0x2,
    MLX5_REQ_SCAT_DATA32_CQE = 0x11,
    MLX5_REQ_SCAT_DATA64_CQE = 0x22,
};

inline constexpr layout cqe64{"cqe64",
                              0x40,
                              {
                                  {"tls_offload", 0x00, 28, 27},
                                  {"outer_l3_tunneled", 0x00, 24, 24},
                                  {"wqe_id", 0x00, 15, 0},
                                  {"lro_tcppsh_abort_dupack", 0x04, 31, 24},
                                  {"lro_min_ttl", 0x04, 23, 16},
                                  {"lro_tcp_win", 0x04, 15, 0},
                                  {"lro_ack_seq_num", 0x08, 31, 0},
                                  {"rss_hash_result", 0x0c, 31, 0},
                                  {"rss_hash_type", 0x10, 31, 24},
                                  {"ml_path", 0x10, 23, 16},
                                  {"check_sum", 0x14, 31, 16},
                                  {"slid", 0x14, 15, 0},
                                  {"g", 0x18, 29, 28}, // where the GRH is, 0 = there is none
                                  {"sl", 0x18, 27, 24},
                                  {"rqpn", 0x18, 23, 0},
                                  {"hds_ip_ext", 0x1c, 31, 24},
                                  {"l4_l3_hdr_type", 0x1c, 23, 16},
                                  {"vlan_info", 0x1c, 15, 0},
                                  {"lro_num_seg", 0x20, 31, 24},
                                  {"srqn_uidx", 0x20, 23, 0}, // user index where cqe_version = 1
                                  {"imm_inval_pkey", 0x24, 31, 0},
                                  {"app", 0x28, 31, 24},
                                  {"app_op", 0x28, 23, 16},
                                  {"app_info", 0x28, 15, 0},
                                  {"byte_cnt", 0x2c, 31, 0},
                                  {"timestamp", 0x30, 63, 0},
                                  {"s_wqe_opcode", 0x38, 31, 24},
                                  {"qpn", 0x38, 23, 0},
                                  {"wqe_counter", 0x3c, 31, 16},
                                  {"signature", 0x3c, 15, 8},
                                  {"opcode", 0x3c, 7, 4},
                                  {"format", 0x3c, 3, 2},
                                  {"se", 0x3c, 1, 1},
                                  {"owner", 0x3c, 0, 0},
                              }};
inline constexpr layout cqe128{
    "cqe128", 0x80, {{"inline_or_grh", 0x00, bytes{64}}, {"cqe64", 0x40, cqe64}}};

// MLX5_CQE_REQ_ERR and MLX5_CQE_RESP_ERR.
inline constexpr layout err_cqe{"err_cqe",
                                0x40,
                                {
                                    {"srqn_uidx", 0x20, 23, 0},
                                    {"hw_error_syndrome", 0x34, 31, 24},
                                    {"hw_syndrome_type", 0x34, 23, 16},
                                    {"vendor_err_synd", 0x34, 15, 8},
                                    {"syndrome", 0x34, 7, 0},
                                    {"s_wqe_opcode", 0x38, 31, 24},
                                    {"qpn", 0x38, 23, 0},
                                    {"wqe_counter", 0x3c, 31, 16},
                                    {"signature", 0x3c, 15, 8},
                                    {"opcode", 0x3c, 7, 4},
                                    {"format", 0x3c, 3, 2},
                                    {"se", 0x3c, 1, 1},
                                    {"owner", 0x3c, 0, 0},
                                }};
// MLX5_CQE_SIG_ERR: a signature (T10-DIF, CRC) did not match.
inline constexpr layout sig_err_cqe{"sig_err_cqe",
                                    0x40,
                                    {
                                        {"expected_trans_sig", 0x10, 31, 0},
                                        {"actual_trans_sig", 0x14, 31, 0},
                                        {"expected_reftag", 0x18, 31, 0},
                                        {"actual_reftag", 0x1c, 31, 0},
                                        {"syndrome", 0x20, 31, 16},
                                        {"mkey", 0x24, 31, 0},
                                        {"err_offset", 0x28, 63, 0},
                                        {"qpn", 0x38, 31, 0},
                                        {"signature", 0x3c, 15, 8},
                                        {"opcode", 0x3c, 7, 4},
                                        {"owner", 0x3c, 0, 0},
                                    }};

// An element of a compressed CQE's array of eight: of a receive, and of a send completion.
inline constexpr layout mini_cqe_rx{"mini_cqe_rx",
                                    0x08,
                                    {
                                        {"rx_hash_result", 0x00, 31, 0},
                                        {"byte_cnt", 0x04, 31, 0},
                                    }};
inline constexpr layout mini_cqe_stride{"mini_cqe_stride",
                                        0x08,
                                        {
                                            {"checksum", 0x00, 31, 16},
                                            {"stridx", 0x00, 15, 0},
                                            {"byte_cnt", 0x04, 31, 0},
                                        }};
inline constexpr layout mini_cqe_tx{"mini_cqe_tx",
                                    0x08,
                                    {
                                        {"wqe_counter", 0x00, 31, 16},
                                        {"s_wqe_opcode", 0x00, 15, 8},
                                        {"byte_cnt", 0x04, 31, 0},
                                    }};

enum cqe_syndrome : std::uint8_t {
    MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR = 0x01,
    MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR = 0x02,
    MLX5_CQE_SYNDROME_LOCAL_PROT_ERR = 0x04,
    MLX5_CQE_SYNDROME_WR_FLUSH_ERR = 0x05,
    MLX5_CQE_SYNDROME_MW_BIND_ERR = 0x06,
    MLX5_CQE_SYNDROME_BAD_RESP_ERR = 0x10,
    MLX5_CQE_SYNDROME_LOCAL_ACCESS_ERR = 0x11,
    MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR = 0x12,
    MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR = 0x13,
    MLX5_CQE_SYNDROME_REMOTE_OP_ERR = 0x14,
    MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR = 0x15,
    MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR = 0x16,
    MLX5_CQE_SYNDROME_REMOTE_ABORTED_ERR = 0x22,
};
inline constexpr named_code cqe_syndromes[] = {
    {MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR, "LOCAL_LENGTH_ERR",
     "the message does not fit the posted buffers, or is longer than the path allows"},
    {MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, "LOCAL_QP_OP_ERR",
     "the WQE is malformed or its operation is not allowed on this queue"},
    {MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, "LOCAL_PROT_ERR",
     "an lkey, its bounds, its access rights or its protection domain do not fit the data segment"},
    {MLX5_CQE_SYNDROME_WR_FLUSH_ERR, "WR_FLUSH_ERR",
     "the queue went to its error state before this WQE was executed; look at the first error"},
    {MLX5_CQE_SYNDROME_MW_BIND_ERR, "MW_BIND_ERR",
     "a memory window could not be bound to the region"},
    {MLX5_CQE_SYNDROME_BAD_RESP_ERR, "BAD_RESP_ERR", "the responder sent an unexpected opcode"},
    {MLX5_CQE_SYNDROME_LOCAL_ACCESS_ERR, "LOCAL_ACCESS_ERR",
     "a remote access was refused by this side's memory key"},
    {MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR, "REMOTE_INVAL_REQ_ERR",
     "the responder found the request invalid: too long, or not enabled there"},
    {MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, "REMOTE_ACCESS_ERR",
     "the rkey, its bounds or its access rights do not fit the remote address"},
    {MLX5_CQE_SYNDROME_REMOTE_OP_ERR, "REMOTE_OP_ERR",
     "the responder could not complete the operation"},
    {MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR, "TRANSPORT_RETRY_EXC_ERR",
     "no acknowledgement after all retries: is the peer there and in RTR?"},
    {MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR, "RNR_RETRY_EXC_ERR",
     "the peer had no receive posted after all RNR retries"},
    {MLX5_CQE_SYNDROME_REMOTE_ABORTED_ERR, "REMOTE_ABORTED_ERR",
     "the responder aborted the operation"},
};

} // namespace kdevx::prm
