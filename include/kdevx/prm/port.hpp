// SPDX-License-Identifier: MIT
// Registers behind ACCESS_REG.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values registers{"MLX5_REG_", {
    {"QPTS",            0x4002},
    {"QETCR",           0x4005},
    {"QTCT",            0x400a},
    {"QPDPM",           0x4013},
    {"QCAM",            0x4019},
    {"DCBX_PARAM",      0x4020},
    {"DCBX_APP",        0x4021},
    {"FPGA_CAP",        0x4022},
    {"FPGA_CTRL",       0x4023},
    {"FPGA_ACCESS_REG", 0x4024},
    {"CORE_DUMP",       0x402e},
    {"PCAP",            0x5001},
    {"PMLP",            0x5002},
    {"PMTU",            0x5003},
    {"PTYS",            0x5004},
    {"PAOS",            0x5006},
    {"PFCC",            0x5007},
    {"PPCNT",           0x5008},
    {"PUDE",            0x5009},
    {"PPTB",            0x500b},
    {"PBMC",            0x500c},
    {"PELC",            0x500e},
    {"PVLC",            0x500f},
    {"PMPE",            0x5010},
    {"PMAOS",           0x5012},
    {"PPLM",            0x5023},
    {"PDDR",            0x5031},
    {"PPHCR",           0x503e},
    {"PCMR",            0x5041},
    {"PCAM",            0x507f},
    {"NODE_DESC",       0x6001},
    {"HOST_ENDIANNESS", 0x7004},
    {"MTCAP",           0x9009},
    {"MTMP",            0x900a},
    {"MCIA",            0x9014},
    {"MNVDA",           0x9024},
    {"MFRL",            0x9028},
    {"MLCR",            0x902b},
    {"MRTC",            0x902d},
    {"MTRC_CAP",        0x9040},
    {"MTRC_CONF",       0x9041},
    {"MTRC_STDB",       0x9042},
    {"MTRC_CTRL",       0x9043},
    {"MPEIN",           0x9050},
    {"MPCNT",           0x9051},
    {"MTPPS",           0x9053},
    {"MTPPSE",          0x9054},
    {"MTUTC",           0x9055},
    {"MPEGC",           0x9056},
    {"MPIR",            0x9059},
    {"MCQS",            0x9060},
    {"MCQI",            0x9061},
    {"MCC",             0x9062},
    {"MCDA",            0x9063},
    {"MCAM",            0x907f},
    {"MSECQ",           0x9155},
    {"MSEES",           0x9156},
    {"MIRC",            0x9162},
    {"MTPTM",           0x9180},
    {"MTCTR",           0x9181},
    {"MRTCQ",           0x9182},
    {"SBPR",            0xb001},
    {"SBCM",            0xb002},
    {"SBCAM",           0xb01f},
    {"RESOURCE_DUMP",   0xc000},
    {"NIC_CAP",         0xc00d},
    {"DTOR",            0xc00e},
    {"VHCA_ICM_CTRL",   0xc010},
}};

inline constexpr values access_register_ops{"MLX5_ACCESS_REGISTER_IN_OP_MOD_", {
    {"WRITE", 0x00},
    {"READ",  0x01},
}};

inline constexpr layout access_register_in{"access_register_in", 0x10, {
    {"opcode",        0x00, 31, 16},
    {"op_mod",        0x04, 15,  0},
    {"register_id",   0x08, 15,  0},
    {"argument",      0x0c, 31,  0},
    {"register_data", 0x10, 31,  0, trailing},
}};

inline constexpr layout access_register_out{"access_register_out", 0x10, {
    {"status",        0x00, 31, 24},
    {"syndrome",      0x04, 31,  0},
    {"register_data", 0x10, 31,  0, trailing},
}};

