// SPDX-License-Identifier: MIT
// The transitions of a queue pair.
#pragma once

#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/qp.hpp"
#include "kdevx/prm/status.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr layout rst2init_qp_in{"rst2init_qp_in", 0x110, {
    {"opcode",         0x00, 31, 16},
    {"uid",            0x00, 15,  0},
    {"op_mod",         0x04, 15,  0},
    {"qpn",            0x08, 23,  0},
    {"opt_param_mask", 0x10, 31,  0},
    {"ece",            0x14, 31,  0},
    {"qpc",            0x18, qpc},
}};

inline constexpr layout rst2init_qp_out{"rst2init_qp_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"ece",      0x0c, 31,  0},
}};

inline constexpr layout init2init_qp_in{"init2init_qp_in", 0x110, {
    {"opcode",         0x00, 31, 16},
    {"uid",            0x00, 15,  0},
    {"op_mod",         0x04, 15,  0},
    {"qpn",            0x08, 23,  0},
    {"opt_param_mask", 0x10, 31,  0},
    {"ece",            0x14, 31,  0},
    {"qpc",            0x18, qpc},
}};

inline constexpr layout init2init_qp_out{"init2init_qp_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"ece",      0x0c, 31,  0},
}};

inline constexpr layout init2rtr_qp_in{"init2rtr_qp_in", 0x110, {
    {"opcode",         0x00, 31, 16},
    {"uid",            0x00, 15,  0},
    {"op_mod",         0x04, 15,  0},
    {"qpn",            0x08, 23,  0},
    {"opt_param_mask", 0x10, 31,  0},
    {"ece",            0x14, 31,  0},
    {"qpc",            0x18, qpc},
}};

inline constexpr layout init2rtr_qp_out{"init2rtr_qp_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"ece",      0x0c, 31,  0},
}};

inline constexpr layout rtr2rts_qp_in{"rtr2rts_qp_in", 0x110, {
    {"opcode",         0x00, 31, 16},
    {"uid",            0x00, 15,  0},
    {"op_mod",         0x04, 15,  0},
    {"qpn",            0x08, 23,  0},
    {"opt_param_mask", 0x10, 31,  0},
    {"ece",            0x14, 31,  0},
    {"qpc",            0x18, qpc},
}};

inline constexpr layout rtr2rts_qp_out{"rtr2rts_qp_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"ece",      0x0c, 31,  0},
}};

inline constexpr layout rts2rts_qp_in{"rts2rts_qp_in", 0x110, {
    {"opcode",         0x00, 31, 16},
    {"uid",            0x00, 15,  0},
    {"op_mod",         0x04, 15,  0},
    {"qpn",            0x08, 23,  0},
    {"opt_param_mask", 0x10, 31,  0},
    {"ece",            0x14, 31,  0},
    {"qpc",            0x18, qpc},
}};

inline constexpr layout rts2rts_qp_out{"rts2rts_qp_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"ece",      0x0c, 31,  0},
}};

inline constexpr layout sqerr2rts_qp_in{"sqerr2rts_qp_in", 0x110, {
    {"opcode",         0x00, 31, 16},
    {"uid",            0x00, 15,  0},
    {"op_mod",         0x04, 15,  0},
    {"qpn",            0x08, 23,  0},
    {"opt_param_mask", 0x10, 31,  0},
    {"qpc",            0x18, qpc},
}};
inline constexpr layout sqerr2rts_qp_out{"sqerr2rts_qp_out", 0x10, status_rows};

inline constexpr layout sqd2rts_qp_in{"sqd2rts_qp_in", 0x110, {
    {"opcode",         0x00, 31, 16},
    {"uid",            0x00, 15,  0},
    {"op_mod",         0x04, 15,  0},
    {"qpn",            0x08, 23,  0},
    {"opt_param_mask", 0x10, 31,  0},
    {"qpc",            0x18, qpc},
}};
inline constexpr layout sqd2rts_qp_out{"sqd2rts_qp_out", 0x10, status_rows};

inline constexpr layout qp_2err_in{"qp_2err_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"qpn",    0x08, 23,  0},
}};
inline constexpr layout qp_2err_out{"qp_2err_out", 0x10, status_rows};

inline constexpr layout qp_2rst_in{"qp_2rst_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"qpn",    0x08, 23,  0},
}};
inline constexpr layout qp_2rst_out{"qp_2rst_out", 0x10, status_rows};

// clang-format on

} // namespace kdevx::prm
