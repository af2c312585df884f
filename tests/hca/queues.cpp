// SPDX-License-Identifier: MIT
// Event queues, completion queues and queue pairs at work.
#include "harness.hpp"

#include "../unit/catch.hpp"
#include "firmware/syndromes.hpp"
#include "kdevx/prm/cqe.hpp"
#include "kdevx/prm/doorbell.hpp"
#include "kdevx/prm/event.hpp"
#include "kdevx/prm/wqe.hpp"

using namespace hca_test;
using firmware::syndrome;

namespace {

template <prm::fixed_string Name>
constexpr auto cqe_opcode = prm::value_of<prm::cqe_opcodes, Name>;

// A driver with an event queue for everything, at vector 1, and a user with memory.
struct queue_fixture : driver {
    basics b;
    std::uint64_t eq_ring;
    std::uint32_t kernel_uar;
    int irq;
    std::uint32_t seen = 0; // EQEs

    explicit queue_fixture(const std::string &words = "") : driver(words) {
        bring_up();
        b = make_basics();
        kernel_uar = create(bytes(16), "ALLOC_UAR");
        eq_ring = memory.alloc(4096);
        make_eq(0xffffffffffffffff & ~(1ull << 10));
        irq = irq_fd(2);
    }
    ~queue_fixture() { ::close(irq); }

    std::uint32_t eqn = 0;
    void make_eq(std::uint64_t types) {
        bytes eq(prm::create_eq_in.size + 8);
        prm::editor<prm::create_eq_in>(eq)
            .set<"eq_context_entry.log_eq_size", 3>()
            .set<"eq_context_entry.uar_page">(kernel_uar)
            .set<"eq_context_entry.intr", 2>()
            .set_at<"event_bitmask">(0, types);
        prm::store_be<std::uint64_t>(eq.data() + prm::create_eq_in.size, eq_ring);
        eqn = create(eq, "CREATE_EQ", 0xffff);
    }
    // The next EQE, if there is one; consumes it.
    bool next_eqe(std::uint8_t &type, bytes &data) {
        auto e = memory.at(eq_ring + seen % 8 * 64, 64);
        if ((std::uint8_t(e[63]) & 1) != (seen / 8 & 1)) return false;
        // A ring of zeroes looks owned in the first round: the type tells, or the data.
        prm::view<prm::eqe> v(e);
        auto d = v.bytes<"event_data">();
        data.assign(d.begin(), d.end());
        type = std::uint8_t(v.get<"event_type">());
        ++seen;
        bytes db(4);
        prm::editor<prm::eq_doorbell>(db).set<"eqn">(eqn).set<"ci">(seen & 0xffffff);
        write(0, std::uint64_t(kernel_uar) * 4096 + 0x40, db);
        return true;
    }

    // ---- a CQ and a QP of the user, in its umem
    static constexpr std::uint64_t cq_at = 0, qp_at = 16384, record_at = 32768;
    std::uint32_t cq = 0, qp = 0;

