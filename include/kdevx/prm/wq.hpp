// SPDX-License-Identifier: MIT
// Work queues without a QP: receive (RQ, RMP), send (SQ), and tables of receive queues (RQT).
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/cmdif.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/srq.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values wq_types{"MLX5_WQ_TYPE_", {
    {"LINKED_LIST",             0x00},
    {"CYCLIC",                  0x01},
    {"LINKED_LIST_STRIDING_RQ", 0x02},
    {"CYCLIC_STRIDING_RQ",      0x03},
}};

inline constexpr values rqc_states{"MLX5_RQC_STATE_", {
    {"RST", 0x00},
    {"RDY", 0x01},
    {"ERR", 0x03},
}};

inline constexpr values rqc_mem_rq_types{"MLX5_RQC_MEM_RQ_TYPE_", {
    {"MEMORY_RQ_INLINE", 0x00},
    {"MEMORY_RQ_RMP",    0x01},
}};

inline constexpr values sqc_states{"MLX5_SQC_STATE_", {
    {"RST", 0x00},
    {"RDY", 0x01},
    {"ERR", 0x03},
}};

inline constexpr values rmpc_states{"MLX5_RMPC_STATE_", {
    {"RDY", 0x01},
    {"ERR", 0x03},
}};

inline constexpr values modify_rq_fields{"MLX5_MODIFY_RQ_IN_MODIFY_BITMASK_", {
    {"VSD",               0x02},
    {"SCATTER_FCS",       0x04},
    {"RQ_COUNTER_SET_ID", 0x08},
}};

// The ring of a receive or send queue, inside of its context.
inline constexpr layout wq{"wq", 0xc0, {
    {"wq_type",                                0x00, 31, 28},
    {"wq_signature",                           0x00, 27, 27},
    {"end_padding_mode",                       0x00, 26, 25},
    {"cd_slave",                               0x00, 24, 24},
    {"hds_skip_first_sge",                     0x04, 31, 31},
    {"log2_hds_buf_size",                      0x04, 30, 28},
    {"page_offset",                            0x04, 20, 16},
    {"lwm",                                    0x04, 15,  0},
    {"pd",                                     0x08, 23,  0},
    {"uar_page",                               0x0c, 23,  0},
    {"dbr_addr",                               0x10, 63,  0},
    {"hw_counter",                             0x18, 31,  0},
    {"sw_counter",                             0x1c, 31,  0},
    {"log_wq_stride",                          0x20, 19, 16},
    {"log_wq_pg_sz",                           0x20, 12,  8},
    {"log_wq_sz",                              0x20,  4,  0},
    {"dbr_umem_valid",                         0x24, 31, 31},
    {"wq_umem_valid",                          0x24, 30, 30},
    {"log_hairpin_num_packets",                0x24, 28, 24},
    {"log_hairpin_data_sz",                    0x24, 20, 16},
    {"log_wqe_num_of_strides",                 0x24, 11,  8},
    {"two_byte_shift_en",                      0x24,  7,  7},
    {"log_wqe_stride_size",                    0x24,  2,  0},
    {"dbr_umem_id",                            0x28, 31,  0},
    {"wq_umem_id",                             0x2c, 31,  0},
    {"wq_umem_offset",                         0x30, 63,  0},
    {"headers_mkey",                           0x38, 31,  0},
    {"shampo_enable",                          0x3c, 31, 31},
    {"shampo_mode",                            0x3c, 29, 28},
    {"log_reservation_size",                   0x3c, 26, 24},
    {"log_max_num_of_packets_per_reservation", 0x3c, 18, 16},
    {"log_headers_entry_size",                 0x3c,  9,  8},
    {"log_headers_buffer_entry_num",           0x3c,  3,  0},
    {"pas",                                    0xc0, cmd_pas, trailing},
}};

