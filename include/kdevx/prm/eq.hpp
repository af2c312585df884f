// SPDX-License-Identifier: MIT
// Event queues.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values eqc_statuses{"MLX5_EQC_STATUS_", {
    {"OK",               0x00},
    {"EQ_WRITE_FAILURE", 0x0a},
}};

inline constexpr values eqc_states{"MLX5_EQC_ST_", {
    {"ARMED", 0x09},
    {"FIRED", 0x0a},
}};

// The event queue context.
inline constexpr layout eqc{"eqc", 0x40, {
    {"status",           0x00, 31, 28},
    {"ec",               0x00, 18, 18},
    {"oi",               0x00, 17, 17},
    {"st",               0x00, 11,  8},
    {"page_offset",      0x08, 11,  6},
    {"log_eq_size",      0x0c, 28, 24},
    {"uar_page",         0x0c, 23,  0},
    {"intr",             0x14, 11,  0},
    {"log_page_size",    0x18, 28, 24},
    {"consumer_counter", 0x28, 23,  0},
    {"producer_counter", 0x2c, 23,  0},
}};

inline constexpr layout create_eq_in{"create_eq_in", 0x110, {
    {"opcode",           0x000, 31, 16},
    {"uid",              0x000, 15,  0},
    {"op_mod",           0x004, 15,  0},
    {"eq_context_entry", 0x010, eqc},
    {"event_bitmask",    0x058, 63,  0, array{4}},
    {"pas",              0x110, 63,  0, trailing},
}};

inline constexpr layout create_eq_out{"create_eq_out", 0x10, {
    {"status",    0x00, 31, 24},
    {"syndrome",  0x04, 31,  0},
    {"eq_number", 0x08,  7,  0},
}};

inline constexpr layout destroy_eq_in{"destroy_eq_in", 0x10, {
    {"opcode",    0x00, 31, 16},
    {"op_mod",    0x04, 15,  0},
    {"eq_number", 0x08,  7,  0},
}};
inline constexpr layout destroy_eq_out{"destroy_eq_out", 0x10, status_rows};

inline constexpr layout query_eq_in{"query_eq_in", 0x10, {
    {"opcode",    0x00, 31, 16},
    {"op_mod",    0x04, 15,  0},
    {"eq_number", 0x08,  7,  0},
}};

inline constexpr layout query_eq_out{"query_eq_out", 0x110, {
    {"status",           0x000, 31, 24},
    {"syndrome",         0x004, 31,  0},
    {"eq_context_entry", 0x010, eqc},
    {"event_bitmask",    0x058, 63,  0},
    {"pas",              0x110, 63,  0, trailing},
}};

// An event made up by a driver, for tests.
inline constexpr layout gen_eqe_in{"gen_eqe_in", 0x50, {
    {"opcode",    0x00, 31, 16},
    {"op_mod",    0x04, 15,  0},
    {"eq_number", 0x08,  7,  0},
    {"eqe",       0x10, bytes{0x40}},
}};
inline constexpr layout gen_eq_out{"gen_eq_out", 0x10, status_rows};

inline constexpr command_group eq_commands{kernel_only, {
    {"CREATE_EQ",  create,  create_eq_in,  create_eq_out,  "eq_number"},
    {"QUERY_EQ",   query,   query_eq_in,   query_eq_out,   "eq_number",
     nonzero{"eq_context_entry.st"}},
    {"DESTROY_EQ", destroy, destroy_eq_in, destroy_eq_out, "eq_number"},
}};

inline constexpr command_group eqe_commands{kernel_only, {
    {"GEN_EQE", general, gen_eqe_in, gen_eq_out},
}};
// clang-format on

} // namespace kdevx::prm