// Port type and speed.
inline constexpr layout ptys_reg{"ptys_reg", 0x40, {
    {"an_disable_admin",         0x00, 30, 30},
    {"an_disable_cap",           0x00, 29, 29},
    {"local_port",               0x00, 23, 16},
    {"plane_ind",                0x00,  7,  4},
    {"proto_mask",               0x00,  2,  0},
    {"an_status",                0x04, 31, 28},
    {"data_rate_oper",           0x04, 15,  0},
    {"ext_eth_proto_capability", 0x08, 31,  0},
    {"eth_proto_capability",     0x0c, 31,  0},
    {"ib_link_width_capability", 0x10, 31, 16},
    {"ib_proto_capability",      0x10, 15,  0},
    {"ext_eth_proto_admin",      0x14, 31,  0},
    {"eth_proto_admin",          0x18, 31,  0},
    {"ib_link_width_admin",      0x1c, 31, 16},
    {"ib_proto_admin",           0x1c, 15,  0},
    {"ext_eth_proto_oper",       0x20, 31,  0},
    {"eth_proto_oper",           0x24, 31,  0},
    {"ib_link_width_oper",       0x28, 31, 16},
    {"ib_proto_oper",            0x28, 15,  0},
    {"lane_rate_oper",           0x2c, 23,  4},
    {"connector_type",           0x2c,  3,  0},
    {"eth_proto_lp_advertise",   0x30, 31,  0},
}};

// Port MTU.
inline constexpr layout pmtu_reg{"pmtu_reg", 0x10, {
    {"local_port", 0x00, 23, 16},
    {"max_mtu",    0x04, 31, 16},
    {"admin_mtu",  0x08, 31, 16},
    {"oper_mtu",   0x0c, 31, 16},
}};

// Port virtual lanes.
inline constexpr layout pvlc_reg{"pvlc_reg", 0x10, {
    {"local_port",     0x00, 23, 16},
    {"vl_hw_cap",      0x04,  3,  0},
    {"vl_admin",       0x08,  3,  0},
    {"vl_operational", 0x0c,  3,  0},
}};

// Port administrative and operational state.
inline constexpr layout paos_reg{"paos_reg", 0x10, {
    {"swid",         0x00, 31, 24},
    {"local_port",   0x00, 23, 16},
    {"admin_status", 0x00, 11,  8},
    {"oper_status",  0x00,  3,  0},
    {"ase",          0x04, 31, 31},
    {"ee",           0x04, 30, 30},
    {"e",            0x04,  1,  0},
}};

inline constexpr layout lane_2_module_mapping{"lane_2_module_mapping", 0x04, {
    {"rx_lane", 0x00, 27, 24},
    {"tx_lane", 0x00, 19, 16},
    {"module",  0x00,  7,  0},
}};

// Which lanes of which module a port has.
inline constexpr layout pmlp_reg{"pmlp_reg", 0x40, {
    {"rxtx",                 0x00, 31, 31},
    {"local_port",           0x00, 23, 16},
    {"width",                0x00,  7,  0},
    {"lane0_module_mapping", 0x04, 31,  0},
    {"lane1_module_mapping", 0x08, 31,  0},
    {"lane2_module_mapping", 0x0c, 31,  0},
    {"lane3_module_mapping", 0x10, 31,  0},
}};

inline constexpr layout pcap_reg{"pcap_reg", 0x14, {
    {"local_port",           0x00, 23, 16},
    {"port_capability_mask", 0x04, 31,  0, array{4}},
}};

inline constexpr layout pfcc_reg{"pfcc_reg", 0x20, {
    {"buf_ownership",                   0x00, 27, 26},
    {"local_port",                      0x00, 23, 16},
    {"cable_length_mask",               0x00,  5,  5},
    {"ppan_mask_n",                     0x00,  4,  4},
    {"minor_stall_mask",                0x00,  3,  3},
    {"critical_stall_mask",             0x00,  2,  2},
    {"ppan",                            0x04, 31, 28},
    {"prio_mask_tx",                    0x04, 23, 16},
    {"prio_mask_rx",                    0x04,  7,  0},
    {"pptx",                            0x08, 31, 31},
    {"aptx",                            0x08, 30, 30},
    {"pptx_mask_n",                     0x08, 29, 29},
    {"pfctx",                           0x08, 23, 16},
    {"pprx",                            0x0c, 31, 31},
    {"aprx",                            0x0c, 30, 30},
    {"pprx_mask_n",                     0x0c, 29, 29},
    {"pfcrx",                           0x0c, 23, 16},
    {"device_stall_minor_watermark",    0x10, 31, 16},
    {"device_stall_critical_watermark", 0x10, 15,  0},
    {"cable_length",                    0x14,  7,  0},
}};

