// SPDX-License-Identifier: MIT
// The other capability pages.
#pragma once

#include "kdevx/prm/caps_flow.hpp"
#include "kdevx/prm/layout.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr layout per_protocol_networking_offload_caps{
    "per_protocol_networking_offload_caps", 0x100, {
    {"csum_cap",                         0x00, 31, 31},
    {"vlan_cap",                         0x00, 30, 30},
    {"lro_cap",                          0x00, 29, 29},
    {"lro_psh_flag",                     0x00, 28, 28},
    {"lro_time_stamp",                   0x00, 27, 27},
    {"wqe_vlan_insert",                  0x00, 24, 24},
    {"self_lb_en_modifiable",            0x00, 23, 23},
    {"max_lso_cap",                      0x00, 20, 16},
    {"multi_pkt_send_wqe",               0x00, 15, 14},
    {"wqe_inline_mode",                  0x00, 13, 12},
    {"rss_ind_tbl_cap",                  0x00, 11,  8},
    {"reg_umr_sq",                       0x00,  7,  7},
    {"scatter_fcs",                      0x00,  6,  6},
    {"enhanced_multi_pkt_send_wqe",      0x00,  5,  5},
    {"tunnel_lso_const_out_ip_id",       0x00,  4,  4},
    {"tunnel_lro_gre",                   0x00,  3,  3},
    {"tunnel_lro_vxlan",                 0x00,  2,  2},
    {"tunnel_stateless_gre",             0x00,  1,  1},
    {"tunnel_stateless_vxlan",           0x00,  0,  0},
    {"swp",                              0x04, 31, 31},
    {"swp_csum",                         0x04, 30, 30},
    {"swp_lso",                          0x04, 29, 29},
    {"cqe_checksum_full",                0x04, 28, 28},
    {"tunnel_stateless_geneve_tx",       0x04, 27, 27},
    {"tunnel_stateless_mpls_over_udp",   0x04, 26, 26},
    {"tunnel_stateless_mpls_over_gre",   0x04, 25, 25},
    {"tunnel_stateless_vxlan_gpe",       0x04, 24, 24},
    {"tunnel_stateless_ipv4_over_vxlan", 0x04, 23, 23},
    {"tunnel_stateless_ip_over_ip",      0x04, 22, 22},
    {"insert_trailer",                   0x04, 21, 21},
    {"tunnel_stateless_ip_over_ip_rx",   0x04, 19, 19},
    {"tunnel_stateless_ip_over_ip_tx",   0x04, 18, 18},
    {"max_vxlan_udp_ports",              0x04, 15,  8},
    {"swp_csum_l4_partial",              0x04,  7,  7},
    {"max_geneve_opt_len",               0x04,  1,  1},
    {"tunnel_stateless_geneve_rx",       0x04,  0,  0},
    {"lro_min_mss_size",                 0x08, 15,  0},
    {"lro_timer_supported_periods",      0x30, 31,  0, array{4}},
}};

inline constexpr layout odp_per_transport_service_cap{"odp_per_transport_service_cap", 0x04, {
    {"send",        0x00, 31, 31},
    {"receive",     0x00, 30, 30},
    {"write",       0x00, 29, 29},
    {"read",        0x00, 28, 28},
    {"atomic",      0x00, 27, 27},
    {"srq_receive", 0x00, 26, 26},
}};

// On-demand paging of one scheme of page faults.
inline constexpr layout odp_scheme_cap{"odp_scheme_cap", 0x40, {
    {"sig",           0x08, 31, 31},
    {"page_prefetch", 0x08, 26, 26},
    {"rc_odp_caps",   0x10, odp_per_transport_service_cap},
    {"uc_odp_caps",   0x14, odp_per_transport_service_cap},
    {"ud_odp_caps",   0x18, odp_per_transport_service_cap},
    {"xrc_odp_caps",  0x1c, odp_per_transport_service_cap},
    {"dc_odp_caps",   0x20, odp_per_transport_service_cap},
}};

// On-demand paging.
inline constexpr layout odp_cap{"odp_cap", 0x100, {
    {"transport_page_fault_scheme_cap", 0x00, odp_scheme_cap},
    {"memory_page_fault_scheme_cap",    0x40, odp_scheme_cap},
    {"mem_page_fault",                  0xc0, 31, 31},
}};

