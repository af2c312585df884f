// SPDX-License-Identifier: MIT
// Dynamically connected targets.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values dctc_states{"MLX5_DCTC_STATE_", {
    {"ACTIVE",   0x00},
    {"DRAINING", 0x01},
    {"DRAINED",  0x02},
}};

// The context of a dynamically connected target.
inline constexpr layout dctc{"dctc", 0x40, {
    {"state",                         0x00, 27, 24},
    {"dp_ordering_force",             0x04, 24, 24},
    {"user_index",                    0x04, 23,  0},
    {"cqn",                           0x08, 23,  0},
    {"counter_set_id",                0x0c, 31, 24},
    {"atomic_mode",                   0x0c, 23, 20},
    {"rre",                           0x0c, 19, 19},
    {"rwe",                           0x0c, 18, 18},
    {"rae",                           0x0c, 17, 17},
    {"atomic_like_write_en",          0x0c, 16, 16},
    {"latency_sensitive",             0x0c, 15, 15},
    {"rlky",                          0x0c, 14, 14},
    {"free_ar",                       0x0c, 13, 13},
    {"dp_ordering_1",                 0x0c, 11, 11},
    {"cs_res",                        0x10, 23, 16},
    {"min_rnr_nak",                   0x10, 12,  8},
    {"srqn_xrqn",                     0x14, 23,  0},
    {"pd",                            0x18, 23,  0},
    {"tclass",                        0x1c, 31, 24},
    {"flow_label",                    0x1c, 19,  0},
    {"dc_access_key",                 0x20, 63,  0},
    {"mtu",                           0x28, 26, 24},
    {"port",                          0x28, 23, 16},
    {"pkey_index",                    0x28, 15,  0},
    {"my_addr_index",                 0x2c, 23, 16},
    {"hop_limit",                     0x2c,  7,  0},
    {"dc_access_key_violation_count", 0x30, 31,  0},
    {"dei_cfi",                       0x34, 11, 11},
    {"eth_prio",                      0x34, 10,  8},
    {"ecn",                           0x34,  7,  6},
    {"dscp",                          0x34,  5,  0},
    {"ece",                           0x3c, 31,  0},
}};

inline constexpr layout create_dct_in{"create_dct_in", 0x80, {
    {"opcode",            0x00, 31, 16},
    {"uid",               0x00, 15,  0},
    {"op_mod",            0x04, 15,  0},
    {"dct_context_entry", 0x10, dctc},
}};

inline constexpr layout create_dct_out{"create_dct_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"dctn",     0x08, 23,  0},
    {"ece",      0x0c, 31,  0},
}};

inline constexpr layout query_dct_in{"query_dct_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"dctn",   0x08, 23,  0},
}};

inline constexpr layout query_dct_out{"query_dct_out", 0x80, {
    {"status",            0x00, 31, 24},
    {"syndrome",          0x04, 31,  0},
    {"dct_context_entry", 0x10, dctc},
}};

inline constexpr layout destroy_dct_in{"destroy_dct_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"dctn",   0x08, 23,  0},
}};
inline constexpr layout destroy_dct_out{"destroy_dct_out", 0x10, status_rows};

// No new connections; the event DCT_DRAINED says when the last one has gone.
inline constexpr layout drain_dct_in{"drain_dct_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"dctn",   0x08, 23,  0},
}};
inline constexpr layout drain_dct_out{"drain_dct_out", 0x10, status_rows};

// Ask for an event when somebody comes with the wrong key.
inline constexpr layout arm_dct_in{"arm_dct_in", 0x10, {
    {"opcode",     0x00, 31, 16},
    {"op_mod",     0x04, 15,  0},
    {"dct_number", 0x08, 23,  0},
}};
inline constexpr layout arm_dct_out{"arm_dct_out", 0x10, status_rows};

inline constexpr command_group dct_commands{{
    {"CREATE_DCT",                create,  create_dct_in,  create_dct_out,  "dctn"},
    {"QUERY_DCT",                 query,   query_dct_in,   query_dct_out,   "dctn",
     nonzero{"dct_context_entry.pd"}},
    {"ARM_DCT_FOR_KEY_VIOLATION", modify,  arm_dct_in,     arm_dct_out,     "dct_number"},
    {"DESTROY_DCT",               destroy, destroy_dct_in, destroy_dct_out, "dctn"},
}};

inline constexpr command_group dct_kernel_commands{kernel_only, {
    {"DRAIN_DCT", general, drain_dct_in, drain_dct_out},
}};
// clang-format on

} // namespace kdevx::prm
