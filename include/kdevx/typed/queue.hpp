// SPDX-License-Identifier: MIT
// CQs, SQs, RQs, RMPs, XRC SRQs. Buffers and doorbell records are umems: the kernel allows nothing
// else.
#pragma once

#include <kdevx/typed/command.hpp>

namespace kdevx::typed {

// Where a queue is: a place in a umem each. log_page_size is that of the buffer's umem.
struct queue_umems {
    std::uint32_t buffer = 0, dbrec = 0; // umem ids
    std::uint64_t buffer_offset = 0, dbrec_offset = 0;
    std::uint32_t log_page_size = 12;
};

inline constexpr std::uint32_t log_adapter_page = 12; // log_page_size fields count from here

// ---- completion queues
// ---------------------------------------------------------------------------

struct cq_options {
    std::uint32_t log_size = 0; // of the number of entries
    std::uint32_t uar_page = 0;
    std::uint32_t eqn = 0;
    queue_umems at;
    bool cqe_128 = false; // entries of 128 bytes
    bool overrun_ignored = false;
    bool collapsed = false;                  // all completions into the first entry
    std::uint32_t period = 0, max_count = 0; // moderation: microseconds, completions
};
inline auto create_cq(const cq_options &o) {
    command<prm::create_cq_in, prm::create_cq_out> in;
    in.set<"cq_context.cqe_sz">(o.cqe_128 ? prm::value_of<prm::cqe_sizes, "128_BYTES">
                                          : prm::value_of<prm::cqe_sizes, "64_BYTES">);
    in.set<"cq_context.cc">(o.collapsed);
    in.set<"cq_context.oi">(o.overrun_ignored);
    in.set<"cq_context.dbr_umem_valid", 1>();
    in.set<"cq_context.dbr_umem_id">(o.at.dbrec);
    in.set<"cq_context.log_cq_size">(o.log_size);
    in.set<"cq_context.uar_page">(o.uar_page);
    in.set<"cq_context.cq_period">(o.period);
    in.set<"cq_context.cq_max_count">(o.max_count);
    in.set<"cq_context.c_eqn_or_apu_element">(o.eqn);
    in.set<"cq_context.log_page_size">(o.at.log_page_size - log_adapter_page);
    in.set<"cq_context.dbr_addr">(o.at.dbrec_offset);
    in.set<"cq_umem_offset">(o.at.buffer_offset);
    in.set<"cq_umem_id">(o.at.buffer);
    in.set<"cq_umem_valid", 1>();
    return in;
}
inline auto query_cq(std::uint32_t cqn) {
    command<prm::query_cq_in, prm::query_cq_out> in;
    in.set<"cqn">(cqn);
    return in;
}
inline auto modify_cq_moderation(std::uint32_t cqn, std::uint32_t period, std::uint32_t max_count) {
    command<prm::modify_cq_in, prm::modify_cq_out> in;
    constexpr std::uint32_t both = prm::value_of<prm::modify_cq_fields, "CQ_PERIOD"> |
                                   prm::value_of<prm::modify_cq_fields, "CQ_MAX_COUNT">;
    in.set<"cqn">(cqn);
    in.set<"modify_field_select_resize_field_select", both>();
    in.set<"cq_context.cq_period">(period);
    in.set<"cq_context.cq_max_count">(max_count);
    return in;
}

// ---- the ring of SQs, RQs and RMPs
// ---------------------------------------------------------------

struct ring {
    std::uint32_t pd = 0;
    std::uint32_t log_size = 0;   // of the number of entries
    std::uint32_t log_stride = 0; // of the bytes of one
    bool linked_list = false;     // else cyclic
    queue_umems at;
};
template <class Command>
void set_ring(Command &in, const ring &r) {
    in.template set<"ctx.wq.wq_type">(r.linked_list ? prm::value_of<prm::wq_types, "LINKED_LIST">
                                                    : prm::value_of<prm::wq_types, "CYCLIC">);
    in.template set<"ctx.wq.pd">(r.pd);
    in.template set<"ctx.wq.dbr_addr">(r.at.dbrec_offset);
    in.template set<"ctx.wq.log_wq_stride">(r.log_stride);
    in.template set<"ctx.wq.log_wq_pg_sz">(r.at.log_page_size - log_adapter_page);
    in.template set<"ctx.wq.log_wq_sz">(r.log_size);
    in.template set<"ctx.wq.dbr_umem_valid", 1>();
    in.template set<"ctx.wq.wq_umem_valid", 1>();
    in.template set<"ctx.wq.dbr_umem_id">(r.at.dbrec);
    in.template set<"ctx.wq.wq_umem_id">(r.at.buffer);
    in.template set<"ctx.wq.wq_umem_offset">(r.at.buffer_offset);
}

struct sq_options {
    ring queue; // log_stride 6
    std::uint32_t cqn = 0, tisn = 0, uar_page = 0;
    std::uint32_t user_index = 0;
    std::uint32_t ts_format = 0; // typed::ts_format
    bool allow_multi_pkt_send_wqe = false, allow_swp = false;
    std::uint32_t min_wqe_inline_mode = 0;
    bool cd_master = false,
         cd_slave_send = false; // cross-channel: it waits and enables; is enabled
    std::uint32_t packet_pacing_index = 0;
};
inline auto create_sq(const sq_options &o) {
    command<prm::create_sq_in, prm::create_sq_out> in;
    in.set<"ctx.cd_master">(o.cd_master);
    in.set<"ctx.flush_in_error_en", 1>();
    in.set<"ctx.allow_multi_pkt_send_wqe">(o.allow_multi_pkt_send_wqe);
    in.set<"ctx.min_wqe_inline_mode">(o.min_wqe_inline_mode);
    in.set<"ctx.allow_swp">(o.allow_swp);
    in.set<"ctx.ts_format">(o.ts_format);
    in.set<"ctx.user_index">(o.user_index);
    in.set<"ctx.cqn">(o.cqn);
    in.set<"ctx.packet_pacing_rate_limit_index">(o.packet_pacing_index);
    in.set<"ctx.tis_lst_sz", 1>();
    in.set<"ctx.tis_num_0">(o.tisn);
    in.set<"ctx.wq.cd_slave">(o.cd_slave_send);
    in.set<"ctx.wq.uar_page">(o.uar_page);
    set_ring(in, o.queue);
    return in;
}

struct rq_options {
    ring queue; // none (all zero) if it takes its entries from an RMP
    std::uint32_t rmpn = 0;
    bool from_rmp = false;
    std::uint32_t cqn = 0, user_index = 0, counter_set_id = 0;
    std::uint32_t ts_format = 0; // typed::ts_format
    bool keep_vlan = true;       // vsd: VLAN tags stay
    bool scatter_fcs = false;
};
inline auto create_rq(const rq_options &o) {
    command<prm::create_rq_in, prm::create_rq_out> in;
    in.set<"ctx.scatter_fcs">(o.scatter_fcs);
    in.set<"ctx.vsd">(o.keep_vlan);
    in.set<"ctx.mem_rq_type">(o.from_rmp
                                  ? prm::value_of<prm::rqc_mem_rq_types, "MEMORY_RQ_RMP">
                                  : prm::value_of<prm::rqc_mem_rq_types, "MEMORY_RQ_INLINE">);
    in.set<"ctx.flush_in_error_en", 1>();
    in.set<"ctx.ts_format">(o.ts_format);
    in.set<"ctx.user_index">(o.user_index);
    in.set<"ctx.cqn">(o.cqn);
    in.set<"ctx.counter_set_id">(o.counter_set_id);
    in.set<"ctx.rmpn">(o.rmpn);
    if (!o.from_rmp) set_ring(in, o.queue);
    return in;
}

inline auto create_rmp(const ring &queue) {
    command<prm::create_rmp_in, prm::create_rmp_out> in;
    in.set<"ctx.state", prm::value_of<prm::rmpc_states, "RDY">>();
    in.set<"ctx.basic_cyclic_rcv_wqe">(!queue.linked_list);
    set_ring(in, queue);
    return in;
}

// From one state to another: prm::sqc_states, prm::rqc_states.
inline auto modify_sq_state(std::uint32_t sqn, std::uint32_t from, std::uint32_t to) {
    command<prm::modify_sq_in, prm::modify_sq_out> in;
    in.set<"sq_state">(from);
    in.set<"sqn">(sqn);
    in.set<"ctx.state">(to);
    return in;
}
inline auto modify_rq_state(std::uint32_t rqn, std::uint32_t from, std::uint32_t to) {
    command<prm::modify_rq_in, prm::modify_rq_out> in;
    in.set<"rq_state">(from);
    in.set<"rqn">(rqn);
    in.set<"ctx.state">(to);
    return in;
}
// Arms the event of fewer than `lwm` entries left.
inline auto modify_rmp_limit(std::uint32_t rmpn, std::uint32_t lwm) {
    command<prm::modify_rmp_in, prm::modify_rmp_out> in;
    in.set<"rmp_state", prm::value_of<prm::rmpc_states, "RDY">>();
    in.set<"rmpn">(rmpn);
    in.set<"bitmask.lwm", 1>();
    in.set<"ctx.state", prm::value_of<prm::rmpc_states, "RDY">>();
    in.set<"ctx.wq.lwm">(lwm);
    return in;
}
inline auto query_sq(std::uint32_t sqn) {
    command<prm::query_sq_in, prm::query_sq_out> in;
    in.set<"sqn">(sqn);
    return in;
}
inline auto query_rq(std::uint32_t rqn) {
    command<prm::query_rq_in, prm::query_rq_out> in;
    in.set<"rqn">(rqn);
    return in;
}
inline auto query_rmp(std::uint32_t rmpn) {
    command<prm::query_rmp_in, prm::query_rmp_out> in;
    in.set<"rmpn">(rmpn);
    return in;
}

// ---- shared receive queues
// -----------------------------------------------------------------------

// For XRC. Basic ones are RMPs: CREATE_SRQ has no field for a umem.
struct xrc_srq_options {
    std::uint32_t pd = 0, xrcd = 0, cqn = 0, user_index = 0;
    std::uint32_t log_size = 0;   // of the number of entries
    std::uint32_t log_stride = 4; // of the bytes of one, at least 4
    std::uint32_t lwm = 0;
    queue_umems at;
};
inline auto create_xrc_srq(const xrc_srq_options &o) {
    command<prm::create_xrc_srq_in, prm::create_xrc_srq_out> in;
    in.set<"xrc_srq_context_entry.log_xrc_srq_size">(o.log_size);
    in.set<"xrc_srq_context_entry.log_rq_stride">(o.log_stride - 4);
    in.set<"xrc_srq_context_entry.xrcd">(o.xrcd);
    in.set<"xrc_srq_context_entry.dbr_umem_valid", 1>();
    in.set<"xrc_srq_context_entry.cqn">(o.cqn);
    in.set<"xrc_srq_context_entry.dbr_umem_id">(o.at.dbrec);
    in.set<"xrc_srq_context_entry.log_page_size">(o.at.log_page_size - log_adapter_page);
    in.set<"xrc_srq_context_entry.user_index">(o.user_index);
    in.set<"xrc_srq_context_entry.pd">(o.pd);
    in.set<"xrc_srq_context_entry.lwm">(o.lwm);
    in.set<"xrc_srq_context_entry.db_record_addr_h">(o.at.dbrec_offset >> 32);
    in.set<"xrc_srq_context_entry.db_record_addr_l">((o.at.dbrec_offset & 0xffffffff) >> 2);
    in.set<"xrc_srq_umem_offset">(o.at.buffer_offset);
    in.set<"xrc_srq_umem_id">(o.at.buffer);
    in.set<"xrc_srq_umem_valid", 1>();
    return in;
}
inline auto query_xrc_srq(std::uint32_t xrc_srqn) {
    command<prm::query_xrc_srq_in, prm::query_xrc_srq_out> in;
    in.set<"xrc_srqn">(xrc_srqn);
    return in;
}
inline auto arm_xrc_srq(std::uint32_t xrc_srqn, std::uint32_t lwm) {
    command<prm::arm_xrc_srq_in, prm::arm_xrc_srq_out> in;
    in.set<"op_mod", 1>();
    in.set<"xrc_srqn">(xrc_srqn);
    in.set<"lwm">(lwm);
    return in;
}

} // namespace kdevx::typed