inline constexpr layout atomic_caps{"atomic_caps", 0x100, {
    {"atomic_req_8B_endianness_mode",             0x08, 31, 30},
    {"supported_atomic_req_8B_endianness_mode_1", 0x08, 25, 25},
    {"atomic_operations",                         0x10, 15,  0},
    {"atomic_size_qp",                            0x14, 15,  0},
    {"atomic_size_dc",                            0x18, 15,  0},
}};

inline constexpr layout roce_cap{"roce_cap", 0x100, {
    {"roce_apm",                    0x00, 31, 31},
    {"sw_r_roce_src_udp_port",      0x00, 27, 27},
    {"fl_rc_qp_when_roce_disabled", 0x00, 26, 26},
    {"fl_rc_qp_when_roce_enabled",  0x00, 25, 25},
    {"roce_cc_general",             0x00, 24, 24},
    {"qp_ooo_transmit_default",     0x00, 23, 23},
    {"qp_ts_format",                0x00,  1,  0},
    {"l3_type",                     0x10, 19, 16},
    {"roce_version",                0x10,  7,  0},
    {"r_roce_dest_udp_port",        0x14, 15,  0},
    {"r_roce_max_src_udp_port",     0x18, 31, 16},
    {"r_roce_min_src_udp_port",     0x18, 15,  0},
    {"roce_address_table_size",     0x1c, 15,  0},
}};

inline constexpr layout qos_cap{"qos_cap", 0x100, {
    {"packet_pacing",                 0x00, 31, 31},
    {"esw_scheduling",                0x00, 30, 30},
    {"esw_bw_share",                  0x00, 29, 29},
    {"esw_rate_limit",                0x00, 28, 28},
    {"packet_pacing_burst_bound",     0x00, 26, 26},
    {"packet_pacing_typical_size",    0x00, 25, 25},
    {"nic_sq_scheduling",             0x00, 23, 23},
    {"nic_bw_share",                  0x00, 22, 22},
    {"nic_rate_limit",                0x00, 21, 21},
    {"packet_pacing_uid",             0x00, 20, 20},
    {"log_esw_max_sched_depth",       0x00, 19, 16},
    {"packet_pacing_req_ud",          0x04, 29, 29},
    {"packet_pacing_req_uc",          0x04, 28, 28},
    {"esw_cross_esw_sched",           0x04, 22, 22},
    {"log_max_qos_nic_queue_group",   0x04, 20, 16},
    {"packet_pacing_max_rate",        0x08, 31,  0},
    {"packet_pacing_min_rate",        0x0c, 31,  0},
    {"log_esw_max_rate_limit",        0x10, 20, 16},
    {"packet_pacing_rate_table_size", 0x10, 15,  0},
    {"esw_element_type",              0x14, 31, 16},
    {"esw_tsar_type",                 0x14, 15,  0},
    {"max_qos_para_vport",            0x18, 15,  0},
    {"max_tsar_bw_share",             0x1c, 31,  0},
    {"nic_element_type",              0x20, 31, 16},
    {"nic_tsar_type",                 0x20, 15,  0},
    {"log_meter_aso_granularity",     0x24, 28, 24},
    {"log_meter_aso_max_alloc",       0x24, 20, 16},
    {"log_max_num_meter_aso",         0x24, 12,  8},
}};

inline constexpr layout debug_cap{"debug_cap", 0x100, {
    {"core_dump_general", 0x00, 31, 31},
    {"core_dump_qp",      0x00, 30, 30},
    {"resource_dump",     0x00, 22, 22},
    {"stall_detect",      0x04, 29, 29},
}};

inline constexpr layout device_mem_cap{"device_mem_cap", 0x100, {
    {"memic",                                      0x00, 31, 31},
    {"memic_atomic_increment",                     0x04, 31, 24},
    {"log_min_memic_alloc_size",                   0x04, 20, 16},
    {"memic_atomic_test_and_set",                  0x04, 15,  8},
    {"log_max_memic_addr_alignment",               0x04,  7,  0},
    {"memic_bar_start_addr",                       0x08, 63,  0},
    {"memic_bar_size",                             0x10, 31,  0},
    {"max_memic_size",                             0x14, 31,  0},
    {"steering_sw_icm_start_address",              0x18, 63,  0},
    {"log_header_modify_sw_icm_size",              0x20, 23, 16},
    {"log_sw_icm_alloc_granularity",               0x20, 13,  8},
    {"log_steering_sw_icm_size",                   0x20,  7,  0},
    {"log_indirect_encap_sw_icm_size",             0x24, 31, 24},
    {"log_header_modify_pattern_sw_icm_size",      0x24,  7,  0},
    {"header_modify_sw_icm_start_address",         0x28, 63,  0},
    {"header_modify_pattern_sw_icm_start_address", 0x38, 63,  0},
    {"memic_operations",                           0x40, 31,  0},
    {"indirect_encap_sw_icm_start_address",        0x48, 63,  0},
}};

