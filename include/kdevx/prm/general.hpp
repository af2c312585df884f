// SPDX-License-Identifier: MIT
// General objects: one set of commands, the type says what the object is.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/match.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
// general_obj_in_cmd_hdr.obj_type
inline constexpr values object_types{"MLX5_OBJ_TYPE_", {
    {"SW_ICM",                 0x0008},
    {"FLOW_METER",             0x000a},
    {"GENEVE_TLV_OPT",         0x000b},
    {"ENCRYPTION_KEY",         0x000c},
    {"VIRTIO_NET_Q",           0x000d},
    {"IPSEC",                  0x0013},
    {"MATCH_DEFINER",          0x0018},
    {"VIRTIO_Q_COUNTERS",      0x001c},
    {"IMPORT_KEK",             0x001d},
    {"CREDENTIAL",             0x001e},
    {"CRYPTO_LOGIN",           0x001f},
    {"SAMPLER",                0x0020},
    {"FLEX_PARSE_GRAPH",       0x0022},
    {"HEADER_MODIFY_ARGUMENT", 0x0023},
    {"FLOW_METER_ASO",         0x0024},
    {"FLOW_HIT_ASO",           0x0025},
    {"SCHEDULING_ELEMENT",     0x0026},
    {"MACSEC",                 0x0027},
    {"RESERVED_QPN",           0x002c},
    {"CONN_TRACK_OFFLOAD",     0x0031},
    {"AV_QP_MAPPING",          0x003a},
    {"STC",                    0x0040},
    {"RTC",                    0x0041},
    {"STE",                    0x0042},
    {"MODIFY_HDR_PATTERN",     0x0043},
    {"PAGE_TRACK",             0x0046},
    {"INT_KEK",                0x0047},
    {"RDMA_CTRL",              0x0053},
    {"PCIE_CONG_EVENT",        0x0058},
    {"MKEY",                   0xff01},
    {"QP",                     0xff02},
    {"PSV",                    0xff03},
    {"RMP",                    0xff04},
    {"XRC_SRQ",                0xff05},
    {"RQ",                     0xff06},
    {"SQ",                     0xff07},
    {"TIR",                    0xff08},
    {"TIS",                    0xff09},
    {"DCT",                    0xff0a},
    {"XRQ",                    0xff0b},
    {"RQT",                    0xff0e},
    {"FLOW_COUNTER",           0xff0f},
    {"CQ",                     0xff10},
    {"FT_ALIAS",               0xff15},
}};

// op_param of a create and of a query.
inline constexpr layout general_obj_create_param{"general_obj_create_param", 0x04, {
    {"alias_object",  0x00, 31, 31},
    {"log_obj_range", 0x00, 28, 24},
}};

inline constexpr layout general_obj_query_param{"general_obj_query_param", 0x04, {
    {"alias_object", 0x00, 31, 31},
    {"obj_offset",   0x00, 30,  0},
}};

inline constexpr layout general_obj_in_cmd_hdr{"general_obj_in_cmd_hdr", 0x10, {
    {"opcode",         0x00, 31, 16},
    {"uid",            0x00, 15,  0},
    {"vhca_tunnel_id", 0x04, 31, 16},
    {"obj_type",       0x04, 15,  0},
    {"obj_id",         0x08, 31,  0},
    {"op_param",       0x0c, 31,  0},
}};

inline constexpr layout general_obj_out_cmd_hdr{"general_obj_out_cmd_hdr", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"obj_id",   0x08, 31,  0},
}};

// An object of one function used by another: allowed here, an alias there.
inline constexpr layout allow_other_vhca_access_in{"allow_other_vhca_access_in", 0x40, {
    {"opcode",                     0x00, 31, 16},
    {"uid",                        0x00, 15,  0},
    {"op_mod",                     0x04, 15,  0},
    {"object_type_to_be_accessed", 0x10, 15,  0},
    {"object_id_to_be_accessed",   0x14, 31,  0},
    {"access_key_raw",             0x20, bytes{0x20}},
}};
inline constexpr layout allow_other_vhca_access_out{
    "allow_other_vhca_access_out", 0x10, status_rows};

inline constexpr layout alias_context{"alias_context", 0x40, {
    {"vhca_id_to_be_accessed",   0x00, 31, 16},
    {"vhca_id_type",             0x00,  4,  4},
    {"status",                   0x00,  2,  0},
    {"object_id_to_be_accessed", 0x04, 31,  0},
    {"access_key_raw",           0x10, bytes{0x20}},
    {"metadata",                 0x30, bytes{0x10}},
}};

inline constexpr layout create_alias_obj_in{"create_alias_obj_in", 0x50, {
    {"hdr",       0x00, general_obj_in_cmd_hdr},
    {"alias_ctx", 0x10, alias_context},
}};

