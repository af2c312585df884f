// SPDX-License-Identifier: MIT
// Bring-up of the device and what is asked of it as a whole.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/cmdif.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values query_pages_ops{"MLX5_QUERY_PAGES_IN_OP_MOD_", {
    {"BOOT_PAGES",    0x01},
    {"INIT_PAGES",    0x02},
    {"REGULAR_PAGES", 0x03},
}};

inline constexpr values manage_pages_ops{"MLX5_MANAGE_PAGES_IN_OP_MOD_", {
    {"ALLOCATION_FAIL",    0x00},
    {"ALLOCATION_SUCCESS", 0x01},
    {"HCA_RETURN_PAGES",   0x02},
}};

inline constexpr values teardown_profiles{"MLX5_TEARDOWN_HCA_IN_PROFILE_", {
    {"GRACEFUL_CLOSE",        0x00},
    {"FORCE_CLOSE",           0x01},
    {"PREPARE_FAST_TEARDOWN", 0x02},
}};

inline constexpr layout enable_hca_in{"enable_hca_in", 0x10, {
    {"opcode",                0x00, 31, 16},
    {"op_mod",                0x04, 15,  0},
    {"embedded_cpu_function", 0x08, 31, 31},
    {"function_id_type",      0x08, 28, 28},
    {"function_id",           0x08, 15,  0},
}};

inline constexpr layout enable_hca_out{"enable_hca_out", 0x0c, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
}};

inline constexpr layout disable_hca_in{"disable_hca_in", 0x10, {
    {"opcode",                0x00, 31, 16},
    {"op_mod",                0x04, 15,  0},
    {"embedded_cpu_function", 0x08, 31, 31},
    {"function_id_type",      0x08, 28, 28},
    {"function_id",           0x08, 15,  0},
}};

inline constexpr layout disable_hca_out{"disable_hca_out", 0x0c, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
}};

// After the pages that QUERY_PAGES asked for have been given.
inline constexpr layout init_hca_in{"init_hca_in", 0x20, {
    {"opcode",      0x00, 31, 16},
    {"op_mod",      0x04, 15,  0},
    {"sw_vhca_id",  0x0c, 29, 16},
    {"sw_owner_id", 0x10, 31,  0, array{4}},
}};
inline constexpr layout init_hca_out{"init_hca_out", 0x10, status_rows};

// The counterpart of INIT_HCA.
inline constexpr layout teardown_hca_in{"teardown_hca_in", 0x10, {
    {"opcode",  0x00, 31, 16},
    {"op_mod",  0x04, 15,  0},
    {"profile", 0x08, 15,  0},
}};

inline constexpr layout teardown_hca_out{"teardown_hca_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"state",    0x0c,  0,  0},
}};

// Interface step sequence id: 0 is the first interface, 1 what every driver of today sets.
inline constexpr layout query_issi_in{"query_issi_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
}};

inline constexpr layout query_issi_out{"query_issi_out", 0x70, {
    {"status",             0x00, 31, 24},
    {"syndrome",           0x04, 31,  0},
    {"current_issi",       0x08, 15,  0},
    {"supported_issi_dw0", 0x6c, 31,  0},
}};

inline constexpr layout set_issi_in{"set_issi_in", 0x10, {
    {"opcode",       0x00, 31, 16},
    {"op_mod",       0x04, 15,  0},
    {"current_issi", 0x08, 15,  0},
}};
inline constexpr layout set_issi_out{"set_issi_out", 0x10, status_rows};

// How many pages of the host the firmware wants, and giving or taking them.
inline constexpr layout query_pages_in{"query_pages_in", 0x10, {
    {"opcode",                0x00, 31, 16},
    {"op_mod",                0x04, 15,  0},
    {"embedded_cpu_function", 0x08, 31, 31},
    {"function_id",           0x08, 15,  0},
}};

