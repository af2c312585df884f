// SPDX-License-Identifier: MIT
// What a flow entry matches on.
#pragma once

#include "kdevx/prm/layout.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr layout ipv4_layout{"ipv4_layout", 0x10, {
    {"ipv4", 0x0c, 31,  0},
}};

inline constexpr layout ipv6_layout{"ipv6_layout", 0x10, {
    {"ipv6", 0x00, bytes{0x10}},
}};

inline constexpr layout ipv6_simple_layout{"ipv6_simple_layout", 0x10, {
    {"ipv6_127_96", 0x00, 31,  0},
    {"ipv6_95_64",  0x04, 31,  0},
    {"ipv6_63_32",  0x08, 31,  0},
    {"ipv6_31_0",   0x0c, 31,  0},
}};

// Addresses, ports and tags, of the outer or the inner headers.
inline constexpr layout fte_match_set_lyr_2_4{"fte_match_set_lyr_2_4", 0x40, {
    {"smac_47_16",        0x00, 31,  0},
    {"smac_15_0",         0x04, 31, 16},
    {"ethertype",         0x04, 15,  0},
    {"dmac_47_16",        0x08, 31,  0},
    {"dmac_15_0",         0x0c, 31, 16},
    {"first_prio",        0x0c, 15, 13},
    {"first_cfi",         0x0c, 12, 12},
    {"first_vid",         0x0c, 11,  0},
    {"ip_protocol",       0x10, 31, 24},
    {"ip_dscp",           0x10, 23, 18},
    {"ip_ecn",            0x10, 17, 16},
    {"cvlan_tag",         0x10, 15, 15},
    {"svlan_tag",         0x10, 14, 14},
    {"frag",              0x10, 13, 13},
    {"ip_version",        0x10, 12,  9},
    {"tcp_flags",         0x10,  8,  0},
    {"tcp_sport",         0x14, 31, 16},
    {"tcp_dport",         0x14, 15,  0},
    {"l4_type",           0x18, 31, 30},
    {"l4_type_ext",       0x18, 29, 26},
    {"ipv4_ihl",          0x18, 15, 12},
    {"ttl_hoplimit",      0x18,  7,  0},
    {"udp_sport",         0x1c, 31, 16},
    {"udp_dport",         0x1c, 15,  0},
    {"src_ipv4_src_ipv6", 0x20, bytes{0x10}},
    {"dst_ipv4_dst_ipv6", 0x30, bytes{0x10}},
}};

inline constexpr layout nvgre_key{"nvgre_key", 0x04, {
    {"hi", 0x00, 31,  8},
    {"lo", 0x00,  7,  0},
}};

// What does not fit there: tunnels, source ports, GRE, VXLAN.
inline constexpr layout fte_match_set_misc{"fte_match_set_misc", 0x40, {
    {"gre_c_present",                0x00, 31, 31},
    {"gre_k_present",                0x00, 29, 29},
    {"gre_s_present",                0x00, 28, 28},
    {"source_vhca_port",             0x00, 27, 24},
    {"source_sqn",                   0x00, 23,  0},
    {"source_eswitch_owner_vhca_id", 0x04, 31, 16},
    {"source_port",                  0x04, 15,  0},
    {"outer_second_prio",            0x08, 31, 29},
    {"outer_second_cfi",             0x08, 28, 28},
    {"outer_second_vid",             0x08, 27, 16},
    {"inner_second_prio",            0x08, 15, 13},
    {"inner_second_cfi",             0x08, 12, 12},
    {"inner_second_vid",             0x08, 11,  0},
    {"outer_second_cvlan_tag",       0x0c, 31, 31},
    {"inner_second_cvlan_tag",       0x0c, 30, 30},
    {"outer_second_svlan_tag",       0x0c, 29, 29},
    {"inner_second_svlan_tag",       0x0c, 28, 28},
    {"gre_protocol",                 0x0c, 15,  0},
    {"gre_key",                      0x10, 31,  0},
    {"vxlan_vni",                    0x14, 31,  8},
    {"bth_opcode",                   0x14,  7,  0},
    {"geneve_vni",                   0x18, 31,  8},
    {"geneve_tlv_option_0_exist",    0x18,  1,  1},
    {"geneve_oam",                   0x18,  0,  0},
    {"outer_ipv6_flow_label",        0x1c, 19,  0},
    {"inner_ipv6_flow_label",        0x20, 19,  0},
    {"geneve_opt_len",               0x24, 21, 16},
    {"geneve_protocol_type",         0x24, 15,  0},
    {"bth_dst_qp",                   0x28, 23,  0},
    {"inner_esp_spi",                0x2c, 31,  0},
    {"outer_esp_spi",                0x30, 31,  0},
}};

