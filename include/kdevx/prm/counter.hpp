// SPDX-License-Identifier: MIT
// Queue counters, flow counters, monitors.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr layout alloc_q_counter_in{"alloc_q_counter_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
}};

inline constexpr layout alloc_q_counter_out{"alloc_q_counter_out", 0x10, {
    {"status",         0x00, 31, 24},
    {"syndrome",       0x04, 31,  0},
    {"counter_set_id", 0x08,  7,  0},
}};

inline constexpr layout query_q_counter_in{"query_q_counter_in", 0x20, {
    {"opcode",         0x00, 31, 16},
    {"op_mod",         0x04, 15,  0},
    {"other_vport",    0x08, 31, 31},
    {"vport_number",   0x08, 15,  0},
    {"clear",          0x18, 31, 31},
    {"aggregate",      0x18, 30, 30},
    {"counter_set_id", 0x1c,  7,  0},
}};

inline constexpr layout query_q_counter_out{"query_q_counter_out", 0x100, {
    {"status",                         0x00, 31, 24},
    {"syndrome",                       0x04, 31,  0},
    {"rx_write_requests",              0x10, 31,  0},
    {"rx_read_requests",               0x18, 31,  0},
    {"rx_atomic_requests",             0x20, 31,  0},
    {"rx_dct_connect",                 0x28, 31,  0},
    {"out_of_buffer",                  0x30, 31,  0},
    {"out_of_sequence",                0x38, 31,  0},
    {"duplicate_request",              0x40, 31,  0},
    {"rnr_nak_retry_err",              0x48, 31,  0},
    {"packet_seq_err",                 0x50, 31,  0},
    {"implied_nak_seq_err",            0x58, 31,  0},
    {"local_ack_timeout_err",          0x60, 31,  0},
    {"req_rnr_retries_exceeded",       0x70, 31,  0},
    {"resp_local_length_error",        0x78, 31,  0},
    {"req_local_length_error",         0x7c, 31,  0},
    {"resp_local_qp_error",            0x80, 31,  0},
    {"local_operation_error",          0x84, 31,  0},
    {"resp_local_protection",          0x88, 31,  0},
    {"req_local_protection",           0x8c, 31,  0},
    {"resp_cqe_error",                 0x90, 31,  0},
    {"req_cqe_error",                  0x94, 31,  0},
    {"req_mw_binding",                 0x98, 31,  0},
    {"req_bad_response",               0x9c, 31,  0},
    {"req_remote_invalid_request",     0xa0, 31,  0},
    {"resp_remote_invalid_request",    0xa4, 31,  0},
    {"req_remote_access_errors",       0xa8, 31,  0},
    {"resp_remote_access_errors",      0xac, 31,  0},
    {"req_remote_operation_errors",    0xb0, 31,  0},
    {"req_transport_retries_exceeded", 0xb4, 31,  0},
    {"cq_overflow",                    0xb8, 31,  0},
    {"resp_cqe_flush_error",           0xbc, 31,  0},
    {"req_cqe_flush_error",            0xc0, 31,  0},
    {"roce_adp_retrans",               0xc8, 31,  0},
    {"roce_adp_retrans_to",            0xcc, 31,  0},
    {"roce_slow_restart",              0xd0, 31,  0},
    {"roce_slow_restart_cnps",         0xd4, 31,  0},
    {"roce_slow_restart_trans",        0xd8, 31,  0},
}};

inline constexpr layout dealloc_q_counter_in{"dealloc_q_counter_in", 0x10, {
    {"opcode",         0x00, 31, 16},
    {"op_mod",         0x04, 15,  0},
    {"counter_set_id", 0x08,  7,  0},
}};
inline constexpr layout dealloc_q_counter_out{"dealloc_q_counter_out", 0x10, status_rows};

// Counters of flow entries, one or a bulk of them.
inline constexpr layout traffic_counter{"traffic_counter", 0x10, {
    {"packets", 0x00, 63,  0},
    {"octets",  0x08, 63,  0},
}};

