// SPDX-License-Identifier: MIT
// What a flow entry does to a packet.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values reformat_types{"MLX5_REFORMAT_TYPE_", {
    {"L2_TO_VXLAN",                  0x00},
    {"L2_TO_NVGRE",                  0x01},
    {"L2_TO_L2_TUNNEL",              0x02},
    {"L3_TUNNEL_TO_L2",              0x03},
    {"L2_TO_L3_TUNNEL",              0x04},
    {"ADD_ESP_TRANSPORT_OVER_IPV4",  0x05},
    {"L2_TO_L3_ESP_TUNNEL",          0x06},
    {"ADD_ESP_TRANSPORT_OVER_UDPV4", 0x07},
    {"DEL_ESP_TRANSPORT",            0x08},
    {"L3_ESP_TUNNEL_TO_L2",          0x09},
    {"DEL_ESP_TRANSPORT_OVER_UDP",   0x0a},
    {"ADD_ESP_TRANSPORT_OVER_IPV6",  0x0b},
    {"ADD_ESP_TRANSPORT_OVER_UDPV6", 0x0c},
    {"ADD_PSP_TUNNEL",               0x0d},
    {"DEL_PSP_TUNNEL",               0x0e},
    {"INSERT_HDR",                   0x0f},
    {"REMOVE_HDR",                   0x10},
    {"ADD_MACSEC",                   0x11},
    {"DEL_MACSEC",                   0x12},
    {"REMOVE_PSP_TRANSPORT",         0x16},
}};

inline constexpr values header_actions{"MLX5_ACTION_TYPE_", {
    {"SET",  0x01},
    {"ADD",  0x02},
    {"COPY", 0x03},
}};

// set_action_in.field, add_action_in.field, copy_action_in.src_field and .dst_field
inline constexpr values header_fields{"MLX5_ACTION_IN_FIELD_", {
    {"OUT_SMAC_47_16",    0x01},
    {"OUT_SMAC_15_0",     0x02},
    {"OUT_ETHERTYPE",     0x03},
    {"OUT_DMAC_47_16",    0x04},
    {"OUT_DMAC_15_0",     0x05},
    {"OUT_IP_DSCP",       0x06},
    {"OUT_TCP_FLAGS",     0x07},
    {"OUT_TCP_SPORT",     0x08},
    {"OUT_TCP_DPORT",     0x09},
    {"OUT_IP_TTL",        0x0a},
    {"OUT_UDP_SPORT",     0x0b},
    {"OUT_UDP_DPORT",     0x0c},
    {"OUT_SIPV6_127_96",  0x0d},
    {"OUT_SIPV6_95_64",   0x0e},
    {"OUT_SIPV6_63_32",   0x0f},
    {"OUT_SIPV6_31_0",    0x10},
    {"OUT_DIPV6_127_96",  0x11},
    {"OUT_DIPV6_95_64",   0x12},
    {"OUT_DIPV6_63_32",   0x13},
    {"OUT_DIPV6_31_0",    0x14},
    {"OUT_SIPV4",         0x15},
    {"OUT_DIPV4",         0x16},
    {"OUT_FIRST_VID",     0x17},
    {"OUT_IPV6_HOPLIMIT", 0x47},
    {"METADATA_REG_A",    0x49},
    {"METADATA_REG_B",    0x50},
    {"METADATA_REG_C_0",  0x51},
    {"METADATA_REG_C_1",  0x52},
    {"METADATA_REG_C_2",  0x53},
    {"METADATA_REG_C_3",  0x54},
    {"METADATA_REG_C_4",  0x55},
    {"METADATA_REG_C_5",  0x56},
    {"METADATA_REG_C_6",  0x57},
    {"METADATA_REG_C_7",  0x58},
    {"OUT_TCP_SEQ_NUM",   0x59},
    {"OUT_TCP_ACK_NUM",   0x5b},
    {"IPSEC_SYNDROME",    0x5d},
    {"OUT_EMD_47_32",     0x6f},
    {"OUT_EMD_31_0",      0x70},
    {"PSP_SYNDROME",      0x71},
    {"PSP_HEADER_1",      0x78},
}};

// One of these per changed header field.
inline constexpr layout set_action_in{"set_action_in", 0x08, {
    {"action_type", 0x00, 31, 28},
    {"field",       0x00, 27, 16},
    {"offset",      0x00, 12,  8},
    {"length",      0x00,  4,  0},
    {"data",        0x04, 31,  0},
}};

inline constexpr layout add_action_in{"add_action_in", 0x08, {
    {"action_type", 0x00, 31, 28},
    {"field",       0x00, 27, 16},
    {"data",        0x04, 31,  0},
}};

inline constexpr layout copy_action_in{"copy_action_in", 0x08, {
    {"action_type", 0x00, 31, 28},
    {"src_field",   0x00, 27, 16},
    {"src_offset",  0x00, 12,  8},
    {"length",      0x00,  4,  0},
    {"dst_field",   0x04, 27, 16},
    {"dst_offset",  0x04, 12,  8},
}};

inline constexpr layout alloc_modify_header_context_in{"alloc_modify_header_context_in", 0x10, {
    {"opcode",         0x00, 31, 16},
    {"op_mod",         0x04, 15,  0},
    {"table_type",     0x0c, 31, 24},
    {"num_of_actions", 0x0c,  7,  0},
    {"actions",        0x10, 63,  0, trailing},
}};

