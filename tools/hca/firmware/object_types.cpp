// SPDX-License-Identifier: MIT
// What each kind of object is: one row, one kind.
#include "firmware/general_object.hpp"
#include "firmware/object.hpp"
#include "firmware/queue_memory.hpp"
#include "firmware/queues.hpp"
#include "firmware/steering.hpp"
#include "kdevx/prm/commands.hpp"

#include <algorithm>
#include <cstdlib>

namespace kdevx::hca::firmware {
namespace {

using prm::op;

constexpr auto always = reference::always, unless_zero = reference::unless_zero;

// clang-format off
constexpr reference eq_references[] = {
    {"eq_context_entry.uar_page", kind::uar, always},
};
constexpr reference mkey_references[] = {
    {"memory_key_mkey_entry.pd", kind::pd, unless_zero},
};
constexpr reference psv_references[] = {
    {"pd", kind::pd, always},
};
constexpr reference cq_references[] = {
    {"cq_context.uar_page", kind::uar, always},
};
constexpr reference qp_references[] = {
    {"qpc.uar_page", kind::uar, unless_zero},
    {"qpc.cqn_snd",  kind::cq,  unless_zero},
    {"qpc.cqn_rcv",  kind::cq,  unless_zero},
};
constexpr reference dct_references[] = {
    {"dct_context_entry.pd",  kind::pd, always},
    {"dct_context_entry.cqn", kind::cq, always},
};
constexpr reference srq_references[] = {
    {"srq_context_entry.pd",   kind::pd,   always},
    {"srq_context_entry.xrcd", kind::xrcd, unless_zero},
    {"srq_context_entry.cqn",  kind::cq,   unless_zero},
};
constexpr reference xrc_srq_references[] = {
    {"xrc_srq_context_entry.pd",   kind::pd,   always},
    {"xrc_srq_context_entry.xrcd", kind::xrcd, always},
    {"xrc_srq_context_entry.cqn",  kind::cq,   always},
};
constexpr reference xrq_references[] = {
    {"xrq_context.cqn", kind::cq, unless_zero},
};
constexpr reference sq_references[] = {
    {"ctx.cqn",         kind::cq,  always},
    {"ctx.tis_num_0",   kind::tis, unless_zero},
    {"ctx.wq.uar_page", kind::uar, unless_zero},
};
constexpr reference rq_references[] = {
    {"ctx.cqn", kind::cq, always},
};
constexpr reference tis_references[] = {
    {"ctx.transport_domain", kind::transport_domain, unless_zero},
    {"ctx.underlay_qpn",     kind::qp,               unless_zero},
    {"ctx.pd",               kind::pd,               unless_zero},
};
constexpr reference tir_references[] = {
    {"ctx.transport_domain", kind::transport_domain, always},
};

constexpr modifiable sq_fields[] = {
    {0, "packet_pacing_rate_limit_index"},
    {2, "qos_queue_group_id"},
};
constexpr modifiable rq_fields[] = {
    {0, "wq.lwm"},
    {1, "vsd"},
    {2, "scatter_fcs"},
    {3, "counter_set_id"},
};
constexpr modifiable rmp_fields[] = {
    {0, "wq.lwm"},
};
constexpr modifiable tis_fields[] = {
    {0, "prio"},
    {1, "strict_lag_tx_port_affinity"},
    {2, "lag_tx_port_affinity"},
};
constexpr modifiable tir_fields[] = {
    {0, "packet_merge_mask"},
    {0, "lro_timeout_period_usecs"},
    {0, "lro_max_ip_payload_size"},
    {1, "indirect_table"},
    {2, "rx_hash_fn"},
    {2, "rx_hash_symmetric"},
    {2, "rx_hash_toeplitz_key"},
    {2, "rx_hash_field_selector_outer"},
    {2, "rx_hash_field_selector_inner"},
    {3, "tunneled_offload_en"},
    {4, "self_lb_block"},
};
constexpr modifiable rqt_fields[] = {
    {0, "rqt_actual_size"},
};

constexpr reference scheduling_references[] = {
    {"scheduling_context.parent_element_id", kind::scheduling_element, unless_zero},
};
constexpr modifiable scheduling_fields[] = {
    {0, "bw_share"},
    {1, "max_average_bw"},
};

constexpr object_type types[] = {
    {.what = kind::uctx, .noun = "UCTX", .create = op<"CREATE_UCTX">, .context = &prm::uctx,
     .limit = "log_max_uctx", .destroying = stop_uctx},
    {.what = kind::umem, .noun = "UMEM", .create = op<"CREATE_UMEM">, .context = &prm::umem,
     .limit = "log_max_umem", .check = check_umem},
    {.what = kind::uar, .noun = "UAR", .create = op<"ALLOC_UAR">, .context = nullptr,
     .log_most = 13},
    {.what = kind::eq, .noun = "EQ", .create = op<"CREATE_EQ">, .context = &prm::eqc,
     .limit = "log_max_eq", .lendable = true, .references = eq_references,
     .check = check_eq, .created = start_eq, .queried = query_eq_counters, .destroying = stop_eq},
    {.what = kind::pd, .noun = "PD", .create = op<"ALLOC_PD">, .context = nullptr,
     .limit = "log_max_pd", .lendable = true},
    {.what = kind::transport_domain, .noun = "TD", .create = op<"ALLOC_TRANSPORT_DOMAIN">,
     .context = nullptr, .limit = "log_max_transport_domain", .lendable = true},
    {.what = kind::xrcd, .noun = "XRCD", .create = op<"ALLOC_XRCD">, .context = nullptr,
     .limit = "log_max_xrcd", .lendable = true},
    {.what = kind::mkey, .noun = "MKEY", .create = op<"CREATE_MKEY">, .context = &prm::mkc,
     .limit = "log_max_mkey", .references = mkey_references,
     .check = check_mkey, .created = start_mkey, .destroying = stop_mkey},
    {.what = kind::psv, .noun = "PSV", .create = op<"CREATE_PSV">, .context = nullptr,
     .log_most = 16, .references = psv_references, .check = check_psv},
    {.what = kind::cq, .noun = "CQ", .create = op<"CREATE_CQ">, .context = &prm::cqc,
     .limit = "log_max_cq", .lendable = true, .references = cq_references,
     .check = check_cq, .created = start_cq, .queried = query_cq_counters, .destroying = stop_cq},
    {.what = kind::qp, .noun = "QP", .create = op<"CREATE_QP">, .context = &prm::qpc,
     .limit = "log_max_qp", .references = qp_references,
     .check = check_qp, .created = start_qp, .queried = query_qp_counters, .destroying = stop_qp},
    {.what = kind::dct, .noun = "DCT", .create = op<"CREATE_DCT">, .context = &prm::dctc,
     .limit = "log_max_qp", .references = dct_references, .check = check_dct},
    {.what = kind::srq, .noun = "SRQ", .create = op<"CREATE_SRQ">, .context = &prm::srqc,
     .limit = "log_max_srq", .lendable = true, .references = srq_references, .check = check_srq,
     .created = start_srq, .destroying = stop_srq},
    {.what = kind::xrc_srq, .noun = "XRC_SRQ", .create = op<"CREATE_XRC_SRQ">,
     .context = &prm::xrc_srqc, .limit = "log_max_srq", .lendable = true,
     .references = xrc_srq_references, .check = check_xrc_srq, .created = start_srq,
     .destroying = stop_srq},
    {.what = kind::rmp, .noun = "RMP", .create = op<"CREATE_RMP">, .context = &prm::rmpc,
     .limit = "log_max_rmp", .lendable = true,
     .modify_mask = "bitmask", .modifiables = rmp_fields, .check = check_rmp,
     .created = start_srq, .modified = change_rmp, .destroying = stop_srq},
    {.what = kind::xrq, .noun = "XRQ", .create = op<"CREATE_XRQ">, .context = &prm::xrqc,
     .limit = "log_max_xrq", .references = xrq_references, .check = check_xrq},
    {.what = kind::sq, .noun = "SQ", .create = op<"CREATE_SQ">, .context = &prm::sqc,
     .limit = "log_max_sq", .references = sq_references,
     .modify_mask = "modify_bitmask", .modifiables = sq_fields,
     .check = check_sq, .created = start_sq, .modified = change_sq, .queried = query_sq_state,
     .destroying = stop_wq},
    {.what = kind::rq, .noun = "RQ", .create = op<"CREATE_RQ">, .context = &prm::rqc,
     .limit = "log_max_rq", .references = rq_references,
     .modify_mask = "modify_bitmask", .modifiables = rq_fields,
     .check = check_rq, .created = start_rq, .modified = change_rq, .queried = query_rq_state,
     .destroying = stop_wq},
    {.what = kind::tis, .noun = "TIS", .create = op<"CREATE_TIS">, .context = &prm::tisc,
     .limit = "log_max_tis", .references = tis_references,
     .modify_mask = "bitmask", .modifiables = tis_fields},
    {.what = kind::tir, .noun = "TIR", .create = op<"CREATE_TIR">, .context = &prm::tirc,
     .limit = "log_max_tir", .references = tir_references,
     .modify_mask = "bitmask", .modifiables = tir_fields, .check = check_tir,
     .modified = change_tir},
    {.what = kind::rqt, .noun = "RQT", .create = op<"CREATE_RQT">, .context = &prm::rqtc,
     .limit = "log_max_rqt",
     .modify_mask = "bitmask", .modifiables = rqt_fields, .check = check_rqt,
     .modified = change_rqt, .queried = query_rqt_list},
    {.what = kind::q_counter, .noun = "Q_COUNTER", .create = op<"ALLOC_Q_COUNTER">,
     .context = nullptr, .log_most = 8},
    {.what = kind::flow_counter, .noun = "FLOW_COUNTER", .create = op<"ALLOC_FLOW_COUNTER">,
     .context = nullptr, .log_most = 16, .check = check_flow_counter},
    {.what = kind::flow_table, .noun = "FLOW_TABLE", .create = op<"CREATE_FLOW_TABLE">,
     .context = &prm::flow_table_context, .log_most = 16, .check = check_flow_table,
     .destroying = stop_flow_table},
    {.what = kind::flow_group, .noun = "FLOW_GROUP", .create = op<"CREATE_FLOW_GROUP">,
     .context = nullptr, .log_most = 16, .check = check_flow_group, .created = start_flow_group,
     .destroying = stop_flow_group},
    {.what = kind::flow_entry, .noun = "FTE", .create = op<"SET_FLOW_TABLE_ENTRY">,
     .context = &prm::flow_context, .log_most = 18},
    {.what = kind::packet_reformat, .noun = "PACKET_REFORMAT",
     .create = op<"ALLOC_PACKET_REFORMAT_CONTEXT">, .context = &prm::packet_reformat_context_in,
     .log_most = 16, .tail = true, .check = check_packet_reformat},
    {.what = kind::modify_header, .noun = "MODIFY_HEADER",
     .create = op<"ALLOC_MODIFY_HEADER_CONTEXT">, .context = nullptr, .log_most = 16,
     .tail = true, .check = check_modify_header},
    {.what = kind::scheduling_element, .noun = "SCHEDULING_ELEMENT",
     .create = op<"CREATE_SCHEDULING_ELEMENT">, .context = &prm::scheduling_context,
     .log_most = 12, .references = scheduling_references,
     .modify_mask = "modify_bitmask", .modifiables = scheduling_fields},
    {.what = kind::general, .noun = "GENERAL_OBJECT", .create = op<"CREATE_GENERAL_OBJECT">,
     .context = nullptr, .log_most = 18, .tail = true, .check = check_general_object},
    {.what = kind::reserved_qpn, .noun = "RESERVED_QPN", .create = 0, .context = nullptr,
     .log_most = 10},
    {.what = kind::multicast, .noun = "MCG", .create = op<"ATTACH_TO_MCG">, .context = nullptr},
    {.what = kind::vxlan_port, .noun = "VXLAN_PORT", .create = op<"ADD_VXLAN_UDP_DPORT">,
     .context = nullptr},
    {.what = kind::l2_entry, .noun = "L2_ENTRY", .create = op<"SET_L2_TABLE_ENTRY">,
     .context = nullptr},
};
// clang-format on

} // namespace

std::span<const object_type> object_types() {
    return types;
}

const object_type &type_of(kind k) {
    auto found = std::ranges::find(types, k, &object_type::what);
    if (found == std::end(types)) std::abort(); // every kind has a row, the tests look
    return *found;
}

const object_type *find_type(std::uint16_t create_opcode) {
    if (create_opcode == 0) return nullptr;
    auto found = std::ranges::find(types, create_opcode, &object_type::create);
    return found == std::end(types) ? nullptr : found;
}

} // namespace kdevx::hca::firmware