// Which port registers there are.
inline constexpr layout pcam_regs_5000_to_507f{"pcam_regs_5000_to_507f", 0x10, {
    {"port_access_reg_cap_mask_127_to_96", 0x00, 31,  0},
    {"port_access_reg_cap_mask_95_to_64",  0x04, 31,  0},
    {"port_access_reg_cap_mask_63",        0x08, 31, 31},
    {"pphcr",                              0x08, 30, 30},
    {"port_access_reg_cap_mask_61_to_36",  0x08, 29,  4},
    {"pplm",                               0x08,  3,  3},
    {"port_access_reg_cap_mask_34_to_32",  0x08,  2,  0},
    {"port_access_reg_cap_mask_31_to_13",  0x0c, 31, 13},
    {"pbmc",                               0x0c, 12, 12},
    {"pptb",                               0x0c, 11, 11},
    {"port_access_reg_cap_mask_10_to_09",  0x0c, 10,  9},
    {"ppcnt",                              0x0c,  8,  8},
    {"port_access_reg_cap_mask_07_to_00",  0x0c,  7,  0},
}};

inline constexpr layout pcam_enhanced_features{"pcam_enhanced_features", 0x10, {
    {"ppcnt_recovery_counters",      0x00, 15, 15},
    {"cable_length",                 0x00,  7,  7},
    {"fec_200G_per_lane_in_pplm",    0x00,  2,  2},
    {"fec_100G_per_lane_in_pplm",    0x08, 23, 23},
    {"shp_pbmc_pbsr_support",        0x08, 20, 20},
    {"buffer_ownership",             0x08, 12, 12},
    {"fec_50G_per_lane_in_pplm",     0x0c, 23, 23},
    {"rx_icrc_encapsulated_counter", 0x0c, 18, 18},
    {"ptys_extended_ethernet",       0x0c, 13, 13},
    {"pfcc_mask",                    0x0c,  9,  9},
    {"per_lane_error_counters",      0x0c,  5,  5},
    {"rx_buffer_fullness_counters",  0x0c,  4,  4},
    {"ptys_connector_type",          0x0c,  3,  3},
    {"ppcnt_discard_group",          0x0c,  1,  1},
    {"ppcnt_statistical_group",      0x0c,  0,  0},
}};

inline constexpr layout pcam_reg{"pcam_reg", 0x50, {
    {"feature_group",            0x00, 23, 16},
    {"access_reg_group",         0x00,  7,  0},
    {"port_access_reg_cap_mask", 0x08, bytes{0x10}},
    {"feature_cap_mask",         0x28, bytes{0x10}},
}};

// Which management registers there are, four groups of them.
inline constexpr layout mcam_access_reg{"mcam_access_reg", 0x10, {
    {"mcda",             0x00,  3,  3},
    {"mcc",              0x00,  2,  2},
    {"mcqi",             0x00,  1,  1},
    {"mcqs",             0x00,  0,  0},
    {"regs_95_to_90",    0x04, 31, 26},
    {"mpir",             0x04, 25, 25},
    {"regs_88_to_87",    0x04, 24, 23},
    {"mpegc",            0x04, 22, 22},
    {"mtutc",            0x04, 21, 21},
    {"regs_84_to_68",    0x04, 20,  4},
    {"tracer_registers", 0x04,  3,  0},
    {"regs_63_to_46",    0x08, 31, 14},
    {"mrtc",             0x08, 13, 13},
    {"regs_44_to_41",    0x08, 12,  9},
    {"mfrl",             0x08,  8,  8},
    {"regs_39_to_32",    0x08,  7,  0},
    {"regs_31_to_11",    0x0c, 31, 11},
    {"mtmp",             0x0c, 10, 10},
    {"regs_9_to_0",      0x0c,  9,  0},
}};

