// SPDX-License-Identifier: MIT
// Memory keys, protection signature vectors, page faults, device memory.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
// mkc.access_mode_4_2 : mkc.access_mode_1_0
inline constexpr values mkc_access_modes{"MLX5_MKC_ACCESS_MODE_", {
    {"PA",       0x00},
    {"MTT",      0x01},
    {"KLMS",     0x02},
    {"KSM",      0x03},
    {"SW_ICM",   0x04},
    {"MEMIC",    0x05},
    {"CROSSING", 0x06},
}};

inline constexpr values memic_ops{"MLX5_MODIFY_MEMIC_OP_MOD_", {
    {"ALLOC",   0x00},
    {"DEALLOC", 0x01},
}};

// What an access to the address of an operation does: bits of memic_operations, and modify_memic's
// memic_operation_type.
inline constexpr values memic_operations{"MLX5_DEVICE_MEM_CAP_MEMIC_OPERATIONS_MEMIC_ATOMIC_", {
    {"INCREMENT",    0x00},
    {"TEST_AND_SET", 0x01},
}};

// What an mkey translates to: pages (MTT, by umem or by address) or other mkeys (KLM, KSM).
inline constexpr layout mkc{"mkc", 0x40, {
    {"free",                              0x00, 30, 30},
    {"access_mode_4_2",                   0x00, 28, 26},
    {"relaxed_ordering_write",            0x00, 18, 18},
    {"small_fence_on_rdma_read_response", 0x00, 16, 16},
    {"umr_en",                            0x00, 15, 15},
    {"a",                                 0x00, 14, 14},
    {"rw",                                0x00, 13, 13},
    {"rr",                                0x00, 12, 12},
    {"lw",                                0x00, 11, 11},
    {"lr",                                0x00, 10, 10},
    {"access_mode_1_0",                   0x00,  9,  8},
    {"ma_translation_mode",               0x00,  5,  4},
    {"qpn",                               0x04, 31,  8},
    {"mkey_7_0",                          0x04,  7,  0},
    {"length64",                          0x0c, 31, 31},
    {"bsf_en",                            0x0c, 30, 30},
    {"sync_umr",                          0x0c, 29, 29},
    {"expected_sigerr_count",             0x0c, 26, 26},
    {"en_rinval",                         0x0c, 24, 24},
    {"pd",                                0x0c, 23,  0},
    {"start_addr",                        0x10, 63,  0},
    {"len",                               0x18, 63,  0},
    {"bsf_octword_size",                  0x20, 31,  0},
    {"crossing_target_vhca_id",           0x30, 31, 16},
    {"translations_octword_size",         0x34, 31,  0},
    {"relaxed_ordering_read",             0x38,  6,  6},
    {"log_page_size",                     0x38,  5,  0},
    {"pcie_tph_en",                       0x3c, 26, 26},
    {"pcie_tph_ph",                       0x3c, 25, 24},
    {"pcie_tph_steering_tag_index",       0x3c, 23, 16},
}};

inline constexpr layout create_mkey_in{"create_mkey_in", 0x110, {
    {"opcode",                           0x000, 31, 16},
    {"uid",                              0x000, 15,  0},
    {"op_mod",                           0x004, 15,  0},
    {"pg_access",                        0x00c, 31, 31},
    {"mkey_umem_valid",                  0x00c, 30, 30},
    {"data_direct",                      0x00c, 29, 29},
    {"memory_key_mkey_entry",            0x010, mkc},
    {"translations_octword_actual_size", 0x060, 31,  0},
    {"mkey_umem_id",                     0x064, 31,  0},
    {"mkey_umem_offset",                 0x068, 63,  0},
    {"klm_pas_mtt",                      0x110, 31,  0, trailing},
}};

inline constexpr layout create_mkey_out{"create_mkey_out", 0x10, {
    {"status",     0x00, 31, 24},
    {"syndrome",   0x04, 31,  0},
    {"mkey_index", 0x08, 23,  0},
}};

inline constexpr layout query_mkey_in{"query_mkey_in", 0x10, {
    {"opcode",     0x00, 31, 16},
    {"op_mod",     0x04, 15,  0},
    {"mkey_index", 0x08, 23,  0},
    {"pg_access",  0x0c, 31, 31},
}};

inline constexpr layout query_mkey_out{"query_mkey_out", 0x130, {
    {"status",                0x000, 31, 24},
    {"syndrome",              0x004, 31,  0},
    {"memory_key_mkey_entry", 0x010, mkc},
    {"bsf0_klm0_pas_mtt0_1",  0x110, bytes{0x10}},
    {"bsf1_klm1_pas_mtt2_3",  0x120, bytes{0x10}},
}};

inline constexpr layout destroy_mkey_in{"destroy_mkey_in", 0x10, {
    {"opcode",     0x00, 31, 16},
    {"uid",        0x00, 15,  0},
    {"op_mod",     0x04, 15,  0},
    {"mkey_index", 0x08, 23,  0},
}};
inline constexpr layout destroy_mkey_out{"destroy_mkey_out", 0x10, status_rows};

