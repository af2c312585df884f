// SPDX-License-Identifier: MIT
// Ethernet addresses and ports that the embedded switch knows.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/vport.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr layout set_l2_table_entry_in{"set_l2_table_entry_in", 0x40, {
    {"opcode",            0x00, 31, 16},
    {"op_mod",            0x04, 15,  0},
    {"table_index",       0x14, 23,  0},
    {"silent_mode_valid", 0x1c, 15, 15},
    {"silent_mode",       0x1c, 14, 14},
    {"vlan_valid",        0x1c, 12, 12},
    {"vlan",              0x1c, 11,  0},
    {"mac_address",       0x20, mac_address_layout},
}};
inline constexpr layout set_l2_table_entry_out{"set_l2_table_entry_out", 0x10, status_rows};

inline constexpr layout query_l2_table_entry_in{"query_l2_table_entry_in", 0x40, {
    {"opcode",            0x00, 31, 16},
    {"op_mod",            0x04, 15,  0},
    {"silent_mode_query", 0x10, 31, 31},
    {"table_index",       0x14, 23,  0},
}};

inline constexpr layout query_l2_table_entry_out{"query_l2_table_entry_out", 0x40, {
    {"status",      0x00, 31, 24},
    {"syndrome",    0x04, 31,  0},
    {"silent_mode", 0x1c, 14, 14},
    {"vlan_valid",  0x1c, 12, 12},
    {"vlan",        0x1c, 11,  0},
    {"mac_address", 0x20, mac_address_layout},
}};

inline constexpr layout delete_l2_table_entry_in{"delete_l2_table_entry_in", 0x40, {
    {"opcode",      0x00, 31, 16},
    {"op_mod",      0x04, 15,  0},
    {"table_index", 0x14, 23,  0},
}};
inline constexpr layout delete_l2_table_entry_out{"delete_l2_table_entry_out", 0x10, status_rows};

// A UDP port that carries VXLAN.
inline constexpr layout add_vxlan_udp_dport_in{"add_vxlan_udp_dport_in", 0x10, {
    {"opcode",         0x00, 31, 16},
    {"op_mod",         0x04, 15,  0},
    {"vxlan_udp_port", 0x0c, 15,  0},
}};
inline constexpr layout add_vxlan_udp_dport_out{"add_vxlan_udp_dport_out", 0x10, status_rows};

inline constexpr layout delete_vxlan_udp_dport_in{"delete_vxlan_udp_dport_in", 0x10, {
    {"opcode",         0x00, 31, 16},
    {"op_mod",         0x04, 15,  0},
    {"vxlan_udp_port", 0x0c, 15,  0},
}};
inline constexpr layout delete_vxlan_udp_dport_out{"delete_vxlan_udp_dport_out", 0x10, status_rows};

inline constexpr command_group l2_table_commands{{
    {"SET_L2_TABLE_ENTRY",    create,  set_l2_table_entry_in,
     set_l2_table_entry_out, "table_index"},
    {"SET_L2_TABLE_ENTRY",    modify,  set_l2_table_entry_in,
     set_l2_table_entry_out, "table_index"},
    {"QUERY_L2_TABLE_ENTRY",  query,   query_l2_table_entry_in,
     query_l2_table_entry_out, "table_index"},
    {"DELETE_L2_TABLE_ENTRY", destroy, delete_l2_table_entry_in,
     delete_l2_table_entry_out, "table_index"},
}};

inline constexpr command_group vxlan_port_commands{{
    {"ADD_VXLAN_UDP_DPORT",    create,  add_vxlan_udp_dport_in,
     add_vxlan_udp_dport_out, "vxlan_udp_port"},
    {"ADD_VXLAN_UDP_DPORT",    modify,  add_vxlan_udp_dport_in,
     add_vxlan_udp_dport_out, "vxlan_udp_port"},
    {"DELETE_VXLAN_UDP_DPORT", destroy, delete_vxlan_udp_dport_in,
     delete_vxlan_udp_dport_out, "vxlan_udp_port"},
}};
// clang-format on

} // namespace kdevx::prm