inline constexpr layout mcam_access_reg1{"mcam_access_reg1", 0x10, {
    {"regs_127_to_96", 0x00, 31,  0},
    {"regs_95_to_64",  0x04, 31,  0},
    {"regs_63_to_32",  0x08, 31,  0},
    {"regs_31_to_0",   0x0c, 31,  0},
}};

inline constexpr layout mcam_access_reg2{"mcam_access_reg2", 0x10, {
    {"regs_127_to_99",  0x00, 31,  3},
    {"mirc",            0x00,  2,  2},
    {"regs_97_to_96",   0x00,  1,  0},
    {"regs_95_to_87",   0x04, 31, 23},
    {"synce_registers", 0x04, 22, 21},
    {"regs_84_to_64",   0x04, 20,  0},
    {"regs_63_to_32",   0x08, 31,  0},
    {"regs_31_to_0",    0x0c, 31,  0},
}};

inline constexpr layout mcam_access_reg3{"mcam_access_reg3", 0x10, {
    {"regs_127_to_96", 0x00, 31,  0},
    {"regs_95_to_64",  0x04, 31,  0},
    {"regs_63_to_32",  0x08, 31,  0},
    {"regs_31_to_3",   0x0c, 31,  3},
    {"mrtcq",          0x0c,  2,  2},
    {"mtctr",          0x0c,  1,  1},
    {"mtptm",          0x0c,  0,  0},
}};

inline constexpr layout mcam_enhanced_features{"mcam_enhanced_features", 0x10, {
    {"mtutc_freq_adj_units",                 0x08, 15, 15},
    {"mtutc_time_adjustment_extended_range", 0x08, 14, 14},
    {"mcia_32dwords",                        0x08,  2,  2},
    {"out_pulse_duration_ns",                0x08,  1,  1},
    {"npps_period",                          0x08,  0,  0},
    {"reset_state",                          0x0c, 21, 21},
    {"ptpcyc2realtime_modify",               0x0c, 20, 20},
    {"pci_status_and_power",                 0x0c, 17, 17},
    {"mark_tx_action_cnp",                   0x0c, 11, 11},
    {"mark_tx_action_cqe",                   0x0c, 10, 10},
    {"dynamic_tx_overflow",                  0x0c,  9,  9},
    {"pcie_outbound_stalled",                0x0c,  4,  4},
    {"tx_overflow_buffer_pkt",               0x0c,  3,  3},
    {"mtpps_enh_out_per_adj",                0x0c,  2,  2},
    {"mtpps_fs",                             0x0c,  1,  1},
    {"pcie_performance_group",               0x0c,  0,  0},
}};

inline constexpr layout mcam_reg{"mcam_reg", 0x48, {
    {"feature_group",           0x00, 23, 16},
    {"access_reg_group",        0x00,  7,  0},
    {"mng_access_reg_cap_mask", 0x08, bytes{0x10}},
    {"mng_feature_cap_mask",    0x28, bytes{0x10}},
}};

// The firmware's tracer.
inline constexpr layout mtrc_string_db_param{"mtrc_string_db_param", 0x08, {
    {"string_db_base_address", 0x00, 31,  0},
    {"string_db_size",         0x04, 23,  0},
}};

inline constexpr layout mtrc_cap{"mtrc_cap", 0x80, {
    {"trace_owner",               0x00, 31, 31},
    {"trace_to_memory",           0x00, 30, 30},
    {"trc_ver",                   0x00, 25, 24},
    {"num_string_db",             0x00,  3,  0},
    {"first_string_trace",        0x04, 31, 24},
    {"num_string_trace",          0x04, 23, 16},
    {"log_max_trace_buffer_size", 0x08,  7,  0},
    {"string_db_param",           0x10, mtrc_string_db_param, array{8}},
}};

inline constexpr layout mtrc_conf{"mtrc_conf", 0x80, {
    {"trace_mode",            0x00,  3,  0},
    {"log_trace_buffer_size", 0x04,  7,  0},
    {"trace_mkey",            0x08, 31,  0},
}};

