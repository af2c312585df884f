// SPDX-License-Identifier: MIT
// Work queue elements. A send WQE is a control segment followed by segments of one or more 16-byte
// units, in the order in which they stand here: transport (xrc or av), remote address, operation,
// data. It begins at a 64-byte basic block (WQEBB) and wraps at the ring's end, which can only fall
// between two 16-byte units. A receive WQE is a list of data segments in a stride of the ring.
//
// Completions are in cqe.hpp, doorbells in doorbell.hpp.
#pragma once

#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
enum : std::uint32_t {
    MLX5_SEND_WQE_DS     = 16,         // the unit in which a WQE states its size
    MLX5_SEND_WQE_BB     = 64,         // the unit in which a send queue is indexed
    MLX5_SEND_WQE_MAX_DS = 0x3f,       // what the six bits of `ds` hold
    MLX5_WQ_INDEX_WIDTH  = 16,         // bits of a WQE counter, on both queues
    MLX5_INVALID_LKEY    = 0x100,      // ends a scatter list shorter than its stride
    MLX5_INLINE_DATA_MAX = 0x3ff,      // what the ten bits of wqe_inline_data.byte_count hold
    MLX5_DATA_SEG_MAX    = 0x7fffffff, // bit 31 of a data segment's length means "inline"
};

inline constexpr values wqe_opcodes{"MLX5_OPCODE_", {
    {"NOP",              0x00},
    {"SEND_INVAL",       0x01},
    {"RDMA_WRITE",       0x08},
    {"RDMA_WRITE_IMM",   0x09},
    {"SEND",             0x0a},
    {"SEND_IMM",         0x0b},
    {"LSO",              0x0e},
    {"WAIT",             0x0f},
    {"RDMA_READ",        0x10},
    {"ATOMIC_CS",        0x11},
    {"ATOMIC_FA",        0x12},
    {"ATOMIC_MASKED_CS", 0x14},
    {"ATOMIC_MASKED_FA", 0x15},
    {"RECV_EN",          0x16},
    {"SEND_EN",          0x17},
    {"BIND_MW",          0x18},
    {"CONFIG_CMD",       0x1f},
    {"SET_PSV",          0x20},
    {"GET_PSV",          0x21},
    {"CHECK_PSV",        0x22},
    {"DUMP",             0x23},
    {"UMR",              0x25},
    {"RGET_PSV",         0x26},
    {"RCHECK_PSV",       0x27},
    {"ENHANCED_MPSW",    0x29},
    {"ACCESS_ASO",       0x2d},
}};
template <fixed_string Name>
inline constexpr std::uint8_t wqe_op = std::uint8_t(value_of<wqe_opcodes, Name>);

// opc_mod of MLX5_OPCODE_WAIT: what the queue waits for.
inline constexpr values wait_opc_mods{"MLX5_OPC_MOD_WAIT_", {
    {"CQ",   0},
    {"DATA", 1},
    {"TIME", 2},
}};
template <fixed_string Name>
inline constexpr std::uint8_t wait_opc_mod = std::uint8_t(value_of<wait_opc_mods, Name>);
// opc_mod of the masked atomics: 8 | log2(operand bytes) - 2.
inline constexpr values masked_atomic_opc_mods{"MLX5_OPC_MOD_EXT_ATOMIC_", {
    {"4", 8},
    {"8", 9},
}};
template <fixed_string Name>
inline constexpr std::uint8_t masked_atomic_opc_mod =
    std::uint8_t(value_of<masked_atomic_opc_mods, Name>);