inline constexpr layout query_pages_out{"query_pages_out", 0x10, {
    {"status",                0x00, 31, 24},
    {"syndrome",              0x04, 31,  0},
    {"embedded_cpu_function", 0x08, 31, 31},
    {"function_id",           0x08, 15,  0},
    {"num_pages",             0x0c, 31,  0},
}};

inline constexpr layout manage_pages_in{"manage_pages_in", 0x10, {
    {"opcode",                0x00, 31, 16},
    {"op_mod",                0x04, 15,  0},
    {"embedded_cpu_function", 0x08, 31, 31},
    {"function_id",           0x08, 15,  0},
    {"input_num_entries",     0x0c, 31,  0},
    {"pas",                   0x10, 63,  0, trailing},
}};

inline constexpr layout manage_pages_out{"manage_pages_out", 0x10, {
    {"status",             0x00, 31, 24},
    {"syndrome",           0x04, 31,  0},
    {"output_num_entries", 0x08, 31,  0},
    {"pas",                0x10, 63,  0, trailing},
}};

// `capability` is one of the pages of caps.hpp; op_mod chooses (cap_op_mod).
inline constexpr layout query_hca_cap_in{"query_hca_cap_in", 0x10, {
    {"opcode",           0x00, 31, 16},
    {"op_mod",           0x04, 15,  0},
    {"other_function",   0x08, 31, 31},
    {"ec_vf_function",   0x08, 30, 30},
    {"function_id_type", 0x08, 28, 28},
    {"function_id",      0x08, 15,  0},
}};

inline constexpr layout query_hca_cap_out{"query_hca_cap_out", 0x1010, {
    {"status",     0x00, 31, 24},
    {"syndrome",   0x04, 31,  0},
    {"capability", 0x10, bytes{0x1000}},
}};

inline constexpr layout set_hca_cap_in{"set_hca_cap_in", 0x1010, {
    {"opcode",           0x00, 31, 16},
    {"op_mod",           0x04, 15,  0},
    {"other_function",   0x08, 31, 31},
    {"ec_vf_function",   0x08, 30, 30},
    {"function_id_type", 0x08, 28, 28},
    {"function_id",      0x08, 15,  0},
    {"capability",       0x10, bytes{0x1000}},
}};
inline constexpr layout set_hca_cap_out{"set_hca_cap_out", 0x10, status_rows};

inline constexpr layout other_hca_cap{"other_hca_cap", 0x50, {
    {"roce", 0x00, 31, 31},
}};

inline constexpr layout query_other_hca_cap_in{"query_other_hca_cap_in", 0x10, {
    {"opcode",      0x00, 31, 16},
    {"op_mod",      0x04, 15,  0},
    {"function_id", 0x08, 15,  0},
}};

inline constexpr layout query_other_hca_cap_out{"query_other_hca_cap_out", 0x60, {
    {"status",           0x00, 31, 24},
    {"syndrome",         0x04, 31,  0},
    {"other_capability", 0x10, other_hca_cap},
}};

inline constexpr layout modify_other_hca_cap_in{"modify_other_hca_cap_in", 0x60, {
    {"opcode",           0x00, 31, 16},
    {"op_mod",           0x04, 15,  0},
    {"function_id",      0x08, 15,  0},
    {"field_select",     0x0c, 31,  0},
    {"other_capability", 0x10, other_hca_cap},
}};
inline constexpr layout modify_other_hca_cap_out{"modify_other_hca_cap_out", 0x10, status_rows};

// What board this is.
inline constexpr layout query_adapter_param_block{"query_adapter_param_block", 0x100, {
    {"ieee_vendor_id", 0x18, 23,  0},
    {"vsd_vendor_id",  0x1c, 15,  0},
    {"vsd",            0x20, bytes{0xd0}},
    {"vsd_contd_psid", 0xf0, bytes{0x10}},
}};

inline constexpr layout query_adapter_in{"query_adapter_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
}};