    std::uint32_t make_cq(unsigned log_size, bool oi = false) {
        bytes in(prm::create_cq_in.size);
        prm::editor<prm::create_cq_in>(in)
            .set<"cq_context.log_cq_size">(log_size)
            .set<"cq_context.uar_page">(b.uar)
            .set<"cq_context.c_eqn_or_apu_element">(eqn)
            .set<"cq_context.oi">(oi)
            .set<"cq_context.dbr_umem_valid", 1>()
            .set<"cq_context.dbr_umem_id">(b.umem)
            .set<"cq_context.dbr_addr">(record_at)
            .set<"cq_umem_valid", 1>()
            .set<"cq_umem_id">(b.umem)
            .set<"cq_umem_offset">(cq_at);
        return cq = create(in, "CREATE_CQ", b.uid);
    }
    std::uint32_t make_qp(std::uint64_t service, unsigned log_sq = 4, unsigned log_rq = 2) {
        bytes in(prm::create_qp_in.size);
        prm::editor<prm::create_qp_in>(in)
            .set<"qpc.st">(service)
            .set<"qpc.pd">(b.pd)
            .set<"qpc.log_sq_size">(log_sq)
            .set<"qpc.log_rq_size">(log_rq)
            .set<"qpc.cqn_snd">(cq)
            .set<"qpc.cqn_rcv">(cq)
            .set<"qpc.user_index", 0x123456>()
            .set<"qpc.uar_page">(b.uar)
            .set<"qpc.dbr_umem_valid", 1>()
            .set<"qpc.dbr_umem_id">(b.umem)
            .set<"qpc.dbr_addr">(record_at + 64)
            .set<"wq_umem_valid", 1>()
            .set<"wq_umem_id">(b.umem)
            .set<"wq_umem_offset">(qp_at);
        return qp = create(in, "CREATE_QP", b.uid);
    }
    std::uint32_t transition(const char *name) {
        bytes in(prm::rst2init_qp_in.size);
        prm::editor<prm::rst2init_qp_in>(in)
            .set<"opcode">(prm::opcodes.find(std::string_view(name))->number)
            .set<"uid">(b.uid)
            .set<"qpn">(qp);
        return result(execute(in, 16));
    }
    void to_rts() {
        REQUIRE(transition("RST2INIT_QP") == 0);
        REQUIRE(transition("INIT2RTR_QP") == 0);
        REQUIRE(transition("RTR2RTS_QP") == 0);
    }
    // n NOPs, or whatever opcode, signalled; rings once.
    std::uint16_t posted = 0;
    void post(unsigned n, std::uint8_t opcode = 0, unsigned log_sq = 4, bool rings = true) {
        const std::uint64_t sq = b.memory + qp_at + (16ull << 2);
        std::uint64_t last = 0;
        for (unsigned i = 0; i < n; ++i, ++posted) {
            last = sq + (posted & ((1u << log_sq) - 1)) * 64;
            prm::editor<prm::wqe_ctrl>(memory.at(last, 16))
                .set<"opc_mod", 0>()
                .set<"opcode">(opcode)
                .set<"wqe_index">(posted)
                .set<"qpn_or_sqn">(qp)
                .set<"ds", 1>()
                .set<"ce", prm::value_of<prm::completion_modes, "ALWAYS">>();
        }
        memory.store<std::uint32_t>(b.memory + record_at + 64 + 4, posted);
        if (!rings) return;
        ring(b.uar, 0x800, memory.load<std::uint32_t>(last), memory.load<std::uint32_t>(last + 4));
        run();
    }
    prm::view<prm::cqe64> cqe(unsigned i) {
        return prm::view<prm::cqe64>(memory.at(b.memory + cq_at + i * 64, 64));
    }
    void arm(unsigned sequence, std::uint32_t consumer, bool solicited = false) {
        ring(b.uar, 0x20, sequence << 28 | unsigned(solicited) << 24 | consumer, cq);
    }
    std::uint64_t cq_field_st() {
        prm::mailbox<prm::query_cq_in> in;
        in.set<"opcode", prm::op<"QUERY_CQ">>().set<"cqn">(cq);
        answer a = execute(in, prm::query_cq_out.size);
        REQUIRE(result(a) == 0);
        return a.get<prm::query_cq_out, "cq_context.st">();
    }
};

} // namespace

TEST_CASE("event queue: entries appear in order, with the owner bit of their round") {
    queue_fixture f;
    std::uint8_t type;
    bytes data;
    for (int i = 0; i < 20; ++i) {
        bytes marked(28, std::byte(i + 1));
        REQUIRE(f.device.faults().faults.event(0x09, 4, marked).empty());
        CHECK(f.interrupts(f.irq) == 1);
        REQUIRE(f.next_eqe(type, data));
        CHECK(type == 0x09);
        CHECK(data == marked);
    }
}

TEST_CASE("event queue: a full one loses events and says so; foreign doorbells move nothing") {
    queue_fixture f;
    for (int i = 0; i < 8; ++i)
        REQUIRE(f.device.faults().faults.event(9, 0, bytes(28)).empty());
    CHECK_FALSE(f.device.faults().faults.event(9, 0, bytes(28)).empty());
    bytes db(4);
    prm::editor<prm::eq_doorbell>(db).set<"eqn">(f.eqn).set<"ci", 4>();
    f.write(0, std::uint64_t(f.b.uar) * 4096 + 0x40, db); // the user's page
    CHECK_FALSE(f.device.faults().faults.event(9, 0, bytes(28)).empty());
    f.write(0, std::uint64_t(f.kernel_uar) * 4096 + 0x40, db);
    CHECK(f.device.faults().faults.event(9, 0, bytes(28)).empty());
}

