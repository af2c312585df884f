// SPDX-License-Identifier: MIT
#include "kdevx/prm/qp.hpp"
#include "firmware/field_copy.hpp"
#include "firmware/queue_memory.hpp"
#include "firmware/queues.hpp"
#include "firmware/wq.hpp"
#include "kdevx/prm/caps.hpp"
#include "kdevx/prm/qp_transitions.hpp"

#include <algorithm>

namespace kdevx::hca::firmware {
namespace {

using engine::qp_state;
using engine::service;
using prm::create_qp_in;
using prm::op;

struct qp_parts : extension {
    engine::queue_pair qp;
};

// qpc.rq_type
enum rq_type : std::uint8_t { own_rq = 0, shared_rq = 1, no_rq = 3 };

constexpr std::uint8_t service_types[] = {
    service<"RC">,  service<"UC">,  service<"UD">,           service<"XRC">,     service<"DCI">,
    service<"QP0">, service<"QP1">, service<"RAW_DATAGRAM">, service<"REG_UMR">,
};

constexpr unsigned log_wqebb = 6, log_receive_unit = 4;
constexpr unsigned most_log_receive_stride = 9; // max_wqe_sz_rq

std::uint64_t bytes_of(const engine::work_queue &wq) {
    return wq.exists ? wq.bytes() : 0;
}

void parse(const command &c, engine::queue_pair &qp) {
    const auto in = c.inbox<create_qp_in>();
    qp.type = std::uint8_t(in.get<"qpc.st">());
    qp.pd = std::uint32_t(in.get<"qpc.pd">());
    qp.user_index = std::uint32_t(in.get<"qpc.user_index">());
    qp.uar = std::uint32_t(in.get<"qpc.uar_page">());
    qp.send.exists = !in.get<"qpc.no_sq">();
    qp.send.log_size = unsigned(in.get<"qpc.log_sq_size">());
    qp.send.log_stride = log_wqebb;
    qp.send.cq = std::uint32_t(in.get<"qpc.cqn_snd">());
    qp.receive.exists = in.get<"qpc.rq_type">() == own_rq;
    qp.receive.log_size = unsigned(in.get<"qpc.log_rq_size">());
    qp.receive.log_stride = log_receive_unit + unsigned(in.get<"qpc.log_rq_stride">());
    qp.receive.cq = std::uint32_t(in.get<"qpc.cqn_rcv">());
    qp.receive.has_signature = in.get<"qpc.wq_signature">();
    qp.uses_shared_queue = in.get<"qpc.rq_type">() == shared_rq;
    qp.shared_queue = std::uint32_t(in.get<"qpc.srqn_rmpn_xrqn">());
    qp.xrc_domain = std::uint32_t(in.get<"qpc.xrcd">());
    qp.reserved_lkey = in.get<"qpc.rlky">();
    qp.scatter_responses = std::uint8_t(in.get<"qpc.cs_req">());
    qp.scatter_receives = std::uint8_t(in.get<"qpc.cs_res">());
    qp.is_master = in.get<"qpc.cd_master">();
    qp.send_is_managed = in.get<"qpc.cd_slave_send">();
    qp.receive_is_managed = in.get<"qpc.cd_slave_receive">();
}

syndrome check_sizes(state &s, command &c, const engine::queue_pair &qp) {
    const auto most = s.caps.general("log_max_qp_sz");
    if (qp.send.log_size > most || qp.receive.log_size > most)
        return c.refuse(syndrome::queue_size, "SQ 2^{} RQ 2^{}", qp.send.log_size,
                        qp.receive.log_size);
    if (qp.receive.exists && qp.receive.log_stride > most_log_receive_stride)
        return c.refuse(syndrome::queue_size, "RQ stride 2^{}", qp.receive.log_stride);
    return syndrome::none;
}

// One ring for both queues, the receive queue first; one record with a word for each.
syndrome place_queues(state &s, command &c, object &o, engine::queue_pair &qp) {
    const auto in = c.inbox<create_qp_in>();
    const std::uint64_t receive = bytes_of(qp.receive), send = bytes_of(qp.send);
    if (receive + send == 0) return syndrome::none;
    const std::size_t extension = in.get<"qpc_ext">() ? prm::qp_context_extension.size : 0;
    memory::buffer both;
    syndrome why = place_ring(s, c, o,
                              {.in_umem = in.get<"wq_umem_valid">() != 0,
                               .umem = std::uint32_t(in.get<"wq_umem_id">()),
                               .umem_offset = in.get<"wq_umem_offset">(),
                               .list = create_qp_in.size + extension,
                               .log_page_size = unsigned(in.get<"qpc.log_page_size">()),
                               .page_offset = in.get<"qpc.page_offset">(),
                               .length = receive + send},
                              both);
    if (why == syndrome::none)
        why = place_record(s, c, o,
                           {.in_umem = in.get<"qpc.dbr_umem_valid">() != 0,
                            .umem = std::uint32_t(in.get<"qpc.dbr_umem_id">()),
                            .address = in.get<"qpc.dbr_addr">()},
                           qp.send.record);
    qp.receive.record = qp.send.record;
    qp.receive.ring = {both.pages, both.offset, receive};
    qp.send.ring = {both.pages, both.offset + receive, send};
    return why;
}

} // namespace

syndrome check_qp(state &s, command &c, object &o) {
    auto parts = std::make_unique<qp_parts>();
    engine::queue_pair &qp = parts->qp;
    o.own = std::move(parts);
    parse(c, qp);
    if (std::ranges::find(service_types, qp.type) == std::end(service_types))
        return c.refuse(syndrome::qp_wrong_type, "st {:#x}", qp.type);
    const auto in = c.inbox<create_qp_in>();
    // That key is all of the guest's memory.
    if (qp.reserved_lkey && !is_driver(c.uid)) return c.refuse(syndrome::privileged, "rlky");
    syndrome why = check_sizes(s, c, qp);
    // The driver's own UMR QP is of no protection domain.
    if (why == syndrome::none && qp.type != service<"REG_UMR">)
        why = use_object(s, c, o, kind::pd, qp.pd);
    if (why == syndrome::none && qp.type == service<"XRC">)
        why = use_object(s, c, o, kind::xrcd, std::uint32_t(in.get<"qpc.xrcd">()));
    if (why == syndrome::none && in.get<"qpc.rq_type">() == shared_rq)
        why = use_shared_receive_queue(s, c, o, std::uint32_t(in.get<"qpc.srqn_rmpn_xrqn">()));
    if (why == syndrome::none) why = place_queues(s, c, o, qp);
    prm::editor<prm::qpc>(o.context).set<"state">(qp_state<"RST">);
    return why;
}

void start_qp(state &s, command &c, object &o) {
    engine::queue_pair &qp = static_cast<qp_parts &>(*o.own).qp;
    qp.number = o.id;
    qp.owner = o.uid;
    c.note("QP {:#x} {}", o.id, prm::qpc_service_types.name_of(qp.type));
    s.engine.create_qp(std::move(qp));
}

void query_qp_counters(state &s, command &c, object &o) {
    const engine::queue_pair &qp = *s.engine.find_qp(o.id);
    c.outbox<prm::query_qp_out>()
        .set<"qpc.state">(qp.state)
        .set<"qpc.next_send_psn">(qp.sending.psn)
        .set<"qpc.next_rcv_psn">(qp.receiving.psn)
        .set<"qpc.hw_sq_wqebb_counter">(qp.send.next)
        .set<"qpc.sw_sq_wqebb_counter">(s.engine.posted_sends(qp))
        .set<"qpc.hw_rq_counter">(qp.receive.next)
        .set<"qpc.sw_rq_counter">(s.engine.posted_receives(qp));
}

syndrome stop_qp(state &s, command &, object &o) {
    s.engine.destroy_qp(o.id);
    return syndrome::none;
}

// ---- transitions
// ----------------------------------------------------------------------------------

namespace {

// What a transition takes from the context it is given, whatever its mask says.
constexpr std::string_view to_init[] = {
    "primary_address_path.vhca_port_num",
    "primary_address_path.pkey_index",
    "pm_state",
    "rre",
    "rwe",
    "rae",
    "q_key",
    "counter_set_id",
    "lag_tx_port_affinity",
    "atomic_mode",
    "atomic_like_write_en",
    "log_rra_max",
    "min_rnr_nak",
    "log_msg_max",
    "dc_access_key",
};
constexpr std::string_view to_rtr[] = {
    "primary_address_path", "remote_qpn",  "next_rcv_psn", "mtu",       "log_msg_max",
    "log_rra_max",          "min_rnr_nak", "atomic_mode",  "deth_sqpn", "log_ack_req_freq",
};
constexpr std::string_view to_rts[] = {
    "next_send_psn", "log_sra_max",      "retry_count",
    "rnr_retry",     "log_ack_req_freq", "primary_address_path.ack_timeout",
};

// opt_param_mask: the bits are the kernel's MLX5_QP_OPTPAR_*.
// clang-format off
constexpr modifiable optional_parameters[] = {
    { 0, "secondary_address_path"},
    { 1, "rre"},
    { 2, "rae"},
    { 3, "rwe"},
    { 4, "primary_address_path.pkey_index"},
    { 5, "q_key"},
    { 6, "min_rnr_nak"},
    { 7, "primary_address_path"},
    { 8, "log_sra_max"},
    { 9, "log_rra_max"},
    {10, "pm_state"},
    {12, "retry_count"},
    {13, "rnr_retry"},
    {14, "primary_address_path.ack_timeout"},
    {15, "lag_tx_port_affinity"},
    {16, "primary_address_path.vhca_port_num"},
    {21, "dc_access_key"},
    {25, "counter_set_id"},
};

// What the engine wants to know of a context.
engine::connection connection_of(state &s, std::span<const std::byte> context) {
    constexpr unsigned least_mtu = 1, most_mtu = 5; // 256 << n - 1 bytes
    const prm::view<prm::qpc> v(context);
    const auto mtu = std::clamp(unsigned(v.get<"mtu">()), least_mtu, most_mtu);
    return {
        .remote_qpn = std::uint32_t(v.get<"remote_qpn">()),
        .to = engine::address_of_path(v),
        .port = std::max(1u, unsigned(v.get<"primary_address_path.vhca_port_num">())),
        .mtu = 128u << mtu,
        .log_msg_max = unsigned(v.get<"log_msg_max">()),
        .read_allowed = v.get<"rre">() != 0,
        .write_allowed = v.get<"rwe">() != 0,
        .atomic_allowed = v.get<"rae">() != 0,
        .atomics_in_host_order =
            s.caps.get(prm::cap<"ATOMIC">, "atomic_req_8B_endianness_mode") != 0,
        .min_rnr_nak = std::uint8_t(v.get<"min_rnr_nak">()),
        .rnr_retry = std::uint8_t(v.get<"rnr_retry">()),
        .retry_count = std::uint8_t(v.get<"retry_count">()),
        .ack_timeout = std::uint8_t(v.get<"primary_address_path.ack_timeout">()),
        .q_key = std::uint32_t(v.get<"q_key">()),
    };
}

constexpr unsigned in_state(std::uint8_t state) { return 1u << state; }
constexpr unsigned in_any_state = ~0u;

struct transition {
    std::uint16_t opcode;
    unsigned from;
    std::uint8_t to;
    std::span<const std::string_view> takes;
    bool optional; // has an opt_param_mask and a context
};
constexpr transition transitions[] = {
    {op<"RST2INIT_QP">,  in_state(qp_state<"RST">),  qp_state<"INIT">, to_init, true},
    {op<"INIT2INIT_QP">, in_state(qp_state<"INIT">), qp_state<"INIT">, {},      true},
    {op<"INIT2RTR_QP">,  in_state(qp_state<"INIT">), qp_state<"RTR">,  to_rtr,  true},
    {op<"RTR2RTS_QP">,   in_state(qp_state<"RTR">),  qp_state<"RTS">,  to_rts,  true},
    {op<"RTS2RTS_QP">,   in_state(qp_state<"RTS">),  qp_state<"RTS">,  {},      true},
    {op<"SQERR2RTS_QP">, in_state(qp_state<"SQER">), qp_state<"RTS">,  {},      true},
    {op<"SQD_RTS_QP">,   in_state(qp_state<"SQD">),  qp_state<"RTS">,  {},      true},
    {op<"2ERR_QP">,      in_any_state,               qp_state<"ERR">,  {},      false},
    {op<"2RST_QP">,      in_any_state,               qp_state<"RST">,  {},      false},
};
// clang-format on

syndrome take_parameters(command &c, object &o, const transition &t) {
    const auto in =
        c.inbox<prm::rst2init_qp_in>(); // all transitions with a context are laid out so
    const std::uint64_t mask = in.get<"opt_param_mask">();
    std::uint64_t known = 0;
    for (const modifiable &m : optional_parameters)
        known |= 1ull << m.bit;
    if (mask & ~known) return c.refuse(syndrome::qp_opt_param, "{:#x}", mask & ~known);
    constexpr auto at = prm::place_of<prm::rst2init_qp_in, "qpc">.row.offset;
    const auto from = std::span<const std::byte>(c.in).subspan(at);
    for (std::string_view path : t.takes)
        copy_field(prm::find_place(prm::qpc, path), from, o.context);
    for (const modifiable &m : optional_parameters)
        if (mask >> m.bit & 1) copy_field(prm::find_place(prm::qpc, m.path), from, o.context);
    return syndrome::none;
}

// The first sequence numbers come with the transition that opens the direction.
void connect(state &s, const object &o, std::uint8_t to) {
    const prm::view<prm::qpc> v(o.context);
    engine::queue_pair &qp = *s.engine.find_qp(o.id);
    qp.path = connection_of(s, o.context);
    if (to == qp_state<"RTR">) qp.receiving.psn = std::uint32_t(v.get<"next_rcv_psn">());
    if (to == qp_state<"RTS"> && qp.state == qp_state<"RTR">)
        qp.sending.psn = std::uint32_t(v.get<"next_send_psn">());
}

} // namespace

syndrome modify_qp(state &s, command &c) {
    const auto &t = *std::ranges::find(transitions, c.opcode, &transition::opcode);
    object *o = nullptr;
    const auto n = std::uint32_t(c.inbox<prm::qp_2rst_in>().get<"qpn">());
    if (syndrome why = find_object(s, c, kind::qp, n, true, o); why != syndrome::none) return why;
    const std::uint8_t now = s.engine.find_qp(n)->state;
    c.note("QP {:#x} {} to {}", n, prm::qpc_states.name_of(now), prm::qpc_states.name_of(t.to));
    if (!(t.from >> now & 1))
        return c.refuse(syndrome::qp_wrong_state, "QP {:#x} is in {}", n,
                        prm::qpc_states.name_of(now));
    if (t.optional)
        if (syndrome why = take_parameters(c, *o, t); why != syndrome::none) return why;
    if (t.optional) connect(s, *o, t.to);
    prm::editor<prm::qpc>(o->context).set<"state">(t.to);
    s.engine.set_qp_state(n, t.to);
    return syndrome::none;
}

} // namespace kdevx::hca::firmware
