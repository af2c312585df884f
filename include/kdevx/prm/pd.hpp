// SPDX-License-Identifier: MIT
// Protection, transport and XRC domains.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr layout alloc_pd_in{"alloc_pd_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
}};

inline constexpr layout alloc_pd_out{"alloc_pd_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"pd",       0x08, 23,  0},
}};

inline constexpr layout dealloc_pd_in{"dealloc_pd_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"pd",     0x08, 23,  0},
}};
inline constexpr layout dealloc_pd_out{"dealloc_pd_out", 0x10, status_rows};

inline constexpr layout alloc_transport_domain_in{"alloc_transport_domain_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
}};

inline constexpr layout alloc_transport_domain_out{"alloc_transport_domain_out", 0x10, {
    {"status",           0x00, 31, 24},
    {"syndrome",         0x04, 31,  0},
    {"transport_domain", 0x08, 23,  0},
}};

inline constexpr layout dealloc_transport_domain_in{"dealloc_transport_domain_in", 0x10, {
    {"opcode",           0x00, 31, 16},
    {"uid",              0x00, 15,  0},
    {"op_mod",           0x04, 15,  0},
    {"transport_domain", 0x08, 23,  0},
}};
inline constexpr layout dealloc_transport_domain_out{
    "dealloc_transport_domain_out", 0x10, status_rows};

inline constexpr layout alloc_xrcd_in{"alloc_xrcd_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
}};

inline constexpr layout alloc_xrcd_out{"alloc_xrcd_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"xrcd",     0x08, 23,  0},
}};

inline constexpr layout dealloc_xrcd_in{"dealloc_xrcd_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"xrcd",   0x08, 23,  0},
}};
inline constexpr layout dealloc_xrcd_out{"dealloc_xrcd_out", 0x10, status_rows};

inline constexpr command_group pd_commands{{
    {"ALLOC_PD",   create,  alloc_pd_in,   alloc_pd_out,   "pd"},
    {"DEALLOC_PD", destroy, dealloc_pd_in, dealloc_pd_out, "pd"},
}};

inline constexpr command_group transport_domain_commands{{
    {"ALLOC_TRANSPORT_DOMAIN",   create,  alloc_transport_domain_in,
     alloc_transport_domain_out, "transport_domain"},
    {"DEALLOC_TRANSPORT_DOMAIN", destroy, dealloc_transport_domain_in,
     dealloc_transport_domain_out, "transport_domain"},
}};

inline constexpr command_group xrcd_commands{{
    {"ALLOC_XRCD",   create,  alloc_xrcd_in,   alloc_xrcd_out,   "xrcd"},
    {"DEALLOC_XRCD", destroy, dealloc_xrcd_in, dealloc_xrcd_out, "xrcd"},
}};
// clang-format on

} // namespace kdevx::prm