inline constexpr layout query_adapter_out{"query_adapter_out", 0x110, {
    {"status",               0x00, 31, 24},
    {"syndrome",             0x04, 31,  0},
    {"query_adapter_struct", 0x10, query_adapter_param_block},
}};

// Keys that stand for something special: null mkey, dump-fill mkey, reserved lkey.
inline constexpr layout query_special_contexts_in{"query_special_contexts_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
}};

inline constexpr layout query_special_contexts_out{"query_special_contexts_out", 0x20, {
    {"status",                      0x00, 31, 24},
    {"syndrome",                    0x04, 31,  0},
    {"dump_fill_mkey",              0x08, 31,  0},
    {"resd_lkey",                   0x0c, 31,  0},
    {"null_mkey",                   0x10, 31,  0},
    {"terminate_scatter_list_mkey", 0x14, 31,  0},
    {"repeated_mkey",               0x18, 31,  0},
}};

inline constexpr layout set_driver_version_in{"set_driver_version_in", 0x50, {
    {"opcode",         0x00, 31, 16},
    {"op_mod",         0x04, 15,  0},
    {"driver_version", 0x10, bytes{0x40}},
}};
inline constexpr layout set_driver_version_out{"set_driver_version_out", 0x10, status_rows};

inline constexpr layout nop_in{"nop_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
}};
inline constexpr layout nop_out{"nop_out", 0x10, status_rows};

inline constexpr layout array1024_auto{"array1024_auto", 0x80, {
    {"array1024_auto", 0x00, 31,  0, array{32}},
}};

inline constexpr layout query_vuid_in{"query_vuid_in", 0x10, {
    {"opcode",         0x00, 31, 16},
    {"uid",            0x00, 15,  0},
    {"query_vfs_vuid", 0x0c, 31, 31},
    {"data_direct",    0x0c, 30, 30},
    {"vhca_id",        0x0c, 15,  0},
}};

inline constexpr layout query_vuid_out{"query_vuid_out", 0x40, {
    {"status",         0x00, 31, 24},
    {"syndrome",       0x04, 31,  0},
    {"num_of_entries", 0x3c, 15,  0},
    {"vuid",           0x40, array1024_auto, trailing},
}};

// The functions of the embedded switch, and subfunctions.
inline constexpr layout host_params_context{"host_params_context", 0x40, {
    {"host_number",       0x00, 31, 24},
    {"host_pf_not_exist", 0x00, 18, 18},
    {"host_pf_disabled",  0x00, 16, 16},
    {"host_num_of_vfs",   0x00, 15,  0},
    {"host_total_vfs",    0x04, 31, 16},
    {"host_pci_bus",      0x04, 15,  0},
    {"host_pci_device",   0x08, 15,  0},
    {"host_pci_function", 0x0c, 15,  0},
}};

inline constexpr layout network_function_params{"network_function_params", 0x40, {
    {"host_number",         0x00, 31, 24},
    {"pci_pf_type",         0x00, 23, 20},
    {"pci_num_vfs",         0x00, 15,  0},
    {"pci_total_vfs",       0x04, 31, 16},
    {"pci_bus",             0x04, 15,  8},
    {"pci_device_function", 0x04,  7,  0},
    {"vhca_id",             0x08, 31, 16},
    {"vhca_state",          0x08, 15, 12},
    {"esw_vport_manual",    0x0c, 21, 21},
    {"pci_bus_assigned",    0x0c, 20, 20},
    {"pci_vf_info_valid",   0x0c, 19, 19},
    {"pci_vf_stride",       0x10, 31, 16},
    {"pci_first_vf_offset", 0x10, 15,  0},
}};

inline constexpr layout query_esw_functions_in{"query_esw_functions_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
}};

// 7.x, by op_mod: as many network_function_params from 0x10 on as net_function_num says.
inline constexpr layout query_esw_functions_out{"query_esw_functions_out", 0x80, {
    {"status",              0x00, 31, 24},
    {"syndrome",            0x04, 31,  0},
    {"net_function_num",    0x0c, 31, 24},
    {"host_params_context", 0x10, host_params_context},
}};