TEST_CASE("event queue: commands complete by event once there is a queue for them") {
    queue_fixture f;
    f.eq_ring = f.memory.alloc(4096);
    f.seen = 0;
    const int polled = f.irq_fd(2);
    f.make_eq(1ull << 10);
    CHECK(f.interrupts(polled) == 0); // the command that made it was polled for
    const std::uint32_t commands = f.eqn;
    f.simple("NOP", 0);
    CHECK(f.interrupts(polled) == 1);
    std::uint8_t type;
    bytes data;
    REQUIRE(f.next_eqe(type, data));
    CHECK(type == 0x0a);
    CHECK(prm::load_be<std::uint32_t>(data.data()) == 1); // slot 0
    CHECK(f.simple("DESTROY_EQ", commands) == 0);
    CHECK(f.interrupts(polled) == 0); // and so is the one that ends it
    ::close(polled);
}

TEST_CASE("completion queue: NOPs complete in order, round after round") {
    queue_fixture f;
    f.make_cq(3);
    f.make_qp(0);
    f.to_rts();
    for (unsigned i = 0; i < 40; ++i) {
        f.post(1);
        auto c = f.cqe(i % 8);
        REQUIRE(c.get<"owner">() == (i / 8 & 1));
        CHECK(c.get<"opcode">() == cqe_opcode<"REQ">);
        CHECK(c.get<"wqe_counter">() == i);
        CHECK(c.get<"qpn">() == f.qp);
        CHECK(c.get<"srqn_uidx">() == 0x123456);
        f.memory.store<std::uint32_t>(f.b.memory + f.record_at, i + 1); // consumed
    }
    prm::mailbox<prm::query_cq_in> in;
    in.set<"opcode", prm::op<"QUERY_CQ">>().set<"cqn">(f.cq);
    answer a = f.execute(in, prm::query_cq_out.size);
    CHECK(a.get<prm::query_cq_out, "cq_context.producer_counter">() == 40);
    CHECK(a.get<prm::query_cq_out, "cq_context.consumer_counter">() == 40);
}

TEST_CASE("completion queue: one event for each arm, at once when behind") {
    queue_fixture f;
    f.make_cq(4);
    f.make_qp(0);
    f.to_rts();
    f.post(1);
    CHECK(f.interrupts(f.irq) == 0); // not armed
    f.arm(0, 0);                     // behind: fires at once
    CHECK(f.interrupts(f.irq) == 1);
    f.arm(0, 0); // the same sequence number again: its event is on its way
    CHECK(f.interrupts(f.irq) == 0);
    f.arm(1, 1);
    CHECK(f.interrupts(f.irq) == 0); // nothing new yet
    CHECK(f.cq_field_st() == prm::value_of<prm::cqc_states, "NOTIFICATION_REQUEST_ARMED">);
    f.post(3);
    CHECK(f.interrupts(f.irq) == 1); // three completions, one event
    CHECK(f.cq_field_st() == prm::value_of<prm::cqc_states, "FIRED">);
    f.arm(2, 4, true); // solicited only: a plain completion is not it
    f.post(1);
    CHECK(f.interrupts(f.irq) == 0);
    std::uint8_t type;
    bytes data;
    REQUIRE(f.next_eqe(type, data));
    CHECK(type == 0);
    CHECK(prm::load_be<std::uint32_t>(data.data() + 24) == f.cq);
    // From another page than the CQ's.
    f.ring(f.kernel_uar, 0x20, 3u << 28, f.cq);
    CHECK(f.interrupts(f.irq) == 0);
}

TEST_CASE("completion queue: an overrun is an event, unless it is to be ignored") {
    queue_fixture f;
    f.make_cq(1);
    f.make_qp(0);
    f.to_rts();
    f.post(3);
    std::uint8_t type;
    bytes data;
    REQUIRE(f.next_eqe(type, data));
    CHECK(type == 0x04);
    CHECK(prm::view<prm::cq_error>(data).get<"cqn">() == f.cq);
    CHECK(prm::view<prm::cq_error>(data).get<"syndrome">() == 1);
    queue_fixture g;
    g.make_cq(1, true);
    g.make_qp(0);
    g.to_rts();
    g.post(3);
    CHECK(g.interrupts(g.irq) == 0);
    CHECK(g.cqe(0).get<"wqe_counter">() == 2);
}

