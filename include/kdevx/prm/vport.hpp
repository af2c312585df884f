// SPDX-License-Identifier: MIT
// Virtual ports: their state, contexts and counters.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/counter.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values vport_state_ops{"MLX5_VPORT_STATE_OP_MOD_", {
    {"VNIC_VPORT", 0x00},
    {"ESW_VPORT",  0x01},
    {"UPLINK",     0x02},
}};

inline constexpr values vport_states{"MLX5_QUERY_VPORT_STATE_OUT_STATE_", {
    {"DOWN", 0x00},
    {"UP",   0x01},
}};

inline constexpr values hca_vport_fields{"MLX5_HCA_VPORT_SEL_", {
    {"PORT_GUID",    0x01},
    {"NODE_GUID",    0x02},
    {"STATE_POLICY", 0x04},
}};

inline constexpr layout mac_address_layout{"mac_address_layout", 0x08, {
    {"mac_addr_47_32", 0x00, 15,  0},
    {"mac_addr_31_0",  0x04, 31,  0},
}};

inline constexpr layout vlan_layout{"vlan_layout", 0x08, {
    {"vlan", 0x00, 11,  0},
}};

// What a NIC's port accepts: addresses, promiscuity, MTU.
inline constexpr layout nic_vport_context{"nic_vport_context", 0x100, {
    {"min_wqe_inline_mode",        0x000, 26, 24},
    {"disable_mc_local_lb",        0x000,  2,  2},
    {"disable_uc_local_lb",        0x000,  1,  1},
    {"roce_en",                    0x000,  0,  0},
    {"arm_change_event",           0x004, 31, 31},
    {"event_on_mtu",               0x004,  4,  4},
    {"event_on_promisc_change",    0x004,  3,  3},
    {"event_on_vlan_change",       0x004,  2,  2},
    {"event_on_mc_address_change", 0x004,  1,  1},
    {"event_on_uc_address_change", 0x004,  0,  0},
    {"vhca_id_type",               0x008, 31, 31},
    {"affiliation_criteria",       0x008, 19, 16},
    {"affiliated_vhca_id",         0x008, 15,  0},
    {"sd_group",                   0x020, 30, 28},
    {"sd_group_size",              0x020, 23, 16},
    {"mtu",                        0x024, 15,  0},
    {"system_image_guid",          0x028, 63,  0},
    {"port_guid",                  0x030, 63,  0},
    {"node_guid",                  0x038, 63,  0},
    {"qkey_violation_counter",     0x068, 31, 16},
    {"promisc_uc",                 0x0f0, 31, 31},
    {"promisc_mc",                 0x0f0, 30, 30},
    {"promisc_all",                0x0f0, 29, 29},
    {"allowed_list_type",          0x0f0, 26, 24},
    {"allowed_list_size",          0x0f0, 15,  0},
    {"permanent_address",          0x0f4, mac_address_layout},
    {"current_uc_mac_address",     0x100, 63,  0, trailing},
}};

inline constexpr layout modify_nic_vport_field_select{"modify_nic_vport_field_select", 0x04, {
    {"affiliation",         0x00, 13, 13},
    {"disable_uc_local_lb", 0x00, 11, 11},
    {"disable_mc_local_lb", 0x00, 10, 10},
    {"node_guid",           0x00,  9,  9},
    {"port_guid",           0x00,  8,  8},
    {"min_inline",          0x00,  7,  7},
    {"mtu",                 0x00,  6,  6},
    {"change_event",        0x00,  5,  5},
    {"promisc",             0x00,  4,  4},
    {"permanent_address",   0x00,  3,  3},
    {"addresses_list",      0x00,  2,  2},
    {"roce_en",             0x00,  1,  1},
}};