inline constexpr layout device_event_cap{"device_event_cap", 0x40, {
    {"user_affiliated_events",   0x00, 63,  0, array{4}},
    {"user_unaffiliated_events", 0x20, 63,  0, array{4}},
}};

inline constexpr layout virtio_emulation_cap{"virtio_emulation_cap", 0x100, {
    {"desc_tunnel_offload_type",  0x00, 31, 31},
    {"eth_frame_offload_type",    0x00, 30, 30},
    {"virtio_version_1_0",        0x00, 29, 29},
    {"device_features_bits_mask", 0x00, 28, 16},
    {"event_mode",                0x00, 15,  8},
    {"virtio_queue_type",         0x00,  7,  0},
    {"max_tunnel_desc",           0x04, 31, 16},
    {"log_doorbell_stride",       0x04, 12,  8},
    {"log_doorbell_bar_size",     0x04,  4,  0},
    {"doorbell_bar_offset",       0x08, 63,  0},
    {"max_emulated_devices",      0x10, 31, 24},
    {"max_num_virtio_queues",     0x10, 23,  0},
    {"desc_group_mkey_supported", 0x18, 12, 12},
    {"freeze_to_rdy_supported",   0x18, 11, 11},
    {"umem_1_buffer_param_a",     0x20, 31,  0},
    {"umem_1_buffer_param_b",     0x24, 31,  0},
    {"umem_2_buffer_param_a",     0x28, 31,  0},
    {"umem_2_buffer_param_b",     0x2c, 31,  0},
    {"umem_3_buffer_param_a",     0x30, 31,  0},
    {"umem_3_buffer_param_b",     0x34, 31,  0},
}};

inline constexpr layout tlp_dev_emu_capabilities{"tlp_dev_emu_capabilities", 0x100, {
    {"log_tlp_rsp_gw_page_stride",  0x04, 12,  8},
    {"tlp_rsp_gw_num_pages",        0x20, 19, 16},
    {"tlp_rsp_gw_pages_bar_offset", 0x38, 63,  0},
}};

inline constexpr layout tls_cap{"tls_cap", 0x100, {
    {"tls_1_2_aes_gcm_128", 0x00, 31, 31},
    {"tls_1_3_aes_gcm_128", 0x00, 30, 30},
    {"tls_1_2_aes_gcm_256", 0x00, 29, 29},
    {"tls_1_3_aes_gcm_256", 0x00, 28, 28},
}};

inline constexpr layout ipsec_cap{"ipsec_cap", 0x100, {
    {"ipsec_full_offload",                   0x00, 31, 31},
    {"ipsec_crypto_offload",                 0x00, 30, 30},
    {"ipsec_esn",                            0x00, 29, 29},
    {"ipsec_crypto_esp_aes_gcm_256_encrypt", 0x00, 28, 28},
    {"ipsec_crypto_esp_aes_gcm_128_encrypt", 0x00, 27, 27},
    {"ipsec_crypto_esp_aes_gcm_256_decrypt", 0x00, 26, 26},
    {"ipsec_crypto_esp_aes_gcm_128_decrypt", 0x00, 25, 25},
    {"log_max_ipsec_offload",                0x00, 20, 16},
    {"min_log_ipsec_full_replay_window",     0x04, 31, 24},
    {"max_log_ipsec_full_replay_window",     0x04, 23, 16},
}};

