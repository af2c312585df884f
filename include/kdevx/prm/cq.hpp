// SPDX-License-Identifier: MIT
// Completion queues.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values cqc_statuses{"MLX5_CQC_STATUS_", {
    {"OK",            0x00},
    {"CQ_OVERFLOW",   0x09},
    {"CQ_WRITE_FAIL", 0x0a},
}};

// cqc.st
inline constexpr values cqc_states{"MLX5_CQC_ST_", {
    {"SOLICITED_NOTIFICATION_REQUEST_ARMED", 0x06},
    {"NOTIFICATION_REQUEST_ARMED",           0x09},
    {"FIRED",                                0x0a},
}};

inline constexpr values cqe_sizes{"MLX5_CQC_CQE_SZ_", {
    {"64_BYTES",  0x00},
    {"128_BYTES", 0x01},
}};

inline constexpr values cq_period_modes{"MLX5_CQ_PERIOD_MODE_", {
    {"START_FROM_EQE", 0x00},
    {"START_FROM_CQE", 0x01},
}};

inline constexpr values modify_cq_ops{"MLX5_MODIFY_CQ_IN_OP_MOD_", {
    {"MODIFY_CQ", 0x00},
    {"RESIZE_CQ", 0x01},
}};

// What modify_cq_in.modify_field_select_resize_field_select selects: for MODIFY_CQ...
inline constexpr values modify_cq_fields{"MLX5_MODIFY_FIELD_SELECT_MODIFY_FIELD_SELECT_", {
    {"CQ_PERIOD",    0x01},
    {"CQ_MAX_COUNT", 0x02},
    {"OI",           0x04},
    {"C_EQN",        0x08},
}};

// ... and for RESIZE_CQ.
inline constexpr values resize_cq_fields{"MLX5_RESIZE_FIELD_SELECT_RESIZE_FIELD_SELECT_", {
    {"LOG_CQ_SIZE",   0x01},
    {"PAGE_OFFSET",   0x02},
    {"LOG_PAGE_SIZE", 0x04},
}};

// The completion queue context.
inline constexpr layout cqc{"cqc", 0x40, {
    {"status",                   0x00, 31, 28},
    {"dbr_umem_valid",           0x00, 25, 25},
    {"apu_cq",                   0x00, 24, 24},
    {"cqe_sz",                   0x00, 23, 21},
    {"cc",                       0x00, 20, 20},
    {"scqe_break_moderation_en", 0x00, 18, 18},
    {"oi",                       0x00, 17, 17},
    {"cq_period_mode",           0x00, 16, 15},
    {"cqe_comp_en",              0x00, 14, 14},
    {"mini_cqe_res_format",      0x00, 13, 12},
    {"st",                       0x00, 11,  8},
    {"cqe_compression_layout",   0x00,  1,  0},
    {"dbr_umem_id",              0x04, 31,  0},
    {"page_offset",              0x08, 11,  6},
    {"log_cq_size",              0x0c, 28, 24},
    {"uar_page",                 0x0c, 23,  0},
    {"cq_period",                0x10, 27, 16},
    {"cq_max_count",             0x10, 15,  0},
    {"c_eqn_or_apu_element",     0x14, 31,  0},
    {"log_page_size",            0x18, 28, 24},
    {"last_notified_index",      0x20, 23,  0},
    {"last_solicit_index",       0x24, 23,  0},
    {"consumer_counter",         0x28, 23,  0},
    {"producer_counter",         0x2c, 23,  0},
    {"dbr_addr",                 0x38, 63,  0},
}};

inline constexpr layout create_cq_in{"create_cq_in", 0x110, {
    {"opcode",         0x000, 31, 16},
    {"uid",            0x000, 15,  0},
    {"op_mod",         0x004, 15,  0},
    {"cq_context",     0x010, cqc},
    {"cq_umem_offset", 0x050, 63,  0},
    {"cq_umem_id",     0x058, 31,  0},
    {"cq_umem_valid",  0x05c, 31, 31},
    {"pas",            0x110, 63,  0, trailing},
}};

inline constexpr layout create_cq_out{"create_cq_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"cqn",      0x08, 23,  0},
}};

// What modify_cq_in selects, as bits.
inline constexpr layout modify_field_select{"modify_field_select", 0x04, {
    {"modify_field_select", 0x00, 31,  0},
}};

inline constexpr layout resize_field_select{"resize_field_select", 0x04, {
    {"resize_field_select", 0x00, 31,  0},
}};

inline constexpr layout modify_cq_in{"modify_cq_in", 0x110, {
    {"opcode",                                  0x000, 31, 16},
    {"uid",                                     0x000, 15,  0},
    {"op_mod",                                  0x004, 15,  0},
    {"cqn",                                     0x008, 23,  0},
    {"modify_field_select_resize_field_select", 0x00c, 31,  0},
    {"cq_context",                              0x010, cqc},
    {"cq_umem_offset",                          0x050, 63,  0},
    {"cq_umem_id",                              0x058, 31,  0},
    {"cq_umem_valid",                           0x05c, 31, 31},
    {"pas",                                     0x110, 63,  0, trailing},
}};
inline constexpr layout modify_cq_out{"modify_cq_out", 0x10, status_rows};

inline constexpr layout query_cq_in{"query_cq_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"cqn",    0x08, 23,  0},
}};

inline constexpr layout query_cq_out{"query_cq_out", 0x110, {
    {"status",     0x000, 31, 24},
    {"syndrome",   0x004, 31,  0},
    {"cq_context", 0x010, cqc},
    {"pas",        0x110, 63,  0, trailing},
}};

inline constexpr layout destroy_cq_in{"destroy_cq_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"cqn",    0x08, 23,  0},
}};
inline constexpr layout destroy_cq_out{"destroy_cq_out", 0x10, status_rows};

inline constexpr command_group cq_commands{{
    {"CREATE_CQ",  create,  create_cq_in,  create_cq_out,  "cqn",
     umem_valid{"cq_umem_valid", "cq_context.dbr_umem_valid"}},
    {"MODIFY_CQ",  modify,  modify_cq_in,  modify_cq_out,  "cqn", umem_valid{"cq_umem_valid"}},
    {"QUERY_CQ",   query,   query_cq_in,   query_cq_out,   "cqn", nonzero{"cq_context.st"}},
    {"DESTROY_CQ", destroy, destroy_cq_in, destroy_cq_out, "cqn"},
}};
// clang-format on

} // namespace kdevx::prm
