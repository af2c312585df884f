// SPDX-License-Identifier: MIT
// General objects of encryption.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/general.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values key_sizes{"MLX5_GENERAL_OBJECT_TYPE_ENCRYPTION_KEY_KEY_SIZE_", {
    {"128", 0x00},
    {"256", 0x01},
}};

inline constexpr values key_purposes{"MLX5_GENERAL_OBJECT_TYPE_ENCRYPTION_KEY_PURPOSE_", {
    {"TLS",    0x01},
    {"IPSEC",  0x02},
    {"MACSEC", 0x04},
    {"PSP",    0x06},
}};

// Data encryption keys.
inline constexpr layout wrapped_dek{"wrapped_dek", 0x80, {
    {"gcm_iv",       0x00, bytes{0xc}},
    {"const0",       0x10, 31, 31},
    {"key_size",     0x10, 30, 30},
    {"key2_invalid", 0x10, 27, 27},
    {"pd",           0x10, 23,  0},
    {"key_purpose",  0x14, 31, 27},
    {"kek_id",       0x14,  7,  0},
    {"key1",         0x20, 31,  0, array{8}},
    {"key2",         0x40, 31,  0, array{8}},
    {"const1",       0x68, 31, 31},
    {"auth_tag",     0x70, bytes{0x10}},
}};

inline constexpr layout encryption_key_obj{"encryption_key_obj", 0x200, {
    {"modify_field_select", 0x00, 63,  0},
    {"state",               0x08, 31, 24},
    {"sw_wrapped",          0x08, 23, 23},
    {"key_size",            0x08, 11,  8},
    {"key_purpose",         0x08,  3,  0},
    {"pd",                  0x0c, 23,  0},
    {"opaque",              0x30, 63,  0},
    {"key",                 0x40, bytes{0x80}},
    {"sw_wrapped_dek",      0xc0, bytes{0x80}},
}};

inline constexpr layout create_encryption_key_in{"create_encryption_key_in", 0x210, {
    {"general_obj_in_cmd_hdr", 0x00, general_obj_in_cmd_hdr},
    {"encryption_key_object",  0x10, encryption_key_obj},
}};

inline constexpr layout modify_encryption_key_in{"modify_encryption_key_in", 0x210, {
    {"general_obj_in_cmd_hdr", 0x00, general_obj_in_cmd_hdr},
    {"encryption_key_object",  0x10, encryption_key_obj},
}};

// Key encryption keys.
inline constexpr layout int_kek_obj{"int_kek_obj", 0x100, {
    {"modify_field_select", 0x00, 63,  0},
    {"state",               0x08, 31, 24},
    {"auto_gen",            0x08, 23, 23},
    {"key_size",            0x08, 11,  8},
    {"pd",                  0x0c, 23,  0},
    {"key",                 0x40, bytes{0x80}},
}};

inline constexpr layout create_int_kek_obj_in{"create_int_kek_obj_in", 0x110, {
    {"general_obj_in_cmd_hdr", 0x00, general_obj_in_cmd_hdr},
    {"int_kek_object",         0x10, int_kek_obj},
}};

inline constexpr layout create_int_kek_obj_out{"create_int_kek_obj_out", 0x110, {
    {"general_obj_out_cmd_hdr", 0x00, general_obj_out_cmd_hdr},
    {"int_kek_object",          0x10, int_kek_obj},
}};

// IPsec.
inline constexpr layout ipsec_aso{"ipsec_aso", 0x40, {
    {"valid",                    0x00, 31, 31},
    {"mode",                     0x00, 29, 28},
    {"window_sz",                0x00, 27, 26},
    {"soft_lft_arm",             0x00, 25, 25},
    {"hard_lft_arm",             0x00, 24, 24},
    {"remove_flow_enable",       0x00, 23, 23},
    {"esn_event_arm",            0x00, 22, 22},
    {"remove_flow_pkt_cnt",      0x04, 31,  0},
    {"remove_flow_soft_lft",     0x08, 31,  0},
    {"mode_parameter",           0x1c, 31,  0},
    {"replay_protection_window", 0x20, bytes{0x20}},
}};

inline constexpr layout ipsec_obj{"ipsec_obj", 0x80, {
    {"modify_field_select", 0x00, 63,  0},
    {"full_offload",        0x08, 31, 31},
    {"esn_en",              0x08, 29, 29},
    {"esn_overlap",         0x08, 28, 28},
    {"icv_length",          0x08, 25, 24},
    {"aso_return_reg",      0x08, 19, 16},
    {"esn_msb",             0x0c, 31,  0},
    {"dekn",                0x10, 23,  0},
    {"salt",                0x14, 31,  0},
    {"implicit_iv",         0x18, 63,  0},
    {"ipsec_aso_access_pd", 0x20, 23,  0},
    {"ipsec_aso",           0x40, ipsec_aso},
}};

inline constexpr layout create_ipsec_obj_in{"create_ipsec_obj_in", 0x90, {
    {"general_obj_in_cmd_hdr", 0x00, general_obj_in_cmd_hdr},
    {"ipsec_object",           0x10, ipsec_obj},
}};

inline constexpr layout query_ipsec_obj_out{"query_ipsec_obj_out", 0x90, {
    {"general_obj_out_cmd_hdr", 0x00, general_obj_out_cmd_hdr},
    {"ipsec_object",            0x10, ipsec_obj},
}};

