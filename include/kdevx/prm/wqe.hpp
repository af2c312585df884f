// SPDX-License-Identifier: MIT
// Work queue elements. A send WQE is a control segment followed by segments of one or more 16-byte
// units, in the order in which they stand here: transport (xrc or av), remote address, operation,
// data. It begins at a 64-byte basic block (WQEBB) and wraps at the ring's end, which can only fall
// between two 16-byte units. A receive WQE is a list of data segments in a stride of the ring.
//
// Completions are in cqe.hpp, doorbells in doorbell.hpp.
#pragma once

#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/named_code.hpp"

namespace kdevx::prm {

enum : std::uint32_t {
    MLX5_SEND_WQE_DS = 16,          // the unit in which a WQE states its size
    MLX5_SEND_WQE_BB = 64,          // the unit in which a send queue is indexed
    MLX5_SEND_WQE_MAX_DS = 0x3f,    // what the six bits of `ds` hold
    MLX5_WQ_INDEX_WIDTH = 16,       // bits of a WQE counter, on both queues
    MLX5_INVALID_LKEY = 0x100,      // ends a scatter list shorter than its stride
    MLX5_INLINE_DATA_MAX = 0x3ff,   // what the ten bits of inline_data.byte_count hold
    MLX5_DATA_SEG_MAX = 0x7fffffff, // bit 31 of a data segment's length means "inline"
};

enum wqe_opcode : std::uint8_t {
    MLX5_OPCODE_NOP = 0x00,
    MLX5_OPCODE_SEND_INVAL = 0x01,
    MLX5_OPCODE_RDMA_WRITE = 0x08,
    MLX5_OPCODE_RDMA_WRITE_IMM = 0x09,
    MLX5_OPCODE_SEND = 0x0a,
    MLX5_OPCODE_SEND_IMM = 0x0b,
    MLX5_OPCODE_LSO = 0x0e,
    MLX5_OPCODE_WAIT = 0x0f,
    MLX5_OPCODE_RDMA_READ = 0x10,
    MLX5_OPCODE_ATOMIC_CS = 0x11,
    MLX5_OPCODE_ATOMIC_FA = 0x12,
    MLX5_OPCODE_ATOMIC_MASKED_CS = 0x14,
    MLX5_OPCODE_ATOMIC_MASKED_FA = 0x15,
    MLX5_OPCODE_RECV_EN = 0x16,
    MLX5_OPCODE_SEND_EN = 0x17,
    MLX5_OPCODE_BIND_MW = 0x18,
    MLX5_OPCODE_CONFIG_CMD = 0x1f,
    MLX5_OPCODE_SET_PSV = 0x20,
    MLX5_OPCODE_GET_PSV = 0x21,
    MLX5_OPCODE_CHECK_PSV = 0x22,
    MLX5_OPCODE_DUMP = 0x23,
    MLX5_OPCODE_UMR = 0x25,
    MLX5_OPCODE_RGET_PSV = 0x26,
    MLX5_OPCODE_RCHECK_PSV = 0x27,
    MLX5_OPCODE_ENHANCED_MPSW = 0x29,
    MLX5_OPCODE_ACCESS_ASO = 0x2d,
};

inline constexpr named_code wqe_opcodes[] = {
    {MLX5_OPCODE_NOP, "NOP"},
    {MLX5_OPCODE_SEND_INVAL, "SEND_INVAL"},
    {MLX5_OPCODE_RDMA_WRITE, "RDMA_WRITE"},
    {MLX5_OPCODE_RDMA_WRITE_IMM, "RDMA_WRITE_IMM"},
    {MLX5_OPCODE_SEND, "SEND"},
    {MLX5_OPCODE_SEND_IMM, "SEND_IMM"},
    {MLX5_OPCODE_LSO, "LSO"},
    {MLX5_OPCODE_WAIT, "WAIT"},
    {MLX5_OPCODE_RDMA_READ, "RDMA_READ"},
    {MLX5_OPCODE_ATOMIC_CS, "ATOMIC_CS"},
    {MLX5_OPCODE_ATOMIC_FA, "ATOMIC_FA"},
    {MLX5_OPCODE_ATOMIC_MASKED_CS, "ATOMIC_MASKED_CS"},
    {MLX5_OPCODE_ATOMIC_MASKED_FA, "ATOMIC_MASKED_FA"},
    {MLX5_OPCODE_RECV_EN, "RECV_EN"},
    {MLX5_OPCODE_SEND_EN, "SEND_EN"},
    {MLX5_OPCODE_BIND_MW, "BIND_MW"},
    {MLX5_OPCODE_CONFIG_CMD, "CONFIG_CMD"},
    {MLX5_OPCODE_SET_PSV, "SET_PSV"},
    {MLX5_OPCODE_GET_PSV, "GET_PSV"},
    {MLX5_OPCODE_CHECK_PSV, "CHECK_PSV"},
    {MLX5_OPCODE_DUMP, "DUMP"},
    {MLX5_OPCODE_UMR, "UMR"},
    {MLX5_OPCODE_RGET_PSV, "RGET_PSV"},
    {MLX5_OPCODE_RCHECK_PSV, "RCHECK_PSV"},
    {MLX5_OPCODE_ENHANCED_MPSW, "ENHANCED_MPSW"},
    {MLX5_OPCODE_ACCESS_ASO, "ACCESS_ASO"},
};

// opc_mod of MLX5_OPCODE_WAIT: what the queue waits for.
enum wait_opc_mod : std::uint8_t {
    MLX5_OPC_MOD_WAIT_CQ = 0,
    MLX5_OPC_MOD_WAIT_DATA = 1,
    MLX5_OPC_MOD_WAIT_TIME = 2,
};
// opc_mod of the masked atomics: 8 | log2(operand bytes) - 2.
enum masked_atomic_opc_mod : std::uint8_t {
    MLX5_OPC_MOD_EXT_ATOMIC_4 = 8,
    MLX5_OPC_MOD_EXT_ATOMIC_8 = 9,
};

// wqe_ctrl.fm: what this WQE waits for before it starts.
enum fence_mode : std::uint8_t {
    MLX5_FENCE_MODE_NONE = 0,
    MLX5_FENCE_MODE_INITIATOR_SMALL = 1, // local effects of earlier WQEs (UMR)
    MLX5_FENCE_MODE_FENCE = 2,           // earlier reads and atomics
    MLX5_FENCE_MODE_STRONG_ORDERING = 3,
    MLX5_FENCE_MODE_SMALL_AND_FENCE = 4,
};
// wqe_ctrl.ce: when this WQE leaves a completion.
enum completion_mode : std::uint8_t {
    MLX5_CE_ON_ERROR = 0,
    MLX5_CE_ON_FIRST_ERROR = 1,
    MLX5_CE_ALWAYS = 2,
    MLX5_CE_ALWAYS_AND_EQE = 3,
};

inline constexpr layout wqe_ctrl{"wqe_ctrl",
                                 0x10,
                                 {
                                     {"opc_mod", 0x00, 31, 24},
                                     {"wqe_index", 0x00, 23, 8},
                                     {"opcode", 0x00, 7, 0},
                                     {"qpn_or_sqn", 0x04, 31, 8},
                                     {"ds", 0x04, 5, 0},
                                     {"signature", 0x08, 31, 24},
                                     {"dci_stream_channel_id", 0x08, 23, 8},
                                     {"fm", 0x08, 7, 5},
                                     {"ce", 0x08, 3, 2},
                                     {"se", 0x08, 1, 1},
                                     // immediate, rkey to invalidate, mkey of a UMR, or TIS number
                                     {"general_id", 0x0c, 31, 0},
                                 }};

// ---- transport ---------------------------------------------------------------------------------

inline constexpr layout wqe_xrc{"wqe_xrc", 0x10, {{"xrc_srqn", 0x00, 23, 0}}};

// The address vector. UD queues put a q_key where DC queues put their access key. `ext` set means
// that all 48 bytes are there; the short form of 16 bytes is for devices with
// compact_address_vector.
inline constexpr layout av_path{"av_path",
                                0x08,
                                {
                                    {"ext", 0x00, 31, 31},
                                    {"dqp_dct", 0x00, 23, 0},
                                    {"stat_rate", 0x04, 31, 28},
                                    {"sl", 0x04, 27, 24},
                                    {"fl", 0x04, 23, 23}, // force loopback
                                    {"mlid", 0x04, 22, 16},
                                    {"rlid_or_udp_sport", 0x04, 15, 0},
                                }};
inline constexpr layout av_grh{"av_grh",
                               0x20,
                               {
                                   {"rmac", 0x04, bytes{6}},
                                   {"tclass", 0x08, 15, 8},
                                   {"hop_limit", 0x08, 7, 0},
                                   {"grh", 0x0c, 30, 30},
                                   {"src_addr_index", 0x0c, 29, 20},
                                   {"flow_label", 0x0c, 19, 0},
                                   {"rgid", 0x10, bytes{16}},
                               }};
inline constexpr layout wqe_ud_av{
    "wqe_ud_av", 0x30, {{"q_key", 0x00, 31, 0}, {"path", 0x08, av_path}, {"grh", 0x10, av_grh}}};
inline constexpr layout wqe_dc_av{
    "wqe_dc_av", 0x30, {{"dc_key", 0x00, 63, 0}, {"path", 0x08, av_path}, {"grh", 0x10, av_grh}}};

// Raw packet queues.
inline constexpr layout wqe_eth{"wqe_eth",
                                0x10,
                                {
                                    {"swp_outer_l4_offset", 0x00, 31, 24},
                                    {"swp_outer_l3_offset", 0x00, 23, 16},
                                    {"swp_inner_l4_offset", 0x00, 15, 8},
                                    {"swp_inner_l3_offset", 0x00, 7, 0},
                                    {"cs_flags", 0x04, 31, 24},
                                    {"swp_flags", 0x04, 23, 16},
                                    {"mss", 0x04, 15, 0},
                                    {"flow_table_metadata", 0x08, 31, 0},
                                    {"inline_hdr_sz", 0x0c, 31, 16},
                                    {"inline_hdr_start", 0x0e, bytes{2}},
                                }};

// ---- operation ---------------------------------------------------------------------------------

inline constexpr layout wqe_raddr{"wqe_raddr",
                                  0x10,
                                  {
                                      {"raddr", 0x00, 63, 0},
                                      {"rkey", 0x08, 31, 0},
                                  }};
inline constexpr layout wqe_atomic{"wqe_atomic",
                                   0x10,
                                   {
                                       {"swap_add", 0x00, 63, 0},
                                       {"compare", 0x08, 63, 0},
                                   }};
// Compare and swap under masks, by the operand's size.
inline constexpr layout wqe_masked_cas_8{"wqe_masked_cas_8",
                                         0x20,
                                         {
                                             {"swap", 0x00, 63, 0},
                                             {"compare", 0x08, 63, 0},
                                             {"swap_mask", 0x10, 63, 0},
                                             {"compare_mask", 0x18, 63, 0},
                                         }};
inline constexpr layout wqe_masked_cas_4{"wqe_masked_cas_4",
                                         0x10,
                                         {
                                             {"swap", 0x00, 31, 0},
                                             {"compare", 0x04, 31, 0},
                                             {"swap_mask", 0x08, 31, 0},
                                             {"compare_mask", 0x0c, 31, 0},
                                         }};
// Fetch and add that does not carry over a bit set in field_boundary.
inline constexpr layout wqe_masked_add_8{"wqe_masked_add_8",
                                         0x10,
                                         {
                                             {"add", 0x00, 63, 0},
                                             {"field_boundary", 0x08, 63, 0},
                                         }};
inline constexpr layout wqe_masked_add_4{"wqe_masked_add_4",
                                         0x10,
                                         {
                                             {"add", 0x00, 31, 0},
                                             {"field_boundary", 0x04, 31, 0},
                                         }};

// ---- cross-channel ------------------------------------------------------------------------------

// Blocks until the CQ has produced max_index completions, compared cyclically.
inline constexpr layout wqe_wait{"wqe_wait",
                                 0x10,
                                 {
                                     {"max_index", 0x08, 31, 0},
                                     {"cqn", 0x0c, 23, 0},
                                 }};
// SEND_EN and RECV_EN: raises the index up to which a managed queue may fetch.
inline constexpr layout wqe_enable{"wqe_enable",
                                   0x10,
                                   {
                                       {"pi", 0x08, 31, 0},
                                       {"qpn_or_sqn", 0x0c, 23, 0},
                                   }};
enum wait_condition : std::uint8_t {
    MLX5_WAIT_COND_ALWAYS_TRUE = 0,
    MLX5_WAIT_COND_EQUAL = 1,
    MLX5_WAIT_COND_BIGGER = 2,
    MLX5_WAIT_COND_SMALLER = 3,
    MLX5_WAIT_COND_CYCLIC_BIGGER = 4,
    MLX5_WAIT_COND_CYCLIC_SMALLER = 5,
};
enum wait_fail_action : std::uint8_t {
    MLX5_WAIT_FAIL_RETRY = 0,
    MLX5_WAIT_FAIL_ERROR_CQE = 1,
};
// Blocks until (memory & mask) compares with data; with opc_mod 2 it is the device's clock.
inline constexpr layout wqe_wait_on_data{"wqe_wait_on_data",
                                         0x20,
                                         {
                                             {"invert", 0x00, 4, 4},
                                             {"condition", 0x00, 3, 0},
                                             {"lkey", 0x04, 31, 0},
                                             {"va_63_3", 0x08, 63, 3},
                                             {"fail_action", 0x0c, 2, 0},
                                             {"data", 0x10, 63, 0},
                                             {"data_mask", 0x18, 63, 0},
                                         }};

// ---- UMR ---------------------------------------------------------------------------------------

// A UMR WQE is wqe_ctrl (general_id = the mkey), umr_ctrl, a memory key context (mkc) of 64 bytes,
// and then the translation entries: inline, or where a data segment points.
enum umr_check : std::uint8_t {
    MLX5_UMR_CHECK_NONE = 0,
    MLX5_UMR_CHECK_NOT_FREE = 1,
    MLX5_UMR_CHECK_FREE = 2,
};
inline constexpr layout umr_ctrl{"umr_ctrl",
                                 0x30,
                                 {
                                     {"inline", 0x00, 31, 31},
                                     {"check_free", 0x00, 30, 29},
                                     {"translation_offset_en", 0x00, 28, 28},
                                     {"xlt_octowords", 0x04, 31, 16},
                                     {"xlt_offset_or_bsf_octowords", 0x04, 15, 0},
                                     {"mkey_mask", 0x08, 63, 0},
                                     {"xlt_offset_47_16", 0x10, 31, 0},
                                 }};
// umr_ctrl.mkey_mask: which fields of the context the UMR changes.
enum mkey_mask : std::uint64_t {
    MLX5_MKEY_MASK_LEN = 1ull << 0,
    MLX5_MKEY_MASK_PAGE_SIZE = 1ull << 1,
    MLX5_MKEY_MASK_START_ADDR = 1ull << 6,
    MLX5_MKEY_MASK_PD = 1ull << 7,
    MLX5_MKEY_MASK_EN_RINVAL = 1ull << 8,
    MLX5_MKEY_MASK_EN_SIGERR = 1ull << 9,
    MLX5_MKEY_MASK_BSF_EN = 1ull << 12,
    MLX5_MKEY_MASK_KEY = 1ull << 13,
    MLX5_MKEY_MASK_QPN = 1ull << 14,
    MLX5_MKEY_MASK_LR = 1ull << 17,
    MLX5_MKEY_MASK_LW = 1ull << 18,
    MLX5_MKEY_MASK_RR = 1ull << 19,
    MLX5_MKEY_MASK_RW = 1ull << 20,
    MLX5_MKEY_MASK_A = 1ull << 21,
    MLX5_MKEY_MASK_SMALL_FENCE = 1ull << 23,
    MLX5_MKEY_MASK_RELAXED_ORDERING_WRITE = 1ull << 25,
    MLX5_MKEY_MASK_FREE = 1ull << 29,
    MLX5_MKEY_MASK_RELAXED_ORDERING_READ = 1ull << 47,
};
// Translation entries. An octoword is 16 bytes: one klm or ksm, two mtts.
inline constexpr layout umr_mtt{"umr_mtt",
                                0x08,
                                {
                                    {"ptag_63_8", 0x00, 63, 8},
                                    {"wr_en", 0x04, 1, 1},
                                    {"rd_en", 0x04, 0, 0},
                                }};
inline constexpr layout umr_klm{"umr_klm",
                                0x10,
                                {
                                    {"byte_count", 0x00, 31, 0},
                                    {"mkey", 0x04, 31, 0},
                                    {"va", 0x08, 63, 0},
                                }};
inline constexpr layout umr_ksm{"umr_ksm",
                                0x10,
                                {
                                    {"mkey", 0x04, 31, 0},
                                    {"va", 0x08, 63, 0},
                                }};
// Interleaved translation: one control entry, then one entry for each of num_entries blocks.
inline constexpr std::uint32_t MLX5_STRIDE_BLOCK_OP = 0x400;
inline constexpr layout umr_stride_block_ctrl{"umr_stride_block_ctrl",
                                              0x10,
                                              {
                                                  {"bcount_per_cycle", 0x00, 31, 0},
                                                  {"op", 0x04, 31, 0},
                                                  {"repeat_count", 0x08, 31, 0},
                                                  {"num_entries", 0x0c, 15, 0},
                                              }};
inline constexpr layout umr_stride_block_entry{"umr_stride_block_entry",
                                               0x10,
                                               {
                                                   {"stride", 0x00, 31, 16},
                                                   {"byte_count", 0x00, 15, 0},
                                                   {"mkey", 0x04, 31, 0},
                                                   {"va", 0x08, 63, 0},
                                               }};

// ---- data --------------------------------------------------------------------------------------

// byte_count 0 means 2^31 bytes: an empty piece is left out, not written as 0.
inline constexpr layout wqe_data{"wqe_data",
                                 0x10,
                                 {
                                     {"inline", 0x00, 31, 31},
                                     {"byte_count", 0x00, 30, 0},
                                     {"lkey", 0x04, 31, 0},
                                     {"addr", 0x08, 63, 0},
                                 }};
// Followed by the bytes themselves, the whole padded to 16.
inline constexpr layout wqe_inline_data{"wqe_inline_data",
                                        0x04,
                                        {
                                            {"inline", 0x00, 31, 31},
                                            {"byte_count", 0x00, 9, 0},
                                        }};

// ---- receive
// -------------------------------------------------------------------------------------

// First segment of a receive WQE on a queue with wq_signature.
inline constexpr layout rwqe_signature{"rwqe_signature", 0x10, {{"signature", 0x04, 31, 24}}};
// First segment of every WQE of a shared receive queue: a linked list.
inline constexpr layout srq_next{"srq_next",
                                 0x10,
                                 {
                                     {"next_wqe_index", 0x00, 15, 0},
                                     {"signature", 0x04, 31, 24},
                                 }};

} // namespace kdevx::prm
