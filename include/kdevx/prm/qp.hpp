// SPDX-License-Identifier: MIT
// Queue pairs.
#pragma once

#include "kdevx/prm/cmdif.hpp"
#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values qpc_states{"MLX5_QPC_STATE_", {
    {"RST",       0x00},
    {"INIT",      0x01},
    {"RTR",       0x02},
    {"RTS",       0x03},
    {"SQER",      0x04},
    {"ERR",       0x06},
    {"SQD",       0x07},
    {"SUSPENDED", 0x09},
}};

// qpc.st
inline constexpr values qpc_service_types{"MLX5_QPC_ST_", {
    {"RC",           0x00},
    {"UC",           0x01},
    {"UD",           0x02},
    {"XRC",          0x03},
    {"DCI",          0x05},
    {"QP0",          0x07},
    {"QP1",          0x08},
    {"RAW_DATAGRAM", 0x09},
    {"REG_UMR",      0x0c},
}};

inline constexpr values qpc_pm_states{"MLX5_QPC_PM_STATE_", {
    {"ARMED",    0x00},
    {"REARM",    0x01},
    {"MIGRATED", 0x03},
}};

inline constexpr values qpc_mtus{"MLX5_QPC_MTU_", {
    {"256_BYTES",       0x01},
    {"512_BYTES",       0x02},
    {"1K_BYTES",        0x03},
    {"2K_BYTES",        0x04},
    {"4K_BYTES",        0x05},
    {"RAW_ETHERNET_QP", 0x07},
}};

inline constexpr values qpc_atomic_modes{"MLX5_QPC_ATOMIC_MODE_", {
    {"IB_SPEC",    0x01},
    {"ONLY_8B",    0x02},
    {"UP_TO_8B",   0x03},
    {"UP_TO_16B",  0x04},
    {"UP_TO_32B",  0x05},
    {"UP_TO_64B",  0x06},
    {"UP_TO_128B", 0x07},
    {"UP_TO_256B", 0x08},
}};

// qpc.ts_format, rqc.ts_format and sqc.ts_format
inline constexpr values timestamp_formats{"MLX5_TIMESTAMP_FORMAT_", {
    {"FREE_RUNNING", 0x00},
    {"DEFAULT",      0x01},
    {"REAL_TIME",    0x02},
}};

// An address: the way to the other side.
inline constexpr layout ads{"ads", 0x2c, {
    {"fl",             0x00, 31, 31},
    {"free_ar",        0x00, 30, 30},
    {"pkey_index",     0x00, 15,  0},
    {"plane_index",    0x04, 31, 24},
    {"grh",            0x04, 23, 23},
    {"mlid",           0x04, 22, 16},
    {"rlid",           0x04, 15,  0},
    {"ack_timeout",    0x08, 31, 27},
    {"src_addr_index", 0x08, 23, 16},
    {"stat_rate",      0x08, 11,  8},
    {"hop_limit",      0x08,  7,  0},
    {"tclass",         0x0c, 27, 20},
    {"flow_label",     0x0c, 19,  0},
    {"rgid_rip",       0x10, bytes{0x10}},
    {"f_dscp",         0x20, 27, 27},
    {"f_ecn",          0x20, 26, 26},
    {"f_eth_prio",     0x20, 24, 24},
    {"ecn",            0x20, 23, 22},
    {"dscp",           0x20, 21, 16},
    {"udp_sport",      0x20, 15,  0},
    {"dei_cfi",        0x24, 31, 31},
    {"eth_prio",       0x24, 30, 28},
    {"sl",             0x24, 27, 24},
    {"vhca_port_num",  0x24, 23, 16},
    {"rmac_47_32",     0x24, 15,  0},
    {"rmac_31_0",      0x28, 31,  0},
}};