inline constexpr layout fte_match_mpls{"fte_match_mpls", 0x04, {
    {"mpls_label", 0x00, 31, 12},
    {"mpls_exp",   0x00, 11,  9},
    {"mpls_s_bos", 0x00,  8,  8},
    {"mpls_ttl",   0x00,  7,  0},
}};

inline constexpr layout fte_match_set_misc2{"fte_match_set_misc2", 0x40, {
    {"outer_first_mpls",          0x00, fte_match_mpls},
    {"inner_first_mpls",          0x04, fte_match_mpls},
    {"outer_first_mpls_over_gre", 0x08, fte_match_mpls},
    {"outer_first_mpls_over_udp", 0x0c, fte_match_mpls},
    {"metadata_reg_c_7",          0x10, 31,  0},
    {"metadata_reg_c_6",          0x14, 31,  0},
    {"metadata_reg_c_5",          0x18, 31,  0},
    {"metadata_reg_c_4",          0x1c, 31,  0},
    {"metadata_reg_c_3",          0x20, 31,  0},
    {"metadata_reg_c_2",          0x24, 31,  0},
    {"metadata_reg_c_1",          0x28, 31,  0},
    {"metadata_reg_c_0",          0x2c, 31,  0},
    {"metadata_reg_a",            0x30, 31,  0},
    {"psp_syndrome",              0x34, 31, 24},
    {"macsec_syndrome",           0x34, 23, 16},
    {"ipsec_syndrome",            0x34, 15,  8},
    {"ipsec_next_header",         0x34,  7,  0},
}};

inline constexpr layout fte_match_set_misc3{"fte_match_set_misc3", 0x40, {
    {"inner_tcp_seq_num",             0x00, 31,  0},
    {"outer_tcp_seq_num",             0x04, 31,  0},
    {"inner_tcp_ack_num",             0x08, 31,  0},
    {"outer_tcp_ack_num",             0x0c, 31,  0},
    {"outer_vxlan_gpe_vni",           0x10, 23,  0},
    {"outer_vxlan_gpe_next_protocol", 0x14, 31, 24},
    {"outer_vxlan_gpe_flags",         0x14, 23, 16},
    {"icmp_header_data",              0x18, 31,  0},
    {"icmpv6_header_data",            0x1c, 31,  0},
    {"icmp_type",                     0x20, 31, 24},
    {"icmp_code",                     0x20, 23, 16},
    {"icmpv6_type",                   0x20, 15,  8},
    {"icmpv6_code",                   0x20,  7,  0},
    {"geneve_tlv_option_0_data",      0x24, 31,  0},
    {"gtpu_teid",                     0x28, 31,  0},
    {"gtpu_msg_type",                 0x2c, 31, 24},
    {"gtpu_msg_flags",                0x2c, 23, 16},
    {"gtpu_dw_2",                     0x30, 31,  0},
    {"gtpu_first_ext_dw_0",           0x34, 31,  0},
    {"gtpu_dw_0",                     0x38, 31,  0},
}};

inline constexpr layout fte_match_set_misc4{"fte_match_set_misc4", 0x40, {
    {"prog_sample_field_value_0", 0x00, 31,  0},
    {"prog_sample_field_id_0",    0x04, 31,  0},
    {"prog_sample_field_value_1", 0x08, 31,  0},
    {"prog_sample_field_id_1",    0x0c, 31,  0},
    {"prog_sample_field_value_2", 0x10, 31,  0},
    {"prog_sample_field_id_2",    0x14, 31,  0},
    {"prog_sample_field_value_3", 0x18, 31,  0},
    {"prog_sample_field_id_3",    0x1c, 31,  0},
}};

inline constexpr layout fte_match_set_misc5{"fte_match_set_misc5", 0x40, {
    {"macsec_tag_0",    0x00, 31,  0},
    {"macsec_tag_1",    0x04, 31,  0},
    {"macsec_tag_2",    0x08, 31,  0},
    {"macsec_tag_3",    0x0c, 31,  0},
    {"tunnel_header_0", 0x10, 31,  0},
    {"tunnel_header_1", 0x14, 31,  0},
    {"tunnel_header_2", 0x18, 31,  0},
    {"tunnel_header_3", 0x1c, 31,  0},
}};

