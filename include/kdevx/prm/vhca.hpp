// SPDX-License-Identifier: MIT
// Virtual functions moved from one host to another.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values suspend_vhca_ops{"MLX5_SUSPEND_VHCA_IN_OP_MOD_", {
    {"SUSPEND_INITIATOR", 0x00},
    {"SUSPEND_RESPONDER", 0x01},
}};

inline constexpr values resume_vhca_ops{"MLX5_RESUME_VHCA_IN_OP_MOD_", {
    {"RESUME_RESPONDER", 0x00},
    {"RESUME_INITIATOR", 0x01},
}};

inline constexpr values vhca_states{"MLX5_VHCA_STATE_", {
    {"INVALID",          0x00},
    {"ALLOCATED",        0x01},
    {"ACTIVE",           0x02},
    {"IN_USE",           0x03},
    {"TEARDOWN_REQUEST", 0x04},
}};

// A function stops, its state is saved, loaded elsewhere, and goes on.
inline constexpr layout suspend_vhca_in{"suspend_vhca_in", 0x10, {
    {"opcode",  0x00, 31, 16},
    {"uid",     0x00, 15,  0},
    {"op_mod",  0x04, 15,  0},
    {"vhca_id", 0x08, 15,  0},
}};
inline constexpr layout suspend_vhca_out{"suspend_vhca_out", 0x10, status_rows};

inline constexpr layout resume_vhca_in{"resume_vhca_in", 0x10, {
    {"opcode",  0x00, 31, 16},
    {"uid",     0x00, 15,  0},
    {"op_mod",  0x04, 15,  0},
    {"vhca_id", 0x08, 15,  0},
}};
inline constexpr layout resume_vhca_out{"resume_vhca_out", 0x10, status_rows};

inline constexpr layout query_vhca_migration_state_in{"query_vhca_migration_state_in", 0x10, {
    {"opcode",      0x00, 31, 16},
    {"uid",         0x00, 15,  0},
    {"op_mod",      0x04, 15,  0},
    {"incremental", 0x08, 31, 31},
    {"chunk",       0x08, 30, 30},
    {"vhca_id",     0x08, 15,  0},
}};

inline constexpr layout query_vhca_migration_state_out{"query_vhca_migration_state_out", 0x40, {
    {"status",               0x00, 31, 24},
    {"syndrome",             0x04, 31,  0},
    {"migration_state",      0x0c, 31, 28},
    {"required_umem_size",   0x10, 31,  0},
    {"remaining_total_size", 0x18, 63,  0},
}};

inline constexpr layout save_vhca_state_in{"save_vhca_state_in", 0x20, {
    {"opcode",      0x00, 31, 16},
    {"uid",         0x00, 15,  0},
    {"op_mod",      0x04, 15,  0},
    {"incremental", 0x08, 31, 31},
    {"set_track",   0x08, 30, 30},
    {"vhca_id",     0x08, 15,  0},
    {"va",          0x10, 63,  0},
    {"mkey",        0x18, 31,  0},
    {"size",        0x1c, 31,  0},
}};

inline constexpr layout save_vhca_state_out{"save_vhca_state_out", 0x10, {
    {"status",                  0x00, 31, 24},
    {"syndrome",                0x04, 31,  0},
    {"actual_image_size",       0x08, 31,  0},
    {"next_required_umem_size", 0x0c, 31,  0},
}};

inline constexpr layout load_vhca_state_in{"load_vhca_state_in", 0x20, {
    {"opcode",  0x00, 31, 16},
    {"uid",     0x00, 15,  0},
    {"op_mod",  0x04, 15,  0},
    {"vhca_id", 0x08, 15,  0},
    {"va",      0x10, 63,  0},
    {"mkey",    0x18, 31,  0},
    {"size",    0x1c, 31,  0},
}};
inline constexpr layout load_vhca_state_out{"load_vhca_state_out", 0x10, status_rows};

inline constexpr layout function_vhca_rid_info_reg{"function_vhca_rid_info_reg", 0x10, {
    {"host_number",                0x00, 31, 24},
    {"host_pci_device_function",   0x00, 23, 16},
    {"host_pci_bus",               0x00, 15,  8},
    {"pci_bus_assigned",           0x00,  4,  4},
    {"function_type",              0x00,  3,  0},
    {"parent_pci_device_function", 0x04, 31, 24},
    {"parent_pci_bus",             0x04, 23, 16},
    {"vhca_id",                    0x04, 15,  0},
    {"function_id",                0x08, 15,  0},
}};

inline constexpr layout delegated_function_vhca_rid_info{"delegated_function_vhca_rid_info", 0x20, {
    {"function_vhca_rid_info", 0x00, function_vhca_rid_info_reg},
    {"manage_profile",         0x10,  7,  0},
}};

inline constexpr layout query_delegated_vhca_in{"query_delegated_vhca_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
}};

inline constexpr layout query_delegated_vhca_out{"query_delegated_vhca_out", 0x20, {
    {"status",                           0x00, 31, 24},
    {"syndrome",                         0x04, 31,  0},
    {"functions_count",                  0x0c, 15,  0},
    {"delegated_function_vhca_rid_info", 0x20, delegated_function_vhca_rid_info, trailing},
}};

inline constexpr command_group vhca_commands{kernel_only, {
    {"SUSPEND_VHCA",               general, suspend_vhca_in,               suspend_vhca_out},
    {"RESUME_VHCA",                general, resume_vhca_in,                resume_vhca_out},
    {"QUERY_VHCA_MIGRATION_STATE", general, query_vhca_migration_state_in,
     query_vhca_migration_state_out},
    {"SAVE_VHCA_STATE",            general, save_vhca_state_in,            save_vhca_state_out},
    {"LOAD_VHCA_STATE",            general, load_vhca_state_in,            load_vhca_state_out},
    {"QUERY_DELEGATED_VHCA",       general, query_delegated_vhca_in,
     query_delegated_vhca_out},
}};
// clang-format on

} // namespace kdevx::prm