inline constexpr layout query_nic_vport_context_in{"query_nic_vport_context_in", 0x10, {
    {"opcode",            0x00, 31, 16},
    {"op_mod",            0x04, 15,  0},
    {"other_vport",       0x08, 31, 31},
    {"vport_number",      0x08, 15,  0},
    {"allowed_list_type", 0x0c, 26, 24},
}};

inline constexpr layout query_nic_vport_context_out{"query_nic_vport_context_out", 0x110, {
    {"status",            0x00, 31, 24},
    {"syndrome",          0x04, 31,  0},
    {"nic_vport_context", 0x10, nic_vport_context},
}};

inline constexpr layout modify_nic_vport_context_in{"modify_nic_vport_context_in", 0x200, {
    {"opcode",            0x000, 31, 16},
    {"op_mod",            0x004, 15,  0},
    {"other_vport",       0x008, 31, 31},
    {"vport_number",      0x008, 15,  0},
    {"field_select",      0x00c, modify_nic_vport_field_select},
    {"nic_vport_context", 0x100, nic_vport_context},
}};
inline constexpr layout modify_nic_vport_context_out{
    "modify_nic_vport_context_out", 0x10, status_rows};

// An InfiniBand port: LID, GUIDs, states.
inline constexpr layout hca_vport_context{"hca_vport_context", 0x200, {
    {"field_select",           0x00, 31,  0},
    {"sm_virt_aware",          0x20, 31, 31},
    {"has_smi",                0x20, 30, 30},
    {"has_raw",                0x20, 29, 29},
    {"grh_required",           0x20, 28, 28},
    {"num_port_plane",         0x20, 23, 16},
    {"port_physical_state",    0x20, 15, 12},
    {"vport_state_policy",     0x20, 11,  8},
    {"port_state",             0x20,  7,  4},
    {"vport_state",            0x20,  3,  0},
    {"system_image_guid",      0x28, 63,  0},
    {"port_guid",              0x30, 63,  0},
    {"node_guid",              0x38, 63,  0},
    {"cap_mask1",              0x40, 31,  0},
    {"cap_mask1_field_select", 0x44, 31,  0},
    {"cap_mask2",              0x48, 31,  0},
    {"cap_mask2_field_select", 0x4c, 31,  0},
    {"lid",                    0x60, 31, 16},
    {"init_type_reply",        0x60, 11,  8},
    {"lmc",                    0x60,  7,  5},
    {"subnet_timeout",         0x60,  4,  0},
    {"sm_lid",                 0x64, 31, 16},
    {"sm_sl",                  0x64, 15, 12},
    {"qkey_violation_counter", 0x68, 31, 16},
    {"pkey_violation_counter", 0x68, 15,  0},
}};

inline constexpr layout query_hca_vport_context_in{"query_hca_vport_context_in", 0x10, {
    {"opcode",       0x00, 31, 16},
    {"op_mod",       0x04, 15,  0},
    {"other_vport",  0x08, 31, 31},
    {"port_num",     0x08, 19, 16},
    {"vport_number", 0x08, 15,  0},
}};

inline constexpr layout query_hca_vport_context_out{"query_hca_vport_context_out", 0x210, {
    {"status",            0x00, 31, 24},
    {"syndrome",          0x04, 31,  0},
    {"hca_vport_context", 0x10, hca_vport_context},
}};

inline constexpr layout modify_hca_vport_context_in{"modify_hca_vport_context_in", 0x210, {
    {"opcode",            0x00, 31, 16},
    {"op_mod",            0x04, 15,  0},
    {"other_vport",       0x08, 31, 31},
    {"port_num",          0x08, 19, 16},
    {"vport_number",      0x08, 15,  0},
    {"hca_vport_context", 0x10, hca_vport_context},
}};
inline constexpr layout modify_hca_vport_context_out{
    "modify_hca_vport_context_out", 0x10, status_rows};

// GID and P_Key tables of an InfiniBand port.
inline constexpr layout array128_auto{"array128_auto", 0x10, {
    {"array128_auto", 0x00, bytes{0x10}},
}};

