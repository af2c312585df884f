// SPDX-License-Identifier: MIT
// Flow tables, groups and entries.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/match.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values flow_table_types{"MLX5_FLOW_TABLE_TYPE_", {
    {"NIC_RX",          0x00},
    {"NIC_RCV",         0x00},
    {"NIC_TX",          0x01},
    {"ESW_EGRESS_ACL",  0x02},
    {"ESW_INGRESS_ACL", 0x03},
    {"FDB",             0x04},
    {"ESWITCH",         0x04},
    {"SNIFFER_RX",      0x05},
    {"SNIFFER_TX",      0x06},
}};

inline constexpr values flow_destination_types{"MLX5_IFC_FLOW_DESTINATION_TYPE_", {
    {"VPORT",        0x00},
    {"FLOW_TABLE",   0x01},
    {"TIR",          0x02},
    {"VHCA_RX",      0x04},
    {"FLOW_SAMPLER", 0x06},
    {"UPLINK",       0x08},
    {"TABLE_TYPE",   0x0a},
}};

// Bits of flow_context.action
inline constexpr values flow_actions{"MLX5_FLOW_CONTEXT_ACTION_", {
    {"ALLOW",           0x0001},
    {"DROP",            0x0002},
    {"FWD_DEST",        0x0004},
    {"COUNT",           0x0008},
    {"PACKET_REFORMAT", 0x0010},
    {"DECAP",           0x0020},
    {"MOD_HDR",         0x0040},
    {"VLAN_POP",        0x0080},
    {"VLAN_PUSH",       0x0100},
    {"VLAN_POP_2",      0x0400},
    {"VLAN_PUSH_2",     0x0800},
    {"CRYPTO_DECRYPT",  0x1000},
    {"CRYPTO_ENCRYPT",  0x2000},
    {"EXECUTE_ASO",     0x4000},
}};

inline constexpr values flow_miss_actions{"MLX5_FLOW_TABLE_MISS_ACTION_", {
    {"DEF",           0x00},
    {"FWD",           0x01},
    {"SWITCH_DOMAIN", 0x02},
}};

// Bit numbers of match_criteria_enable
inline constexpr values match_criteria{"MLX5_QUERY_FLOW_GROUP_OUT_MATCH_CRITERIA_ENABLE_", {
    {"OUTER_HEADERS",   0x00},
    {"MISC_PARAMETERS", 0x01},
    {"INNER_HEADERS",   0x02},
}};

// Bit numbers of set_fte_in.modify_enable_mask
inline constexpr values set_fte_fields{"MLX5_SET_FTE_MODIFY_ENABLE_MASK_", {
    {"ACTION",           0x00},
    {"FLOW_TAG",         0x01},
    {"DESTINATION_LIST", 0x02},
    {"FLOW_COUNTERS",    0x03},
    {"IPSEC_OBJ_ID",     0x04},
}};

inline constexpr layout sw_owner_icm_root_params{"sw_owner_icm_root_params", 0x10, {
    {"sw_owner_icm_root_1", 0x00, 63,  0},
    {"sw_owner_icm_root_0", 0x08, 63,  0},
}};

inline constexpr layout rtc_params{"rtc_params", 0x10, {
    {"rtc_id_0", 0x00, 31,  0},
    {"rtc_id_1", 0x04, 31,  0},
}};

// The flow table context.
inline constexpr layout flow_table_context{"flow_table_context", 0x28, {
    {"reformat_en",              0x00, 31, 31},
    {"decap_en",                 0x00, 30, 30},
    {"sw_owner",                 0x00, 29, 29},
    {"termination_table",        0x00, 28, 28},
    {"table_miss_action",        0x00, 27, 24},
    {"level",                    0x00, 23, 16},
    {"rtc_valid",                0x00, 15, 15},
    {"log_size",                 0x00,  7,  0},
    {"table_miss_id",            0x04, 23,  0},
    {"lag_master_next_table_id", 0x08, 23,  0},
    {"sws",                      0x18, sw_owner_icm_root_params},
}};

inline constexpr layout create_flow_table_in{"create_flow_table_in", 0x40, {
    {"opcode",                0x00, 31, 16},
    {"uid",                   0x00, 15,  0},
    {"op_mod",                0x04, 15,  0},
    {"other_vport",           0x08, 31, 31},
    {"other_eswitch",         0x08, 30, 30},
    {"vport_number",          0x08, 15,  0},
    {"table_type",            0x10, 31, 24},
    {"eswitch_owner_vhca_id", 0x10, 15,  0},
    {"flow_table_context",    0x18, flow_table_context},
}};

