// SPDX-License-Identifier: MIT
// What an event queue entry says.
#pragma once

#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values event_types{"MLX5_EVENT_TYPE_", {
    {"COMP",                  0x00},
    {"PATH_MIG",              0x01},
    {"COMM_EST",              0x02},
    {"SQ_DRAINED",            0x03},
    {"CQ_ERROR",              0x04},
    {"WQ_CATAS_ERROR",        0x05},
    {"PATH_MIG_FAILED",       0x07},
    {"INTERNAL_ERROR",        0x08},
    {"PORT_CHANGE",           0x09},
    {"CMD",                   0x0a},
    {"PAGE_REQUEST",          0x0b},
    {"PAGE_FAULT",            0x0c},
    {"NIC_VPORT_CHANGE",      0x0d},
    {"ESW_FUNCTIONS_CHANGED", 0x0e},
    {"VHCA_STATE_CHANGE",     0x0f},
    {"WQ_INVAL_REQ_ERROR",    0x10},
    {"WQ_ACCESS_ERROR",       0x11},
    {"SRQ_CATAS_ERROR",       0x12},
    {"SRQ_LAST_WQE",          0x13},
    {"SRQ_RQ_LIMIT",          0x14},
    {"GPIO_EVENT",            0x15},
    {"PORT_MODULE_EVENT",     0x16},
    {"TEMP_WARN_EVENT",       0x17},
    {"XRQ_ERROR",             0x18},
    {"REMOTE_CONFIG",         0x19},
    {"DB_BF_CONGESTION",      0x1a},
    {"STALL_EVENT",           0x1b},
    {"DCT_DRAINED",           0x1c},
    {"DCT_KEY_VIOLATION",     0x1d},
    {"FPGA_ERROR",            0x20},
    {"FPGA_QP_ERROR",         0x21},
    {"GENERAL_EVENT",         0x22},
    {"MONITOR_COUNTER",       0x24},
    {"PPS_EVENT",             0x25},
    {"DEVICE_TRACER",         0x26},
    {"OBJECT_CHANGE",         0x27},
}};

inline constexpr values cq_error_syndromes{"MLX5_CQ_ERROR_SYNDROME_", {
    {"CQ_OVERRUN",                0x01},
    {"CQ_ACCESS_VIOLATION_ERROR", 0x02},
}};

// The event queue entry; event_data is one of the layouts below.
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

// Only in the kernel's device.h (struct mlx5_eqe_...), not in mlx5_ifc.h.
inline constexpr layout eqe_xrq_err{"eqe_xrq_err", 0x1c, {
    {"type", 0x14, 31, 24},
    {"xrqn", 0x14, 23,  0},
}};

inline constexpr layout eqe_vport_change{"eqe_vport_change", 0x1c, {
    {"vport_num", 0x00, 15,  0},
}};

inline constexpr layout eqe_vhca_state{"eqe_vhca_state", 0x04, {
    {"ec_function", 0x00, 31, 16},
    {"function_id", 0x00, 15,  0},
}};

inline constexpr layout eqe_port_module{"eqe_port_module", 0x08, {
    {"module",        0x00, 23, 16},
    {"module_status", 0x00,  7,  0},
    {"error_type",    0x04, 15,  8},
}};

template <fixed_string Name>
inline constexpr std::uint16_t event = std::uint16_t(value_of<event_types, Name>);

// eqe.event_data
inline constexpr variant event_layouts[] = {
    {event<"COMP">,               &comp_event},
    {event<"PATH_MIG">,           &qp_events},
    {event<"COMM_EST">,           &qp_events},
    {event<"SQ_DRAINED">,         &qp_events},
    {event<"CQ_ERROR">,           &cq_error},
    {event<"WQ_CATAS_ERROR">,     &qp_events},
    {event<"PATH_MIG_FAILED">,    &qp_events},
    {event<"PORT_CHANGE">,        &port_state_change_event},
    {event<"CMD">,                &cmd_inter_comp_event},
    {event<"PAGE_REQUEST">,       &pages_req_event},
    {event<"NIC_VPORT_CHANGE">,   &eqe_vport_change},
    {event<"VHCA_STATE_CHANGE">,  &eqe_vhca_state},
    {event<"WQ_INVAL_REQ_ERROR">, &qp_events},
    {event<"WQ_ACCESS_ERROR">,    &qp_events},
    {event<"SRQ_CATAS_ERROR">,    &qp_events},
    {event<"SRQ_LAST_WQE">,       &qp_events},
    {event<"SRQ_RQ_LIMIT">,       &qp_events},
    {event<"GPIO_EVENT">,         &gpio_event},
    {event<"PORT_MODULE_EVENT">,  &eqe_port_module},
    {event<"XRQ_ERROR">,          &eqe_xrq_err},
    {event<"DB_BF_CONGESTION">,   &db_bf_congestion_event},
    {event<"STALL_EVENT">,        &stall_vl_event},
    {event<"DCT_DRAINED">,        &dct_events},
    {event<"DCT_KEY_VIOLATION">,  &dct_events},
    {event<"OBJECT_CHANGE">,      &affiliated_event_header},
};
// clang-format on

} // namespace kdevx::prm