inline constexpr layout alloc_flow_counter_in{"alloc_flow_counter_in", 0x10, {
    {"opcode",                     0x00, 31, 16},
    {"op_mod",                     0x04, 15,  0},
    {"flow_counter_bulk_log_size", 0x0c, 12,  8},
    {"flow_counter_bulk",          0x0c,  7,  0},
}};

inline constexpr layout alloc_flow_counter_out{"alloc_flow_counter_out", 0x10, {
    {"status",          0x00, 31, 24},
    {"syndrome",        0x04, 31,  0},
    {"flow_counter_id", 0x08, 31,  0},
}};

inline constexpr layout query_flow_counter_in{"query_flow_counter_in", 0x20, {
    {"opcode",          0x00, 31, 16},
    {"op_mod",          0x04, 15,  0},
    {"clear",           0x18, 31, 31},
    {"num_of_counters", 0x18, 15,  0},
    {"flow_counter_id", 0x1c, 31,  0},
}};

inline constexpr layout query_flow_counter_out{"query_flow_counter_out", 0x10, {
    {"status",          0x00, 31, 24},
    {"syndrome",        0x04, 31,  0},
    {"flow_statistics", 0x10, traffic_counter, trailing},
}};

inline constexpr layout dealloc_flow_counter_in{"dealloc_flow_counter_in", 0x10, {
    {"opcode",          0x00, 31, 16},
    {"op_mod",          0x04, 15,  0},
    {"flow_counter_id", 0x08, 31,  0},
}};
inline constexpr layout dealloc_flow_counter_out{"dealloc_flow_counter_out", 0x10, status_rows};

// Events when a counter moves.
inline constexpr layout monitor_counter_output{"monitor_counter_output", 0x08, {
    {"type",             0x00, 27, 24},
    {"counter",          0x00, 15,  0},
    {"counter_group_id", 0x04, 31,  0},
}};

inline constexpr layout set_monitor_counter_in{"set_monitor_counter_in", 0x48, {
    {"opcode",          0x00, 31, 16},
    {"uid",             0x00, 15,  0},
    {"op_mod",          0x04, 15,  0},
    {"num_of_counters", 0x08, 15,  0},
    {"monitor_counter", 0x10, monitor_counter_output, array{7}},
}};
inline constexpr layout set_monitor_counter_out{"set_monitor_counter_out", 0x10, status_rows};

inline constexpr layout arm_monitor_counter_in{"arm_monitor_counter_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
}};
inline constexpr layout arm_monitor_counter_out{"arm_monitor_counter_out", 0x10, status_rows};

inline constexpr command_group q_counter_commands{{
    {"ALLOC_Q_COUNTER",   create,  alloc_q_counter_in,   alloc_q_counter_out,   "counter_set_id"},
    {"QUERY_Q_COUNTER",   query,   query_q_counter_in,   query_q_counter_out,   "counter_set_id"},
    {"DEALLOC_Q_COUNTER", destroy, dealloc_q_counter_in, dealloc_q_counter_out, "counter_set_id"},
}};

inline constexpr command_group flow_counter_commands{{
    {"ALLOC_FLOW_COUNTER",   create,  alloc_flow_counter_in,
     alloc_flow_counter_out, "flow_counter_id"},
    {"QUERY_FLOW_COUNTER",   query,   query_flow_counter_in,
     query_flow_counter_out, "flow_counter_id"},
    {"DEALLOC_FLOW_COUNTER", destroy, dealloc_flow_counter_in,
     dealloc_flow_counter_out, "flow_counter_id"},
}};

inline constexpr command_group monitor_commands{kernel_only, {
    {"SET_MONITOR_COUNTER", general, set_monitor_counter_in, set_monitor_counter_out},
    {"ARM_MONITOR_COUNTER", general, arm_monitor_counter_in, arm_monitor_counter_out},
}};
// clang-format on

} // namespace kdevx::prm