inline constexpr layout mtrc_stdb{"mtrc_stdb", 0x08, {
    {"string_db_index", 0x00, 31, 28},
    {"read_size",       0x00, 23,  0},
    {"start_offset",    0x04, 31,  0},
    {"string_db_data",  0x08, 31,  0, trailing},
}};

inline constexpr layout mtrc_ctrl{"mtrc_ctrl", 0x40, {
    {"trace_status",           0x00, 31, 30},
    {"arm_event",              0x00, 27, 27},
    {"modify_field_select",    0x00, 15,  0},
    {"current_timestamp52_32", 0x08, 20,  0},
    {"current_timestamp31_0",  0x0c, 31,  0},
}};

// NODE_DESC: the description of the node, 64 characters.
inline constexpr layout set_node_in{"set_node_in", 0x40, {
    {"node_description", 0x00, bytes{0x40}},
}};

// Which way round the host is.
inline constexpr layout register_host_endianness{"register_host_endianness", 0x10, {
    {"he", 0x00, 31, 31},
}};

// DTOR: how long the driver waits for what.
inline constexpr layout default_timeout{"default_timeout", 0x04, {
    {"to_multiplier", 0x00, 31, 29},
    {"to_value",      0x00, 19,  0},
}};

inline constexpr layout dtor_reg{"dtor_reg", 0x40, {
    {"pcie_toggle_to",       0x04, default_timeout},
    {"health_poll_to",       0x14, default_timeout},
    {"full_crdump_to",       0x18, default_timeout},
    {"fw_reset_to",          0x1c, default_timeout},
    {"flush_on_err_to",      0x20, default_timeout},
    {"pci_sync_update_to",   0x24, default_timeout},
    {"tear_down_to",         0x28, default_timeout},
    {"fsm_reactivate_to",    0x2c, default_timeout},
    {"reclaim_pages_to",     0x30, default_timeout},
    {"reclaim_vfs_pages_to", 0x34, default_timeout},
    {"reset_unload_to",      0x38, default_timeout},
}};

inline constexpr layout nic_cap_reg{"nic_cap_reg", 0x10, {
    {"vhca_icm_ctrl", 0x00,  5,  5},
}};

inline constexpr layout vhca_icm_ctrl_reg{"vhca_icm_ctrl_reg", 0x40, {
    {"vhca_id_valid", 0x00, 31, 31},
    {"vhca_id",       0x00, 15,  0},
    {"cur_alloc_icm", 0x18, 31,  0},
}};

inline constexpr layout mpir_reg{"mpir_reg", 0x10, {
    {"sdm",        0x00, 31, 31},
    {"host_buses", 0x00,  3,  0},
    {"local_port", 0x08, 31, 24},
}};

inline constexpr layout mirc_reg{"mirc_reg", 0x08, {
    {"status_code", 0x00,  7,  0},
}};

inline constexpr layout mfrl_reg{"mfrl_reg", 0x08, {
    {"pci_sync_for_fw_update_start", 0x04, 29, 29},
    {"pci_sync_for_fw_update_resp",  0x04, 28, 27},
    {"rst_type_sel",                 0x04, 26, 24},
    {"pci_reset_req_method",         0x04, 23, 21},
    {"reset_state",                  0x04, 19, 16},
    {"reset_type",                   0x04, 15,  8},
    {"reset_level",                  0x04,  7,  0},
}};

inline constexpr layout mcqs_reg{"mcqs_reg", 0x10, {
    {"last_index_flag",                   0x00, 31, 31},
    {"fw_device",                         0x00, 23, 16},
    {"component_index",                   0x00, 15,  0},
    {"identifier",                        0x04, 15,  0},
    {"component_status",                  0x08,  8,  4},
    {"component_update_state",            0x08,  3,  0},
    {"last_update_state_changer_type",    0x0c, 31, 28},
    {"last_update_state_changer_host_id", 0x0c, 27, 24},
}};