inline constexpr layout cqe_error_syndrome{"cqe_error_syndrome", 0x04, {
    {"hw_error_syndrome",     0x00, 31, 24},
    {"hw_syndrome_type",      0x00, 23, 20},
    {"vendor_error_syndrome", 0x00, 15,  8},
    {"syndrome",              0x00,  7,  0},
}};

// The queue pair context.
inline constexpr layout qpc{"qpc", 0xe8, {
    {"state",                          0x00, 31, 28},
    {"lag_tx_port_affinity",           0x00, 27, 24},
    {"st",                             0x00, 23, 16},
    {"isolate_vl_tc",                  0x00, 13, 13},
    {"pm_state",                       0x00, 12, 11},
    {"req_e2e_credit_mode",            0x00,  9,  8},
    {"offload_type",                   0x00,  7,  4},
    {"end_padding_mode",               0x00,  3,  2},
    {"wq_signature",                   0x04, 31, 31},
    {"block_lb_mc",                    0x04, 30, 30},
    {"atomic_like_write_en",           0x04, 29, 29},
    {"latency_sensitive",              0x04, 28, 28},
    {"drain_sigerr",                   0x04, 26, 26},
    {"dp_ordering_force",              0x04, 24, 24},
    {"pd",                             0x04, 23,  0},
    {"mtu",                            0x08, 31, 29},
    {"log_msg_max",                    0x08, 28, 24},
    {"log_rq_size",                    0x08, 22, 19},
    {"log_rq_stride",                  0x08, 18, 16},
    {"no_sq",                          0x08, 15, 15},
    {"log_sq_size",                    0x08, 14, 11},
    {"retry_mode",                     0x08,  9,  8},
    {"ts_format",                      0x08,  7,  6},
    {"rlky",                           0x08,  4,  4},
    {"ulp_stateless_offload_mode",     0x08,  3,  0},
    {"counter_set_id",                 0x0c, 31, 24},
    {"uar_page",                       0x0c, 23,  0},
    {"user_index",                     0x10, 23,  0},
    {"log_page_size",                  0x14, 28, 24},
    {"remote_qpn",                     0x14, 23,  0},
    {"primary_address_path",           0x18, ads},
    {"secondary_address_path",         0x44, ads},
    {"log_ack_req_freq",               0x70, 31, 28},
    {"log_sra_max",                    0x70, 23, 21},
    {"retry_count",                    0x70, 18, 16},
    {"rnr_retry",                      0x70, 15, 13},
    {"fre",                            0x70, 11, 11},
    {"cur_rnr_retry",                  0x70, 10,  8},
    {"cur_retry_count",                0x70,  7,  5},
    {"packet_pacing_rate_limit_index", 0x74, 15,  0},
    {"next_send_psn",                  0x78, 23,  0},
    {"log_num_dci_stream_channels",    0x7c, 28, 24},
    {"cqn_snd",                        0x7c, 23,  0},
    {"log_num_dci_errored_streams",    0x80, 28, 24},
    {"deth_sqpn",                      0x80, 23,  0},
    {"last_acked_psn",                 0x88, 23,  0},
    {"ssn",                            0x8c, 23,  0},
    {"log_rra_max",                    0x90, 23, 21},
    {"atomic_mode",                    0x90, 19, 16},
    {"rre",                            0x90, 15, 15},
    {"rwe",                            0x90, 14, 14},
    {"rae",                            0x90, 13, 13},
    {"page_offset",                    0x90, 11,  6},
    {"dp_ordering_1",                  0x90,  3,  3},
    {"cd_slave_receive",               0x90,  2,  2},
    {"cd_slave_send",                  0x90,  1,  1},
    {"cd_master",                      0x90,  0,  0},
    {"min_rnr_nak",                    0x94, 28, 24},
    {"next_rcv_psn",                   0x94, 23,  0},
    {"xrcd",                           0x98, 23,  0},
    {"cqn_rcv",                        0x9c, 23,  0},
    {"dbr_addr",                       0xa0, 63,  0},
    {"q_key",                          0xa8, 31,  0},
    {"rq_type",                        0xac, 26, 24},
    {"srqn_rmpn_xrqn",                 0xac, 23,  0},
    {"rmsn",                           0xb0, 23,  0},
    {"hw_sq_wqebb_counter",            0xb4, 31, 16},
    {"sw_sq_wqebb_counter",            0xb4, 15,  0},
    {"hw_rq_counter",                  0xb8, 31,  0},
    {"sw_rq_counter",                  0xbc, 31,  0},
    {"cgs",                            0xc4, 16, 16},
    {"cs_req",                         0xc4, 15,  8},
    {"cs_res",                         0xc4,  7,  0},
    {"dc_access_key",                  0xc8, 63,  0},
    {"dbr_umem_valid",                 0xd0, 28, 28},
    {"dbr_umem_id",                    0xe4, 31,  0},
}};

