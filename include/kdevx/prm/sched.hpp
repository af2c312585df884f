// SPDX-License-Identifier: MIT
// Scheduling elements and rate limits.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values scheduling_element_types{"SCHEDULING_CONTEXT_ELEMENT_TYPE_", {
    {"TSAR",          0x00},
    {"VPORT",         0x01},
    {"VPORT_TC",      0x02},
    {"PARA_VPORT_TC", 0x03},
    {"QUEUE_GROUP",   0x04},
    {"RATE_LIMIT",    0x05},
}};

inline constexpr values scheduling_hierarchies{"SCHEDULING_HIERARCHY_", {
    {"E_SWITCH", 0x02},
    {"NIC",      0x03},
}};

inline constexpr values tsar_types{"TSAR_ELEMENT_TSAR_TYPE_", {
    {"DWRR",        0x00},
    {"ROUND_ROBIN", 0x01},
    {"ETS",         0x02},
    {"TC_ARB",      0x03},
}};

inline constexpr values scheduling_fields{"MODIFY_SCHEDULING_ELEMENT_IN_MODIFY_BITMASK_", {
    {"BW_SHARE",       0x01},
    {"MAX_AVERAGE_BW", 0x02},
}};

// Nodes of the scheduling tree.
inline constexpr layout tsar_element{"tsar_element", 0x04, {
    {"traffic_class", 0x00, 31, 28},
    {"tsar_type",     0x00, 23, 16},
}};

inline constexpr layout vport_element{"vport_element", 0x04, {
    {"eswitch_owner_vhca_id_valid", 0x00, 27, 27},
    {"eswitch_owner_vhca_id",       0x00, 26, 16},
    {"vport_number",                0x00, 15,  0},
}};

inline constexpr layout vport_tc_element{"vport_tc_element", 0x04, {
    {"traffic_class",               0x00, 31, 28},
    {"eswitch_owner_vhca_id_valid", 0x00, 27, 27},
    {"eswitch_owner_vhca_id",       0x00, 26, 16},
    {"vport_number",                0x00, 15,  0},
}};

inline constexpr layout scheduling_context{"scheduling_context", 0x40, {
    {"element_type",       0x00, 31, 24},
    {"element_attributes", 0x04, 31,  0},
    {"parent_element_id",  0x08, 31,  0},
    {"bw_share",           0x14, 31,  0},
    {"max_average_bw",     0x18, 31,  0},
    {"max_bw_obj_id",      0x1c, 31,  0},
}};

inline constexpr layout create_scheduling_element_in{"create_scheduling_element_in", 0x80, {
    {"opcode",               0x00, 31, 16},
    {"op_mod",               0x04, 15,  0},
    {"scheduling_hierarchy", 0x08, 31, 24},
    {"scheduling_context",   0x20, scheduling_context},
}};

inline constexpr layout create_scheduling_element_out{"create_scheduling_element_out", 0x40, {
    {"status",                0x00, 31, 24},
    {"syndrome",              0x04, 31,  0},
    {"scheduling_element_id", 0x10, 31,  0},
}};

inline constexpr layout modify_scheduling_element_in{"modify_scheduling_element_in", 0x80, {
    {"opcode",                0x00, 31, 16},
    {"op_mod",                0x04, 15,  0},
    {"scheduling_hierarchy",  0x08, 31, 24},
    {"scheduling_element_id", 0x0c, 31,  0},
    {"modify_bitmask",        0x14, 31,  0},
    {"scheduling_context",    0x20, scheduling_context},
}};

inline constexpr layout modify_scheduling_element_out{"modify_scheduling_element_out", 0x40, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
}};

inline constexpr layout query_scheduling_element_in{"query_scheduling_element_in", 0x40, {
    {"opcode",                0x00, 31, 16},
    {"op_mod",                0x04, 15,  0},
    {"scheduling_hierarchy",  0x08, 31, 24},
    {"scheduling_element_id", 0x0c, 31,  0},
}};

inline constexpr layout query_scheduling_element_out{"query_scheduling_element_out", 0x80, {
    {"status",             0x00, 31, 24},
    {"syndrome",           0x04, 31,  0},
    {"scheduling_context", 0x20, scheduling_context},
}};

inline constexpr layout destroy_scheduling_element_in{"destroy_scheduling_element_in", 0x40, {
    {"opcode",                0x00, 31, 16},
    {"op_mod",                0x04, 15,  0},
    {"scheduling_hierarchy",  0x08, 31, 24},
    {"scheduling_element_id", 0x0c, 31,  0},
}};

inline constexpr layout destroy_scheduling_element_out{"destroy_scheduling_element_out", 0x40, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
}};

// Packet pacing.
inline constexpr layout set_pp_rate_limit_context{"set_pp_rate_limit_context", 0x30, {
    {"rate_limit",          0x00, 31,  0},
    {"burst_upper_bound",   0x04, 31,  0},
    {"typical_packet_size", 0x08, 15,  0},
}};

inline constexpr layout set_pp_rate_limit_in{"set_pp_rate_limit_in", 0x40, {
    {"opcode",           0x00, 31, 16},
    {"uid",              0x00, 15,  0},
    {"op_mod",           0x04, 15,  0},
    {"rate_limit_index", 0x08, 15,  0},
    {"ctx",              0x10, set_pp_rate_limit_context},
}};
inline constexpr layout set_pp_rate_limit_out{"set_pp_rate_limit_out", 0x10, status_rows};

inline constexpr command_group scheduling_commands{{
    {"CREATE_SCHEDULING_ELEMENT",  create,  create_scheduling_element_in,
     create_scheduling_element_out, "scheduling_element_id"},
    {"MODIFY_SCHEDULING_ELEMENT",  modify,  modify_scheduling_element_in,
     modify_scheduling_element_out, "scheduling_element_id"},
    {"QUERY_SCHEDULING_ELEMENT",   query,   query_scheduling_element_in,
     query_scheduling_element_out, "scheduling_element_id"},
    {"DESTROY_SCHEDULING_ELEMENT", destroy, destroy_scheduling_element_in,
     destroy_scheduling_element_out, "scheduling_element_id"},
}};

inline constexpr command_group rate_limit_commands{kernel_only, {
    {"SET_PP_RATE_LIMIT", general, set_pp_rate_limit_in, set_pp_rate_limit_out},
}};
// clang-format on

} // namespace kdevx::prm