// wqe_ctrl.fm: what this WQE waits for before it starts.
inline constexpr values fence_modes{"MLX5_FENCE_MODE_", {
    {"NONE",            0},
    {"INITIATOR_SMALL", 1}, // local effects of earlier WQEs (UMR)
    {"FENCE",           2}, // earlier reads and atomics
    {"STRONG_ORDERING", 3},
    {"SMALL_AND_FENCE", 4},
}};
template <fixed_string Name>
inline constexpr std::uint8_t fence_mode = std::uint8_t(value_of<fence_modes, Name>);
// wqe_ctrl.ce: when this WQE leaves a completion.
inline constexpr values completion_modes{"MLX5_CE_", {
    {"ON_ERROR",       0},
    {"ON_FIRST_ERROR", 1},
    {"ALWAYS",         2},
    {"ALWAYS_AND_EQE", 3},
}};
template <fixed_string Name>
inline constexpr std::uint8_t completion_mode = std::uint8_t(value_of<completion_modes, Name>);

inline constexpr layout wqe_ctrl{"wqe_ctrl", 0x10, {
    {"opc_mod",               0x00, 31, 24},
    {"wqe_index",             0x00, 23,  8},
    {"opcode",                0x00,  7,  0},
    {"qpn_or_sqn",            0x04, 31,  8},
    {"ds",                    0x04,  5,  0},
    {"signature",             0x08, 31, 24},
    {"dci_stream_channel_id", 0x08, 23,  8},
    {"fm",                    0x08,  7,  5},
    {"ce",                    0x08,  3,  2},
    {"se",                    0x08,  1,  1},
    // immediate, rkey to invalidate, mkey of a UMR, or TIS number
    {"general_id",            0x0c, 31,  0},
}};

// ---- transport ---------------------------------------------------------------------------------

inline constexpr layout wqe_xrc{"wqe_xrc", 0x10, {
    {"xrc_srqn", 0x00, 23,  0},
}};

// The address vector. UD queues put a q_key where DC queues put their access key. `ext` set means
// that all 48 bytes are there; the short form of 16 bytes is for devices with
// compact_address_vector.
inline constexpr layout av_path{"av_path", 0x08, {
    {"ext",               0x00, 31, 31},
    {"dqp_dct",           0x00, 23,  0},
    {"stat_rate",         0x04, 31, 28},
    {"sl",                0x04, 27, 24},
    {"fl",                0x04, 23, 23}, // force loopback
    {"mlid",              0x04, 22, 16},
    {"rlid_or_udp_sport", 0x04, 15,  0},
}};
inline constexpr layout av_grh{"av_grh", 0x20, {
    {"rmac",           0x04, bytes{6}},
    {"tclass",         0x08, 15,  8},
    {"hop_limit",      0x08,  7,  0},
    {"grh",            0x0c, 30, 30},
    {"src_addr_index", 0x0c, 29, 20},
    {"flow_label",     0x0c, 19,  0},
    {"rgid",           0x10, bytes{16}},
}};
inline constexpr layout wqe_ud_av{"wqe_ud_av", 0x30, {
    {"q_key", 0x00, 31,  0},
    {"path",  0x08, av_path},
    {"grh",   0x10, av_grh},
}};
inline constexpr layout wqe_dc_av{"wqe_dc_av", 0x30, {
    {"dc_key", 0x00, 63,  0},
    {"path",   0x08, av_path},
    {"grh",    0x10, av_grh},
}};

// Raw packet queues.
inline constexpr layout wqe_eth{"wqe_eth", 0x10, {
    {"swp_outer_l4_offset", 0x00, 31, 24},
    {"swp_outer_l3_offset", 0x00, 23, 16},
    {"swp_inner_l4_offset", 0x00, 15,  8},
    {"swp_inner_l3_offset", 0x00,  7,  0},
    {"cs_flags",            0x04, 31, 24},
    {"swp_flags",           0x04, 23, 16},
    {"mss",                 0x04, 15,  0},
    {"flow_table_metadata", 0x08, 31,  0},
    {"inline_hdr_sz",       0x0c, 31, 16},
    {"inline_hdr_start",    0x0e, bytes{2}},
}};

// ---- operation ---------------------------------------------------------------------------------