inline constexpr layout alloc_sf_in{"alloc_sf_in", 0x10, {
    {"opcode",      0x00, 31, 16},
    {"op_mod",      0x04, 15,  0},
    {"function_id", 0x08, 15,  0},
}};
inline constexpr layout alloc_sf_out{"alloc_sf_out", 0x10, status_rows};

inline constexpr layout dealloc_sf_in{"dealloc_sf_in", 0x10, {
    {"opcode",      0x00, 31, 16},
    {"op_mod",      0x04, 15,  0},
    {"function_id", 0x08, 15,  0},
}};
inline constexpr layout dealloc_sf_out{"dealloc_sf_out", 0x10, status_rows};

inline constexpr layout sf_partition{"sf_partition", 0x04, {
    {"log_num_sf",      0x00, 15,  8},
    {"log_sf_bar_size", 0x00,  7,  0},
}};

inline constexpr layout query_sf_partitions_in{"query_sf_partitions_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
}};

inline constexpr layout query_sf_partitions_out{"query_sf_partitions_out", 0x10, {
    {"status",            0x00, 31, 24},
    {"syndrome",          0x04, 31,  0},
    {"num_sf_partitions", 0x08,  7,  0},
    {"sf_partition",      0x10, sf_partition, trailing},
}};

inline constexpr layout config_int_moderation_in{"config_int_moderation_in", 0x10, {
    {"opcode",     0x00, 31, 16},
    {"op_mod",     0x04, 15,  0},
    {"min_delay",  0x08, 27, 16},
    {"int_vector", 0x08, 15,  0},
}};

inline constexpr layout config_int_moderation_out{"config_int_moderation_out", 0x10, {
    {"status",     0x00, 31, 24},
    {"syndrome",   0x04, 31,  0},
    {"min_delay",  0x08, 27, 16},
    {"int_vector", 0x08, 15,  0},
}};

inline constexpr command_group bring_up_commands{kernel_only, {
    {"ENABLE_HCA",             general, enable_hca_in,             enable_hca_out},
    {"DISABLE_HCA",            general, disable_hca_in,            disable_hca_out},
    {"INIT_HCA",               general, init_hca_in,               init_hca_out},
    {"TEARDOWN_HCA",           general, teardown_hca_in,           teardown_hca_out},
    {"SET_ISSI",               general, set_issi_in,               set_issi_out},
    {"QUERY_PAGES",            general, query_pages_in,            query_pages_out},
    {"MANAGE_PAGES",           general, manage_pages_in,           manage_pages_out},
    {"SET_HCA_CAP",            general, set_hca_cap_in,            set_hca_cap_out},
    {"SET_DRIVER_VERSION",     general, set_driver_version_in,     set_driver_version_out},
    {"QUERY_SPECIAL_CONTEXTS", general, query_special_contexts_in, query_special_contexts_out},
    {"CONFIG_INT_MODERATION",  general, config_int_moderation_in,  config_int_moderation_out},
    {"ALLOC_SF",               general, alloc_sf_in,               alloc_sf_out},
    {"DEALLOC_SF",             general, dealloc_sf_in,             dealloc_sf_out},
    {"QUERY_SF_PARTITION",     general, query_sf_partitions_in,    query_sf_partitions_out},
}};

inline constexpr command_group hca_commands{{
    {"QUERY_HCA_CAP",       general, query_hca_cap_in,       query_hca_cap_out},
    {"QUERY_ADAPTER",       general, query_adapter_in,       query_adapter_out},
    {"QUERY_ISSI",          general, query_issi_in,          query_issi_out},
    {"QUERY_ESW_FUNCTIONS", general, query_esw_functions_in, query_esw_functions_out},
    {"QUERY_VUID",          general, query_vuid_in,          query_vuid_out},
    {"NOP",                 general, nop_in,                 nop_out},
}};
// clang-format on

} // namespace kdevx::prm