inline constexpr layout fte_match_set_misc6{"fte_match_set_misc6", 0x40, {
    {"psp_version", 0x00,  5,  2},
}};

// All of it, in the order of match_criteria's bits.
inline constexpr layout fte_match_param{"fte_match_param", 0x200, {
    {"outer_headers",     0x000, fte_match_set_lyr_2_4},
    {"misc_parameters",   0x040, fte_match_set_misc},
    {"inner_headers",     0x080, fte_match_set_lyr_2_4},
    {"misc_parameters_2", 0x0c0, fte_match_set_misc2},
    {"misc_parameters_3", 0x100, fte_match_set_misc3},
    {"misc_parameters_4", 0x140, fte_match_set_misc4},
    {"misc_parameters_5", 0x180, fte_match_set_misc5},
    {"misc_parameters_6", 0x1c0, fte_match_set_misc6},
}};

// Formats of match definers: other selections of the same fields.
inline constexpr layout match_definer_format_0{"match_definer_format_0", 0x40, {
    {"metadata_reg_c_0",       0x20, 31,  0},
    {"metadata_reg_c_1",       0x24, 31,  0},
    {"outer_dmac_47_16",       0x28, 31,  0},
    {"outer_dmac_15_0",        0x2c, 31, 16},
    {"outer_ethertype",        0x2c, 15,  0},
    {"sx_sniffer",             0x30, 30, 30},
    {"functional_lb",          0x30, 29, 29},
    {"outer_ip_frag",          0x30, 28, 28},
    {"outer_qp_type",          0x30, 27, 26},
    {"outer_encap_type",       0x30, 25, 24},
    {"port_number",            0x30, 23, 22},
    {"outer_l3_type",          0x30, 21, 20},
    {"outer_l4_type",          0x30, 19, 18},
    {"outer_first_vlan_type",  0x30, 17, 16},
    {"outer_first_vlan_prio",  0x30, 15, 13},
    {"outer_first_vlan_cfi",   0x30, 12, 12},
    {"outer_first_vlan_vid",   0x30, 11,  0},
    {"outer_l4_type_ext",      0x34, 31, 28},
    {"outer_ipsec_layer",      0x34, 25, 24},
    {"outer_l2_type",          0x34, 23, 22},
    {"force_lb",               0x34, 21, 21},
    {"outer_l2_ok",            0x34, 20, 20},
    {"outer_l3_ok",            0x34, 19, 19},
    {"outer_l4_ok",            0x34, 18, 18},
    {"outer_second_vlan_type", 0x34, 17, 16},
    {"outer_second_vlan_prio", 0x34, 15, 13},
    {"outer_second_vlan_cfi",  0x34, 12, 12},
    {"outer_second_vlan_vid",  0x34, 11,  0},
    {"outer_smac_47_16",       0x38, 31,  0},
    {"outer_smac_15_0",        0x3c, 31, 16},
    {"inner_ipv4_checksum_ok", 0x3c, 15, 15},
    {"inner_l4_checksum_ok",   0x3c, 14, 14},
    {"outer_ipv4_checksum_ok", 0x3c, 13, 13},
    {"outer_l4_checksum_ok",   0x3c, 12, 12},
    {"inner_l3_ok",            0x3c, 11, 11},
    {"inner_l4_ok",            0x3c, 10, 10},
    {"outer_l3_ok_duplicate",  0x3c,  9,  9},
    {"outer_l4_ok_duplicate",  0x3c,  8,  8},
    {"outer_tcp_cwr",          0x3c,  7,  7},
    {"outer_tcp_ece",          0x3c,  6,  6},
    {"outer_tcp_urg",          0x3c,  5,  5},
    {"outer_tcp_ack",          0x3c,  4,  4},
    {"outer_tcp_psh",          0x3c,  3,  3},
    {"outer_tcp_rst",          0x3c,  2,  2},
    {"outer_tcp_syn",          0x3c,  1,  1},
    {"outer_tcp_fin",          0x3c,  0,  0},
}};