inline constexpr layout create_flow_table_out{"create_flow_table_out", 0x10, {
    {"status",            0x00, 31, 24},
    {"icm_address_63_40", 0x00, 23,  0},
    {"syndrome",          0x04, 31,  0},
    {"icm_address_39_32", 0x08, 31, 24},
    {"table_id",          0x08, 23,  0},
    {"icm_address_31_0",  0x0c, 31,  0},
}};

inline constexpr layout modify_flow_table_in{"modify_flow_table_in", 0x40, {
    {"opcode",                0x00, 31, 16},
    {"op_mod",                0x04, 15,  0},
    {"other_vport",           0x08, 31, 31},
    {"other_eswitch",         0x08, 30, 30},
    {"vport_number",          0x08, 15,  0},
    {"modify_field_select",   0x0c, 15,  0},
    {"table_type",            0x10, 31, 24},
    {"eswitch_owner_vhca_id", 0x10, 15,  0},
    {"table_id",              0x14, 23,  0},
    {"flow_table_context",    0x18, flow_table_context},
}};
inline constexpr layout modify_flow_table_out{"modify_flow_table_out", 0x10, status_rows};

inline constexpr layout query_flow_table_in{"query_flow_table_in", 0x40, {
    {"opcode",     0x00, 31, 16},
    {"op_mod",     0x04, 15,  0},
    {"table_type", 0x10, 31, 24},
    {"table_id",   0x14, 23,  0},
}};

inline constexpr layout query_flow_table_out{"query_flow_table_out", 0x40, {
    {"status",             0x00, 31, 24},
    {"syndrome",           0x04, 31,  0},
    {"flow_table_context", 0x18, flow_table_context},
}};

inline constexpr layout destroy_flow_table_in{"destroy_flow_table_in", 0x40, {
    {"opcode",                0x00, 31, 16},
    {"op_mod",                0x04, 15,  0},
    {"other_vport",           0x08, 31, 31},
    {"other_eswitch",         0x08, 30, 30},
    {"vport_number",          0x08, 15,  0},
    {"table_type",            0x10, 31, 24},
    {"eswitch_owner_vhca_id", 0x10, 15,  0},
    {"table_id",              0x14, 23,  0},
}};
inline constexpr layout destroy_flow_table_out{"destroy_flow_table_out", 0x10, status_rows};

inline constexpr layout set_flow_table_root_in{"set_flow_table_root_in", 0x40, {
    {"opcode",                            0x00, 31, 16},
    {"op_mod",                            0x04, 15,  0},
    {"other_vport",                       0x08, 31, 31},
    {"other_eswitch",                     0x08, 30, 30},
    {"vport_number",                      0x08, 15,  0},
    {"eswitch_owner_vhca_id",             0x0c, 15,  0},
    {"table_type",                        0x10, 31, 24},
    {"table_of_other_vport",              0x10, 16, 16},
    {"table_vport_number",                0x10, 15,  0},
    {"table_id",                          0x14, 23,  0},
    {"underlay_qpn",                      0x18, 23,  0},
    {"table_eswitch_owner_vhca_id_valid", 0x1c, 31, 31},
    {"table_eswitch_owner_vhca_id",       0x1c, 15,  0},
}};
inline constexpr layout set_flow_table_root_out{"set_flow_table_root_out", 0x10, status_rows};

inline constexpr layout create_flow_group_in{"create_flow_group_in", 0x400, {
    {"opcode",                             0x00, 31, 16},
    {"op_mod",                             0x04, 15,  0},
    {"other_vport",                        0x08, 31, 31},
    {"other_eswitch",                      0x08, 30, 30},
    {"vport_number",                       0x08, 15,  0},
    {"table_type",                         0x10, 31, 24},
    {"group_type",                         0x10, 19, 16},
    {"eswitch_owner_vhca_id",              0x10, 15,  0},
    {"table_id",                           0x14, 23,  0},
    {"source_eswitch_owner_vhca_id_valid", 0x18, 31, 31},
    {"start_flow_index",                   0x1c, 31,  0},
    {"end_flow_index",                     0x24, 31,  0},
    {"match_definer_id",                   0x28, 15,  0},
    {"match_criteria_enable",              0x3c,  7,  0},
    {"match_criteria",                     0x40, fte_match_param},
}};