inline constexpr layout pkey{"pkey", 0x04, {
    {"pkey", 0x00, 15,  0},
}};

inline constexpr layout query_hca_vport_gid_in{"query_hca_vport_gid_in", 0x10, {
    {"opcode",       0x00, 31, 16},
    {"op_mod",       0x04, 15,  0},
    {"other_vport",  0x08, 31, 31},
    {"port_num",     0x08, 19, 16},
    {"vport_number", 0x08, 15,  0},
    {"gid_index",    0x0c, 15,  0},
}};

inline constexpr layout query_hca_vport_gid_out{"query_hca_vport_gid_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"gids_num", 0x0c, 31, 16},
    {"gid",      0x10, array128_auto, trailing},
}};

inline constexpr layout query_hca_vport_pkey_in{"query_hca_vport_pkey_in", 0x10, {
    {"opcode",       0x00, 31, 16},
    {"op_mod",       0x04, 15,  0},
    {"other_vport",  0x08, 31, 31},
    {"port_num",     0x08, 19, 16},
    {"vport_number", 0x08, 15,  0},
    {"pkey_index",   0x0c, 15,  0},
}};

inline constexpr layout query_hca_vport_pkey_out{"query_hca_vport_pkey_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"pkey",     0x10, pkey, trailing},
}};

// The same port seen from the embedded switch.
inline constexpr layout esw_vport_context{"esw_vport_context", 0x100, {
    {"fdb_to_vport_reg_c",               0x00, 31, 31},
    {"vport_svlan_strip",                0x00, 28, 28},
    {"vport_cvlan_strip",                0x00, 27, 27},
    {"vport_svlan_insert",               0x00, 26, 26},
    {"vport_cvlan_insert",               0x00, 25, 24},
    {"fdb_to_vport_reg_c_id",            0x00, 23, 16},
    {"svlan_cfi",                        0x08, 31, 31},
    {"svlan_pcp",                        0x08, 30, 28},
    {"svlan_id",                         0x08, 27, 16},
    {"cvlan_cfi",                        0x08, 15, 15},
    {"cvlan_pcp",                        0x08, 14, 12},
    {"cvlan_id",                         0x08, 11,  0},
    {"sw_steering_vport_icm_address_rx", 0xf0, 63,  0},
    {"sw_steering_vport_icm_address_tx", 0xf8, 63,  0},
}};

inline constexpr layout esw_vport_context_fields_select{"esw_vport_context_fields_select", 0x04, {
    {"fdb_to_vport_reg_c_id", 0x00,  4,  4},
    {"vport_cvlan_insert",    0x00,  3,  3},
    {"vport_svlan_insert",    0x00,  2,  2},
    {"vport_cvlan_strip",     0x00,  1,  1},
    {"vport_svlan_strip",     0x00,  0,  0},
}};

inline constexpr layout query_esw_vport_context_in{"query_esw_vport_context_in", 0x10, {
    {"opcode",       0x00, 31, 16},
    {"op_mod",       0x04, 15,  0},
    {"other_vport",  0x08, 31, 31},
    {"vport_number", 0x08, 15,  0},
}};

inline constexpr layout query_esw_vport_context_out{"query_esw_vport_context_out", 0x110, {
    {"status",            0x00, 31, 24},
    {"syndrome",          0x04, 31,  0},
    {"esw_vport_context", 0x10, esw_vport_context},
}};

inline constexpr layout modify_esw_vport_context_in{"modify_esw_vport_context_in", 0x110, {
    {"opcode",            0x00, 31, 16},
    {"op_mod",            0x04, 15,  0},
    {"other_vport",       0x08, 31, 31},
    {"vport_number",      0x08, 15,  0},
    {"field_select",      0x0c, esw_vport_context_fields_select},
    {"esw_vport_context", 0x10, esw_vport_context},
}};
inline constexpr layout modify_esw_vport_context_out{
    "modify_esw_vport_context_out", 0x10, status_rows};