inline constexpr layout wqe_raddr{"wqe_raddr", 0x10, {
    {"raddr", 0x00, 63,  0},
    {"rkey",  0x08, 31,  0},
}};
inline constexpr layout wqe_atomic{"wqe_atomic", 0x10, {
    {"swap_add", 0x00, 63,  0},
    {"compare",  0x08, 63,  0},
}};
// Compare and swap under masks, by the operand's size.
inline constexpr layout wqe_masked_cas_8{"wqe_masked_cas_8", 0x20, {
    {"swap",         0x00, 63,  0},
    {"compare",      0x08, 63,  0},
    {"swap_mask",    0x10, 63,  0},
    {"compare_mask", 0x18, 63,  0},
}};
inline constexpr layout wqe_masked_cas_4{"wqe_masked_cas_4", 0x10, {
    {"swap",         0x00, 31,  0},
    {"compare",      0x04, 31,  0},
    {"swap_mask",    0x08, 31,  0},
    {"compare_mask", 0x0c, 31,  0},
}};
// Fetch and add that does not carry over a bit set in field_boundary.
inline constexpr layout wqe_masked_add_8{"wqe_masked_add_8", 0x10, {
    {"add",            0x00, 63,  0},
    {"field_boundary", 0x08, 63,  0},
}};
inline constexpr layout wqe_masked_add_4{"wqe_masked_add_4", 0x10, {
    {"add",            0x00, 31,  0},
    {"field_boundary", 0x04, 31,  0},
}};

// ---- cross-channel ------------------------------------------------------------------------------

// Blocks until the CQ has produced max_index completions, compared cyclically.
inline constexpr layout wqe_wait{"wqe_wait", 0x10, {
    {"max_index", 0x08, 31,  0},
    {"cqn",       0x0c, 23,  0},
}};
// SEND_EN and RECV_EN: raises the index up to which a managed queue may fetch.
inline constexpr layout wqe_enable{"wqe_enable", 0x10, {
    {"pi",         0x08, 31,  0},
    {"qpn_or_sqn", 0x0c, 23,  0},
}};
inline constexpr values wait_conditions{"MLX5_WAIT_COND_", {
    {"ALWAYS_TRUE",    0},
    {"EQUAL",          1},
    {"BIGGER",         2},
    {"SMALLER",        3},
    {"CYCLIC_BIGGER",  4},
    {"CYCLIC_SMALLER", 5},
}};
template <fixed_string Name>
inline constexpr std::uint8_t wait_condition = std::uint8_t(value_of<wait_conditions, Name>);
inline constexpr values wait_fail_actions{"MLX5_WAIT_FAIL_", {
    {"RETRY",     0},
    {"ERROR_CQE", 1},
}};
template <fixed_string Name>
inline constexpr std::uint8_t wait_fail_action = std::uint8_t(value_of<wait_fail_actions, Name>);
// Blocks until (memory & mask) compares with data; with opc_mod 2 it is the device's clock.
inline constexpr layout wqe_wait_on_data{"wqe_wait_on_data", 0x20, {
    {"invert",      0x00,  4,  4},
    {"condition",   0x00,  3,  0},
    {"lkey",        0x04, 31,  0},
    {"va_63_3",     0x08, 63,  3},
    {"fail_action", 0x0c,  2,  0},
    {"data",        0x10, 63,  0},
    {"data_mask",   0x18, 63,  0},
}};

// ---- UMR ---------------------------------------------------------------------------------------