// Protection signature vectors, up to four at once; DEVX allows one.
inline constexpr layout create_psv_in{"create_psv_in", 0x10, {
    {"opcode",  0x00, 31, 16},
    {"op_mod",  0x04, 15,  0},
    {"num_psv", 0x08, 31, 28},
    {"pd",      0x08, 23,  0},
}};

inline constexpr layout create_psv_out{"create_psv_out", 0x20, {
    {"status",     0x00, 31, 24},
    {"syndrome",   0x04, 31,  0},
    {"psv0_index", 0x10, 23,  0},
    {"psv1_index", 0x14, 23,  0},
    {"psv2_index", 0x18, 23,  0},
    {"psv3_index", 0x1c, 23,  0},
}};

inline constexpr layout destroy_psv_in{"destroy_psv_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"psvn",   0x08, 23,  0},
}};
inline constexpr layout destroy_psv_out{"destroy_psv_out", 0x10, status_rows};

// Faults of on-demand paging, by transport or by memory.
inline constexpr layout trans_page_fault_info{"trans_page_fault_info", 0x08, {
    {"error",           0x00, 31, 31},
    {"page_fault_type", 0x00, 26, 24},
    {"wq_number",       0x00, 23,  0},
    {"fault_token",     0x04, 23,  0},
}};

inline constexpr layout mem_page_fault_info{"mem_page_fault_info", 0x08, {
    {"error",             0x00, 31, 31},
    {"fault_token_47_32", 0x00, 15,  0},
    {"fault_token_31_0",  0x04, 31,  0},
}};

inline constexpr layout page_fault_resume_in{"page_fault_resume_in", 0x10, {
    {"opcode",          0x00, 31, 16},
    {"op_mod",          0x04, 15,  0},
    {"page_fault_info", 0x08, bytes{0x8}},
}};
inline constexpr layout page_fault_resume_out{"page_fault_resume_out", 0x10, status_rows};

// Memory on the device.
inline constexpr layout alloc_memic_in{"alloc_memic_in", 0x20, {
    {"opcode",                   0x00, 31, 16},
    {"op_mod",                   0x04, 15,  0},
    {"log_memic_addr_alignment", 0x0c,  7,  0},
    {"range_start_addr",         0x10, 63,  0},
    {"range_size",               0x18, 31,  0},
    {"memic_size",               0x1c, 31,  0},
}};

inline constexpr layout alloc_memic_out{"alloc_memic_out", 0x10, {
    {"status",           0x00, 31, 24},
    {"syndrome",         0x04, 31,  0},
    {"memic_start_addr", 0x08, 63,  0},
}};

inline constexpr layout modify_memic_in{"modify_memic_in", 0x40, {
    {"opcode",               0x00, 31, 16},
    {"uid",                  0x00, 15,  0},
    {"op_mod",               0x04, 15,  0},
    {"memic_operation_type", 0x0c,  7,  0},
    {"memic_start_addr",     0x10, 63,  0},
}};

inline constexpr layout modify_memic_out{"modify_memic_out", 0x40, {
    {"status",               0x00, 31, 24},
    {"syndrome",             0x04, 31,  0},
    {"memic_operation_addr", 0x10, 63,  0},
}};

inline constexpr layout dealloc_memic_in{"dealloc_memic_in", 0x20, {
    {"opcode",           0x00, 31, 16},
    {"op_mod",           0x04, 15,  0},
    {"memic_start_addr", 0x10, 63,  0},
    {"memic_size",       0x18, 31,  0},
}};
inline constexpr layout dealloc_memic_out{"dealloc_memic_out", 0x10, status_rows};

inline constexpr command_group mkey_commands{{
    {"CREATE_MKEY",  create,  create_mkey_in,  create_mkey_out,  "mkey_index",
     umem_valid{"mkey_umem_valid"}},
    {"QUERY_MKEY",   query,   query_mkey_in,   query_mkey_out,   "mkey_index",
     nonzero{"memory_key_mkey_entry.pd"}},
    {"DESTROY_MKEY", destroy, destroy_mkey_in, destroy_mkey_out, "mkey_index"},
}};

inline constexpr command_group psv_commands{{
    {"CREATE_PSV",  create,  create_psv_in,  create_psv_out,  "psv0_index"},
    {"DESTROY_PSV", destroy, destroy_psv_in, destroy_psv_out, "psvn"},
}};

inline constexpr command_group memory_commands{kernel_only, {
    {"PAGE_FAULT_RESUME", general, page_fault_resume_in, page_fault_resume_out},
    {"ALLOC_MEMIC",       general, alloc_memic_in,       alloc_memic_out},
    {"MODIFY_MEMIC",      general, modify_memic_in,      modify_memic_out},
    {"DEALLOC_MEMIC",     general, dealloc_memic_in,     dealloc_memic_out},
}};
// clang-format on

} // namespace kdevx::prm