inline constexpr layout create_esw_vport_in{"create_esw_vport_in", 0x10, {
    {"opcode",          0x00, 31, 16},
    {"op_mod",          0x04, 15,  0},
    {"managed_vhca_id", 0x08, 15,  0},
}};

inline constexpr layout create_esw_vport_out{"create_esw_vport_out", 0x10, {
    {"status",    0x00, 31, 24},
    {"syndrome",  0x04, 31,  0},
    {"vport_num", 0x0c, 15,  0},
}};

inline constexpr layout destroy_esw_vport_in{"destroy_esw_vport_in", 0x10, {
    {"opcode",    0x00, 31, 16},
    {"uid",       0x00, 15,  0},
    {"op_mod",    0x04, 15,  0},
    {"vport_num", 0x08, 15,  0},
}};

inline constexpr layout destroy_esw_vport_out{"destroy_esw_vport_out", 0x0c, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
}};

// Is the link up, and may it be?
inline constexpr layout query_vport_state_in{"query_vport_state_in", 0x10, {
    {"opcode",       0x00, 31, 16},
    {"op_mod",       0x04, 15,  0},
    {"other_vport",  0x08, 31, 31},
    {"vport_number", 0x08, 15,  0},
}};

inline constexpr layout query_vport_state_out{"query_vport_state_out", 0x10, {
    {"status",       0x00, 31, 24},
    {"syndrome",     0x04, 31,  0},
    {"max_tx_speed", 0x0c, 31, 16},
    {"admin_state",  0x0c,  7,  4},
    {"state",        0x0c,  3,  0},
}};

inline constexpr layout modify_vport_state_in{"modify_vport_state_in", 0x10, {
    {"opcode",                0x00, 31, 16},
    {"op_mod",                0x04, 15,  0},
    {"other_vport",           0x08, 31, 31},
    {"vport_number",          0x08, 15,  0},
    {"max_tx_speed",          0x0c, 31, 16},
    {"ingress_connect",       0x0c, 15, 15},
    {"egress_connect",        0x0c, 14, 14},
    {"ingress_connect_valid", 0x0c, 13, 13},
    {"egress_connect_valid",  0x0c, 12, 12},
    {"admin_state",           0x0c,  7,  4},
}};
inline constexpr layout modify_vport_state_out{"modify_vport_state_out", 0x10, status_rows};

// Counters of packets and octets by kind.
inline constexpr layout query_vport_counter_in{"query_vport_counter_in", 0x20, {
    {"opcode",       0x00, 31, 16},
    {"op_mod",       0x04, 15,  0},
    {"other_vport",  0x08, 31, 31},
    {"port_num",     0x08, 19, 16},
    {"vport_number", 0x08, 15,  0},
    {"clear",        0x18, 31, 31},
}};

inline constexpr layout query_vport_counter_out{"query_vport_counter_out", 0x210, {
    {"status",                    0x00, 31, 24},
    {"syndrome",                  0x04, 31,  0},
    {"received_errors",           0x10, traffic_counter},
    {"transmit_errors",           0x20, traffic_counter},
    {"received_ib_unicast",       0x30, traffic_counter},
    {"transmitted_ib_unicast",    0x40, traffic_counter},
    {"received_ib_multicast",     0x50, traffic_counter},
    {"transmitted_ib_multicast",  0x60, traffic_counter},
    {"received_eth_broadcast",    0x70, traffic_counter},
    {"transmitted_eth_broadcast", 0x80, traffic_counter},
    {"received_eth_unicast",      0x90, traffic_counter},
    {"transmitted_eth_unicast",   0xa0, traffic_counter},
    {"received_eth_multicast",    0xb0, traffic_counter},
    {"transmitted_eth_multicast", 0xc0, traffic_counter},
    {"local_loopback",            0xd0, traffic_counter},
}};