// A UMR WQE is wqe_ctrl (general_id = the mkey), umr_ctrl, a memory key context (mkc) of 64 bytes,
// and then the translation entries: inline in whole WQEBBs, or where a data segment points.
inline constexpr values umr_checks{"MLX5_UMR_CHECK_", {
    {"NONE",     0},
    {"NOT_FREE", 1},
    {"FREE",     2},
}};
template <fixed_string Name>
inline constexpr std::uint8_t umr_check = std::uint8_t(value_of<umr_checks, Name>);
inline constexpr layout umr_ctrl{"umr_ctrl", 0x30, {
    {"inline",                      0x00, 31, 31},
    {"check_free",                  0x00, 30, 29},
    {"translation_offset_en",       0x00, 28, 28},
    {"xlt_octowords",               0x04, 31, 16},
    {"xlt_offset_or_bsf_octowords", 0x04, 15,  0},
    {"mkey_mask",                   0x08, 63,  0},
    {"xlt_offset_47_16",            0x10, 31,  0},
}};
// umr_ctrl.mkey_mask: which fields of the context the UMR changes, by bit number.
inline constexpr values mkey_mask_bits{"MLX5_MKEY_MASK_", {
    {"LEN",                    0},
    {"PAGE_SIZE",              1},
    {"START_ADDR",             6},
    {"PD",                     7},
    {"EN_RINVAL",              8},
    {"EN_SIGERR",              9},
    {"BSF_EN",                 12},
    {"KEY",                    13},
    {"QPN",                    14},
    {"LR",                     17},
    {"LW",                     18},
    {"RR",                     19},
    {"RW",                     20},
    {"A",                      21},
    {"SMALL_FENCE",            23},
    {"RELAXED_ORDERING_WRITE", 25},
    {"FREE",                   29},
    {"RELAXED_ORDERING_READ",  47},
}};
template <fixed_string... Names>
inline constexpr std::uint64_t mkey_mask = (... | (1ull << value_of<mkey_mask_bits, Names>));
// Translation entries. An octoword is 16 bytes: one klm or ksm, two mtts (umem.hpp).
inline constexpr layout umr_klm{"umr_klm", 0x10, {
    {"byte_count", 0x00, 31,  0},
    {"mkey",       0x04, 31,  0},
    {"va",         0x08, 63,  0},
}};
inline constexpr layout umr_ksm{"umr_ksm", 0x10, {
    {"mkey", 0x04, 31,  0},
    {"va",   0x08, 63,  0},
}};
// Interleaved translation: one control entry, then one entry for each of num_entries blocks.
inline constexpr std::uint32_t MLX5_STRIDE_BLOCK_OP = 0x400;
inline constexpr layout umr_stride_block_ctrl{"umr_stride_block_ctrl", 0x10, {
    {"bcount_per_cycle", 0x00, 31,  0},
    {"op",               0x04, 31,  0},
    {"repeat_count",     0x08, 31,  0},
    {"num_entries",      0x0c, 15,  0},
}};
inline constexpr layout umr_stride_block_entry{"umr_stride_block_entry", 0x10, {
    {"stride",     0x00, 31, 16},
    {"byte_count", 0x00, 15,  0},
    {"mkey",       0x04, 31,  0},
    {"va",         0x08, 63,  0},
}};

// ---- data --------------------------------------------------------------------------------------

// byte_count 0 means 2^31 bytes: an empty piece is left out, not written as 0.
inline constexpr layout wqe_data{"wqe_data", 0x10, {
    {"inline",     0x00, 31, 31},
    {"byte_count", 0x00, 30,  0},
    {"lkey",       0x04, 31,  0},
    {"addr",       0x08, 63,  0},
}};
// Followed by the bytes themselves, the whole padded to 16.
inline constexpr layout wqe_inline_data{"wqe_inline_data", 0x04, {
    {"inline",     0x00, 31, 31},
    {"byte_count", 0x00,  9,  0},
}};

// ---- receive ------------------------------------------------------------------------------------

// First segment of a receive WQE on a queue with wq_signature.
inline constexpr layout rwqe_signature{"rwqe_signature", 0x10, {
    {"signature", 0x04, 31, 24},
}};
// First segment of every WQE of a shared receive queue: a linked list.
inline constexpr layout srq_next{"srq_next", 0x10, {
    {"next_wqe_index", 0x00, 15,  0},
    {"signature",      0x04, 31, 24},
}};
// clang-format on

} // namespace kdevx::prm