// Which bytes of a packet a match definer takes.
inline constexpr layout match_definer_match_mask{"match_definer_match_mask", 0x40, {
    {"match_dw_8",   0x14, 31,  0},
    {"match_dw_7",   0x18, 31,  0},
    {"match_dw_6",   0x1c, 31,  0},
    {"match_dw_5",   0x20, 31,  0},
    {"match_dw_4",   0x24, 31,  0},
    {"match_dw_3",   0x28, 31,  0},
    {"match_dw_2",   0x2c, 31,  0},
    {"match_dw_1",   0x30, 31,  0},
    {"match_dw_0",   0x34, 31,  0},
    {"match_byte_7", 0x38, 31, 24},
    {"match_byte_6", 0x38, 23, 16},
    {"match_byte_5", 0x38, 15,  8},
    {"match_byte_4", 0x38,  7,  0},
    {"match_byte_3", 0x3c, 31, 24},
    {"match_byte_2", 0x3c, 23, 16},
    {"match_byte_1", 0x3c, 15,  8},
    {"match_byte_0", 0x3c,  7,  0},
}};

inline constexpr layout match_definer{"match_definer", 0x80, {
    {"modify_field_select", 0x00, 63,  0},
    {"format_id",           0x10, 15,  0},
    {"format_select_dw3",   0x20, 31, 24},
    {"format_select_dw2",   0x20, 23, 16},
    {"format_select_dw1",   0x20, 15,  8},
    {"format_select_dw0",   0x20,  7,  0},
    {"format_select_dw7",   0x24, 31, 24},
    {"format_select_dw6",   0x24, 23, 16},
    {"format_select_dw5",   0x24, 15,  8},
    {"format_select_dw4",   0x24,  7,  0},
    {"format_select_dw8",   0x28,  7,  0},
    {"format_select_byte3", 0x30, 31, 24},
    {"format_select_byte2", 0x30, 23, 16},
    {"format_select_byte1", 0x30, 15,  8},
    {"format_select_byte0", 0x30,  7,  0},
    {"format_select_byte7", 0x34, 31, 24},
    {"format_select_byte6", 0x34, 23, 16},
    {"format_select_byte5", 0x34, 15,  8},
    {"format_select_byte4", 0x34,  7,  0},
    {"match_mask",          0x40, 31,  0, array{16}},
}};

inline constexpr layout create_match_definer_in{"create_match_definer_in", 0x90, {
    {"general_obj_in_cmd_hdr", 0x00, general_obj_in_cmd_hdr},
    {"obj_context",            0x10, match_definer},
}};

inline constexpr layout create_match_definer_out{"create_match_definer_out", 0x10, {
    {"general_obj_out_cmd_hdr", 0x00, general_obj_out_cmd_hdr},
}};

// Arguments of header modification.
inline constexpr layout modify_header_arg{"modify_header_arg", 0x14, {
    {"access_pd", 0x10, 23,  0},
}};

inline constexpr layout create_modify_header_arg_in{"create_modify_header_arg_in", 0x24, {
    {"hdr", 0x00, general_obj_in_cmd_hdr},
    {"arg", 0x10, modify_header_arg},
}};

// One Geneve option as a field to match on.
inline constexpr layout geneve_tlv_option{"geneve_tlv_option", 0x40, {
    {"modify_field_select",     0x00, 63,  0},
    {"geneve_option_fte_index", 0x08,  7,  0},
    {"option_class",            0x0c, 31, 16},
    {"option_type",             0x0c, 15,  8},
    {"option_data_length",      0x0c,  4,  0},
}};

inline constexpr layout create_geneve_tlv_option_in{"create_geneve_tlv_option_in", 0x50, {
    {"hdr",            0x00, general_obj_in_cmd_hdr},
    {"geneve_tlv_opt", 0x10, geneve_tlv_option},
}};

// Memory of the device for steering by software.
inline constexpr layout sw_icm{"sw_icm", 0x40, {
    {"modify_field_select", 0x00, 63,  0},
    {"log_sw_icm_size",     0x08,  7,  0},
    {"sw_icm_start_addr",   0x10, 63,  0},
}};

inline constexpr layout create_sw_icm_in{"create_sw_icm_in", 0x50, {
    {"hdr",    0x00, general_obj_in_cmd_hdr},
    {"sw_icm", 0x10, sw_icm},
}};

// Meters.
inline constexpr layout flow_meter_parameters{"flow_meter_parameters", 0x20, {
    {"valid",                 0x00, 31, 31},
    {"bucket_overflow",       0x00, 30, 30},
    {"start_color",           0x00, 29, 28},
    {"both_buckets_on_green", 0x00, 27, 27},
    {"meter_mode",            0x00, 25, 24},
    {"cbs_exponent",          0x08, 28, 24},
    {"cbs_mantissa",          0x08, 23, 16},
    {"cir_exponent",          0x08, 12,  8},
    {"cir_mantissa",          0x08,  7,  0},
    {"ebs_exponent",          0x10, 28, 24},
    {"ebs_mantissa",          0x10, 23, 16},
    {"eir_exponent",          0x10, 12,  8},
    {"eir_mantissa",          0x10,  7,  0},
}};