inline constexpr layout match_definer_format_22{"match_definer_format_22", 0x40, {
    {"outer_ip_src_addr",     0x20, 31,  0},
    {"outer_ip_dest_addr",    0x24, 31,  0},
    {"outer_l4_sport",        0x28, 31, 16},
    {"outer_l4_dport",        0x28, 15,  0},
    {"sx_sniffer",            0x2c, 30, 30},
    {"functional_lb",         0x2c, 29, 29},
    {"outer_ip_frag",         0x2c, 28, 28},
    {"outer_qp_type",         0x2c, 27, 26},
    {"outer_encap_type",      0x2c, 25, 24},
    {"port_number",           0x2c, 23, 22},
    {"outer_l3_type",         0x2c, 21, 20},
    {"outer_l4_type",         0x2c, 19, 18},
    {"outer_first_vlan_type", 0x2c, 17, 16},
    {"outer_first_vlan_prio", 0x2c, 15, 13},
    {"outer_first_vlan_cfi",  0x2c, 12, 12},
    {"outer_first_vlan_vid",  0x2c, 11,  0},
    {"metadata_reg_c_0",      0x30, 31,  0},
    {"outer_dmac_47_16",      0x34, 31,  0},
    {"outer_smac_47_16",      0x38, 31,  0},
    {"outer_smac_15_0",       0x3c, 31, 16},
    {"outer_dmac_15_0",       0x3c, 15,  0},
}};

inline constexpr layout match_definer_format_23{"match_definer_format_23", 0x40, {
    {"inner_ip_src_addr",     0x20, 31,  0},
    {"inner_ip_dest_addr",    0x24, 31,  0},
    {"inner_l4_sport",        0x28, 31, 16},
    {"inner_l4_dport",        0x28, 15,  0},
    {"sx_sniffer",            0x2c, 30, 30},
    {"functional_lb",         0x2c, 29, 29},
    {"inner_ip_frag",         0x2c, 28, 28},
    {"inner_qp_type",         0x2c, 27, 26},
    {"inner_encap_type",      0x2c, 25, 24},
    {"port_number",           0x2c, 23, 22},
    {"inner_l3_type",         0x2c, 21, 20},
    {"inner_l4_type",         0x2c, 19, 18},
    {"inner_first_vlan_type", 0x2c, 17, 16},
    {"inner_first_vlan_prio", 0x2c, 15, 13},
    {"inner_first_vlan_cfi",  0x2c, 12, 12},
    {"inner_first_vlan_vid",  0x2c, 11,  0},
    {"tunnel_header_0",       0x30, 31,  0},
    {"inner_dmac_47_16",      0x34, 31,  0},
    {"inner_smac_47_16",      0x38, 31,  0},
    {"inner_smac_15_0",       0x3c, 31, 16},
    {"inner_dmac_15_0",       0x3c, 15,  0},
}};

inline constexpr layout match_definer_format_29{"match_definer_format_29", 0x40, {
    {"outer_ip_dest_addr", 0x18, bytes{0x10}},
    {"outer_ip_src_addr",  0x28, bytes{0x10}},
    {"outer_l4_sport",     0x38, 31, 16},
    {"outer_l4_dport",     0x38, 15,  0},
}};

inline constexpr layout match_definer_format_30{"match_definer_format_30", 0x40, {
    {"outer_ip_dest_addr", 0x14, bytes{0x10}},
    {"outer_ip_src_addr",  0x24, bytes{0x10}},
    {"outer_dmac_47_16",   0x34, 31,  0},
    {"outer_smac_47_16",   0x38, 31,  0},
    {"outer_smac_15_0",    0x3c, 31, 16},
    {"outer_dmac_15_0",    0x3c, 15,  0},
}};

inline constexpr layout match_definer_format_31{"match_definer_format_31", 0x40, {
    {"inner_ip_dest_addr", 0x18, bytes{0x10}},
    {"inner_ip_src_addr",  0x28, bytes{0x10}},
    {"inner_l4_sport",     0x38, 31, 16},
    {"inner_l4_dport",     0x38, 15,  0},
}};

inline constexpr layout match_definer_format_32{"match_definer_format_32", 0x40, {
    {"inner_ip_dest_addr", 0x14, bytes{0x10}},
    {"inner_ip_src_addr",  0x24, bytes{0x10}},
    {"inner_dmac_47_16",   0x34, 31,  0},
    {"inner_smac_47_16",   0x38, 31,  0},
    {"inner_smac_15_0",    0x3c, 31, 16},
    {"inner_dmac_15_0",    0x3c, 15,  0},
}};

// clang-format on

} // namespace kdevx::prm
