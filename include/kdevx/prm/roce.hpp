// SPDX-License-Identifier: MIT
// RoCE addresses.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr layout roce_addr_layout{"roce_addr_layout", 0x20, {
    {"source_l3_address", 0x00, bytes{0x10}},
    {"vlan_valid",        0x10, 28, 28},
    {"vlan_id",           0x10, 27, 16},
    {"source_mac_47_32",  0x10, 15,  0},
    {"source_mac_31_0",   0x14, 31,  0},
    {"roce_l3_type",      0x18, 11,  8},
    {"roce_version",      0x18,  7,  0},
}};

inline constexpr layout query_roce_address_in{"query_roce_address_in", 0x10, {
    {"opcode",             0x00, 31, 16},
    {"op_mod",             0x04, 15,  0},
    {"roce_address_index", 0x08, 31, 16},
    {"vhca_port_num",      0x08,  3,  0},
}};

inline constexpr layout query_roce_address_out{"query_roce_address_out", 0x30, {
    {"status",       0x00, 31, 24},
    {"syndrome",     0x04, 31,  0},
    {"roce_address", 0x10, roce_addr_layout},
}};

inline constexpr layout set_roce_address_in{"set_roce_address_in", 0x30, {
    {"opcode",             0x00, 31, 16},
    {"op_mod",             0x04, 15,  0},
    {"roce_address_index", 0x08, 31, 16},
    {"vhca_port_num",      0x08,  3,  0},
    {"roce_address",       0x10, roce_addr_layout},
}};
inline constexpr layout set_roce_address_out{"set_roce_address_out", 0x10, status_rows};

inline constexpr command_group roce_commands{{
    {"QUERY_ROCE_ADDRESS", general, query_roce_address_in, query_roce_address_out},
}};

inline constexpr command_group roce_kernel_commands{kernel_only, {
    {"SET_ROCE_ADDRESS", general, set_roce_address_in, set_roce_address_out},
}};
// clang-format on

} // namespace kdevx::prm
