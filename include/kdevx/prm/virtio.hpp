// SPDX-License-Identifier: MIT
// General objects of virtio emulation.
#pragma once

#include "kdevx/prm/general.hpp"
#include "kdevx/prm/layout.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr layout virtio_q{"virtio_q", 0x80, {
    {"virtio_q_type",         0x00, 31, 24},
    {"event_mode",            0x00, 18, 16},
    {"queue_index",           0x00, 15,  0},
    {"full_emulation",        0x04, 31, 31},
    {"virtio_version_1_0",    0x04, 30, 30},
    {"offload_type",          0x04, 27, 24},
    {"event_qpn_or_msix",     0x04, 23,  0},
    {"doorbell_stride_index", 0x08, 31, 16},
    {"queue_size",            0x08, 15,  0},
    {"device_emulation_id",   0x0c, 31,  0},
    {"desc_addr",             0x10, 63,  0},
    {"used_addr",             0x18, 63,  0},
    {"available_addr",        0x20, 63,  0},
    {"virtio_q_mkey",         0x28, 31,  0},
    {"max_tunnel_desc",       0x2c, 31, 16},
    {"error_type",            0x2c,  7,  0},
    {"umem_1_id",             0x30, 31,  0},
    {"umem_1_size",           0x34, 31,  0},
    {"umem_1_offset",         0x38, 63,  0},
    {"umem_2_id",             0x40, 31,  0},
    {"umem_2_size",           0x44, 31,  0},
    {"umem_2_offset",         0x48, 63,  0},
    {"umem_3_id",             0x50, 31,  0},
    {"umem_3_size",           0x54, 31,  0},
    {"umem_3_offset",         0x58, 63,  0},
    {"counter_set_id",        0x60, 31,  0},
    {"pd",                    0x64, 23,  0},
    {"desc_group_mkey",       0x6c, 31,  0},
}};

inline constexpr layout virtio_net_q_object{"virtio_net_q_object", 0xc0, {
    {"modify_field_select",         0x00, 63,  0},
    {"vhca_id",                     0x0c, 31, 16},
    {"queue_feature_bit_mask_12_3", 0x10, 31, 22},
    {"dirty_bitmap_dump_enable",    0x10, 21, 21},
    {"vhost_log_page",              0x10, 20, 16},
    {"state",                       0x10,  3,  0},
    {"queue_feature_bit_mask_2_0",  0x14, 26, 24},
    {"tisn_or_qpn",                 0x14, 23,  0},
    {"dirty_bitmap_mkey",           0x18, 31,  0},
    {"dirty_bitmap_size",           0x1c, 31,  0},
    {"dirty_bitmap_addr",           0x20, 63,  0},
    {"hw_available_index",          0x28, 31, 16},
    {"hw_used_index",               0x28, 15,  0},
    {"virtio_q_context",            0x40, virtio_q},
}};

inline constexpr layout create_virtio_net_q_in{"create_virtio_net_q_in", 0xd0, {
    {"general_obj_in_cmd_hdr", 0x00, general_obj_in_cmd_hdr},
    {"obj_context",            0x10, virtio_net_q_object},
}};

inline constexpr layout create_virtio_net_q_out{"create_virtio_net_q_out", 0x10, {
    {"general_obj_out_cmd_hdr", 0x00, general_obj_out_cmd_hdr},
}};

inline constexpr layout destroy_virtio_net_q_in{"destroy_virtio_net_q_in", 0x10, {
    {"general_obj_out_cmd_hdr", 0x00, general_obj_in_cmd_hdr},
}};

inline constexpr layout destroy_virtio_net_q_out{"destroy_virtio_net_q_out", 0x10, {
    {"general_obj_out_cmd_hdr", 0x00, general_obj_out_cmd_hdr},
}};

inline constexpr layout query_virtio_net_q_in{"query_virtio_net_q_in", 0x10, {
    {"general_obj_in_cmd_hdr", 0x00, general_obj_in_cmd_hdr},
}};

inline constexpr layout query_virtio_net_q_out{"query_virtio_net_q_out", 0xd0, {
    {"general_obj_out_cmd_hdr", 0x00, general_obj_out_cmd_hdr},
    {"obj_context",             0x10, virtio_net_q_object},
}};

inline constexpr layout modify_virtio_net_q_in{"modify_virtio_net_q_in", 0xd0, {
    {"general_obj_in_cmd_hdr", 0x00, general_obj_in_cmd_hdr},
    {"obj_context",            0x10, virtio_net_q_object},
}};

inline constexpr layout modify_virtio_net_q_out{"modify_virtio_net_q_out", 0x10, {
    {"general_obj_out_cmd_hdr", 0x00, general_obj_out_cmd_hdr},
}};

inline constexpr layout virtio_q_counters{"virtio_q_counters", 0x80, {
    {"modify_field_select", 0x00, 63,  0},
    {"received_desc",       0x10, 63,  0},
    {"completed_desc",      0x18, 63,  0},
    {"error_cqes",          0x20, 31,  0},
    {"bad_desc_errors",     0x24, 31,  0},
    {"exceed_max_chain",    0x28, 31,  0},
    {"invalid_buffer",      0x2c, 31,  0},
}};

inline constexpr layout create_virtio_q_counters_in{"create_virtio_q_counters_in", 0x90, {
    {"hdr",               0x00, general_obj_in_cmd_hdr},
    {"virtio_q_counters", 0x10, virtio_q_counters},
}};

inline constexpr layout create_virtio_q_counters_out{"create_virtio_q_counters_out", 0x90, {
    {"hdr",               0x00, general_obj_in_cmd_hdr},
    {"virtio_q_counters", 0x10, virtio_q_counters},
}};

inline constexpr layout destroy_virtio_q_counters_in{"destroy_virtio_q_counters_in", 0x10, {
    {"hdr", 0x00, general_obj_in_cmd_hdr},
}};

inline constexpr layout destroy_virtio_q_counters_out{"destroy_virtio_q_counters_out", 0x10, {
    {"hdr", 0x00, general_obj_out_cmd_hdr},
}};

inline constexpr layout query_virtio_q_counters_in{"query_virtio_q_counters_in", 0x10, {
    {"hdr", 0x00, general_obj_in_cmd_hdr},
}};

inline constexpr layout query_virtio_q_counters_out{"query_virtio_q_counters_out", 0x90, {
    {"hdr",      0x00, general_obj_in_cmd_hdr},
    {"counters", 0x10, virtio_q_counters},
}};

// clang-format on

} // namespace kdevx::prm
