// SPDX-License-Identifier: MIT
// Shared receive queues.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values srqc_states{"MLX5_SRQC_STATE_", {
    {"GOOD",  0x00},
    {"ERROR", 0x01},
}};

inline constexpr values xrc_srqc_states{"MLX5_XRC_SRQC_STATE_", {
    {"GOOD",  0x00},
    {"ERROR", 0x01},
}};

inline constexpr values arm_rq_ops{"MLX5_ARM_RQ_IN_OP_MOD_", {
    {"SRQ", 0x01},
    {"XRQ", 0x02},
}};

// A basic SRQ's context, before ISSI 1.
inline constexpr layout srqc{"srqc", 0x40, {
    {"state",         0x00, 31, 28},
    {"log_srq_size",  0x00, 27, 24},
    {"wq_signature",  0x04, 31, 31},
    {"cont_srq",      0x04, 30, 30},
    {"rlky",          0x04, 28, 28},
    {"log_rq_stride", 0x04, 26, 24},
    {"xrcd",          0x04, 23,  0},
    {"page_offset",   0x08, 31, 26},
    {"cqn",           0x08, 23,  0},
    {"log_page_size", 0x10, 29, 24},
    {"pd",            0x18, 23,  0},
    {"lwm",           0x1c, 31, 16},
    {"wqe_cnt",       0x1c, 15,  0},
    {"dbr_addr",      0x28, 63,  0},
}};

// An XRC SRQ's context; with ISSI 1 basic SRQs are RMPs.
inline constexpr layout xrc_srqc{"xrc_srqc", 0x40, {
    {"state",                     0x00, 31, 28},
    {"log_xrc_srq_size",          0x00, 27, 24},
    {"wq_signature",              0x04, 31, 31},
    {"cont_srq",                  0x04, 30, 30},
    {"rlky",                      0x04, 28, 28},
    {"basic_cyclic_rcv_wqe",      0x04, 27, 27},
    {"log_rq_stride",             0x04, 26, 24},
    {"xrcd",                      0x04, 23,  0},
    {"page_offset",               0x08, 31, 26},
    {"dbr_umem_valid",            0x08, 24, 24},
    {"cqn",                       0x08, 23,  0},
    {"dbr_umem_id",               0x0c, 31,  0},
    {"user_index_equal_xrc_srqn", 0x10, 31, 31},
    {"log_page_size",             0x10, 29, 24},
    {"user_index",                0x10, 23,  0},
    {"pd",                        0x18, 23,  0},
    {"lwm",                       0x1c, 31, 16},
    {"wqe_cnt",                   0x1c, 15,  0},
    {"db_record_addr_h",          0x28, 31,  0},
    {"db_record_addr_l",          0x2c, 31,  2},
}};

inline constexpr layout create_srq_in{"create_srq_in", 0x110, {
    {"opcode",            0x000, 31, 16},
    {"uid",               0x000, 15,  0},
    {"op_mod",            0x004, 15,  0},
    {"srq_context_entry", 0x010, srqc},
    {"pas",               0x110, 63,  0, trailing},
}};

inline constexpr layout create_srq_out{"create_srq_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"srqn",     0x08, 23,  0},
}};

inline constexpr layout query_srq_in{"query_srq_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"srqn",   0x08, 23,  0},
}};

inline constexpr layout query_srq_out{"query_srq_out", 0x110, {
    {"status",            0x000, 31, 24},
    {"syndrome",          0x004, 31,  0},
    {"srq_context_entry", 0x010, srqc},
    {"pas",               0x110, 63,  0, trailing},
}};

inline constexpr layout destroy_srq_in{"destroy_srq_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"srqn",   0x08, 23,  0},
}};
inline constexpr layout destroy_srq_out{"destroy_srq_out", 0x10, status_rows};

inline constexpr layout arm_rq_in{"arm_rq_in", 0x10, {
    {"opcode",     0x00, 31, 16},
    {"uid",        0x00, 15,  0},
    {"op_mod",     0x04, 15,  0},
    {"srq_number", 0x08, 23,  0},
    {"lwm",        0x0c, 15,  0},
}};
inline constexpr layout arm_rq_out{"arm_rq_out", 0x10, status_rows};

inline constexpr layout create_xrc_srq_in{"create_xrc_srq_in", 0x110, {
    {"opcode",                0x000, 31, 16},
    {"uid",                   0x000, 15,  0},
    {"op_mod",                0x004, 15,  0},
    {"xrc_srq_context_entry", 0x010, xrc_srqc},
    {"xrc_srq_umem_offset",   0x050, 63,  0},
    {"xrc_srq_umem_id",       0x058, 31,  0},
    {"xrc_srq_umem_valid",    0x05c, 31, 31},
    {"pas",                   0x110, 63,  0, trailing},
}};

inline constexpr layout create_xrc_srq_out{"create_xrc_srq_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"xrc_srqn", 0x08, 23,  0},
}};

inline constexpr layout query_xrc_srq_in{"query_xrc_srq_in", 0x10, {
    {"opcode",   0x00, 31, 16},
    {"op_mod",   0x04, 15,  0},
    {"xrc_srqn", 0x08, 23,  0},
}};

inline constexpr layout query_xrc_srq_out{"query_xrc_srq_out", 0x110, {
    {"status",                0x000, 31, 24},
    {"syndrome",              0x004, 31,  0},
    {"xrc_srq_context_entry", 0x010, xrc_srqc},
    {"pas",                   0x110, 63,  0, trailing},
}};

inline constexpr layout destroy_xrc_srq_in{"destroy_xrc_srq_in", 0x10, {
    {"opcode",   0x00, 31, 16},
    {"uid",      0x00, 15,  0},
    {"op_mod",   0x04, 15,  0},
    {"xrc_srqn", 0x08, 23,  0},
}};
inline constexpr layout destroy_xrc_srq_out{"destroy_xrc_srq_out", 0x10, status_rows};

inline constexpr layout arm_xrc_srq_in{"arm_xrc_srq_in", 0x10, {
    {"opcode",   0x00, 31, 16},
    {"uid",      0x00, 15,  0},
    {"op_mod",   0x04, 15,  0},
    {"xrc_srqn", 0x08, 23,  0},
    {"lwm",      0x0c, 15,  0},
}};
inline constexpr layout arm_xrc_srq_out{"arm_xrc_srq_out", 0x10, status_rows};

inline constexpr command_group srq_commands{{
    {"CREATE_SRQ",  create,  create_srq_in,  create_srq_out,  "srqn"},
    {"QUERY_SRQ",   query,   query_srq_in,   query_srq_out,   "srqn",
     nonzero{"srq_context_entry.pd"}},
    {"DESTROY_SRQ", destroy, destroy_srq_in, destroy_srq_out, "srqn"},
}};

inline constexpr command_group xrc_srq_commands{{
    {"CREATE_XRC_SRQ",  create,  create_xrc_srq_in,  create_xrc_srq_out,  "xrc_srqn",
     umem_valid{"xrc_srq_umem_valid", "xrc_srq_context_entry.dbr_umem_valid"}},
    {"QUERY_XRC_SRQ",   query,   query_xrc_srq_in,   query_xrc_srq_out,   "xrc_srqn",
     nonzero{"xrc_srq_context_entry.pd"}},
    {"ARM_XRC_SRQ",     modify,  arm_xrc_srq_in,     arm_xrc_srq_out,     "xrc_srqn"},
    {"DESTROY_XRC_SRQ", destroy, destroy_xrc_srq_in, destroy_xrc_srq_out, "xrc_srqn"},
}};
// clang-format on

} // namespace kdevx::prm