// Why things go wrong: invalid commands, overruns, steering drops.
inline constexpr layout vnic_diagnostic_statistics{"vnic_diagnostic_statistics", 0x200, {
    {"counter_error_queues",            0x00, 31,  0},
    {"total_error_queues",              0x04, 31,  0},
    {"send_queue_priority_update_flow", 0x08, 31,  0},
    {"nic_receive_steering_discard",    0x10, 63,  0},
    {"receive_discard_vport_down",      0x18, 63,  0},
    {"transmit_discard_vport_down",     0x20, 63,  0},
    {"async_eq_overrun",                0x28, 31,  0},
    {"comp_eq_overrun",                 0x2c, 31,  0},
    {"invalid_command",                 0x34, 31,  0},
    {"quota_exceeded_command",          0x38, 31,  0},
    {"internal_rq_out_of_buffer",       0x3c, 31,  0},
    {"cq_overrun",                      0x40, 31,  0},
    {"eth_wqe_too_small",               0x44, 31,  0},
    {"generated_pkt_steering_fail",     0x60, 63,  0},
    {"handled_pkt_steering_fail",       0x68, 63,  0},
    {"bar_uar_access",                  0x70, 31,  0},
    {"odp_local_triggered_page_fault",  0x74, 31,  0},
    {"odp_remote_triggered_page_fault", 0x78, 31,  0},
}};

inline constexpr layout query_vnic_env_in{"query_vnic_env_in", 0x10, {
    {"opcode",       0x00, 31, 16},
    {"op_mod",       0x04, 15,  0},
    {"other_vport",  0x08, 31, 31},
    {"vport_number", 0x08, 15,  0},
}};

inline constexpr layout query_vnic_env_out{"query_vnic_env_out", 0x210, {
    {"status",    0x00, 31, 24},
    {"syndrome",  0x04, 31,  0},
    {"vport_env", 0x10, vnic_diagnostic_statistics},
}};

inline constexpr command_group vport_commands{{
    {"QUERY_VPORT_STATE",       general, query_vport_state_in,       query_vport_state_out},
    {"QUERY_NIC_VPORT_CONTEXT", general, query_nic_vport_context_in, query_nic_vport_context_out},
    {"QUERY_HCA_VPORT_CONTEXT", general, query_hca_vport_context_in, query_hca_vport_context_out},
    {"QUERY_ESW_VPORT_CONTEXT", general, query_esw_vport_context_in, query_esw_vport_context_out},
    {"QUERY_VPORT_COUNTER",     general, query_vport_counter_in,     query_vport_counter_out},
    {"QUERY_VNIC_ENV",          general, query_vnic_env_in,          query_vnic_env_out},
}};

inline constexpr command_group vport_kernel_commands{kernel_only, {
    {"MODIFY_VPORT_STATE",       general, modify_vport_state_in,       modify_vport_state_out},
    {"MODIFY_NIC_VPORT_CONTEXT", general, modify_nic_vport_context_in,
     modify_nic_vport_context_out},
    {"MODIFY_HCA_VPORT_CONTEXT", general, modify_hca_vport_context_in,
     modify_hca_vport_context_out},
    {"QUERY_HCA_VPORT_GID",      general, query_hca_vport_gid_in,      query_hca_vport_gid_out},
    {"QUERY_HCA_VPORT_PKEY",     general, query_hca_vport_pkey_in,     query_hca_vport_pkey_out},
    {"MODIFY_ESW_VPORT_CONTEXT", general, modify_esw_vport_context_in,
     modify_esw_vport_context_out},
    {"CREATE_ESW_VPORT",         general, create_esw_vport_in,         create_esw_vport_out},
    {"DESTROY_ESW_VPORT",        general, destroy_esw_vport_in,        destroy_esw_vport_out},
}};
// clang-format on

} // namespace kdevx::prm