inline constexpr layout qp_context_extension{"qp_context_extension", 0xc0, {
    {"error_syndrome", 0x0c, cqe_error_syndrome},
}};

// The same place by other names: what DMA (MMO) queues and DCI streams need.
inline constexpr layout qpc_ext{"qpc_ext", 0xc0, {
    {"mmo",                          0x00, 29, 29},
    {"dci_stream_channel_id",        0x00, 15,  0},
    {"qos_queue_group_id_requester", 0x04, 31,  0},
    {"qos_queue_group_id_responder", 0x08, 31,  0},
}};

inline constexpr layout qpc_extension_and_pas_list_in{"qpc_extension_and_pas_list_in", 0xc0, {
    {"qpc_data_extension", 0x00, qp_context_extension},
    {"pas",                0xc0, 63,  0, trailing},
}};

// With qpc_ext, qpc_extension_and_pas_list_in stands where `pas` begins.
inline constexpr layout create_qp_in{"create_qp_in", 0x110, {
    {"opcode",         0x000, 31, 16},
    {"uid",            0x000, 15,  0},
    {"op_mod",         0x004, 15,  0},
    {"qpc_ext",        0x008, 31, 31},
    {"input_qpn",      0x008, 23,  0},
    {"opt_param_mask", 0x010, 31,  0},
    {"ece",            0x014, 31,  0},
    {"qpc",            0x018, qpc},
    {"wq_umem_offset", 0x100, 63,  0},
    {"wq_umem_id",     0x108, 31,  0},
    {"wq_umem_valid",  0x10c, 31, 31},
    {"pas",            0x110, 63,  0, trailing},
}};

inline constexpr layout create_qp_out{"create_qp_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"qpn",      0x08, 23,  0},
    {"ece",      0x0c, 31,  0},
}};

inline constexpr layout query_qp_in{"query_qp_in", 0x10, {
    {"opcode",  0x00, 31, 16},
    {"op_mod",  0x04, 15,  0},
    {"qpc_ext", 0x08, 31, 31},
    {"qpn",     0x08, 23,  0},
}};

// With query_qp_in.qpc_ext, qpc_extension_and_pas_list_in stands where `pas` begins.
inline constexpr layout query_qp_out{"query_qp_out", 0x110, {
    {"status",         0x000, 31, 24},
    {"syndrome",       0x004, 31,  0},
    {"opt_param_mask", 0x010, 31,  0},
    {"ece",            0x014, 31,  0},
    {"qpc",            0x018, qpc},
    {"pas",            0x110, 63,  0, trailing},
}};

inline constexpr layout destroy_qp_in{"destroy_qp_in", 0x10, {
    {"opcode", 0x00, 31, 16},
    {"uid",    0x00, 15,  0},
    {"op_mod", 0x04, 15,  0},
    {"qpn",    0x08, 23,  0},
}};
inline constexpr layout destroy_qp_out{"destroy_qp_out", 0x10, status_rows};

// clang-format on

} // namespace kdevx::prm
