// SPDX-License-Identifier: MIT
// The transitions of a queue pair.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/qp.hpp"
#include "kdevx/prm/status.hpp"

namespace kdevx::prm {

// clang-format off
// Which fields of `qpc` count is the transition's own affair: mandatory ones, and those that
// opt_param_mask selects.
inline constexpr field transition_rows[] = {
    {"opcode",         0x00, 31, 16},
    {"uid",            0x00, 15,  0},
    {"op_mod",         0x04, 15,  0},
    {"qpn",            0x08, 23,  0},
    {"opt_param_mask", 0x10, 31,  0},
    {"ece",            0x14, 31,  0},
    {"qpc",            0x18, qpc},
};
inline constexpr field transition_out_rows[] = {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"ece",      0x0c, 31,  0},
};
inline constexpr layout rst2init_qp_in{"rst2init_qp_in", 0x110, transition_rows};
inline constexpr layout rst2init_qp_out{"rst2init_qp_out", 0x10, transition_out_rows};
inline constexpr layout init2init_qp_in{"init2init_qp_in", 0x110, transition_rows};
inline constexpr layout init2init_qp_out{"init2init_qp_out", 0x10, transition_out_rows};
inline constexpr layout init2rtr_qp_in{"init2rtr_qp_in", 0x110, transition_rows};
inline constexpr layout init2rtr_qp_out{"init2rtr_qp_out", 0x10, transition_out_rows};
inline constexpr layout rtr2rts_qp_in{"rtr2rts_qp_in", 0x110, transition_rows};
inline constexpr layout rtr2rts_qp_out{"rtr2rts_qp_out", 0x10, transition_out_rows};
inline constexpr layout rts2rts_qp_in{"rts2rts_qp_in", 0x110, transition_rows};
inline constexpr layout rts2rts_qp_out{"rts2rts_qp_out", 0x10, transition_out_rows};

// Back to work after an error or a drain of the send queue: no ECE.
inline constexpr field resume_rows[] = {
    {"opcode",         0x00, 31, 16},
    {"uid",            0x00, 15,  0},
    {"op_mod",         0x04, 15,  0},
    {"qpn",            0x08, 23,  0},
    {"opt_param_mask", 0x10, 31,  0},
    {"qpc",            0x18, qpc},
};
inline constexpr layout sqerr2rts_qp_in{"sqerr2rts_qp_in", 0x110, resume_rows};
inline constexpr layout sqerr2rts_qp_out{"sqerr2rts_qp_out", 0x10, status_rows};
inline constexpr layout sqd2rts_qp_in{"sqd2rts_qp_in", 0x110, resume_rows};
inline constexpr layout sqd2rts_qp_out{"sqd2rts_qp_out", 0x10, status_rows};

// From any state.
inline constexpr field stop_rows[] = {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"qpn",    0x08, 23,  0},
};
inline constexpr layout qp_2err_in{"qp_2err_in", 0x10, stop_rows};
inline constexpr layout qp_2err_out{"qp_2err_out", 0x10, status_rows};
inline constexpr layout qp_2rst_in{"qp_2rst_in", 0x10, stop_rows};
inline constexpr layout qp_2rst_out{"qp_2rst_out", 0x10, status_rows};

inline constexpr command_group qp_commands{{
    {"CREATE_QP",    create,  create_qp_in,    create_qp_out,    "qpn",
     umem_valid{"wq_umem_valid", "qpc.dbr_umem_valid"}},
    {"QUERY_QP",     query,   query_qp_in,     query_qp_out,     "qpn", nonzero{"qpc.pd"}},
    {"RST2INIT_QP",  modify,  rst2init_qp_in,  rst2init_qp_out,  "qpn"},
    {"INIT2INIT_QP", modify,  init2init_qp_in, init2init_qp_out, "qpn"},
    {"INIT2RTR_QP",  modify,  init2rtr_qp_in,  init2rtr_qp_out,  "qpn"},
    {"RTR2RTS_QP",   modify,  rtr2rts_qp_in,   rtr2rts_qp_out,   "qpn"},
    {"RTS2RTS_QP",   modify,  rts2rts_qp_in,   rts2rts_qp_out,   "qpn"},
    {"SQERR2RTS_QP", modify,  sqerr2rts_qp_in, sqerr2rts_qp_out, "qpn"},
    {"2ERR_QP",      modify,  qp_2err_in,      qp_2err_out,      "qpn"},
    {"2RST_QP",      modify,  qp_2rst_in,      qp_2rst_out,      "qpn"},
    {"DESTROY_QP",   destroy, destroy_qp_in,   destroy_qp_out,   "qpn"},
}};

inline constexpr command_group qp_kernel_commands{kernel_only, {
    {"SQD_RTS_QP", general, sqd2rts_qp_in, sqd2rts_qp_out},
}};
// clang-format on

} // namespace kdevx::prm