// Receive queues.
inline constexpr layout rqc{"rqc", 0xf0, {
    {"rlky",                                  0x00, 31, 31},
    {"delay_drop_en",                         0x00, 30, 30},
    {"scatter_fcs",                           0x00, 29, 29},
    {"vsd",                                   0x00, 28, 28},
    {"mem_rq_type",                           0x00, 27, 24},
    {"state",                                 0x00, 23, 20},
    {"flush_in_error_en",                     0x00, 18, 18},
    {"hairpin",                               0x00, 17, 17},
    {"ts_format",                             0x00,  5,  4},
    {"user_index",                            0x04, 23,  0},
    {"cqn",                                   0x08, 23,  0},
    {"counter_set_id",                        0x0c, 31, 24},
    {"rmpn",                                  0x10, 23,  0},
    {"hairpin_peer_sq",                       0x14, 23,  0},
    {"hairpin_peer_vhca",                     0x18, 15,  0},
    {"shampo_no_match_alignment_granularity", 0x24, 25, 24},
    {"shampo_match_criteria_type",            0x24, 17, 16},
    {"reservation_timeout",                   0x24, 15,  0},
    {"wq",                                    0x30, wq},
}};

inline constexpr layout create_rq_in{"create_rq_in", 0x110, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"ctx",    0x20, rqc},
}};

inline constexpr layout create_rq_out{"create_rq_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"rqn",      0x08, 23,  0},
}};

inline constexpr layout modify_rq_in{"modify_rq_in", 0x110, {
    {"opcode",         0x00, 31, 16},
    {"uid",            0x00, 15,  0},
    {"op_mod",         0x04, 15,  0},
    {"rq_state",       0x08, 31, 28},
    {"rqn",            0x08, 23,  0},
    {"modify_bitmask", 0x10, 63,  0},
    {"ctx",            0x20, rqc},
}};
inline constexpr layout modify_rq_out{"modify_rq_out", 0x10, status_rows};

inline constexpr layout query_rq_in{"query_rq_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"rqn",    0x08, 23,  0},
}};

inline constexpr layout query_rq_out{"query_rq_out", 0x110, {
    {"status",     0x00, 31, 24},
    {"syndrome",   0x04, 31,  0},
    {"rq_context", 0x20, rqc},
}};

inline constexpr layout destroy_rq_in{"destroy_rq_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"rqn",    0x08, 23,  0},
}};
inline constexpr layout destroy_rq_out{"destroy_rq_out", 0x10, status_rows};

// Send queues.
inline constexpr layout sqc{"sqc", 0xf0, {
    {"rlky",                           0x00, 31, 31},
    {"cd_master",                      0x00, 30, 30},
    {"fre",                            0x00, 29, 29},
    {"flush_in_error_en",              0x00, 28, 28},
    {"allow_multi_pkt_send_wqe",       0x00, 27, 27},
    {"min_wqe_inline_mode",            0x00, 26, 24},
    {"state",                          0x00, 23, 20},
    {"reg_umr",                        0x00, 19, 19},
    {"allow_swp",                      0x00, 18, 18},
    {"hairpin",                        0x00, 17, 17},
    {"non_wire",                       0x00, 16, 16},
    {"ts_format",                      0x00,  5,  4},
    {"user_index",                     0x04, 23,  0},
    {"cqn",                            0x08, 23,  0},
    {"hairpin_peer_rq",                0x0c, 23,  0},
    {"hairpin_peer_vhca",              0x10, 15,  0},
    {"ts_cqe_to_dest_cqn",             0x18, 23,  0},
    {"packet_pacing_rate_limit_index", 0x1c, 15,  0},
    {"tis_lst_sz",                     0x20, 31, 16},
    {"qos_queue_group_id",             0x20, 15,  0},
    {"tis_num_0",                      0x2c, 23,  0},
    {"wq",                             0x30, wq},
}};

inline constexpr layout create_sq_in{"create_sq_in", 0x110, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"ctx",    0x20, sqc},
}};

inline constexpr layout create_sq_out{"create_sq_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"sqn",      0x08, 23,  0},
}};

inline constexpr layout modify_sq_in{"modify_sq_in", 0x110, {
    {"opcode",         0x00, 31, 16},
    {"uid",            0x00, 15,  0},
    {"op_mod",         0x04, 15,  0},
    {"sq_state",       0x08, 31, 28},
    {"sqn",            0x08, 23,  0},
    {"modify_bitmask", 0x10, 63,  0},
    {"ctx",            0x20, sqc},
}};
inline constexpr layout modify_sq_out{"modify_sq_out", 0x10, status_rows};