inline constexpr layout flow_meter_aso_obj{"flow_meter_aso_obj", 0x80, {
    {"modify_field_select",   0x00, 63,  0},
    {"meter_aso_access_pd",   0x10, 23,  0},
    {"flow_meter_parameters", 0x40, flow_meter_parameters, array{2}},
}};

inline constexpr layout create_flow_meter_aso_obj_in{"create_flow_meter_aso_obj_in", 0x90, {
    {"hdr",                0x00, general_obj_in_cmd_hdr},
    {"flow_meter_aso_obj", 0x10, flow_meter_aso_obj},
}};

// Samplers: one packet in so many goes to another table too.
inline constexpr layout sampler_obj{"sampler_obj", 0x3c, {
    {"modify_field_select",        0x00, 63,  0},
    {"table_type",                 0x08, 31, 24},
    {"level",                      0x08, 23, 16},
    {"ignore_flow_level",          0x08,  0,  0},
    {"sample_ratio",               0x0c, 31,  0},
    {"sample_table_id",            0x10, 23,  0},
    {"default_table_id",           0x14, 23,  0},
    {"sw_steering_icm_address_rx", 0x18, 63,  0},
    {"sw_steering_icm_address_tx", 0x20, 63,  0},
}};

inline constexpr layout create_sampler_obj_in{"create_sampler_obj_in", 0x4c, {
    {"general_obj_in_cmd_hdr", 0x00, general_obj_in_cmd_hdr},
    {"sampler_object",         0x10, sampler_obj},
}};

inline constexpr layout query_sampler_obj_out{"query_sampler_obj_out", 0x4c, {
    {"general_obj_out_cmd_hdr", 0x00, general_obj_out_cmd_hdr},
    {"sampler_object",          0x10, sampler_obj},
}};

// Pages that a function under migration writes to.
inline constexpr layout page_track_report_entry{"page_track_report_entry", 0x08, {
    {"dirty_address_high", 0x00, 31,  0},
    {"dirty_address_low",  0x04, 31,  0},
}};

inline constexpr layout page_track_range{"page_track_range", 0x10, {
    {"start_address", 0x00, 63,  0},
    {"length",        0x08, 63,  0},
}};

inline constexpr layout page_track{"page_track", 0x30, {
    {"modify_field_select", 0x00, 63,  0},
    {"vhca_id",             0x08, 15,  0},
    {"state",               0x10, 31, 28},
    {"track_type",          0x10, 27, 24},
    {"log_addr_space_size", 0x10, 23, 16},
    {"log_page_size",       0x10, 12,  8},
    {"log_msg_size",        0x10,  4,  0},
    {"reporting_qpn",       0x14, 23,  0},
    {"num_ranges",          0x18,  7,  0},
    {"range_start_address", 0x20, 63,  0},
    {"length",              0x28, 63,  0},
    {"track_range",         0x30, page_track_range, trailing},
}};

inline constexpr layout create_page_track_obj_in{"create_page_track_obj_in", 0x40, {
    {"general_obj_in_cmd_hdr", 0x00, general_obj_in_cmd_hdr},
    {"obj_context",            0x10, page_track},
}};

inline constexpr layout modify_page_track_obj_in{"modify_page_track_obj_in", 0x40, {
    {"general_obj_in_cmd_hdr", 0x00, general_obj_in_cmd_hdr},
    {"obj_context",            0x10, page_track},
}};

inline constexpr layout query_page_track_obj_out{"query_page_track_obj_out", 0x40, {
    {"general_obj_out_cmd_hdr", 0x00, general_obj_out_cmd_hdr},
    {"obj_context",             0x10, page_track},
}};

template <fixed_string Name>
inline constexpr std::uint16_t object_type = std::uint16_t(value_of<object_types, Name>);

inline constexpr command_group general_object_commands{{
    {"CREATE_GENERAL_OBJECT",  create,  general_obj_in_cmd_hdr, general_obj_out_cmd_hdr, "obj_id"},
    {"MODIFY_GENERAL_OBJECT",  modify,  general_obj_in_cmd_hdr, general_obj_out_cmd_hdr, "obj_id"},
    {"QUERY_GENERAL_OBJECT",   query,   general_obj_in_cmd_hdr, general_obj_out_cmd_hdr, "obj_id"},
    {"DESTROY_GENERAL_OBJECT", destroy, general_obj_in_cmd_hdr, general_obj_out_cmd_hdr, "obj_id"},
}};

inline constexpr command_group vhca_access_commands{{
    {"ALLOW_OTHER_VHCA_ACCESS", general, allow_other_vhca_access_in, allow_other_vhca_access_out},
}};
// clang-format on

} // namespace kdevx::prm