TEST_CASE("completion queue: a resize says so in the old ring and goes on in the new one") {
    queue_fixture f;
    f.make_cq(2);
    f.make_qp(0);
    f.to_rts();
    f.post(1);
    bytes in(prm::modify_cq_in.size);
    prm::editor<prm::modify_cq_in> e(in);
    e.set<"opcode", prm::op<"MODIFY_CQ">>()
        .set<"uid">(f.b.uid)
        .set<"op_mod", 1>()
        .set<"cqn">(f.cq)
        .set<"cq_context.log_cq_size", 4>()
        .set<"cq_umem_valid", 1>()
        .set<"cq_umem_id">(f.b.umem)
        .set<"cq_umem_offset">(8192);
    CHECK(result(f.execute(in, 16)) == 0);
    CHECK(f.cqe(1).get<"opcode">() == cqe_opcode<"RESIZE_CQ">);
    f.post(1);
    CHECK(f.cqe(8192 / 64 + 2).get<"wqe_counter">() == 1);
    e.set<"cq_context.log_cq_size", 1>();
    CHECK(result(f.execute(in, 16)) == refused(syndrome::cq_smaller_than_full));
    e.set<"cq_context.log_cq_size", 4>().set<"cq_umem_offset">(f.b.size - 64);
    CHECK(result(f.execute(in, 16)) == refused(syndrome::umem_bounds));
    CHECK(f.simple("DESTROY_UMEM", f.b.umem, f.b.uid) == refused(syndrome::object_busy));
}

namespace {

// MODIFY_CQ of the fixture's CQ, to a place behind all else.
bytes resize_to(const queue_fixture &f, unsigned log_size, bool large_entries = false) {
    bytes in(prm::modify_cq_in.size);
    prm::editor<prm::modify_cq_in>(in)
        .set<"opcode", prm::op<"MODIFY_CQ">>()
        .set<"uid">(f.b.uid)
        .set<"op_mod", 1>()
        .set<"cqn">(f.cq)
        .set<"cq_context.log_cq_size">(log_size)
        .set<"cq_context.cqe_sz">(large_entries)
        .set<"cq_umem_valid", 1>()
        .set<"cq_umem_id">(f.b.umem)
        .set<"cq_umem_offset", 8192>();
    return in;
}

} // namespace

TEST_CASE("completion queue: a resize to larger entries") {
    queue_fixture f;
    f.make_cq(2);
    f.make_qp(0);
    f.to_rts();
    f.post(1);
    REQUIRE(result(f.execute(resize_to(f, 4, true), 16)) == 0);
    f.post(1);
    // Entry 2 of 128 bytes, of which the CQE is the latter half.
    CHECK(f.cqe(8192 / 64 + 2 * 2 + 1).get<"wqe_counter">() == 1);
    CHECK(f.cqe(8192 / 64 + 2 * 2 + 1).get<"opcode">() == cqe_opcode<"REQ">);
}

TEST_CASE("completion queue: no resize without a place to say so, nor of a broken one") {
    queue_fixture f;
    f.make_cq(1);
    f.make_qp(0);
    f.to_rts();
    f.post(2); // full
    CHECK(result(f.execute(resize_to(f, 4), 16)) == refused(syndrome::cq_smaller_than_full));
    CHECK(f.cqe(0).get<"wqe_counter">() == 0);
    CHECK(f.cqe(1).get<"wqe_counter">() == 1);
    f.post(1);
    CHECK(result(f.execute(resize_to(f, 4), 16)) == refused(syndrome::cq_overflown));
}

