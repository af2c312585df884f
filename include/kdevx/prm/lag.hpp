// SPDX-License-Identifier: MIT
// Link aggregation.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values lag_port_select_modes{"MLX5_LAG_PORT_SELECT_MODE_", {
    {"QUEUE_AFFINITY",    0x00},
    {"PORT_SELECT_FT",    0x01},
    {"PORT_SELECT_MPESW", 0x02},
}};

// The bond of ports.
inline constexpr layout lagc{"lagc", 0x08, {
    {"fdb_selection_mode",  0x00, 31, 31},
    {"port_select_mode",    0x00, 10,  8},
    {"lag_state",           0x00,  2,  0},
    {"active_port",         0x04, 19, 16},
    {"tx_remap_affinity_2", 0x04, 11,  8},
    {"tx_remap_affinity_1", 0x04,  3,  0},
}};

inline constexpr layout create_lag_in{"create_lag_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"ctx",    0x08, lagc},
}};
inline constexpr layout create_lag_out{"create_lag_out", 0x10, status_rows};

inline constexpr layout modify_lag_in{"modify_lag_in", 0x18, {
    {"opcode",       0x00, 31, 16},
    {"op_mod",       0x04, 15,  0},
    {"field_select", 0x0c, 31,  0},
    {"ctx",          0x10, lagc},
}};
inline constexpr layout modify_lag_out{"modify_lag_out", 0x10, status_rows};

inline constexpr layout query_lag_in{"query_lag_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
}};

inline constexpr layout query_lag_out{"query_lag_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"ctx",      0x08, lagc},
}};

inline constexpr layout destroy_lag_in{"destroy_lag_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
}};
inline constexpr layout destroy_lag_out{"destroy_lag_out", 0x10, status_rows};

inline constexpr layout create_vport_lag_in{"create_vport_lag_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
}};
inline constexpr layout create_vport_lag_out{"create_vport_lag_out", 0x10, status_rows};

inline constexpr layout destroy_vport_lag_in{"destroy_vport_lag_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
}};
inline constexpr layout destroy_vport_lag_out{"destroy_vport_lag_out", 0x10, status_rows};

inline constexpr command_group lag_commands{{
    {"QUERY_LAG", general, query_lag_in, query_lag_out},
}};

inline constexpr command_group lag_kernel_commands{kernel_only, {
    {"CREATE_LAG",        general, create_lag_in,        create_lag_out},
    {"MODIFY_LAG",        general, modify_lag_in,        modify_lag_out},
    {"DESTROY_LAG",       general, destroy_lag_in,       destroy_lag_out},
    {"CREATE_VPORT_LAG",  general, create_vport_lag_in,  create_vport_lag_out},
    {"DESTROY_VPORT_LAG", general, destroy_vport_lag_in, destroy_vport_lag_out},
}};
// clang-format on

} // namespace kdevx::prm
