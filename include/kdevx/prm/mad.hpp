// SPDX-License-Identifier: MIT
// Management datagrams, multicast groups, dropped packets.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values mad_demux_modes{"MLX5_SET_MAD_DEMUX_IN_DEMUX_MODE_", {
    {"PASS_ALL",  0x00},
    {"SELECTIVE", 0x02},
}};

// One management datagram, handed to the firmware's agents.
inline constexpr layout mad_ifc_in{"mad_ifc_in", 0x110, {
    {"opcode",      0x00, 31, 16},
    {"op_mod",      0x04, 15,  0},
    {"remote_lid",  0x08, 31, 16},
    {"plane_index", 0x08, 15,  8},
    {"port",        0x08,  7,  0},
    {"mad",         0x10, bytes{0x100}},
}};

inline constexpr layout mad_ifc_out{"mad_ifc_out", 0x110, {
    {"status",              0x00, 31, 24},
    {"syndrome",            0x04, 31,  0},
    {"response_mad_packet", 0x10, bytes{0x100}},
}};

inline constexpr layout query_mad_demux_in{"query_mad_demux_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
}};

inline constexpr layout query_mad_demux_out{"query_mad_demux_out", 0x14, {
    {"status",                     0x00, 31, 24},
    {"syndrome",                   0x04, 31,  0},
    {"mad_dumux_parameters_block", 0x10, 31,  0},
}};

inline constexpr layout set_mad_demux_in{"set_mad_demux_in", 0x10, {
    {"opcode",     0x00, 31, 16},
    {"op_mod",     0x04, 15,  0},
    {"demux_mode", 0x0c, 25, 24},
}};
inline constexpr layout set_mad_demux_out{"set_mad_demux_out", 0x10, status_rows};

// A UD queue pair joins a multicast group.
inline constexpr layout attach_to_mcg_in{"attach_to_mcg_in", 0x20, {
    {"opcode",        0x00, 31, 16},
    {"uid",           0x00, 15,  0},
    {"op_mod",        0x04, 15,  0},
    {"qpn",           0x08, 23,  0},
    {"multicast_gid", 0x10, bytes{0x10}},
}};
inline constexpr layout attach_to_mcg_out{"attach_to_mcg_out", 0x10, status_rows};

inline constexpr layout detach_from_mcg_in{"detach_from_mcg_in", 0x20, {
    {"opcode",        0x00, 31, 16},
    {"uid",           0x00, 15,  0},
    {"op_mod",        0x04, 15,  0},
    {"qpn",           0x08, 23,  0},
    {"multicast_gid", 0x10, bytes{0x10}},
}};
inline constexpr layout detach_from_mcg_out{"detach_from_mcg_out", 0x10, status_rows};

inline constexpr layout get_dropped_packet_log_in{"get_dropped_packet_log_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
}};

inline constexpr layout get_dropped_packet_log_out{"get_dropped_packet_log_out", 0xd0, {
    {"status",             0x00, 31, 24},
    {"syndrome",           0x04, 31,  0},
    {"packet_headers_log", 0x10, bytes{0x80}},
    {"packet_syndrome",    0x90, bytes{0x40}},
}};

inline constexpr command_group mcg_commands{{
    {"ATTACH_TO_MCG",   create,  attach_to_mcg_in,   attach_to_mcg_out,   "qpn"},
    {"DETACH_FROM_MCG", destroy, detach_from_mcg_in, detach_from_mcg_out, "qpn"},
}};

inline constexpr command_group packet_log_commands{{
    {"GET_DROPPED_PACKET_LOG", general, get_dropped_packet_log_in, get_dropped_packet_log_out},
}};

inline constexpr command_group mad_commands{kernel_only, {
    {"MAD_IFC",         general, mad_ifc_in,         mad_ifc_out},
    {"QUERY_MAD_DEMUX", general, query_mad_demux_in, query_mad_demux_out},
    {"SET_MAD_DEMUX",   general, set_mad_demux_in,   set_mad_demux_out},
}};
// clang-format on

} // namespace kdevx::prm