inline constexpr layout mcqi_cap{"mcqi_cap", 0x14, {
    {"supported_info_bitmask", 0x00, 31,  0},
    {"component_size",         0x04, 31,  0},
    {"max_component_size",     0x08, 31,  0},
    {"log_mcda_word_size",     0x0c, 31, 28},
    {"mcda_max_write_size",    0x0c, 15,  0},
    {"rd_en",                  0x10, 31, 31},
    {"match_chip_id",          0x10, 29, 29},
    {"match_psid",             0x10, 28, 28},
    {"check_user_timestamp",   0x10, 27, 27},
    {"match_base_guid_mac",    0x10, 26, 26},
}};

inline constexpr layout mcqi_version{"mcqi_version", 0x7c, {
    {"build_time_valid",        0x00, 29, 29},
    {"user_defined_time_valid", 0x00, 28, 28},
    {"version_string_length",   0x00,  7,  0},
    {"version",                 0x04, 31,  0},
    {"build_time",              0x08, 63,  0},
    {"user_defined_time",       0x10, 63,  0},
    {"build_tool_version",      0x18, 31,  0},
    {"version_string",          0x20, bytes{0x5c}},
}};

inline constexpr layout mcqi_activation_method{"mcqi_activation_method", 0x04, {
    {"pending_server_ac_power_cycle", 0x00, 31, 31},
    {"pending_server_dc_power_cycle", 0x00, 30, 30},
    {"pending_server_reboot",         0x00, 29, 29},
    {"pending_fw_reset",              0x00, 28, 28},
    {"auto_activate",                 0x00, 27, 27},
    {"all_hosts_sync",                0x00, 26, 26},
    {"device_hw_reset",               0x00, 25, 25},
}};

inline constexpr layout mcqi_reg{"mcqi_reg", 0x18, {
    {"read_pending_component", 0x00, 31, 31},
    {"component_index",        0x00, 15,  0},
    {"info_type",              0x08,  4,  0},
    {"info_size",              0x0c, 31,  0},
    {"offset",                 0x10, 31,  0},
    {"data_size",              0x14, 15,  0},
    {"data",                   0x18, 63,  0, trailing},
}};

inline constexpr layout mtutc_reg{"mtutc_reg", 0x1c, {
    {"freq_adj_units",          0x00, 26, 24},
    {"log_max_freq_adjustment", 0x00, 20, 16},
    {"operation",               0x00,  3,  0},
    {"freq_adjustment",         0x04, 31,  0},
    {"utc_sec",                 0x10, 31,  0},
    {"utc_nsec",                0x14, 29,  0},
    {"time_adjustment",         0x18, 31,  0},
}};

inline constexpr layout mtpps_reg{"mtpps_reg", 0x3c, {
    {"cap_number_of_pps_pins",            0x00, 19, 16},
    {"cap_max_num_of_pps_in_pins",        0x00, 11,  8},
    {"cap_max_num_of_pps_out_pins",       0x00,  3,  0},
    {"cap_log_min_npps_period",           0x04, 12,  8},
    {"cap_log_min_out_pulse_duration_ns", 0x04,  4,  0},
    {"cap_pin_3_mode",                    0x08, 27, 24},
    {"cap_pin_2_mode",                    0x08, 19, 16},
    {"cap_pin_1_mode",                    0x08, 11,  8},
    {"cap_pin_0_mode",                    0x08,  3,  0},
    {"cap_pin_7_mode",                    0x0c, 27, 24},
    {"cap_pin_6_mode",                    0x0c, 19, 16},
    {"cap_pin_5_mode",                    0x0c, 11,  8},
    {"cap_pin_4_mode",                    0x0c,  3,  0},
    {"field_select",                      0x10, 31,  0},
    {"npps_period",                       0x18, 63,  0},
    {"enable",                            0x20, 31, 31},
    {"pattern",                           0x20, 19, 16},
    {"pin_mode",                          0x20, 11,  8},
    {"pin",                               0x20,  7,  0},
    {"out_pulse_duration_ns",             0x24, 29,  0},
    {"time_stamp",                        0x28, 63,  0},
    {"out_pulse_duration",                0x30, 31, 16},
    {"out_periodic_adjustment",           0x30, 15,  0},
    {"enhanced_out_periodic_adjustment",  0x34, 31,  0},
}};

