// SPDX-License-Identifier: MIT
// User contexts and what belongs to them: memory and doorbell pages.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
// Bits of uctx.cap
inline constexpr values uctx_caps{"MLX5_UCTX_CAP_", {
    {"RAW_TX",               0x01},
    {"INTERNAL_DEV_RES",     0x02},
    {"RDMA_CTRL",            0x08},
    {"RDMA_CTRL_OTHER_VHCA", 0x10},
}};

// Bits of an mtt's low end
inline constexpr values mtt_permissions{"MLX5_MTT_PERM_", {
    {"READ",  0x01},
    {"WRITE", 0x02},
}};

// A user context: its number is the uid in every later inbox, and what it creates is its own.
inline constexpr layout uctx{"uctx", 0x30, {
    {"cap", 0x00, 31,  0},
}};

inline constexpr layout create_uctx_in{"create_uctx_in", 0x40, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"uctx",   0x10, uctx},
}};

inline constexpr layout create_uctx_out{"create_uctx_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"uid",      0x08, 15,  0},
}};

inline constexpr layout destroy_uctx_in{"destroy_uctx_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"uid",    0x08, 15,  0},
}};
inline constexpr layout destroy_uctx_out{"destroy_uctx_out", 0x10, status_rows};

// A page address with its permissions; a umem is followed by num_of_mtt of them.
inline constexpr layout mtt{"mtt", 0x08, {
    {"ptag_63_32", 0x00, 31,  0},
    {"ptag_31_8",  0x04, 31,  8},
    {"wr_en",      0x04,  1,  1},
    {"rd_en",      0x04,  0,  0},
}};

inline constexpr layout umem{"umem", 0x20, {
    {"ats",           0x10, 31, 31},
    {"log_page_size", 0x10,  4,  0},
    {"page_offset",   0x14, 31,  0},
    {"num_of_mtt",    0x18, 63,  0},
    {"mtt",           0x20, mtt, trailing},
}};

inline constexpr layout create_umem_in{"create_umem_in", 0x30, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"umem",   0x10, umem},
}};

inline constexpr layout create_umem_out{"create_umem_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"umem_id",  0x08, 23,  0},
}};

inline constexpr layout destroy_umem_in{"destroy_umem_in", 0x10, {
    {"opcode",  0x00, 31, 16},
    {"uid",     0x00, 15,  0},
    {"op_mod",  0x04, 15,  0},
    {"umem_id", 0x08, 23,  0},
}};
inline constexpr layout destroy_umem_out{"destroy_umem_out", 0x10, status_rows};

// A page of doorbells in the BAR.
inline constexpr layout alloc_uar_in{"alloc_uar_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
}};

inline constexpr layout alloc_uar_out{"alloc_uar_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"uar",      0x08, 23,  0},
}};

inline constexpr layout dealloc_uar_in{"dealloc_uar_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"uar",    0x08, 23,  0},
}};
inline constexpr layout dealloc_uar_out{"dealloc_uar_out", 0x10, status_rows};

inline constexpr command_group uctx_commands{kernel_only, {
    {"CREATE_UCTX",  create,  create_uctx_in,  create_uctx_out,  "uid"},
    {"DESTROY_UCTX", destroy, destroy_uctx_in, destroy_uctx_out, "uid"},
}};

inline constexpr command_group umem_commands{kernel_only, {
    {"CREATE_UMEM",  create,  create_umem_in,  create_umem_out,  "umem_id"},
    {"DESTROY_UMEM", destroy, destroy_umem_in, destroy_umem_out, "umem_id"},
}};

inline constexpr command_group uar_commands{kernel_only, {
    {"ALLOC_UAR",   create,  alloc_uar_in,   alloc_uar_out,   "uar"},
    {"DEALLOC_UAR", destroy, dealloc_uar_in, dealloc_uar_out, "uar"},
}};
// clang-format on

} // namespace kdevx::prm
