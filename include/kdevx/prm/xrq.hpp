// SPDX-License-Identifier: MIT
// Receive queues with tag matching.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/wq.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values xrqc_states{"MLX5_XRQC_STATE_", {
    {"GOOD",  0x00},
    {"ERROR", 0x01},
}};

inline constexpr values xrqc_topologies{"MLX5_XRQC_TOPOLOGY_", {
    {"NO_SPECIAL_TOPOLOGY", 0x00},
    {"TAG_MATCHING",        0x01},
}};

inline constexpr values xrqc_offloads{"MLX5_XRQC_OFFLOAD_", {
    {"RNDV", 0x01},
}};

// The list of tags.
inline constexpr layout tag_matching_topology_context{"tag_matching_topology_context", 0x10, {
    {"log_matching_list_sz", 0x00, 31, 28},
    {"append_next_index",    0x00, 15,  0},
    {"sw_phase_cnt",         0x04, 31, 16},
    {"hw_phase_cnt",         0x04, 15,  0},
}};

// The context of a receive queue with tag matching.
inline constexpr layout xrqc{"xrqc", 0x140, {
    {"state",                         0x00, 31, 28},
    {"rlkey",                         0x00, 27, 27},
    {"topology",                      0x00, 11,  8},
    {"offload",                       0x00,  3,  0},
    {"user_index",                    0x04, 23,  0},
    {"cqn",                           0x08, 23,  0},
    {"tag_matching_topology_context", 0x20, tag_matching_topology_context},
    {"wq",                            0x80, wq},
}};

inline constexpr layout create_xrq_in{"create_xrq_in", 0x150, {
    {"opcode",      0x00, 31, 16},
    {"uid",         0x00, 15,  0},
    {"op_mod",      0x04, 15,  0},
    {"xrq_context", 0x10, xrqc},
}};

inline constexpr layout create_xrq_out{"create_xrq_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"xrqn",     0x08, 23,  0},
}};

inline constexpr layout query_xrq_in{"query_xrq_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"xrqn",   0x08, 23,  0},
}};

inline constexpr layout query_xrq_out{"query_xrq_out", 0x150, {
    {"status",      0x00, 31, 24},
    {"syndrome",    0x04, 31,  0},
    {"xrq_context", 0x10, xrqc},
}};

inline constexpr layout destroy_xrq_in{"destroy_xrq_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"xrqn",   0x08, 23,  0},
}};
inline constexpr layout destroy_xrq_out{"destroy_xrq_out", 0x10, status_rows};

inline constexpr layout arm_xrq_in{"arm_xrq_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"xrqn",   0x08, 23,  0},
    {"lwm",    0x0c, 15,  0},
}};
inline constexpr layout arm_xrq_out{"arm_xrq_out", 0x10, status_rows};

// Of the commands below that have no layout of their own only the XRQ's number is public.
inline constexpr layout set_xrq_dc_params_entry_in{"set_xrq_dc_params_entry_in", 0x30, {
    {"opcode",           0x00, 31, 16},
    {"op_mod",           0x04, 15,  0},
    {"xrqn",             0x08, 23,  0},
    {"ack_timeout",      0x10, 28, 24},
    {"multi_path",       0x10, 19, 19},
    {"mtu",              0x10, 18, 16},
    {"pkey_table_index", 0x10, 15,  0},
    {"cnak_reverse_sl",  0x14, 19, 16},
    {"reverse_sl",       0x14, 11,  8},
    {"sl",               0x14,  3,  0},
    {"dc_access_key",    0x18, 63,  0},
}};

inline constexpr command_group xrq_commands{{
    {"CREATE_XRQ",                create,  create_xrq_in,  create_xrq_out,  "xrqn",
     umem_valid{"xrq_context.wq.wq_umem_valid", "xrq_context.wq.dbr_umem_valid"}},
    {"QUERY_XRQ",                 query,   query_xrq_in,   query_xrq_out,   "xrqn",
     nonzero{"xrq_context.cqn"}},
    {"QUERY_XRQ_DC_PARAMS_ENTRY", query,   query_xrq_in,   status_out,      "xrqn"},
    {"QUERY_XRQ_ERROR_PARAMS",    query,   query_xrq_in,   status_out,      "xrqn"},
    {"ARM_XRQ",                   modify,  arm_xrq_in,     arm_xrq_out,     "xrqn"},
    {"SET_XRQ_DC_PARAMS_ENTRY",   modify,  set_xrq_dc_params_entry_in, status_out,      "xrqn"},
    {"RELEASE_XRQ_ERROR",         modify,  arm_xrq_in,     status_out,      "xrqn"},
    {"MODIFY_XRQ",                modify,  arm_xrq_in,     status_out,      "xrqn"},
    {"DESTROY_XRQ",               destroy, destroy_xrq_in, destroy_xrq_out, "xrqn"},
}};
// clang-format on

} // namespace kdevx::prm
