// SPDX-License-Identifier: MIT
// Capability page GENERAL_DEVICE_2.
#pragma once

#include "kdevx/prm/layout.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr layout cmd_hca_cap_2{"cmd_hca_cap_2", 0x100, {
    {"migratable",                                  0x10, 31, 31},
    {"dp_ordering_force",                           0x10, 23, 23},
    {"query_vuid",                                  0x10, 13, 13},
    {"log_reserved_qpn_granularity",                0x10, 12,  8},
    {"umr_log_entity_size_5",                       0x10,  7,  7},
    {"max_reformat_insert_size",                    0x14, 31, 24},
    {"max_reformat_insert_offset",                  0x14, 23, 16},
    {"max_reformat_remove_size",                    0x14, 15,  8},
    {"max_reformat_remove_offset",                  0x14,  7,  0},
    {"migration_multi_load",                        0x18, 23, 23},
    {"migration_tracking_state",                    0x18, 22, 22},
    {"multiplane_qp_ud",                            0x18, 21, 21},
    {"migration_in_chunks",                         0x18, 15, 15},
    {"sf_eq_usage",                                 0x18, 13, 13},
    {"multiplane",                                  0x18,  7,  7},
    {"migration_state",                             0x18,  6,  6},
    {"cross_vhca_object_to_object_supported",       0x1c, 31,  0},
    {"allowed_object_for_other_vhca_access",        0x20, 63,  0},
    {"flow_table_type_2_type",                      0x34, 31, 24},
    {"format_select_dw_8_6_ext",                    0x34, 21, 21},
    {"log_min_mkey_entity_size",                    0x34, 20, 16},
    {"general_obj_types_127_64",                    0x38, 63,  0},
    {"sw_vhca_id_valid",                            0x44, 30, 30},
    {"sw_vhca_id",                                  0x44, 29, 16},
    {"ts_cqe_metadata_size2wqe_counter",            0x48, 20, 16},
    {"format_select_dw_gtpu_dw_0",                  0x50, 31, 24},
    {"format_select_dw_gtpu_dw_1",                  0x50, 23, 16},
    {"format_select_dw_gtpu_dw_2",                  0x50, 15,  8},
    {"format_select_dw_gtpu_first_ext_dw_0",        0x50,  7,  0},
    {"generate_wqe_type",                           0x54, 31,  0},
    {"min_mkey_log_entity_size_fixed_buffer",       0x70, 20, 16},
    {"ec_vf_vport_base",                            0x70, 15,  0},
    {"max_mkey_log_entity_size_fixed_buffer",       0x74, 29, 24},
    {"max_mkey_log_entity_size_mtt",                0x74, 21, 16},
    {"max_rqt_vhca_id",                             0x74, 15,  0},
    {"pcc_ifa2",                                    0x7c, 15, 15},
    {"min_mkey_log_entity_size_fixed_buffer_valid", 0x80, 30, 30},
    {"return_reg_id",                               0x80, 15,  0},
    {"flow_table_hash_type",                        0x84,  3,  0},
    {"max_num_eqs_24b",                             0x88, 23,  0},
    {"load_balance_id",                             0xb4, 27, 24},
    {"query_adjacent_functions_id",                 0xb8, 31, 31},
    {"ingress_egress_esw_vport_connect",            0xb8, 30, 30},
    {"function_id_type_vhca_id",                    0xb8, 29, 29},
    {"lag_per_mp_group",                            0xb8, 27, 27},
    {"delegate_vhca_management_profiles",           0xb8, 15,  0},
    {"delegated_vhca_max",                          0xbc, 31, 16},
    {"delegate_vhca_max",                           0xbc, 15,  0},
}};

// clang-format on

} // namespace kdevx::prm
