// SPDX-License-Identifier: MIT
// Where packets go: transport interfaces, RSS, flow tables, groups and entries, counters.
#pragma once

#include <array>
#include <bit>

#include <kdevx/typed/command.hpp>

namespace kdevx::typed {

// ---- transport interfaces
// ------------------------------------------------------------------------

inline auto create_tis(std::uint32_t transport_domain, std::uint32_t prio = 0,
                       std::uint32_t lag_tx_port_affinity = 0) {
    command<prm::create_tis_in, prm::create_tis_out> in;
    in.set<"ctx.lag_tx_port_affinity">(lag_tx_port_affinity);
    in.set<"ctx.prio">(prio);
    in.set<"ctx.transport_domain">(transport_domain);
    return in;
}
inline auto query_tis(std::uint32_t tisn) {
    command<prm::query_tis_in, prm::query_tis_out> in;
    in.set<"tisn">(tisn);
    return in;
}

// To one RQ.
inline auto create_direct_tir(std::uint32_t transport_domain, std::uint32_t rqn) {
    command<prm::create_tir_in, prm::create_tir_out> in;
    in.set<"ctx.disp_type", prm::value_of<prm::tirc_disp_types, "DIRECT">>();
    in.set<"ctx.inline_rqn">(rqn);
    in.set<"ctx.transport_domain">(transport_domain);
    return in;
}

// What a hash covers: bits of 1 << prm::rx_hash_fields.
struct hash_fields {
    bool ipv6 = false, udp = false; // else IPv4, TCP
    std::uint32_t selected = 0;
};
using toeplitz_key = std::array<std::byte, 40>;

// To an RQ of a table, by the Toeplitz hash. The key stands in the inbox in its own order.
struct rss_tir_options {
    std::uint32_t transport_domain = 0, rqtn = 0;
    toeplitz_key key{};
    hash_fields outer, inner;
    bool symmetric = false;
    bool tunneled_offload = false; // needed for inner
};
inline auto create_rss_tir(const rss_tir_options &o) {
    command<prm::create_tir_in, prm::create_tir_out> in;
    in.set<"ctx.disp_type", prm::value_of<prm::tirc_disp_types, "INDIRECT">>();
    in.set<"ctx.rx_hash_symmetric">(o.symmetric);
    in.set<"ctx.tunneled_offload_en">(o.tunneled_offload);
    in.set<"ctx.indirect_table">(o.rqtn);
    in.set<"ctx.rx_hash_fn", prm::value_of<prm::rx_hash_functions, "TOEPLITZ">>();
    in.set<"ctx.transport_domain">(o.transport_domain);
    in.set_bytes<"ctx.rx_hash_toeplitz_key">(o.key);
    in.set<"ctx.rx_hash_field_selector_outer.l3_prot_type">(o.outer.ipv6);
    in.set<"ctx.rx_hash_field_selector_outer.l4_prot_type">(o.outer.udp);
    in.set<"ctx.rx_hash_field_selector_outer.selected_fields">(o.outer.selected);
    in.set<"ctx.rx_hash_field_selector_inner.l3_prot_type">(o.inner.ipv6);
    in.set<"ctx.rx_hash_field_selector_inner.l4_prot_type">(o.inner.udp);
    in.set<"ctx.rx_hash_field_selector_inner.selected_fields">(o.inner.selected);
    return in;
}
inline auto query_tir(std::uint32_t tirn) {
    command<prm::query_tir_in, prm::query_tir_out> in;
    in.set<"tirn">(tirn);
    return in;
}

// ---- tables of RQs
// -------------------------------------------------------------------------------

template <std::size_t N>
std::array<std::byte, 4 * N> big_endian(const std::array<std::uint32_t, N> &numbers) {
    std::array<std::byte, 4 * N> b;
    for (std::size_t i = 0; i < N; ++i)
        prm::store_be<std::uint32_t>(b.data() + 4 * i, numbers[i]);
    return b;
}

template <std::size_t N>
auto create_rqt(const std::array<std::uint32_t, N> &rqns) {
    static_assert(std::has_single_bit(N), "a table has a power of two of entries");
    command<prm::create_rqt_in, prm::create_rqt_out, 4 * N> in;
    in.template set<"rqt_context.rqt_max_size">(N);
    in.template set<"rqt_context.rqt_actual_size">(N);
    in.template set_bytes<"rqt_context.rq_num">(big_endian(rqns));
    return in;
}
template <std::size_t N>
auto modify_rqt(std::uint32_t rqtn, const std::array<std::uint32_t, N> &rqns) {
    static_assert(std::has_single_bit(N), "a table has a power of two of entries");
    command<prm::modify_rqt_in, prm::modify_rqt_out, 4 * N> in;
    in.template set<"rqtn">(rqtn);
    in.template set<"bitmask.rqn_list", 1>();
    in.template set<"ctx.rqt_actual_size">(N);
    in.template set_bytes<"ctx.rq_num">(big_endian(rqns));
    return in;
}
inline auto query_rqt(std::uint32_t rqtn) {
    command<prm::query_rqt_in, prm::query_rqt_out> in;
    in.set<"rqtn">(rqtn);
    return in;
}

// ---- counters
// ------------------------------------------------------------------------------------

inline auto alloc_q_counter() {
    return command<prm::alloc_q_counter_in, prm::alloc_q_counter_out>();
}
inline auto query_q_counter(std::uint32_t counter_set_id, bool clear = false) {
    command<prm::query_q_counter_in, prm::query_q_counter_out> in;
    in.set<"clear">(clear);
    in.set<"counter_set_id">(counter_set_id);
    return in;
}

// 0: one counter; n: a bulk of 128 << (n - 1), for n of 1 to 8 (hca_cap.flow_counter_bulk_alloc).
inline auto alloc_flow_counter(std::uint32_t bulk = 0) {
    command<prm::alloc_flow_counter_in, prm::alloc_flow_counter_out> in;
    in.set<"flow_counter_bulk">(bulk ? 1u << ((bulk - 1) & 7) : 0);
    return in;
}
// N counters, from this one on. The kernel knows a bulk by its first.
template <std::size_t N = 1>
auto query_flow_counter(std::uint32_t flow_counter_id, bool clear = false) {
    static_assert(N > 0 && 16 + 16 * N <= 65535, "an outbox has 65535 bytes at most");
    command<prm::query_flow_counter_in, prm::query_flow_counter_out, 0, 16 * N> in;
    in.template set<"clear">(clear);
    in.template set<"num_of_counters">(N == 1 ? 0 : N);
    in.template set<"flow_counter_id">(flow_counter_id);
    return in;
}
// The i-th of the answer.
struct traffic {
    std::uint64_t packets = 0, octets = 0;
};
template <class Answer>
traffic traffic_of(const Answer &answer, std::size_t i = 0) {
    std::span<const std::byte> all = answer.template get_bytes<"flow_statistics">();
    if (all.size() < (i + 1) * prm::traffic_counter.size) return {};
    prm::view<prm::traffic_counter> one(all.subspan(i * prm::traffic_counter.size));
    return {one.get<"packets">(), one.get<"octets">()};
}

// ---- flow tables
// ---------------------------------------------------------------------------------

struct flow_table_options {
    std::uint32_t type = prm::value_of<prm::flow_table_types, "NIC_RX">;
    std::uint32_t level = 0, log_size = 0;
    std::uint32_t miss_action = prm::value_of<prm::flow_miss_actions, "DEF">;
    std::uint32_t miss_table = 0; // miss_action FWD
    bool termination = false, reformat_en = false, decap_en = false;
};
inline auto create_flow_table(const flow_table_options &o) {
    command<prm::create_flow_table_in, prm::create_flow_table_out> in;
    in.set<"table_type">(o.type);
    in.set<"flow_table_context.reformat_en">(o.reformat_en);
    in.set<"flow_table_context.decap_en">(o.decap_en);
    in.set<"flow_table_context.termination_table">(o.termination);
    in.set<"flow_table_context.table_miss_action">(o.miss_action);
    in.set<"flow_table_context.level">(o.level);
    in.set<"flow_table_context.log_size">(o.log_size);
    in.set<"flow_table_context.table_miss_id">(o.miss_table);
    return in;
}

// match: prm::fte_match_param, the mask of a group, the value of an entry.
using match = prm::mailbox<prm::fte_match_param>;

struct flow_group_options {
    std::uint32_t type = prm::value_of<prm::flow_table_types, "NIC_RX">;
    std::uint32_t table_id = 0;
    std::uint32_t first = 0, last = 0; // flow indices
    std::uint32_t criteria = 0;        // which parts of the mask are there: bits of match_criteria
};
inline auto create_flow_group(const flow_group_options &o, const match &mask) {
    command<prm::create_flow_group_in, prm::create_flow_group_out> in;
    in.set<"table_type">(o.type);
    in.set<"table_id">(o.table_id);
    in.set<"start_flow_index">(o.first);
    in.set<"end_flow_index">(o.last);
    in.set<"match_criteria_enable">(o.criteria);
    in.set_bytes<"match_criteria">(mask.bytes());
    return in;
}

struct destination {
    std::uint32_t type = prm::value_of<prm::flow_destination_types, "TIR">;
    std::uint32_t id = 0;
};
struct fte_options {
    std::uint32_t type = prm::value_of<prm::flow_table_types, "NIC_RX">;
    std::uint32_t table_id = 0, group_id = 0, flow_index = 0;
    std::uint32_t action = prm::value_of<prm::flow_actions, "FWD_DEST">;
    std::uint32_t flow_tag = 0;
    std::uint32_t packet_reformat_id = 0, modify_header_id = 0;
};
// Destinations and then counters, by the ids of either.
template <std::size_t Destinations, std::size_t Counters = 0>
auto set_fte(const fte_options &o, const match &value,
             const std::array<destination, Destinations> &to,
             const std::array<std::uint32_t, Counters> &counters = {}) {
    constexpr std::size_t entry = 8;
    command<prm::set_fte_in, prm::set_fte_out, (Destinations + Counters) * entry> in;
    in.template set<"table_type">(o.type);
    in.template set<"table_id">(o.table_id);
    in.template set<"flow_index">(o.flow_index);
    in.template set<"flow_context.group_id">(o.group_id);
    in.template set<"flow_context.flow_tag">(o.flow_tag);
    in.template set<"flow_context.action">(o.action);
    in.template set<"flow_context.destination_list_size">(Destinations);
    in.template set<"flow_context.flow_counter_list_size">(Counters);
    in.template set<"flow_context.packet_reformat_id">(o.packet_reformat_id);
    in.template set<"flow_context.modify_header_id">(o.modify_header_id);
    in.template set_bytes<"flow_context.match_value">(value.bytes());
    std::uint32_t i = 0;
    for (const destination &d : to) {
        prm::mailbox<prm::dest_format> one;
        one.template set<"destination_type">(d.type);
        one.template set<"destination_id">(d.id);
        in.template set_at<"flow_context.destination">(
            i++, prm::load_be<std::uint64_t>(one.bytes().data()));
    }
    for (std::uint32_t c : counters)
        in.template set_at<"flow_context.destination">(i++, std::uint64_t(c) << 32);
    return in;
}

} // namespace kdevx::typed
