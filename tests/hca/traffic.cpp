// SPDX-License-Identifier: MIT
#include "traffic.hpp"

#include "../unit/catch.hpp"

#include <unistd.h>

namespace hca_test {
namespace {

constexpr unsigned log_eq = 7;
constexpr std::uint64_t room = 4u << 20; // of the umem that everything is in

void pad(bytes &b, std::size_t unit) {
    b.resize((b.size() + unit - 1) / unit * unit);
}

} // namespace

// ---- segments

bytes inline_data(const bytes &payload) {
    bytes b(4);
    prm::editor<prm::wqe_inline_data>(b).set<"inline", 1>().set<"byte_count">(payload.size());
    b = b + payload;
    pad(b, 16);
    return b;
}

bytes remote(std::uint64_t address, std::uint32_t key) {
    prm::mailbox<prm::wqe_raddr> s;
    s.set<"raddr">(address).set<"rkey">(key);
    return segment(s);
}

bytes atomic(std::uint64_t swap_add, std::uint64_t compare) {
    prm::mailbox<prm::wqe_atomic> s;
    s.set<"swap_add">(swap_add).set<"compare">(compare);
    return segment(s);
}

bytes datagram(std::uint32_t qpn, std::uint32_t q_key, std::uint16_t lid, bool grh) {
    prm::mailbox<prm::wqe_ud_av> s;
    s.set<"q_key">(q_key)
        .set<"path.ext", 1>()
        .set<"path.dqp_dct">(qpn)
        .set<"path.rlid_or_udp_sport">(lid)
        .set<"grh.grh">(grh);
    return segment(s);
}

bool cqe_seen::is(const cqe_error &e) const {
    const prm::view<prm::err_cqe> v(std::span<const std::byte>(raw).last(64));
    const bool is_error = opcode() == prm::cqe_op<"REQ_ERR"> || opcode() == prm::cqe_op<"RESP_ERR">;
    return is_error && v.get<"error_syndrome.syndrome">() == e.syndrome &&
           v.get<"error_syndrome.vendor_error_syndrome">() == e.vendor;
}

// ---- objects

traffic::traffic(const std::string &words) : driver(words) {
    bring_up();
    b = make_basics();
    b.size = room;
    b.memory = memory.alloc(b.size);
    b.umem = umem(b.uid, b.memory, b.size);
    kernel_uar_ = create(bytes(16), "ALLOC_UAR");
    eq_ring_ = memory.alloc(64u << log_eq);
    bytes eq(prm::create_eq_in.size + 16);
    prm::editor<prm::create_eq_in>(eq)
        .set<"eq_context_entry.log_eq_size">(log_eq)
        .set<"eq_context_entry.uar_page">(kernel_uar_)
        .set<"eq_context_entry.intr", 2>()
        .set_at<"event_bitmask">(0, ~(1ull << 10));
    for (std::uint64_t page = 0; page < 2; ++page)
        prm::store_be<std::uint64_t>(eq.data() + prm::create_eq_in.size + page * 8,
                                     eq_ring_ + page * 4096);
    eqn = create(eq, "CREATE_EQ", 0xffff);
    irq = irq_fd(2);
}

traffic::~traffic() {
    ::close(irq);
}

std::uint64_t traffic::take(std::uint64_t n) {
    const std::uint64_t at = b.memory + next_;
    next_ += (n + 4095) / 4096 * 4096;
    REQUIRE(next_ <= b.size);
    return at;
}

std::uint32_t traffic::mkey(std::uint64_t address, std::uint64_t length, unsigned rights,
                            std::uint32_t pd) {
    bytes in(prm::create_mkey_in.size);
    prm::editor<prm::create_mkey_in>(in)
        .set<"mkey_umem_valid", 1>()
        .set<"mkey_umem_id">(b.umem)
        .set<"mkey_umem_offset">(address - b.memory)
        .set<"memory_key_mkey_entry.access_mode_1_0", 1>()
        .set<"memory_key_mkey_entry.lr">(rights & 1)
        .set<"memory_key_mkey_entry.lw">(rights >> 1 & 1)
        .set<"memory_key_mkey_entry.rr">(rights >> 2 & 1)
        .set<"memory_key_mkey_entry.rw">(rights >> 3 & 1)
        .set<"memory_key_mkey_entry.a">(rights >> 4 & 1)
        .set<"memory_key_mkey_entry.qpn", 0xffffff>()
        .set<"memory_key_mkey_entry.mkey_7_0", 0x42>()
        .set<"memory_key_mkey_entry.pd">(pd ? pd : b.pd)
        .set<"memory_key_mkey_entry.start_addr">(address)
        .set<"memory_key_mkey_entry.len">(length);
    return create(in, "CREATE_MKEY", b.uid) << 8 | 0x42;
}

std::uint32_t traffic::indirect_key(std::uint32_t n) {
    bytes in(prm::create_mkey_in.size);
    prm::editor<prm::create_mkey_in>(in)
        .set<"memory_key_mkey_entry.free", 1>()
        .set<"memory_key_mkey_entry.umr_en", 1>()
        .set<"memory_key_mkey_entry.access_mode_1_0", 2>()
        .set<"memory_key_mkey_entry.qpn", 0xffffff>()
        .set<"memory_key_mkey_entry.pd">(b.pd)
        .set<"memory_key_mkey_entry.translations_octword_size">(n);
    return create(in, "CREATE_MKEY", b.uid) << 8;
}

void traffic::make_cq(endpoint &e, const qp_options &o) {
    e.log_cq = o.log_cq;
    e.cqe_size = o.large_cqe ? 128 : 64;
    e.cq_ring = take(std::uint64_t(e.cqe_size) << e.log_cq);
    for (unsigned n = 0; n < 1u << e.log_cq; ++n) // nobody's yet
        memory.at(e.cq_ring + (n + 1) * e.cqe_size - 1, 1)[0] = std::byte(0xf1);
    bytes in(prm::create_cq_in.size);
    prm::editor<prm::create_cq_in>(in)
        .set<"cq_context.log_cq_size">(e.log_cq)
        .set<"cq_context.cqe_sz">(o.large_cqe)
        .set<"cq_context.uar_page">(b.uar)
        .set<"cq_context.c_eqn_or_apu_element">(eqn)
        .set<"cq_context.oi">(o.oi)
        .set<"cq_context.dbr_umem_valid", 1>()
        .set<"cq_context.dbr_umem_id">(b.umem)
        .set<"cq_context.dbr_addr">(e.cq_record - b.memory)
        .set<"cq_umem_valid", 1>()
        .set<"cq_umem_id">(b.umem)
        .set<"cq_umem_offset">(e.cq_ring - b.memory);
    e.cq = create(in, "CREATE_CQ", b.uid);
}

endpoint traffic::make(const qp_options &o) {
    endpoint e{
        .user_index = next_user_index_++, .type = o.type, .log_sq = o.log_sq, .log_rq = o.log_rq};
    e.cq_record = take(128);
    e.record = e.cq_record + 64;
    make_cq(e, o);
    const bool has_queue = !o.srq && !o.no_receive;
    if (!has_queue) e.log_rq = e.log_rq_stride = 0;
    e.ring = take((64ull << e.log_sq) + (16ull << (e.log_rq + e.log_rq_stride)));
    if (!has_queue) e.ring -= 16;
    bytes in(prm::create_qp_in.size);
    prm::editor<prm::create_qp_in>(in)
        .set<"qpc.st">(o.type)
        .set<"qpc.pd">(o.pd ? o.pd : b.pd)
        .set<"qpc.log_sq_size">(o.log_sq)
        .set<"qpc.log_rq_size">(e.log_rq)
        .set<"qpc.log_rq_stride">(e.log_rq_stride)
        .set<"qpc.rq_type">(has_queue ? 0
                            : o.srq   ? 1
                                      : 3)
        .set<"qpc.srqn_rmpn_xrqn">(o.srq)
        .set<"qpc.xrcd">(o.xrc_domain)
        .set<"qpc.cqn_snd">(e.cq)
        .set<"qpc.cqn_rcv">(e.cq)
        .set<"qpc.cs_req">(o.cs_req)
        .set<"qpc.cs_res">(o.cs_res)
        .set<"qpc.cd_master">(o.master)
        .set<"qpc.cd_slave_send">(o.managed_send)
        .set<"qpc.cd_slave_receive">(o.managed_receive)
        .set<"qpc.user_index">(e.user_index)
        .set<"qpc.uar_page">(b.uar)
        .set<"qpc.dbr_umem_valid", 1>()
        .set<"qpc.dbr_umem_id">(b.umem)
        .set<"qpc.dbr_addr">(e.record - b.memory)
        .set<"wq_umem_valid", 1>()
        .set<"wq_umem_id">(b.umem)
        .set<"wq_umem_offset">((has_queue ? e.ring : e.ring + 16) - b.memory);
    e.qpn = create(in, "CREATE_QP", b.uid);
    return e;
}

// ---- states

std::uint32_t traffic::transition(const endpoint &e, const char *name, std::uint32_t remote_qpn,
                                  const path &p) {
    bytes in(prm::rst2init_qp_in.size);
    prm::editor<prm::rst2init_qp_in>(in)
        .set<"opcode">(prm::opcodes.find(std::string_view(name))->number)
        .set<"uid">(b.uid)
        .set<"qpn">(e.qpn)
        .set<"qpc.remote_qpn">(remote_qpn)
        .set<"qpc.mtu", 3>()
        .set<"qpc.log_msg_max", 20>()
        .set<"qpc.next_rcv_psn">(p.psn)
        .set<"qpc.next_send_psn">(p.psn)
        .set<"qpc.rre">(p.read)
        .set<"qpc.rwe">(p.write)
        .set<"qpc.rae">(p.atomic)
        .set<"qpc.q_key">(p.q_key)
        .set<"qpc.min_rnr_nak">(p.min_rnr_nak)
        .set<"qpc.rnr_retry">(p.rnr_retry)
        .set<"qpc.retry_count">(p.retry_count)
        .set<"qpc.primary_address_path.ack_timeout">(p.ack_timeout)
        .set<"qpc.primary_address_path.rlid">(p.lid)
        .set<"qpc.primary_address_path.vhca_port_num", 1>();
    return result(execute(in, 16));
}

void traffic::connect(const endpoint &e, std::uint32_t remote_qpn, const path &p) {
    for (const char *name : {"RST2INIT_QP", "INIT2RTR_QP", "RTR2RTS_QP"})
        REQUIRE(transition(e, name, remote_qpn, p) == 0);
}

void traffic::pair(endpoint &a, endpoint &z, const qp_options &o, const path &p) {
    a = make(o);
    z = make(o);
    connect(a, z.qpn, p);
    connect(z, a.qpn, p);
}

std::uint8_t traffic::state_of(const endpoint &e) {
    prm::mailbox<prm::query_qp_in> in;
    in.set<"opcode", prm::op<"QUERY_QP">>().set<"qpn">(e.qpn);
    answer a = execute(in, prm::query_qp_out.size);
    REQUIRE(result(a) == 0);
    return std::uint8_t(a.get<prm::query_qp_out, "qpc.state">());
}

// ---- posting and polling

void traffic::post(endpoint &e, const work &s, bool ring_it) {
    prm::mailbox<prm::wqe_ctrl> control;
    control.set<"opc_mod">(s.opc_mod)
        .set<"opcode">(s.opcode)
        .set<"wqe_index">(e.sent)
        .set<"qpn_or_sqn">(e.qpn)
        .set<"ds">((16 + s.body.size()) / 16)
        .set<"ce">(s.signaled ? prm::completion_mode<"ALWAYS"> : 0)
        .set<"se">(s.solicited)
        .set<"general_id">(s.word);
    const bytes wqe = segment(control) + s.body;
    REQUIRE(wqe.size() % 16 == 0);
    const std::uint64_t size = 64ull << e.log_sq;
    for (std::size_t i = 0; i < wqe.size(); i += 16)
        std::ranges::copy(std::span(wqe).subspan(i, 16),
                          memory.at(e.send_ring() + (e.sent * 64ull + i) % size, 16).begin());
    e.sent = std::uint16_t(e.sent + (wqe.size() + 63) / 64);
    if (ring_it) ring_doorbell(e);
}

void traffic::ring_doorbell(endpoint &e) {
    memory.store<std::uint32_t>(e.record + 4, e.sent);
    ring(b.uar, 0x800, 0, e.qpn << 8 | 1);
    run();
}

void traffic::receive(endpoint &e, const std::vector<sge> &list) {
    bytes wqe = data(list);
    const std::size_t stride = 16u << e.log_rq_stride;
    if (wqe.size() < stride) wqe = wqe + data(sge{0, 0, prm::MLX5_INVALID_LKEY});
    wqe.resize(stride);
    std::ranges::copy(wqe, memory.at(e.receive_at(e.recv), stride).begin());
    memory.store<std::uint32_t>(e.record, ++e.recv);
}

std::optional<cqe_seen> traffic::poll(endpoint &e) {
    const std::uint32_t size = 1u << e.log_cq;
    auto raw = memory.at(e.cq_ring + std::uint64_t(e.seen & (size - 1)) * e.cqe_size, e.cqe_size);
    cqe_seen c{bytes(raw.begin(), raw.end())};
    const bool is_ours = c.view().get<"owner">() == (e.seen >> e.log_cq & 1);
    if (c.opcode() == prm::cqe_op<"INVALID"> || !is_ours) return std::nullopt;
    memory.store<std::uint32_t>(e.cq_record, ++e.seen);
    return c;
}

cqe_seen traffic::wait_for(endpoint &e) {
    for (int n = 0; n < 2000; ++n) {
        if (auto c = poll(e)) return *c;
        events.run_once(std::chrono::milliseconds(1));
    }
    FAIL("no completion on CQ " << e.cq);
    return {};
}

bool traffic::event_seen(std::uint8_t type, std::uint32_t number) {
    for (bool found = false;;) {
        auto raw = memory.at(eq_ring_ + (eq_seen_ & ((1u << log_eq) - 1)) * 64, 64);
        const prm::view<prm::eqe> v(raw);
        const auto d = v.bytes<"event_data">();
        const bool is_new = v.get<"owner">() == (eq_seen_ >> log_eq & 1) &&
                            (v.get<"event_type">() || prm::load_be<std::uint32_t>(d.data() + 24));
        if (!is_new || found) return found;
        ++eq_seen_;
        found = v.get<"event_type">() == type &&
                (prm::load_be<std::uint32_t>(d.data() + 24) == number ||
                 prm::load_be<std::uint32_t>(d.data()) == number);
    }
}

// ---- memory

bytes traffic::pattern(std::uint64_t address, std::size_t n, std::uint8_t seed) {
    bytes p(n);
    for (std::size_t i = 0; i < n; ++i)
        p[i] = std::byte(seed + i * 7 + (i >> 8));
    std::ranges::copy(p, memory.at(address, n).begin());
    return p;
}

bytes traffic::read_guest(std::uint64_t address, std::size_t n) {
    auto s = memory.at(address, n);
    return {s.begin(), s.end()};
}

} // namespace hca_test