inline constexpr layout query_sq_in{"query_sq_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"sqn",    0x08, 23,  0},
}};

inline constexpr layout query_sq_out{"query_sq_out", 0x110, {
    {"status",     0x00, 31, 24},
    {"syndrome",   0x04, 31,  0},
    {"sq_context", 0x20, sqc},
}};

inline constexpr layout destroy_sq_in{"destroy_sq_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"sqn",    0x08, 23,  0},
}};
inline constexpr layout destroy_sq_out{"destroy_sq_out", 0x10, status_rows};

// Receive memory pools: a ring that many receive queues or QPs share.
inline constexpr layout rmpc{"rmpc", 0xf0, {
    {"state",                0x00, 23, 20},
    {"basic_cyclic_rcv_wqe", 0x04, 31, 31},
    {"wq",                   0x30, wq},
}};

inline constexpr layout rmp_bitmask{"rmp_bitmask", 0x08, {
    {"lwm", 0x04,  0,  0},
}};

inline constexpr layout create_rmp_in{"create_rmp_in", 0x110, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"ctx",    0x20, rmpc},
}};

inline constexpr layout create_rmp_out{"create_rmp_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"rmpn",     0x08, 23,  0},
}};

inline constexpr layout modify_rmp_in{"modify_rmp_in", 0x110, {
    {"opcode",    0x00, 31, 16},
    {"uid",       0x00, 15,  0},
    {"op_mod",    0x04, 15,  0},
    {"rmp_state", 0x08, 31, 28},
    {"rmpn",      0x08, 23,  0},
    {"bitmask",   0x10, rmp_bitmask},
    {"ctx",       0x20, rmpc},
}};
inline constexpr layout modify_rmp_out{"modify_rmp_out", 0x10, status_rows};

inline constexpr layout query_rmp_in{"query_rmp_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"rmpn",   0x08, 23,  0},
}};

inline constexpr layout query_rmp_out{"query_rmp_out", 0x110, {
    {"status",      0x00, 31, 24},
    {"syndrome",    0x04, 31,  0},
    {"rmp_context", 0x20, rmpc},
}};

inline constexpr layout destroy_rmp_in{"destroy_rmp_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"rmpn",   0x08, 23,  0},
}};
inline constexpr layout destroy_rmp_out{"destroy_rmp_out", 0x10, status_rows};

// Tables of receive queues, for RSS. rq_vhca_id_format = 1: entries are rq_vhca instead.
inline constexpr layout rq_num{"rq_num", 0x04, {
    {"rq_num", 0x00, 23,  0},
}};

inline constexpr layout rq_vhca{"rq_vhca", 0x08, {
    {"rq_num",     0x00, 23,  0},
    {"rq_vhca_id", 0x04, 15,  0},
}};

inline constexpr layout rqtc{"rqtc", 0xf0, {
    {"list_q_type",       0x14, 26, 24},
    {"rqt_max_size",      0x14, 15,  0},
    {"rq_vhca_id_format", 0x18, 31, 31},
    {"rqt_actual_size",   0x18, 15,  0},
    {"rq_num",            0xf0, rq_num, trailing},
}};

inline constexpr layout rqt_bitmask{"rqt_bitmask", 0x08, {
    {"rqn_list", 0x04,  0,  0},
}};

inline constexpr layout create_rqt_in{"create_rqt_in", 0x110, {
    {"opcode",      0x00, 31, 16},
    {"uid",         0x00, 15,  0},
    {"op_mod",      0x04, 15,  0},
    {"rqt_context", 0x20, rqtc},
}};

inline constexpr layout create_rqt_out{"create_rqt_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"rqtn",     0x08, 23,  0},
}};