inline constexpr layout macsec_cap{"macsec_cap", 0x100, {
    {"macsec_epn",                            0x00, 31, 31},
    {"macsec_crypto_esp_aes_gcm_256_encrypt", 0x00, 28, 28},
    {"macsec_crypto_esp_aes_gcm_128_encrypt", 0x00, 27, 27},
    {"macsec_crypto_esp_aes_gcm_256_decrypt", 0x00, 26, 26},
    {"macsec_crypto_esp_aes_gcm_128_decrypt", 0x00, 25, 25},
    {"log_max_macsec_offload",                0x00, 20, 16},
    {"min_log_macsec_full_replay_window",     0x04, 31, 24},
    {"max_log_macsec_full_replay_window",     0x04, 23, 16},
}};

inline constexpr layout crypto_cap{"crypto_cap", 0x100, {
    {"synchronize_dek",     0x00, 28, 28},
    {"int_kek_manual",      0x00, 27, 27},
    {"int_kek_auto",        0x00, 26, 26},
    {"log_dek_max_alloc",   0x04, 28, 24},
    {"log_max_num_deks",    0x04, 20, 16},
    {"log_dek_granularity", 0x0c, 28, 24},
    {"log_max_num_int_kek", 0x0c, 20, 16},
    {"sw_wrapped_dek",      0x0c, 15,  0},
}};

inline constexpr layout psp_cap{"psp_cap", 0x100, {
    {"psp_crypto_offload",                 0x00, 30, 30},
    {"psp_crypto_esp_aes_gcm_256_encrypt", 0x00, 28, 28},
    {"psp_crypto_esp_aes_gcm_128_encrypt", 0x00, 27, 27},
    {"psp_crypto_esp_aes_gcm_256_decrypt", 0x00, 26, 26},
    {"psp_crypto_esp_aes_gcm_128_decrypt", 0x00, 25, 25},
    {"log_max_num_of_psp_spi",             0x00, 20, 16},
}};

inline constexpr layout shampo_cap{"shampo_cap", 0x100, {
    {"shampo_log_max_reservation_size",   0x00, 28, 24},
    {"shampo_log_min_reservation_size",   0x00, 20, 16},
    {"shampo_min_mss_size",               0x00, 15,  0},
    {"shampo_header_split",               0x04, 31, 31},
    {"shampo_header_split_data_merge",    0x04, 30, 30},
    {"shampo_log_max_headers_entry_size", 0x04, 28, 24},
}};

inline constexpr layout adv_rdma_cap{"adv_rdma_cap", 0x800, {
    {"rdma_transport_manager",                       0x00, 31, 31},
    {"rdma_transport_manager_other_eswitch",         0x00, 30, 30},
    {"rcx_type",                                     0x04, 31, 24},
    {"ps_entry_log_max_value",                       0x04, 21, 16},
    {"qp_max_ps_num_entry",                          0x04,  9,  0},
    {"mp_max_num_queues",                            0x08, 31, 24},
    {"ps_user_context_max_log_size",                 0x08, 23, 16},
    {"message_based_qp_and_striding_wq",             0x08, 15,  8},
    {"max_receive_send_message_size_stride",         0x0c, 31, 16},
    {"max_receive_send_message_size_byte",           0x10, 31,  0},
    {"rdma_transport_rx_flow_table_properties",      0x40, flow_table_prop_layout},
    {"rdma_transport_tx_flow_table_properties",      0x80, flow_table_prop_layout},
    {"rdma_transport_rx_ft_field_support_2",         0xc0, flow_table_fields_supported_2},
    {"rdma_transport_tx_ft_field_support_2",         0xd0, flow_table_fields_supported_2},
    {"rdma_transport_rx_ft_field_bitmask_support_2", 0xe0, flow_table_fields_supported_2},
    {"rdma_transport_tx_ft_field_bitmask_support_2", 0xf0, flow_table_fields_supported_2},
}};

inline constexpr layout adv_virtualization_cap{"adv_virtualization_cap", 0x100, {
    {"pg_track_log_max_num",        0x00, 28, 24},
    {"pg_track_max_num_range",      0x00, 23, 16},
    {"pg_track_log_min_addr_space", 0x00, 15,  8},
    {"pg_track_log_max_addr_space", 0x00,  7,  0},
    {"pg_track_log_min_msg_size",   0x04, 28, 24},
    {"pg_track_log_max_msg_size",   0x04, 20, 16},
    {"pg_track_log_min_page_size",  0x04, 12,  8},
    {"pg_track_log_max_page_size",  0x04,  4,  0},
}};

// clang-format on

} // namespace kdevx::prm