TEST_CASE("queue pair: what is not executed fails, and the rest is flushed") {
    queue_fixture f;
    f.make_cq(4);
    f.make_qp(0);
    f.to_rts();
    f.memory.store<std::uint32_t>(f.b.memory + f.record_at + 64, 3); // three receives
    f.post(2, prm::value_of<prm::wqe_opcodes, "ENHANCED_MPSW">);
    CHECK(f.cqe(0).get<"opcode">() == cqe_opcode<"REQ_ERR">);
    auto error = prm::view<prm::err_cqe>(f.cqe(0).all());
    CHECK(error.get<"error_syndrome.syndrome">() ==
          prm::value_of<prm::cqe_syndromes, "LOCAL_QP_OP_ERR">);
    unsigned flushed_sends = 0, flushed_receives = 0;
    for (unsigned i = 1; i < 5; ++i) {
        prm::view<prm::err_cqe> c(f.cqe(i).all());
        CHECK(c.get<"error_syndrome.syndrome">() ==
              prm::value_of<prm::cqe_syndromes, "WR_FLUSH_ERR">);
        flushed_sends += f.cqe(i).get<"opcode">() == cqe_opcode<"REQ_ERR">;
        flushed_receives += f.cqe(i).get<"opcode">() == cqe_opcode<"RESP_ERR">;
    }
    CHECK(flushed_sends == 1);
    CHECK(flushed_receives == 3);
}

TEST_CASE("queue pair: management sends are done when they are taken") {
    queue_fixture f;
    f.make_cq(4);
    f.make_qp(prm::value_of<prm::qpc_service_types, "QP1">);
    f.to_rts();
    f.post(1, prm::value_of<prm::wqe_opcodes, "SEND">);
    CHECK(f.cqe(0).get<"opcode">() == cqe_opcode<"REQ">);
}

TEST_CASE("queue pair: doorbells of strangers, of nonsense and of unreadable rings do no harm") {
    queue_fixture f;
    f.make_cq(4);
    f.make_qp(0);
    f.ring(f.b.uar, 0x800, 0, f.qp << 8 | 1); // not in RTS
    f.to_rts();
    f.memory.store<std::uint32_t>(f.b.memory + f.record_at + 64 + 4, 1);
    f.ring(f.kernel_uar, 0x800, 0, f.qp << 8 | 1);
    f.ring(f.b.uar, 0x800, 0, 0xffffff01);
    f.ring(f.b.uar, 0xff8, ~0u, ~0u);
    f.run();
    prm::mailbox<prm::query_cq_in> in;
    in.set<"opcode", prm::op<"QUERY_CQ">>().set<"cqn">(f.cq);
    CHECK(f.execute(in, prm::query_cq_out.size)
              .get<prm::query_cq_out, "cq_context.producer_counter">() == 0);
    // A record that claims more than the ring holds is not believed.
    f.memory.store<std::uint32_t>(f.b.memory + f.record_at + 64 + 4, 0x4000);
    f.ring(f.b.uar, 0x800, 0, f.qp << 8 | 1);
    f.run();
    CHECK(f.execute(in, prm::query_cq_out.size)
              .get<prm::query_cq_out, "cq_context.producer_counter">() == 0);
    // The guest takes the memory of the ring away.
    f.ask(wire::DMA_UNMAP, raw(wire::dma_unmap{24, wire::unmap_all, 0, 0}));
    f.ring(f.b.uar, 0x800, 0, f.qp << 8 | 1);
    f.run();
    CHECK(f.alive());
}

TEST_CASE("doorbells in two halves, as CPUs of 32 bits write them: the second one rings") {
    queue_fixture f;
    f.make_cq(4);
    f.make_qp(0);
    f.to_rts();
    auto half = [&](std::uint32_t page, std::uint32_t offset, std::uint32_t value) {
        bytes b(4);
        prm::store_be(b.data(), value);
        REQUIRE(f.write(wire::bar0_region, std::uint64_t(page) * 4096 + offset, b).error == 0);
        f.run();
    };
    auto produced = [&] {
        prm::mailbox<prm::query_cq_in> in;
        in.set<"opcode", prm::op<"QUERY_CQ">>().set<"cqn">(f.cq);
        return f.execute(in, prm::query_cq_out.size)
            .get<prm::query_cq_out, "cq_context.producer_counter">();
    };
    f.post(1, 0, 4, false);
    half(f.b.uar, 0x800, 0);
    half(f.b.uar, 0xa04, f.qp << 8 | 1);      // of another register
    half(f.kernel_uar, 0x804, f.qp << 8 | 1); // of another page
    CHECK(produced() == 0);
    half(f.kernel_uar, 0x800, 0); // between the halves of the other page
    half(f.b.uar, 0x804, f.qp << 8 | 1);
    CHECK(produced() == 1);
    half(f.b.uar, 0x804, f.qp << 8 | 1); // the first half is used up
    half(f.b.uar, 0x24, f.cq);
    CHECK(f.alive());
    half(f.b.uar, 0x20, 0);
    half(f.b.uar, 0x24, f.cq);
    CHECK(f.cq_field_st() == prm::value_of<prm::cqc_states, "FIRED">);
}