inline constexpr layout modify_rqt_in{"modify_rqt_in", 0x110, {
    {"opcode",  0x00, 31, 16},
    {"uid",     0x00, 15,  0},
    {"op_mod",  0x04, 15,  0},
    {"rqtn",    0x08, 23,  0},
    {"bitmask", 0x10, rqt_bitmask},
    {"ctx",     0x20, rqtc},
}};
inline constexpr layout modify_rqt_out{"modify_rqt_out", 0x10, status_rows};

inline constexpr layout query_rqt_in{"query_rqt_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"op_mod", 0x04, 15,  0},
    {"rqtn",   0x08, 23,  0},
}};

inline constexpr layout query_rqt_out{"query_rqt_out", 0x110, {
    {"status",      0x00, 31, 24},
    {"syndrome",    0x04, 31,  0},
    {"rqt_context", 0x20, rqtc},
}};

inline constexpr layout destroy_rqt_in{"destroy_rqt_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"rqtn",   0x08, 23,  0},
}};
inline constexpr layout destroy_rqt_out{"destroy_rqt_out", 0x10, status_rows};

inline constexpr layout set_delay_drop_params_in{"set_delay_drop_params_in", 0x10, {
    {"opcode",             0x00, 31, 16},
    {"op_mod",             0x04, 15,  0},
    {"delay_drop_timeout", 0x0c, 15,  0},
}};
inline constexpr layout set_delay_drop_params_out{"set_delay_drop_params_out", 0x10, status_rows};

inline constexpr command_group rq_commands{{
    {"CREATE_RQ",  create,  create_rq_in,  create_rq_out,  "rqn",
     umem_valid{"ctx.wq.wq_umem_valid", "ctx.wq.dbr_umem_valid"}},
    {"MODIFY_RQ",  modify,  modify_rq_in,  modify_rq_out,  "rqn"},
    {"QUERY_RQ",   query,   query_rq_in,   query_rq_out,   "rqn", nonzero{"rq_context.cqn"}},
    {"ARM_RQ",     modify,  arm_rq_in,     arm_rq_out,     "srq_number"},
    {"DESTROY_RQ", destroy, destroy_rq_in, destroy_rq_out, "rqn"},
}};

inline constexpr command_group sq_commands{{
    {"CREATE_SQ",  create,  create_sq_in,  create_sq_out,  "sqn",
     umem_valid{"ctx.wq.wq_umem_valid", "ctx.wq.dbr_umem_valid"}},
    {"MODIFY_SQ",  modify,  modify_sq_in,  modify_sq_out,  "sqn"},
    {"QUERY_SQ",   query,   query_sq_in,   query_sq_out,   "sqn",
     nonzero{"sq_context.wq.log_wq_stride"}},
    {"DESTROY_SQ", destroy, destroy_sq_in, destroy_sq_out, "sqn"},
}};

inline constexpr command_group rmp_commands{{
    {"CREATE_RMP",  create,  create_rmp_in,  create_rmp_out,  "rmpn",
     umem_valid{"ctx.wq.wq_umem_valid", "ctx.wq.dbr_umem_valid"}},
    {"MODIFY_RMP",  modify,  modify_rmp_in,  modify_rmp_out,  "rmpn"},
    {"QUERY_RMP",   query,   query_rmp_in,   query_rmp_out,   "rmpn", nonzero{"rmp_context.state"}},
    {"DESTROY_RMP", destroy, destroy_rmp_in, destroy_rmp_out, "rmpn"},
}};

inline constexpr command_group rqt_commands{{
    {"CREATE_RQT",  create,  create_rqt_in,  create_rqt_out,  "rqtn"},
    {"MODIFY_RQT",  modify,  modify_rqt_in,  modify_rqt_out,  "rqtn"},
    {"QUERY_RQT",   query,   query_rqt_in,   query_rqt_out,   "rqtn",
     nonzero{"rqt_context.rqt_max_size"}},
    {"DESTROY_RQT", destroy, destroy_rqt_in, destroy_rqt_out, "rqtn"},
}};

inline constexpr command_group delay_drop_commands{kernel_only, {
    {"SET_DELAY_DROP_PARAMS", general, set_delay_drop_params_in, set_delay_drop_params_out},
}};
// clang-format on

} // namespace kdevx::prm