inline constexpr layout modify_ipsec_obj_in{"modify_ipsec_obj_in", 0x90, {
    {"general_obj_in_cmd_hdr", 0x00, general_obj_in_cmd_hdr},
    {"ipsec_object",           0x10, ipsec_obj},
}};

// MACsec.
inline constexpr layout macsec_aso{"macsec_aso", 0x40, {
    {"valid",                     0x00, 31, 31},
    {"mode",                      0x00, 29, 28},
    {"window_size",               0x00, 27, 26},
    {"soft_lifetime_arm",         0x00, 25, 25},
    {"hard_lifetime_arm",         0x00, 24, 24},
    {"remove_flow_enable",        0x00, 23, 23},
    {"epn_event_arm",             0x00, 22, 22},
    {"remove_flow_packet_count",  0x04, 31,  0},
    {"remove_flow_soft_lifetime", 0x08, 31,  0},
    {"mode_parameter",            0x1c, 31,  0},
    {"replay_protection_window",  0x20, 31,  0, array{8}},
}};

inline constexpr layout macsec_offload_obj{"macsec_offload_obj", 0x80, {
    {"modify_field_select",    0x00, 63,  0},
    {"confidentiality_en",     0x08, 31, 31},
    {"epn_en",                 0x08, 29, 29},
    {"epn_overlap",            0x08, 28, 28},
    {"confidentiality_offset", 0x08, 25, 24},
    {"aso_return_reg",         0x08, 19, 16},
    {"epn_msb",                0x0c, 31,  0},
    {"dekn",                   0x10, 23,  0},
    {"sci",                    0x18, 63,  0},
    {"macsec_aso_access_pd",   0x20, 23,  0},
    {"salt",                   0x30, 31,  0, array{3}},
    {"macsec_aso",             0x40, macsec_aso},
}};

inline constexpr layout create_macsec_obj_in{"create_macsec_obj_in", 0x90, {
    {"general_obj_in_cmd_hdr", 0x00, general_obj_in_cmd_hdr},
    {"macsec_object",          0x10, macsec_offload_obj},
}};

inline constexpr layout modify_macsec_obj_in{"modify_macsec_obj_in", 0x90, {
    {"general_obj_in_cmd_hdr", 0x00, general_obj_in_cmd_hdr},
    {"macsec_object",          0x10, macsec_offload_obj},
}};

inline constexpr layout query_macsec_obj_out{"query_macsec_obj_out", 0x90, {
    {"general_obj_out_cmd_hdr", 0x00, general_obj_out_cmd_hdr},
    {"macsec_object",           0x10, macsec_offload_obj},
}};

// TLS: contexts of a TIS or TIR, written by UMR.
inline constexpr layout tls_static_params{"tls_static_params", 0x40, {
    {"const_2",               0x00, 31, 30},
    {"tls_version",           0x00, 29, 26},
    {"const_1",               0x00, 25, 24},
    {"encryption_standard",   0x00,  3,  0},
    {"initial_record_number", 0x08, 63,  0},
    {"resync_tcp_sn",         0x10, 31,  0},
    {"gcm_iv",                0x14, 31,  0},
    {"implicit_iv",           0x18, 63,  0},
    {"dek_index",             0x20, 23,  0},
}};

inline constexpr layout tls_progress_params{"tls_progress_params", 0x0c, {
    {"next_record_tcp_sn",      0x00, 31,  0},
    {"hw_resync_tcp_sn",        0x04, 31,  0},
    {"record_tracker_state",    0x08, 31, 30},
    {"auth_state",              0x08, 29, 28},
    {"hw_offset_record_number", 0x08, 23,  0},
}};

inline constexpr layout sync_crypto_in{"sync_crypto_in", 0x20, {
    {"opcode",      0x00, 31, 16},
    {"uid",         0x00, 15,  0},
    {"op_mod",      0x04, 15,  0},
    {"crypto_type", 0x0c, 15,  0},
}};
inline constexpr layout sync_crypto_out{"sync_crypto_out", 0x10, status_rows};

// PSP.
inline constexpr layout key_spi{"key_spi", 0x30, {
    {"spi", 0x00, 31,  0},
    {"key", 0x10, 31,  0, array{8}},
}};

inline constexpr layout psp_gen_spi_in{"psp_gen_spi_in", 0x10, {
    {"opcode",     0x00, 31, 16},
    {"uid",        0x00, 15,  0},
    {"op_mod",     0x04, 15,  0},
    {"key_size",   0x0c, 31, 30},
    {"num_of_spi", 0x0c, 15,  0},
}};

inline constexpr layout psp_gen_spi_out{"psp_gen_spi_out", 0x10, {
    {"status",     0x00, 31, 24},
    {"syndrome",   0x04, 31,  0},
    {"num_of_spi", 0x08, 15,  0},
    {"key_spi",    0x10, key_spi, trailing},
}};

inline constexpr layout psp_rotate_key_in{"psp_rotate_key_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
}};
inline constexpr layout psp_rotate_key_out{"psp_rotate_key_out", 0x10, status_rows};

inline constexpr command_group crypto_commands{{
    {"SYNC_CRYPTO",    general, sync_crypto_in,    sync_crypto_out},
    {"PSP_GEN_SPI",    general, psp_gen_spi_in,    psp_gen_spi_out},
    {"PSP_ROTATE_KEY", general, psp_rotate_key_in, psp_rotate_key_out},
}};
// clang-format on

} // namespace kdevx::prm
