// SPDX-License-Identifier: MIT
// QPs and DCTs made by DEVX, and the transitions of a QP.
#pragma once

#include <kdevx/typed/queue.hpp>

namespace kdevx::typed {

struct qp_options {
    std::uint32_t type = prm::value_of<prm::qpc_service_types, "RC">;
    std::uint32_t pd = 0, cqn_snd = 0, cqn_rcv = 0;
    std::uint32_t uar_page = 0, user_index = 0;
    std::uint32_t ts_format = 0; // typed::qp_ts_format
    // Powers of two as their logarithm. The buffer holds the receive queue and then the send queue.
    bool has_sq = true, has_rq = true;
    std::uint32_t log_sq_size = 0;   // of 64-byte units
    std::uint32_t log_rq_size = 0;   // of entries
    std::uint32_t log_rq_stride = 4; // of the bytes of one, at least 4
    std::uint32_t srqn = 0;          // instead of an RQ of its own: an SRQ, RMP or XRQ
    bool has_srq = false;
    std::uint32_t xrcd = 0;
    queue_umems at;
    bool cd_master = false, cd_slave_send = false, cd_slave_receive = false; // cross-channel
    std::uint32_t log_dci_streams = 0, log_dci_errored_streams = 0;
};
inline auto create_qp(const qp_options &o) {
    command<prm::create_qp_in, prm::create_qp_out> in;
    in.set<"qpc.st">(o.type);
    in.set<"qpc.pm_state", prm::value_of<prm::qpc_pm_states, "MIGRATED">>();
    in.set<"qpc.pd">(o.pd);
    in.set<"qpc.no_sq">(!o.has_sq);
    if (o.has_sq) in.set<"qpc.log_sq_size">(o.log_sq_size);
    constexpr std::uint32_t regular = 0, from_srq = 1, no_rq = 3;
    in.set<"qpc.rq_type">(o.has_srq ? from_srq : o.has_rq ? regular : no_rq);
    if (o.has_rq && !o.has_srq) {
        in.set<"qpc.log_rq_size">(o.log_rq_size);
        in.set<"qpc.log_rq_stride">(o.log_rq_stride - 4);
    }
    in.set<"qpc.ts_format">(o.ts_format);
    in.set<"qpc.uar_page">(o.uar_page);
    in.set<"qpc.user_index">(o.user_index);
    in.set<"qpc.log_page_size">(o.at.log_page_size - log_adapter_page);
    in.set<"qpc.log_num_dci_stream_channels">(o.log_dci_streams);
    in.set<"qpc.cqn_snd">(o.cqn_snd);
    in.set<"qpc.log_num_dci_errored_streams">(o.log_dci_errored_streams);
    in.set<"qpc.cd_slave_receive">(o.cd_slave_receive);
    in.set<"qpc.cd_slave_send">(o.cd_slave_send);
    in.set<"qpc.cd_master">(o.cd_master);
    in.set<"qpc.xrcd">(o.xrcd);
    in.set<"qpc.cqn_rcv">(o.cqn_rcv);
    in.set<"qpc.dbr_addr">(o.at.dbrec_offset);
    in.set<"qpc.srqn_rmpn_xrqn">(o.srqn);
    in.set<"qpc.dbr_umem_valid", 1>();
    in.set<"qpc.dbr_umem_id">(o.at.dbrec);
    in.set<"wq_umem_offset">(o.at.buffer_offset);
    in.set<"wq_umem_id">(o.at.buffer);
    in.set<"wq_umem_valid", 1>();
    return in;
}

// ---- transitions
// ---------------------------------------------------------------------------------

// What the other side may do.
struct remote_access {
    bool read = false, write = false, atomic = false;
    std::uint32_t atomic_mode = 0; // PRM, from the atomic capabilities
};
template <class Command>
void set_remote_access(Command &in, const remote_access &a) {
    in.template set<"qpc.rre">(a.read);
    in.template set<"qpc.rwe">(a.write);
    in.template set<"qpc.rae">(a.atomic);
    in.template set<"qpc.atomic_mode">(a.atomic_mode);
}

struct init_options {
    std::uint32_t qpn = 0;
    std::uint32_t port = 1, pkey_index = 0;
    std::uint32_t q_key = 0; // UD
    remote_access remote;
    std::uint32_t counter_set_id = 0;
};
template <class Command>
Command to_init(const init_options &o) {
    Command in;
    in.template set<"qpn">(o.qpn);
    in.template set<"qpc.pm_state", prm::value_of<prm::qpc_pm_states, "MIGRATED">>();
    in.template set<"qpc.counter_set_id">(o.counter_set_id);
    in.template set<"qpc.primary_address_path.vhca_port_num">(o.port);
    in.template set<"qpc.primary_address_path.pkey_index">(o.pkey_index);
    in.template set<"qpc.q_key">(o.q_key);
    set_remote_access(in, o.remote);
    return in;
}
inline auto rst2init(const init_options &o) {
    return to_init<command<prm::rst2init_qp_in, prm::rst2init_qp_out>>(o);
}
inline auto init2init(const init_options &o) {
    return to_init<command<prm::init2init_qp_in, prm::init2init_qp_out>>(o);
}

// The way to the other side: by LID on InfiniBand, by GID and MAC address on Ethernet.
struct path {
    std::uint32_t port = 1;
    bool is_global = false;
    std::uint32_t rlid = 0, mlid = 0, sl = 0;
    std::uint32_t src_addr_index = 0, hop_limit = 0, tclass = 0, flow_label = 0;
    std::array<std::byte, 16> rgid{};
    bool is_roce = false;
    std::array<std::byte, 6> rmac{};
    std::uint32_t udp_sport = 0, dscp = 0, eth_prio = 0;
    std::uint32_t ack_timeout = 0;
};
template <class Command>
void set_path(Command &in, const path &p) {
    in.template set<"qpc.primary_address_path.vhca_port_num">(p.port);
    in.template set<"qpc.primary_address_path.ack_timeout">(p.ack_timeout);
    in.template set<"qpc.primary_address_path.grh">(p.is_global);
    in.template set<"qpc.primary_address_path.src_addr_index">(p.src_addr_index);
    in.template set<"qpc.primary_address_path.hop_limit">(p.hop_limit);
    in.template set<"qpc.primary_address_path.tclass">(p.tclass);
    in.template set<"qpc.primary_address_path.flow_label">(p.flow_label);
    in.template set_bytes<"qpc.primary_address_path.rgid_rip">(p.rgid);
    if (!p.is_roce) {
        in.template set<"qpc.primary_address_path.rlid">(p.rlid);
        in.template set<"qpc.primary_address_path.mlid">(p.mlid);
        in.template set<"qpc.primary_address_path.sl">(p.sl);
        return;
    }
    std::uint64_t mac = 0;
    for (std::byte b : p.rmac)
        mac = mac << 8 | std::uint64_t(b);
    in.template set<"qpc.primary_address_path.rmac_47_32">(mac >> 32);
    in.template set<"qpc.primary_address_path.rmac_31_0">(mac & 0xffffffff);
    in.template set<"qpc.primary_address_path.udp_sport">(p.udp_sport);
    in.template set<"qpc.primary_address_path.dscp">(p.dscp);
    in.template set<"qpc.primary_address_path.eth_prio">(p.eth_prio);
}

struct rtr_options {
    std::uint32_t qpn = 0, remote_qpn = 0;
    std::uint32_t mtu = prm::value_of<prm::qpc_mtus, "1K_BYTES">;
    std::uint32_t log_msg_max = 30;
    std::uint32_t next_rcv_psn = 0, min_rnr_nak = 12, log_rra_max = 0;
    remote_access remote;
    path to;
    std::uint32_t ece = 0;
};
inline auto init2rtr(const rtr_options &o) {
    command<prm::init2rtr_qp_in, prm::init2rtr_qp_out> in;
    in.set<"qpn">(o.qpn);
    in.set<"ece">(o.ece);
    in.set<"qpc.mtu">(o.mtu);
    in.set<"qpc.log_msg_max">(o.log_msg_max);
    in.set<"qpc.remote_qpn">(o.remote_qpn);
    in.set<"qpc.log_rra_max">(o.log_rra_max);
    in.set<"qpc.min_rnr_nak">(o.min_rnr_nak);
    in.set<"qpc.next_rcv_psn">(o.next_rcv_psn);
    set_remote_access(in, o.remote);
    set_path(in, o.to);
    return in;
}

struct rts_options {
    std::uint32_t qpn = 0, next_send_psn = 0;
    std::uint32_t retry_count = 7, rnr_retry = 7, ack_timeout = 14;
    std::uint32_t log_sra_max = 0, log_ack_req_freq = 0;
    std::uint32_t ece = 0;
};
inline auto rtr2rts(const rts_options &o) {
    command<prm::rtr2rts_qp_in, prm::rtr2rts_qp_out> in;
    in.set<"qpn">(o.qpn);
    in.set<"ece">(o.ece);
    in.set<"qpc.primary_address_path.ack_timeout">(o.ack_timeout);
    in.set<"qpc.log_ack_req_freq">(o.log_ack_req_freq);
    in.set<"qpc.log_sra_max">(o.log_sra_max);
    in.set<"qpc.retry_count">(o.retry_count);
    in.set<"qpc.rnr_retry">(o.rnr_retry);
    in.set<"qpc.next_send_psn">(o.next_send_psn);
    return in;
}
// These change only what opt_param_mask selects.
inline auto rts2rts(std::uint32_t qpn) {
    command<prm::rts2rts_qp_in, prm::rts2rts_qp_out> in;
    in.set<"qpn">(qpn);
    return in;
}
inline auto sqerr2rts(std::uint32_t qpn) {
    command<prm::sqerr2rts_qp_in, prm::sqerr2rts_qp_out> in;
    in.set<"qpn">(qpn);
    return in;
}
inline auto qp_2err(std::uint32_t qpn) {
    command<prm::qp_2err_in, prm::qp_2err_out> in;
    in.set<"qpn">(qpn);
    return in;
}
inline auto qp_2rst(std::uint32_t qpn) {
    command<prm::qp_2rst_in, prm::qp_2rst_out> in;
    in.set<"qpn">(qpn);
    return in;
}
inline auto query_qp(std::uint32_t qpn) {
    command<prm::query_qp_in, prm::query_qp_out> in;
    in.set<"qpn">(qpn);
    return in;
}

// ---- DCTs
// ----------------------------------------------------------------------------------------

struct dct_options {
    std::uint32_t pd = 0, cqn = 0, srqn = 0, user_index = 0;
    std::uint64_t dc_access_key = 0;
    std::uint32_t port = 1, pkey_index = 0;
    std::uint32_t mtu = prm::value_of<prm::qpc_mtus, "1K_BYTES">;
    std::uint32_t min_rnr_nak = 12;
    remote_access remote;
    std::uint32_t my_addr_index = 0, hop_limit = 0, tclass = 0, flow_label = 0;
};
inline auto create_dct(const dct_options &o) {
    command<prm::create_dct_in, prm::create_dct_out> in;
    in.set<"dct_context_entry.user_index">(o.user_index);
    in.set<"dct_context_entry.cqn">(o.cqn);
    in.set<"dct_context_entry.atomic_mode">(o.remote.atomic_mode);
    in.set<"dct_context_entry.rre">(o.remote.read);
    in.set<"dct_context_entry.rwe">(o.remote.write);
    in.set<"dct_context_entry.rae">(o.remote.atomic);
    in.set<"dct_context_entry.min_rnr_nak">(o.min_rnr_nak);
    in.set<"dct_context_entry.srqn_xrqn">(o.srqn);
    in.set<"dct_context_entry.pd">(o.pd);
    in.set<"dct_context_entry.tclass">(o.tclass);
    in.set<"dct_context_entry.flow_label">(o.flow_label);
    in.set<"dct_context_entry.dc_access_key">(o.dc_access_key);
    in.set<"dct_context_entry.mtu">(o.mtu);
    in.set<"dct_context_entry.port">(o.port);
    in.set<"dct_context_entry.pkey_index">(o.pkey_index);
    in.set<"dct_context_entry.my_addr_index">(o.my_addr_index);
    in.set<"dct_context_entry.hop_limit">(o.hop_limit);
    return in;
}
inline auto query_dct(std::uint32_t dctn) {
    command<prm::query_dct_in, prm::query_dct_out> in;
    in.set<"dctn">(dctn);
    return in;
}

} // namespace kdevx::typed