inline constexpr layout create_flow_group_out{"create_flow_group_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"group_id", 0x08, 23,  0},
}};

inline constexpr layout query_flow_group_in{"query_flow_group_in", 0x40, {
    {"opcode",     0x00, 31, 16},
    {"op_mod",     0x04, 15,  0},
    {"table_type", 0x10, 31, 24},
    {"table_id",   0x14, 23,  0},
    {"group_id",   0x18, 31,  0},
}};

inline constexpr layout query_flow_group_out{"query_flow_group_out", 0x400, {
    {"status",                0x00, 31, 24},
    {"syndrome",              0x04, 31,  0},
    {"start_flow_index",      0x1c, 31,  0},
    {"end_flow_index",        0x24, 31,  0},
    {"match_criteria_enable", 0x3c,  7,  0},
    {"match_criteria",        0x40, fte_match_param},
}};

inline constexpr layout destroy_flow_group_in{"destroy_flow_group_in", 0x40, {
    {"opcode",                0x00, 31, 16},
    {"op_mod",                0x04, 15,  0},
    {"other_vport",           0x08, 31, 31},
    {"other_eswitch",         0x08, 30, 30},
    {"vport_number",          0x08, 15,  0},
    {"table_type",            0x10, 31, 24},
    {"eswitch_owner_vhca_id", 0x10, 15,  0},
    {"table_id",              0x14, 23,  0},
    {"group_id",              0x18, 31,  0},
}};
inline constexpr layout destroy_flow_group_out{"destroy_flow_group_out", 0x10, status_rows};

// A flow entry: what it does with a packet that matches.
inline constexpr layout vlan{"vlan", 0x04, {
    {"ethtype", 0x00, 31, 16},
    {"prio",    0x00, 15, 13},
    {"cfi",     0x00, 12, 12},
    {"vid",     0x00, 11,  0},
}};

// Advanced steering objects that a packet runs through.
inline constexpr layout exe_aso_ctrl_flow_meter{"exe_aso_ctrl_flow_meter", 0x04, {
    {"return_reg_id", 0x00, 31, 28},
    {"aso_type",      0x00, 27, 24},
    {"action",        0x00,  3,  3},
    {"init_color",    0x00,  2,  1},
    {"meter_id",      0x00,  0,  0},
}};

inline constexpr layout execute_aso{"execute_aso", 0x08, {
    {"valid",         0x00, 31, 31},
    {"aso_object_id", 0x00, 23,  0},
    {"exe_aso_ctrl",  0x04, 31,  0},
}};

// Where packets go: the entries of flow_context.destination, counters behind destinations.
inline constexpr layout dest_format{"dest_format", 0x08, {
    {"destination_type",                        0x00, 31, 24},
    {"destination_id",                          0x00, 23,  0},
    {"destination_eswitch_owner_vhca_id_valid", 0x04, 31, 31},
    {"packet_reformat",                         0x04, 30, 30},
    {"destination_eswitch_owner_vhca_id",       0x04, 15,  0},
}};

inline constexpr layout dest_format_struct{"dest_format_struct", 0x08, {
    {"destination_type",                        0x00, 31, 24},
    {"destination_id",                          0x00, 23,  0},
    {"destination_eswitch_owner_vhca_id_valid", 0x04, 31, 31},
    {"packet_reformat",                         0x04, 30, 30},
    {"destination_table_type",                  0x04, 23, 16},
    {"destination_eswitch_owner_vhca_id",       0x04, 15,  0},
}};

inline constexpr layout flow_counter_list{"flow_counter_list", 0x08, {
    {"flow_counter_id", 0x00, 31,  0},
}};

inline constexpr layout extended_dest_format{"extended_dest_format", 0x10, {
    {"destination_entry",  0x00, dest_format_struct},
    {"packet_reformat_id", 0x08, 31,  0},
}};

