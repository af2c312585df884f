// SPDX-License-Identifier: MIT
// What an event queue entry says.
#pragma once

#include "kdevx/prm/layout.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr layout eqe{"eqe", 0x40, {
    {"event_type",     0x00, 23, 16},
    {"event_sub_type", 0x00,  7,  0},
    {"event_data",     0x20, bytes{0x1c}},
    {"signature",      0x3c, 15,  8},
    {"owner",          0x3c,  0,  0},
}};

inline constexpr layout comp_event{"comp_event", 0x1c, {
    {"cq_number", 0x18, 23,  0},
}};

inline constexpr layout qp_events{"qp_events", 0x1c, {
    {"type",        0x14, 31, 24},
    {"qpn_rqn_sqn", 0x18, 23,  0},
}};

inline constexpr layout dct_events{"dct_events", 0x1c, {
    {"dct_number", 0x18, 23,  0},
}};

inline constexpr layout cq_error{"cq_error", 0x1c, {
    {"cqn",      0x00, 23,  0},
    {"syndrome", 0x08,  7,  0},
}};

inline constexpr layout wqe_associated_page_fault_event{"wqe_associated_page_fault_event", 0x1c, {
    {"bytes_committed", 0x00, 31,  0},
    {"wqe_index",       0x04, 15,  0},
    {"len",             0x08, 15,  0},
    {"rdma",            0x18, 26, 26},
    {"write_read",      0x18, 25, 25},
    {"requestor",       0x18, 24, 24},
    {"qpn",             0x18, 23,  0},
}};

inline constexpr layout rdma_page_fault_event{"rdma_page_fault_event", 0x1c, {
    {"bytes_committed", 0x00, 31,  0},
    {"r_key",           0x04, 31,  0},
    {"packet_len",      0x08, 15,  0},
    {"rdma_op_len",     0x0c, 31,  0},
    {"rdma_va",         0x10, 63,  0},
    {"rdma",            0x18, 26, 26},
    {"write",           0x18, 25, 25},
    {"requestor",       0x18, 24, 24},
    {"qp_number",       0x18, 23,  0},
}};

inline constexpr layout port_state_change_event{"port_state_change_event", 0x1c, {
    {"port_num", 0x08, 31, 28},
}};

inline constexpr layout cmd_inter_comp_event{"cmd_inter_comp_event", 0x1c, {
    {"command_completion_vector", 0x00, 31,  0},
}};

inline constexpr layout pages_req_event{"pages_req_event", 0x1c, {
    {"function_id", 0x00, 15,  0},
    {"num_pages",   0x04, 31,  0},
}};

inline constexpr layout stall_vl_event{"stall_vl_event", 0x18, {
    {"port_num", 0x00,  7,  7},
    {"vl",       0x00,  3,  0},
}};

inline constexpr layout db_bf_congestion_event{"db_bf_congestion_event", 0x18, {
    {"event_subtype",    0x00, 31, 24},
    {"congestion_level", 0x00, 15,  8},
}};

inline constexpr layout gpio_event{"gpio_event", 0x1c, {
    {"gpio_event_hi", 0x0c, 31,  0},
    {"gpio_event_lo", 0x10, 31,  0},
}};

inline constexpr layout affiliated_event_header{"affiliated_event_header", 0x08, {
    {"obj_type", 0x00, 15,  0},
    {"obj_id",   0x04, 31,  0},
}};

// clang-format on

} // namespace kdevx::prm
