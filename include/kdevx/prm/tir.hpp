// SPDX-License-Identifier: MIT
// Transport interfaces: where received packets go (TIR), how sent ones leave (TIS).
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values tirc_disp_types{"MLX5_TIRC_DISP_TYPE_", {
    {"DIRECT",   0x00},
    {"INDIRECT", 0x01},
}};

inline constexpr values rx_hash_functions{"MLX5_RX_HASH_FN_", {
    {"NONE",          0x00},
    {"INVERTED_XOR8", 0x01},
    {"TOEPLITZ",      0x02},
}};

// Bit numbers of rx_hash_field_select.selected_fields
inline constexpr values rx_hash_fields{"MLX5_RX_HASH_FIELD_SELECT_SELECTED_FIELDS_", {
    {"SRC_IP",    0x00},
    {"DST_IP",    0x01},
    {"L4_SPORT",  0x02},
    {"L4_DPORT",  0x03},
    {"IPSEC_SPI", 0x04},
}};

// What the RSS hash covers.
inline constexpr layout rx_hash_field_select{"rx_hash_field_select", 0x04, {
    {"l3_prot_type",    0x00, 31, 31},
    {"l4_prot_type",    0x00, 30, 30},
    {"selected_fields", 0x00, 29,  0},
}};

// Transport interface receive.
inline constexpr layout tirc{"tirc", 0xf0, {
    {"disp_type",                    0x04, 31, 28},
    {"tls_en",                       0x04, 27, 27},
    {"lro_timeout_period_usecs",     0x10, 27, 12},
    {"packet_merge_mask",            0x10, 11,  8},
    {"lro_max_ip_payload_size",      0x10,  7,  0},
    {"inline_rqn",                   0x1c, 23,  0},
    {"rx_hash_symmetric",            0x20, 31, 31},
    {"tunneled_offload_en",          0x20, 29, 29},
    {"indirect_table",               0x20, 23,  0},
    {"rx_hash_fn",                   0x24, 31, 28},
    {"self_lb_block",                0x24, 25, 24},
    {"transport_domain",             0x24, 23,  0},
    {"rx_hash_toeplitz_key",         0x28, bytes{0x28}},
    {"rx_hash_field_selector_outer", 0x50, rx_hash_field_select},
    {"rx_hash_field_selector_inner", 0x54, rx_hash_field_select},
}};

inline constexpr layout modify_tir_bitmask{"modify_tir_bitmask", 0x08, {
    {"self_lb_en",   0x04,  4,  4},
    {"hash",         0x04,  2,  2},
    {"packet_merge", 0x04,  0,  0},
}};

inline constexpr layout create_tir_in{"create_tir_in", 0x110, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"ctx",    0x20, tirc},
}};

inline constexpr layout create_tir_out{"create_tir_out", 0x10, {
    {"status",            0x00, 31, 24},
    {"icm_address_63_40", 0x00, 23,  0},
    {"syndrome",          0x04, 31,  0},
    {"icm_address_39_32", 0x08, 31, 24},
    {"tirn",              0x08, 23,  0},
    {"icm_address_31_0",  0x0c, 31,  0},
}};

inline constexpr layout modify_tir_in{"modify_tir_in", 0x110, {
    {"opcode",  0x00, 31, 16},
    {"uid",     0x00, 15,  0},
    {"op_mod",  0x04, 15,  0},
    {"tirn",    0x08, 23,  0},
    {"bitmask", 0x10, modify_tir_bitmask},
    {"ctx",     0x20, tirc},
}};
inline constexpr layout modify_tir_out{"modify_tir_out", 0x10, status_rows};

inline constexpr layout query_tir_in{"query_tir_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"tirn",   0x08, 23,  0},
}};

inline constexpr layout query_tir_out{"query_tir_out", 0x110, {
    {"status",      0x00, 31, 24},
    {"syndrome",    0x04, 31,  0},
    {"tir_context", 0x20, tirc},
}};

inline constexpr layout destroy_tir_in{"destroy_tir_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"tirn",   0x08, 23,  0},
}};
inline constexpr layout destroy_tir_out{"destroy_tir_out", 0x10, status_rows};

// Transport interface send.
inline constexpr layout tisc{"tisc", 0xa0, {
    {"strict_lag_tx_port_affinity", 0x00, 31, 31},
    {"tls_en",                      0x00, 30, 30},
    {"lag_tx_port_affinity",        0x00, 27, 24},
    {"prio",                        0x00, 19, 16},
    {"transport_domain",            0x24, 23,  0},
    {"underlay_qpn",                0x28, 23,  0},
    {"pd",                          0x2c, 23,  0},
}};

inline constexpr layout modify_tis_bitmask{"modify_tis_bitmask", 0x08, {
    {"lag_tx_port_affinity",        0x04,  2,  2},
    {"strict_lag_tx_port_affinity", 0x04,  1,  1},
    {"prio",                        0x04,  0,  0},
}};

inline constexpr layout create_tis_in{"create_tis_in", 0xc0, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"ctx",    0x20, tisc},
}};

inline constexpr layout create_tis_out{"create_tis_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"tisn",     0x08, 23,  0},
}};

inline constexpr layout modify_tis_in{"modify_tis_in", 0xc0, {
    {"opcode",  0x00, 31, 16},
    {"uid",     0x00, 15,  0},
    {"op_mod",  0x04, 15,  0},
    {"tisn",    0x08, 23,  0},
    {"bitmask", 0x10, modify_tis_bitmask},
    {"ctx",     0x20, tisc},
}};
inline constexpr layout modify_tis_out{"modify_tis_out", 0x10, status_rows};

inline constexpr layout query_tis_in{"query_tis_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"tisn",   0x08, 23,  0},
}};

inline constexpr layout query_tis_out{"query_tis_out", 0xb0, {
    {"status",      0x00, 31, 24},
    {"syndrome",    0x04, 31,  0},
    {"tis_context", 0x10, tisc},
}};

inline constexpr layout destroy_tis_in{"destroy_tis_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"tisn",   0x08, 23,  0},
}};
inline constexpr layout destroy_tis_out{"destroy_tis_out", 0x10, status_rows};

inline constexpr command_group tir_commands{{
    {"CREATE_TIR",  create,  create_tir_in,  create_tir_out,  "tirn"},
    {"MODIFY_TIR",  modify,  modify_tir_in,  modify_tir_out,  "tirn"},
    {"QUERY_TIR",   query,   query_tir_in,   query_tir_out,   "tirn"},
    {"DESTROY_TIR", destroy, destroy_tir_in, destroy_tir_out, "tirn"},
}};

inline constexpr command_group tis_commands{{
    {"CREATE_TIS",  create,  create_tis_in,  create_tis_out,  "tisn"},
    {"MODIFY_TIS",  modify,  modify_tis_in,  modify_tis_out,  "tisn"},
    {"QUERY_TIS",   query,   query_tis_in,   query_tis_out,   "tisn"},
    {"DESTROY_TIS", destroy, destroy_tis_in, destroy_tis_out, "tisn"},
}};
// clang-format on

} // namespace kdevx::prm