inline constexpr layout flow_context{"flow_context", 0x300, {
    {"push_vlan",              0x000, vlan},
    {"group_id",               0x004, 31,  0},
    {"flow_tag",               0x008, 23,  0},
    {"action",                 0x00c, 15,  0},
    {"extended_destination",   0x010, 31, 31},
    {"uplink_hairpin_en",      0x010, 30, 30},
    {"flow_source",            0x010, 29, 28},
    {"encrypt_decrypt_type",   0x010, 27, 24},
    {"destination_list_size",  0x010, 23,  0},
    {"flow_counter_list_size", 0x014, 23,  0},
    {"packet_reformat_id",     0x018, 31,  0},
    {"modify_header_id",       0x01c, 31,  0},
    {"push_vlan_2",            0x020, vlan},
    {"encrypt_decrypt_obj_id", 0x024, 31,  0},
    {"match_value",            0x040, fte_match_param},
    {"execute_aso",            0x240, execute_aso, array{4}},
    {"destination",            0x300, 63,  0, trailing},
}};

inline constexpr layout set_fte_in{"set_fte_in", 0x340, {
    {"opcode",                0x00, 31, 16},
    {"op_mod",                0x04, 15,  0},
    {"other_vport",           0x08, 31, 31},
    {"other_eswitch",         0x08, 30, 30},
    {"vport_number",          0x08, 15,  0},
    {"table_type",            0x10, 31, 24},
    {"eswitch_owner_vhca_id", 0x10, 15,  0},
    {"table_id",              0x14, 23,  0},
    {"ignore_flow_level",     0x18, 31, 31},
    {"modify_enable_mask",    0x18,  7,  0},
    {"flow_index",            0x20, 31,  0},
    {"flow_context",          0x40, flow_context},
}};
inline constexpr layout set_fte_out{"set_fte_out", 0x10, status_rows};

inline constexpr layout query_fte_in{"query_fte_in", 0x40, {
    {"opcode",     0x00, 31, 16},
    {"op_mod",     0x04, 15,  0},
    {"table_type", 0x10, 31, 24},
    {"table_id",   0x14, 23,  0},
    {"flow_index", 0x20, 31,  0},
}};

inline constexpr layout query_fte_out{"query_fte_out", 0x340, {
    {"status",       0x00, 31, 24},
    {"syndrome",     0x04, 31,  0},
    {"flow_context", 0x40, flow_context},
}};

inline constexpr layout delete_fte_in{"delete_fte_in", 0x40, {
    {"opcode",                0x00, 31, 16},
    {"op_mod",                0x04, 15,  0},
    {"other_vport",           0x08, 31, 31},
    {"other_eswitch",         0x08, 30, 30},
    {"vport_number",          0x08, 15,  0},
    {"table_type",            0x10, 31, 24},
    {"eswitch_owner_vhca_id", 0x10, 15,  0},
    {"table_id",              0x14, 23,  0},
    {"flow_index",            0x20, 31,  0},
}};
inline constexpr layout delete_fte_out{"delete_fte_out", 0x10, status_rows};

inline constexpr command_group flow_table_commands{{
    {"CREATE_FLOW_TABLE",  create,  create_flow_table_in,  create_flow_table_out,  "table_id"},
    {"MODIFY_FLOW_TABLE",  modify,  modify_flow_table_in,  modify_flow_table_out,  "table_id"},
    {"QUERY_FLOW_TABLE",   query,   query_flow_table_in,   query_flow_table_out,   "table_id"},
    {"DESTROY_FLOW_TABLE", destroy, destroy_flow_table_in, destroy_flow_table_out, "table_id"},
}};

inline constexpr command_group flow_group_commands{{
    {"CREATE_FLOW_GROUP",  create,  create_flow_group_in,  create_flow_group_out,  "group_id"},
    {"QUERY_FLOW_GROUP",   query,   query_flow_group_in,   query_flow_group_out,   "group_id"},
    {"DESTROY_FLOW_GROUP", destroy, destroy_flow_group_in, destroy_flow_group_out, "group_id"},
}};

inline constexpr command_group fte_commands{{
    {"SET_FLOW_TABLE_ENTRY",    create,  set_fte_in,    set_fte_out,    "flow_index"},
    {"SET_FLOW_TABLE_ENTRY",    modify,  set_fte_in,    set_fte_out,    "flow_index"},
    {"QUERY_FLOW_TABLE_ENTRY",  query,   query_fte_in,  query_fte_out,  "flow_index",
     nonzero{"flow_context.action"}},
    {"DELETE_FLOW_TABLE_ENTRY", destroy, delete_fte_in, delete_fte_out, "flow_index"},
}};

inline constexpr command_group flow_root_commands{kernel_only, {
    {"SET_FLOW_TABLE_ROOT", general, set_flow_table_root_in, set_flow_table_root_out},
}};
// clang-format on

} // namespace kdevx::prm