TEST_CASE("queue pair: every transition from every state") {
    const char *names[] = {"RST2INIT_QP", "INIT2INIT_QP", "INIT2RTR_QP", "RTR2RTS_QP",
                           "RTS2RTS_QP",  "SQERR2RTS_QP", "2ERR_QP",     "2RST_QP"};
    struct {
        std::vector<const char *> path;
        const char *state;
        std::vector<std::string> allowed;
    } const states[] = {
        {{}, "RST", {"RST2INIT_QP"}},
        {{"RST2INIT_QP"}, "INIT", {"INIT2INIT_QP", "INIT2RTR_QP"}},
        {{"RST2INIT_QP", "INIT2RTR_QP"}, "RTR", {"RTR2RTS_QP"}},
        {{"RST2INIT_QP", "INIT2RTR_QP", "RTR2RTS_QP"}, "RTS", {"RTS2RTS_QP"}},
        {{"2ERR_QP"}, "ERR", {}},
    };
    for (const auto &from : states)
        for (const char *name : names) {
            queue_fixture f;
            f.make_cq(4);
            f.make_qp(0);
            for (const char *step : from.path)
                REQUIRE(f.transition(step) == 0);
            const bool any = std::string(name) == "2ERR_QP" || std::string(name) == "2RST_QP";
            const bool allowed = any || std::ranges::find(from.allowed, name) != from.allowed.end();
            INFO(name << " from " << from.state);
            CHECK(f.transition(name) == (allowed ? 0 : refused(syndrome::qp_wrong_state)));
        }
}

TEST_CASE("queue pair: transitions take their own fields and those that the mask names") {
    queue_fixture f;
    f.make_cq(4);
    f.make_qp(0);
    auto query = [&] {
        prm::mailbox<prm::query_qp_in> in;
        in.set<"opcode", prm::op<"QUERY_QP">>().set<"qpn">(f.qp);
        answer a = f.execute(in, prm::query_qp_out.size);
        REQUIRE(result(a) == 0);
        return a;
    };
    CHECK(query().get<prm::query_qp_out, "qpc.log_sq_size">() == 4);
    prm::mailbox<prm::rst2init_qp_in> in;
    in.set<"uid">(f.b.uid).set<"qpn">(f.qp);
    in.set<"opcode", prm::op<"RST2INIT_QP">>().set<"qpc.q_key", 0x11223344>();
    in.set<"qpc.primary_address_path.vhca_port_num", 1>().set<"qpc.log_sq_size", 7>();
    CHECK(result(f.execute(in)) == 0);
    in.set<"opcode", prm::op<"INIT2RTR_QP">>()
        .set<"qpc.remote_qpn", 0xabcdef>()
        .set<"qpc.primary_address_path.rlid", 77>()
        .set<"qpc.q_key", 5>()
        .set<"qpc.rwe", 1>()
        .set<"opt_param_mask", 1 << 3>();
    CHECK(result(f.execute(in)) == 0);
    answer a = query();
    CHECK(a.get<prm::query_qp_out, "qpc.q_key">() == 0x11223344); // not in the mask
    CHECK(a.get<prm::query_qp_out, "qpc.rwe">() == 1);            // in the mask
    CHECK(a.get<prm::query_qp_out, "qpc.remote_qpn">() == 0xabcdef);
    CHECK(a.get<prm::query_qp_out, "qpc.primary_address_path.rlid">() == 77);
    CHECK(a.get<prm::query_qp_out, "qpc.log_sq_size">() == 4); // fixed at creation
    CHECK(a.get<prm::query_qp_out, "qpc.state">() == 2);
    in.set<"opcode", prm::op<"RTR2RTS_QP">>().set<"opt_param_mask", 1u << 30>();
    CHECK(result(f.execute(in)) == refused(syndrome::qp_opt_param));
}