inline constexpr layout alloc_modify_header_context_out{"alloc_modify_header_context_out", 0x10, {
    {"status",           0x00, 31, 24},
    {"syndrome",         0x04, 31,  0},
    {"modify_header_id", 0x08, 31,  0},
}};

inline constexpr layout query_modify_header_context_in{"query_modify_header_context_in", 0x20, {
    {"opcode",           0x00, 31, 16},
    {"uid",              0x00, 15,  0},
    {"op_mod",           0x04, 15,  0},
    {"modify_header_id", 0x08, 31,  0},
}};

inline constexpr layout dealloc_modify_header_context_in{"dealloc_modify_header_context_in", 0x10, {
    {"opcode",           0x00, 31, 16},
    {"op_mod",           0x04, 15,  0},
    {"modify_header_id", 0x08, 31,  0},
}};
inline constexpr layout dealloc_modify_header_context_out{
    "dealloc_modify_header_context_out", 0x10, status_rows};

// Headers put in front or taken away.
inline constexpr layout packet_reformat_context_in{"packet_reformat_context_in", 0x08, {
    {"reformat_type",      0x00, 31, 24},
    {"reformat_param_0",   0x00, 19, 16},
    {"reformat_data_size", 0x00,  9,  0},
    {"reformat_param_1",   0x04, 31, 24},
    {"reformat_data",      0x06, bytes{0x2}},
    {"more_reformat_data", 0x08, bytes{1}, trailing},
}};

inline constexpr layout alloc_packet_reformat_context_in{"alloc_packet_reformat_context_in", 0x24, {
    {"opcode",                  0x00, 31, 16},
    {"op_mod",                  0x04, 15,  0},
    {"packet_reformat_context", 0x1c, packet_reformat_context_in},
}};

inline constexpr layout alloc_packet_reformat_context_out{
    "alloc_packet_reformat_context_out", 0x10, {
    {"status",             0x00, 31, 24},
    {"syndrome",           0x04, 31,  0},
    {"packet_reformat_id", 0x08, 31,  0},
}};

inline constexpr layout query_packet_reformat_context_in{"query_packet_reformat_context_in", 0x20, {
    {"opcode",             0x00, 31, 16},
    {"op_mod",             0x04, 15,  0},
    {"packet_reformat_id", 0x08, 31,  0},
}};

inline constexpr layout query_packet_reformat_context_out{
    "query_packet_reformat_context_out", 0x1c, {
    {"status",                  0x00, 31, 24},
    {"syndrome",                0x04, 31,  0},
    {"packet_reformat_context", 0x1c, packet_reformat_context_in, trailing},
}};

inline constexpr layout dealloc_packet_reformat_context_in{
    "dealloc_packet_reformat_context_in", 0x10, {
    {"opcode",             0x00, 31, 16},
    {"op_mod",             0x04, 15,  0},
    {"packet_reformat_id", 0x08, 31,  0},
}};
inline constexpr layout dealloc_packet_reformat_context_out{
    "dealloc_packet_reformat_context_out", 0x10, status_rows};

inline constexpr layout sync_steering_in{"sync_steering_in", 0x20, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
}};
inline constexpr layout sync_steering_out{"sync_steering_out", 0x10, status_rows};

// A work request for hardware steering that the firmware executes.
inline constexpr layout generate_wqe_in{"generate_wqe_in", 0x100, {
    {"opcode",         0x00, 31, 16},
    {"uid",            0x00, 15,  0},
    {"op_mode",        0x04, 15,  0},
    {"pdn",            0x10, 23,  0},
    {"wqe_ctrl",       0x40, bytes{0x10}},
    {"wqe_gta_ctrl",   0x50, bytes{0x30}},
    {"wqe_gta_data_0", 0x80, bytes{0x40}},
    {"wqe_gta_data_1", 0xc0, bytes{0x40}},
}};
inline constexpr layout generate_wqe_out{"generate_wqe_out", 0x80, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"cqe_data", 0x40, bytes{0x40}},
}};

inline constexpr command_group modify_header_commands{{
    {"ALLOC_MODIFY_HEADER_CONTEXT",   create,  alloc_modify_header_context_in,
     alloc_modify_header_context_out, "modify_header_id"},
    {"QUERY_MODIFY_HEADER_CONTEXT",   query,   query_modify_header_context_in,
     status_out, "modify_header_id"},
    {"DEALLOC_MODIFY_HEADER_CONTEXT", destroy, dealloc_modify_header_context_in,
     dealloc_modify_header_context_out, "modify_header_id"},
}};

inline constexpr command_group packet_reformat_commands{{
    {"ALLOC_PACKET_REFORMAT_CONTEXT",   create,  alloc_packet_reformat_context_in,
     alloc_packet_reformat_context_out, "packet_reformat_id"},
    {"QUERY_PACKET_REFORMAT_CONTEXT",   query,   query_packet_reformat_context_in,
     query_packet_reformat_context_out, "packet_reformat_id"},
    {"DEALLOC_PACKET_REFORMAT_CONTEXT", destroy, dealloc_packet_reformat_context_in,
     dealloc_packet_reformat_context_out, "packet_reformat_id"},
}};

inline constexpr command_group steering_commands{{
    {"SYNC_STEERING", general, sync_steering_in, sync_steering_out},
    {"GENERATE_WQE",  general, generate_wqe_in,  generate_wqe_out},
}};
// clang-format on

} // namespace kdevx::prm
