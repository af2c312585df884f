// SPDX-License-Identifier: MIT
// What a flow entry does to a packet.
#pragma once

#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"

namespace kdevx::prm {

// clang-format off
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

// clang-format on

} // namespace kdevx::prm