inline constexpr layout mtcap_reg{"mtcap_reg", 0x10, {
    {"sensor_count", 0x00,  6,  0},
    {"sensor_map",   0x08, 63,  0},
}};

inline constexpr layout mtmp_reg{"mtmp_reg", 0x20, {
    {"sensor_index",      0x00, 11,  0},
    {"temperature",       0x04, 15,  0},
    {"mte",               0x08, 31, 31},
    {"mtr",               0x08, 30, 30},
    {"max_temperature",   0x08, 15,  0},
    {"tee",               0x0c, 31, 30},
    {"temp_threshold_hi", 0x0c, 15,  0},
    {"temp_threshold_lo", 0x10, 15,  0},
    {"sensor_name_hi",    0x18, 31,  0},
    {"sensor_name_lo",    0x1c, 31,  0},
}};

inline constexpr layout resource_dump{"resource_dump", 0x100, {
    {"more_dump",     0x00, 31, 31},
    {"inline_dump",   0x00, 30, 30},
    {"seq_num",       0x00, 19, 16},
    {"segment_type",  0x00, 15,  0},
    {"vhca_id",       0x04, 15,  0},
    {"index1",        0x08, 31,  0},
    {"index2",        0x0c, 31,  0},
    {"num_of_obj1",   0x10, 31, 16},
    {"num_of_obj2",   0x10, 15,  0},
    {"device_opaque", 0x18, 63,  0},
    {"mkey",          0x20, 31,  0},
    {"size",          0x24, 31,  0},
    {"address",       0x28, 63,  0},
    {"inline_data",   0x30, 31,  0, array{52}},
}};

template <fixed_string Name>
inline constexpr std::uint16_t reg = std::uint16_t(value_of<registers, Name>);

inline constexpr variant register_layouts[] = {
    {reg<"PCAP">,            &pcap_reg},
    {reg<"PMLP">,            &pmlp_reg},
    {reg<"PMTU">,            &pmtu_reg},
    {reg<"PTYS">,            &ptys_reg},
    {reg<"PAOS">,            &paos_reg},
    {reg<"PFCC">,            &pfcc_reg},
    {reg<"PVLC">,            &pvlc_reg},
    {reg<"PCAM">,            &pcam_reg},
    {reg<"NODE_DESC">,       &set_node_in},
    {reg<"HOST_ENDIANNESS">, &register_host_endianness},
    {reg<"MTCAP">,           &mtcap_reg},
    {reg<"MTMP">,            &mtmp_reg},
    {reg<"MFRL">,            &mfrl_reg},
    {reg<"MTRC_CAP">,        &mtrc_cap},
    {reg<"MTRC_CONF">,       &mtrc_conf},
    {reg<"MTRC_STDB">,       &mtrc_stdb},
    {reg<"MTRC_CTRL">,       &mtrc_ctrl},
    {reg<"MTPPS">,           &mtpps_reg},
    {reg<"MTUTC">,           &mtutc_reg},
    {reg<"MPIR">,            &mpir_reg},
    {reg<"MCQS">,            &mcqs_reg},
    {reg<"MCQI">,            &mcqi_reg},
    {reg<"MCAM">,            &mcam_reg},
    {reg<"MIRC">,            &mirc_reg},
    {reg<"RESOURCE_DUMP">,   &resource_dump},
    {reg<"NIC_CAP">,         &nic_cap_reg},
    {reg<"DTOR">,            &dtor_reg},
    {reg<"VHCA_ICM_CTRL">,   &vhca_icm_ctrl_reg},
};

inline constexpr command_group register_commands{{
    {"ACCESS_REGISTER_USER", general, access_register_in, access_register_out},
}};

inline constexpr command_group register_kernel_commands{kernel_only, {
    {"ACCESS_REG", general, access_register_in, access_register_out},
}};
// clang-format on

} // namespace kdevx::prm
