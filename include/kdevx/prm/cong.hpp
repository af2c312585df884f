// SPDX-License-Identifier: MIT
// Congestion control.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr layout cong_control_802_1qau_rp{"cong_control_802_1qau_rp", 0x100, {
    {"rppp_max_rps",    0x10, 31,  0},
    {"rpg_time_reset",  0x14, 31,  0},
    {"rpg_byte_reset",  0x18, 31,  0},
    {"rpg_threshold",   0x1c, 31,  0},
    {"rpg_max_rate",    0x20, 31,  0},
    {"rpg_ai_rate",     0x24, 31,  0},
    {"rpg_hai_rate",    0x28, 31,  0},
    {"rpg_gd",          0x2c, 31,  0},
    {"rpg_min_dec_fac", 0x30, 31,  0},
    {"rpg_min_rate",    0x34, 31,  0},
}};

inline constexpr layout cong_control_r_roce_ecn_rp{"cong_control_r_roce_ecn_rp", 0x100, {
    {"clamp_tgt_rate",                0x0c, 27, 27},
    {"clamp_tgt_rate_after_time_inc", 0x0c, 23, 23},
    {"rpg_time_reset",                0x14, 31,  0},
    {"rpg_byte_reset",                0x18, 31,  0},
    {"rpg_threshold",                 0x1c, 31,  0},
    {"rpg_max_rate",                  0x20, 31,  0},
    {"rpg_ai_rate",                   0x24, 31,  0},
    {"rpg_hai_rate",                  0x28, 31,  0},
    {"rpg_gd",                        0x2c, 31,  0},
    {"rpg_min_dec_fac",               0x30, 31,  0},
    {"rpg_min_rate",                  0x34, 31,  0},
    {"rate_to_set_on_first_cnp",      0x54, 31,  0},
    {"dce_tcp_g",                     0x58, 31,  0},
    {"dce_tcp_rtt",                   0x5c, 31,  0},
    {"rate_reduce_monitor_period",    0x60, 31,  0},
    {"initial_alpha_value",           0x68, 31,  0},
}};

inline constexpr layout cong_control_r_roce_ecn_np{"cong_control_r_roce_ecn_np", 0x100, {
    {"min_time_between_cnps", 0x14, 31,  0},
    {"cnp_dscp",              0x18, 13,  8},
    {"cnp_prio_mode",         0x18,  3,  3},
    {"cnp_802p_prio",         0x18,  2,  0},
}};

inline constexpr layout cong_control_r_roce_general{"cong_control_r_roce_general", 0x100, {
    {"rtt_resp_dscp_valid", 0x10, 15, 15},
    {"rtt_resp_dscp",       0x10,  5,  0},
}};

inline constexpr layout field_select_802_1qau_rp{"field_select_802_1qau_rp", 0x04, {
    {"field_select_8021qaurp", 0x00, 31,  0},
}};

inline constexpr layout field_select_r_roce_rp{"field_select_r_roce_rp", 0x04, {
    {"field_select_r_roce_rp", 0x00, 31,  0},
}};

inline constexpr layout field_select_r_roce_np{"field_select_r_roce_np", 0x04, {
    {"field_select_r_roce_np", 0x00, 31,  0},
}};

inline constexpr layout query_cong_status_in{"query_cong_status_in", 0x10, {
    {"opcode",        0x00, 31, 16},
    {"op_mod",        0x04, 15,  0},
    {"priority",      0x08,  7,  4},
    {"cong_protocol", 0x08,  3,  0},
}};

inline constexpr layout query_cong_status_out{"query_cong_status_out", 0x10, {
    {"status",     0x00, 31, 24},
    {"syndrome",   0x04, 31,  0},
    {"enable",     0x0c, 31, 31},
    {"tag_enable", 0x0c, 30, 30},
}};

inline constexpr layout modify_cong_status_in{"modify_cong_status_in", 0x10, {
    {"opcode",        0x00, 31, 16},
    {"op_mod",        0x04, 15,  0},
    {"priority",      0x08,  7,  4},
    {"cong_protocol", 0x08,  3,  0},
    {"enable",        0x0c, 31, 31},
    {"tag_enable",    0x0c, 30, 30},
}};
inline constexpr layout modify_cong_status_out{"modify_cong_status_out", 0x10, status_rows};

inline constexpr layout query_cong_params_in{"query_cong_params_in", 0x10, {
    {"opcode",        0x00, 31, 16},
    {"op_mod",        0x04, 15,  0},
    {"cong_protocol", 0x08,  3,  0},
}};

inline constexpr layout query_cong_params_out{"query_cong_params_out", 0x110, {
    {"status",                0x00, 31, 24},
    {"syndrome",              0x04, 31,  0},
    {"congestion_parameters", 0x10, bytes{0x100}},
}};

inline constexpr layout modify_cong_params_in{"modify_cong_params_in", 0x120, {
    {"opcode",                0x00, 31, 16},
    {"op_mod",                0x04, 15,  0},
    {"cong_protocol",         0x08,  3,  0},
    {"field_select",          0x0c, 31,  0},
    {"congestion_parameters", 0x20, bytes{0x100}},
}};
inline constexpr layout modify_cong_params_out{"modify_cong_params_out", 0x10, status_rows};

inline constexpr layout query_cong_statistics_in{"query_cong_statistics_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"clear",  0x08, 31, 31},
}};

inline constexpr layout query_cong_statistics_out{"query_cong_statistics_out", 0x110, {
    {"status",                          0x00, 31, 24},
    {"syndrome",                        0x04, 31,  0},
    {"rp_cur_flows",                    0x10, 31,  0},
    {"sum_flows",                       0x14, 31,  0},
    {"rp_cnp_ignored_high",             0x18, 31,  0},
    {"rp_cnp_ignored_low",              0x1c, 31,  0},
    {"rp_cnp_handled_high",             0x20, 31,  0},
    {"rp_cnp_handled_low",              0x24, 31,  0},
    {"time_stamp_high",                 0x48, 31,  0},
    {"time_stamp_low",                  0x4c, 31,  0},
    {"accumulators_period",             0x50, 31,  0},
    {"np_ecn_marked_roce_packets_high", 0x54, 31,  0},
    {"np_ecn_marked_roce_packets_low",  0x58, 31,  0},
    {"np_cnp_sent_high",                0x5c, 31,  0},
    {"np_cnp_sent_low",                 0x60, 31,  0},
}};

inline constexpr command_group cong_commands{{
    {"QUERY_CONG_STATUS",     general, query_cong_status_in,     query_cong_status_out},
    {"QUERY_CONG_PARAMS",     general, query_cong_params_in,     query_cong_params_out},
    {"QUERY_CONG_STATISTICS", general, query_cong_statistics_in, query_cong_statistics_out},
}};

inline constexpr command_group cong_kernel_commands{kernel_only, {
    {"MODIFY_CONG_STATUS", general, modify_cong_status_in, modify_cong_status_out},
    {"MODIFY_CONG_PARAMS", general, modify_cong_params_in, modify_cong_params_out},
}};
// clang-format on

} // namespace kdevx::prm
