// SPDX-License-Identifier: MIT
// What goes wrong with messages: keys, lengths, peers that are not ready or not there; flushing.
#include "traffic.hpp"

#include "../unit/catch.hpp"
#include "engine/events.hpp"
#include "engine/queue_pair.hpp"
#include "firmware/syndromes.hpp"

#include <functional>
#include <set>

using namespace hca_test;
using engine::event;
using engine::qp_state;
using prm::cqe_op;
using prm::wqe_op;

namespace {

struct writing : connected {
    using connected::connected;
    void write(std::uint64_t address, std::uint32_t rkey, std::uint32_t n = 64) {
        post(a, {wqe_op<"RDMA_WRITE">, remote(address, rkey) + data(sge{from, n, key})});
    }
};

// What both sides of a connection see of one faulty WQE.
struct fault_case {
    const char *what;
    std::function<void(writing &)> post;
    const cqe_error *sender;   // null: no completion
    const cqe_error *receiver; // null: no completion
    std::uint8_t event;        // of the receiver's queue pair, 0: none
};

const fault_case fault_cases[] = {
    {"an lkey that is not there",
     [](writing &t) {
         t.post(t.a, {wqe_op<"SEND">, data(sge{t.from, 8, 0x77777700})});
     },
     &errors::local_protection, nullptr, 0},
    {"the wrong variant byte",
     [](writing &t) {
         t.post(t.a, {wqe_op<"SEND">, data(sge{t.from, 8, t.key ^ 1})});
     },
     &errors::local_protection, nullptr, 0},
    {"bytes outside of the key, in the second segment",
     [](writing &t) {
         const std::uint32_t small = t.mkey(t.from, 100);
         t.post(t.a, {wqe_op<"SEND">, data({{t.from, 8, t.key}, {t.from + 90, 11, small}})});
     },
     &errors::local_protection, nullptr, 0},
    {"a key of another protection domain",
     [](writing &t) {
         const std::uint32_t other = t.create(bytes(16), "ALLOC_PD", t.b.uid);
         t.post(t.a, {wqe_op<"SEND">, data(sge{t.from, 8, t.mkey(t.from, 64, 1, other)})});
     },
     &errors::local_protection, nullptr, 0},
    {"the reserved key, on a program's queue pair",
     [](writing &t) {
         t.post(t.a, {wqe_op<"SEND">, data(sge{t.from, 8, 0x200})});
     },
     &errors::local_protection, nullptr, 0},
    {"a read into memory that may only be read",
     [](writing &t) {
         t.post(t.a, {wqe_op<"RDMA_READ">,
                      remote(t.to, t.key) + data(sge{t.from, 8, t.mkey(t.from, 64, 1)})});
     },
     &errors::local_protection, nullptr, 0},
    {"an rkey that is not there", [](writing &t) { t.write(t.to, 0x77777700); },
     &errors::remote_access, nullptr, event<"WQ_ACCESS_ERROR">},
    {"an rkey without remote write", [](writing &t) { t.write(t.to, t.mkey(t.to, 64, 7)); },
     &errors::remote_access, nullptr, event<"WQ_ACCESS_ERROR">},
    {"a write that ends behind the key", [](writing &t) { t.write(t.to, t.mkey(t.to, 63)); },
     &errors::remote_access, nullptr, event<"WQ_ACCESS_ERROR">},
    {"a read without remote read",
     [](writing &t) {
         t.post(t.a, {wqe_op<"RDMA_READ">,
                      remote(t.to, t.mkey(t.to, 64, 3)) + data(sge{t.from, 8, t.key})});
     },
     &errors::remote_access, nullptr, event<"WQ_ACCESS_ERROR">},
    {"an atomic without remote atomic",
     [](writing &t) {
         t.post(t.a, {wqe_op<"ATOMIC_FA">, remote(t.to, t.mkey(t.to, 64, 15)) + atomic(1, 0) +
                                               data(sge{t.from, 8, t.key})});
     },
     &errors::remote_access, nullptr, event<"WQ_ACCESS_ERROR">},
    {"an atomic on half of a word",
     [](writing &t) {
         t.post(t.a, {wqe_op<"ATOMIC_FA">,
                      remote(t.to + 4, t.key) + atomic(1, 0) + data(sge{t.from, 8, t.key})});
     },
     &errors::remote_invalid, nullptr, event<"WQ_INVAL_REQ_ERROR">},
    {"a message longer than the receive",
     [](writing &t) {
         t.receive(t.z, {{t.to, 4, t.key}, {t.to + 100, 3, t.key}});
         t.post(t.a, {wqe_op<"SEND">, data(sge{t.from, 8, t.key})});
     },
     &errors::remote_invalid, &errors::receive_too_short, 0},
    {"a receive with a key that is not there",
     [](writing &t) {
         t.receive(t.z, {{t.to, 64, 0x77777700}});
         t.post(t.a, {wqe_op<"SEND">, data(sge{t.from, 8, t.key})});
     },
     &errors::remote_operation, &errors::receive_protection, 0},
    {"a message longer than log_msg_max",
     [](writing &t) {
         t.post(t.a, {wqe_op<"SEND">, data({{t.b.memory, 1u << 20, t.key}, {t.from, 1, t.key}})});
     },
     &errors::message_too_long, nullptr, 0},
    {"an operation that nobody knows", [](writing &t) { t.post(t.a, {0x3f}); },
     &errors::unknown_operation, nullptr, 0},
    {"an operand size that nobody knows",
     [](writing &t) {
         t.post(t.a, {wqe_op<"ATOMIC_FA">,
                      remote(t.to, t.key) + atomic(1, 0) + data(sge{t.from, 8, t.key}), 0, 3});
     },
     &errors::unknown_operation, nullptr, 0},
    {"an atomic whose answer has no room",
     [](writing &t) {
         t.post(t.a, {wqe_op<"ATOMIC_FA">,
                      remote(t.to, t.key) + atomic(1, 0) + data(sge{t.from, 7, t.key})});
     },
     &errors::malformed_wqe, nullptr, 0},
    {"a WQE that ends before its remote address",
     [](writing &t) { t.post(t.a, {wqe_op<"RDMA_WRITE">}); }, &errors::malformed_wqe, nullptr, 0},
    {"inline data that reach over the end",
     [](writing &t) {
         bytes body = inline_data(bytes(30));
         body.resize(16);
         t.post(t.a, {wqe_op<"SEND">, body});
     },
     &errors::malformed_wqe, nullptr, 0},
    {"a wait on a queue that is no master",
     [](writing &t) {
         t.post(t.a, {wqe_op<"WAIT">, bytes(16)});
     },
     &errors::not_a_master, nullptr, 0},
};

} // namespace

TEST_CASE("RC errors: each is told to those whom it concerns, and the queue pairs fail") {
    for (const fault_case &c : fault_cases) {
        INFO(c.what);
        writing t;
        c.post(t);
        auto s = t.poll(t.a), r = t.poll(t.z);
        REQUIRE(s);
        CHECK(s->opcode() == cqe_op<"REQ_ERR">);
        CHECK(s->is(*c.sender));
        CHECK(t.state_of(t.a) == qp_state<"ERR">);
        CHECK(bool(r) == bool(c.receiver));
        if (r && c.receiver) CHECK(r->is(*c.receiver));
        if (c.event) CHECK(t.event_seen(c.event, t.z.qpn));
        const bool hurts_receiver = c.event || c.receiver;
        CHECK(t.state_of(t.z) == (hurts_receiver ? qp_state<"ERR"> : qp_state<"RTS">));
        CHECK(t.read_guest(t.to, 4096) == bytes(4096)); // nothing of it has arrived
    }
}

TEST_CASE("RC errors: what the other side does not allow") {
    struct {
        path p;
        work w;
    } const cases[] = {
        {{.read = false}, {wqe_op<"RDMA_READ">}},
        {{.write = false}, {wqe_op<"RDMA_WRITE">}},
        {{.atomic = false}, {wqe_op<"ATOMIC_FA">, atomic(1, 0)}},
    };
    for (const auto &c : cases) {
        writing t({}, c.p);
        work w = c.w;
        w.body = remote(t.to, t.key) + w.body + data(sge{t.from, 8, t.key});
        t.post(t.a, w);
        CHECK(t.poll(t.a)->is(errors::remote_invalid));
        CHECK(t.event_seen(event<"WQ_INVAL_REQ_ERROR">, t.z.qpn));
    }
}

TEST_CASE("RC errors: all that is posted is flushed, on both queues and afterwards") {
    writing t;
    for (int n = 0; n < 3; ++n)
        t.receive(t.a, {{t.to, 64, t.key}});
    for (int n = 0; n < 4; ++n)
        t.post(t.a,
               {.opcode = wqe_op<"SEND">,
                .body = data(sge{t.from, 8, n == 1 ? 0u : t.key}),
                .signaled = false},
               false);
    t.receive(t.z, {{t.to, 64, t.key}});
    t.ring_doorbell(t.a);
    CHECK(t.poll(t.a)->is(errors::local_protection)); // the first one was not signalled
    unsigned sends = 0, receives = 0;
    while (auto c = t.poll(t.a)) {
        CHECK(c->is(errors::flushed));
        if (c->opcode() == cqe_op<"REQ_ERR">) CHECK(c->counter() == 2 + sends++);
        if (c->opcode() == cqe_op<"RESP_ERR">) CHECK(c->counter() == receives++);
    }
    CHECK(sends == 2);
    CHECK(receives == 3);
    t.post(t.a, {wqe_op<"NOP">});
    CHECK(t.poll(t.a)->is(errors::flushed));
    CHECK(t.poll(t.z)->opcode() == cqe_op<"RESP_SEND">);
}

TEST_CASE("RC errors: a reset forgets what is under way, and the queue pair works again") {
    writing t({}, {.rnr_retry = 7});
    t.post(t.a, {wqe_op<"SEND">, data(sge{t.from, 8, t.key})}); // nobody receives
    REQUIRE(t.transition(t.a, "2RST_QP") == 0);
    REQUIRE(t.transition(t.z, "2RST_QP") == 0);
    t.a.sent = t.z.recv = 0;
    t.memory.store<std::uint64_t>(t.a.record, 0);
    t.memory.store<std::uint64_t>(t.z.record, 0);
    t.connect(t.a, t.z.qpn);
    t.connect(t.z, t.a.qpn);
    t.receive(t.z, {{t.to, 8, t.key}});
    t.post(t.a, {wqe_op<"SEND">, inline_data(bytes(8, std::byte(5)))});
    CHECK(t.wait_for(t.z).byte_count() == 8);
    CHECK(t.wait_for(t.a).opcode() == cqe_op<"REQ">);
    CHECK_FALSE(t.poll(t.a));
}

TEST_CASE("RC: a receiver that is not ready is waited for, as often as was agreed") {
    writing t({}, {.rnr_retry = 2});
    t.post(t.a, {wqe_op<"SEND">, data(sge{t.from, 8, t.key})});
    CHECK(t.wait_for(t.a).is(errors::remote_not_ready));
    CHECK(t.state_of(t.z) == qp_state<"RTS">);

    connected patient({}, {.rnr_retry = 7});
    const bytes sent = patient.pattern(patient.from, 8, 1);
    patient.post(patient.a, {wqe_op<"SEND">, data(sge{patient.from, 8, patient.key})});
    for (int n = 0; n < 20; ++n)
        patient.events.run_once(std::chrono::milliseconds(1));
    CHECK_FALSE(patient.poll(patient.a));
    patient.receive(patient.z, {{patient.to, 8, patient.key}});
    CHECK(patient.wait_for(patient.a).opcode() == cqe_op<"REQ">);
    CHECK(patient.read_guest(patient.to, 8) == sent);
    CHECK(patient.poll(patient.z)->byte_count() == 8);
}

TEST_CASE("RC: a write with immediate waits for a receive as well") {
    writing t({}, {.rnr_retry = 7});
    t.post(t.a, {wqe_op<"RDMA_WRITE_IMM">, remote(t.to, t.key) + data(sge{t.from, 8, t.key})});
    CHECK_FALSE(t.poll(t.a));
    t.receive(t.z, {});
    CHECK(t.wait_for(t.a).opcode() == cqe_op<"REQ">);
    CHECK(t.poll(t.z)->opcode() == cqe_op<"RESP_WR_IMM">);
}

TEST_CASE("RC: nobody answers where nobody is, or is not connected to us") {
    const auto outcome = [](const std::function<void(traffic &, endpoint &, endpoint &)> &link) {
        traffic t;
        endpoint a = t.make(), z = t.make();
        link(t, a, z);
        t.post(a, {wqe_op<"RDMA_WRITE">, remote(0, 0)});
        const bool told = t.wait_for(a).is(errors::no_answer);
        CHECK(t.state_of(z) != qp_state<"ERR">);
        return told;
    };
    CHECK(outcome([](auto &t, auto &a, auto &) { t.connect(a, 0xabcdef); }));
    CHECK(outcome([](auto &t, auto &a, auto &z) { t.connect(a, z.qpn, {.lid = 99}); }));
    CHECK(outcome([](auto &t, auto &a, auto &z) {
        t.connect(a, z.qpn);
        REQUIRE(t.transition(z, "RST2INIT_QP") == 0); // not yet in RTR
    }));
    CHECK(outcome([](auto &t, auto &a, auto &z) {
        t.connect(a, z.qpn);
        t.connect(z, z.qpn); // with somebody else
    }));
    CHECK(outcome([](auto &t, auto &a, auto &z) {
        t.connect(a, z.qpn, {.psn = 7});
        t.connect(z, a.qpn, {.psn = 8});
    }));
}

TEST_CASE("RC: the first message tells a queue pair in RTR that it is connected") {
    traffic t;
    endpoint a = t.make(), z = t.make();
    t.connect(a, z.qpn);
    REQUIRE(t.transition(z, "RST2INIT_QP") == 0);
    REQUIRE(t.transition(z, "INIT2RTR_QP", a.qpn) == 0);
    t.post(a, {wqe_op<"RDMA_WRITE">, remote(0, 0)});
    CHECK(t.poll(a)->opcode() == cqe_op<"REQ">);
    CHECK(t.event_seen(event<"COMM_EST">, z.qpn));
    t.post(a, {wqe_op<"RDMA_WRITE">, remote(0, 0)});
    CHECK_FALSE(t.event_seen(event<"COMM_EST">, z.qpn));
}

TEST_CASE("CQ: who completes on a queue that has overflown fails") {
    writing t({.log_cq = 1});
    for (int n = 0; n < 3; ++n)
        t.post(t.a, {wqe_op<"NOP">});
    CHECK(t.event_seen(event<"CQ_ERROR">, t.a.cq));
    CHECK(t.state_of(t.a) == qp_state<"ERR">);
    CHECK(t.state_of(t.z) == qp_state<"RTS">);
}

TEST_CASE("queue pair: a send queue that cannot be read fails, and tells") {
    traffic t;
    // A umem that goes on where the guest has no memory any more: after the first page of the
    // queue, which is the third that make() takes.
    const std::uint64_t taken = t.take(0) - t.b.memory;
    t.b.memory = guest::size - taken - std::uint64_t(3) * 4096;
    t.b.umem = t.umem(t.b.uid, t.b.memory, t.b.size);
    endpoint e = t.make({.log_sq = 7});
    t.connect(e, e.qpn);
    const auto readable = std::uint16_t((guest::size - e.send_ring()) / 64);
    REQUIRE(readable < 64);
    for (unsigned n = 0; n < readable; ++n)
        t.post(e, {.opcode = wqe_op<"NOP">, .signaled = n + 1u == readable});
    CHECK(t.wait_for(e).opcode() == cqe_op<"REQ">);
    CHECK_FALSE(t.event_seen(event<"WQ_CATAS_ERROR">, e.qpn));
    ++e.sent;
    t.ring_doorbell(e);
    CHECK(t.event_seen(event<"WQ_CATAS_ERROR">, e.qpn));
    CHECK(t.state_of(e) == qp_state<"ERR">);
}

TEST_CASE("queue pair: the reserved key is the driver's") {
    traffic t;
    bytes in(prm::create_qp_in.size);
    prm::editor<prm::create_qp_in>(in)
        .set<"opcode", prm::op<"CREATE_QP">>()
        .set<"uid">(t.b.uid)
        .set<"qpc.pd">(t.b.pd)
        .set<"qpc.no_sq", 1>()
        .set<"qpc.rq_type", 3>()
        .set<"qpc.rlky", 1>();
    CHECK(result(t.execute(in, 16)) == refused(firmware::syndrome::privileged));
}

TEST_CASE("CQE errors: every cause has a vendor syndrome of its own") {
    std::set<std::uint8_t> seen;
    for (const cqe_error *e : engine::all_cqe_errors) {
        INFO(e->name);
        CHECK(seen.insert(e->vendor).second);
        CHECK_FALSE(prm::cqe_syndromes.name_of(e->syndrome).empty());
        CHECK_FALSE(std::string(e->text).empty());
    }
}

TEST_CASE("RC errors: what is posted in ERR is flushed as well, without a doorbell") {
    writing t;
    REQUIRE(t.transition(t.a, "2ERR_QP") == 0);
    t.receive(t.a, {{t.to, 64, t.key}});
    CHECK(t.wait_for(t.a).is(errors::flushed));
    t.receive(t.a, {{t.to, 64, t.key}});
    auto c = t.wait_for(t.a);
    CHECK(c.is(errors::flushed));
    CHECK(c.counter() == 1);
}

// ---- the send queue drains
// No guest comes here: the command interface has no transition from RTS to SQD.

namespace {

struct draining : connected {
    explicit draining(const path &p = {.rnr_retry = 7}) : connected({}, p) {}
    void drain() { device.firmware().engine.set_qp_state(a.qpn, qp_state<"SQD">); }
    void send() { post(a, {wqe_op<"SEND">, data(sge{from, 8, key})}); }
    void pass_time() {
        for (int n = 0; n < 20; ++n)
            events.run_once(std::chrono::milliseconds(1));
    }
    bool drained() { return event_seen(event<"SQ_DRAINED">, a.qpn); }
};

} // namespace

TEST_CASE("SQD: an idle send queue is drained at once, and starts nothing") {
    draining t;
    t.receive(t.z, {{t.to, 8, t.key}});
    t.drain();
    CHECK(t.drained());
    CHECK(t.state_of(t.a) == qp_state<"SQD">);
    t.send();
    t.pass_time();
    CHECK_FALSE(t.poll(t.a));
    CHECK_FALSE(t.poll(t.z));
    CHECK_FALSE(t.drained());
    REQUIRE(t.transition(t.a, "SQD_RTS_QP") == 0);
    CHECK(t.wait_for(t.a).opcode() == cqe_op<"REQ">);
    CHECK(t.wait_for(t.z).opcode() == cqe_op<"RESP_SEND">);
    CHECK_FALSE(t.drained());
}

TEST_CASE("SQD: the message that is under way ends first, the next one waits for RTS") {
    draining t;
    t.send(); // nobody receives yet
    t.send();
    t.drain();
    t.pass_time();
    CHECK_FALSE(t.drained());
    t.receive(t.z, {{t.to, 8, t.key}});
    t.receive(t.z, {{t.to, 8, t.key}});
    CHECK(t.wait_for(t.a).counter() == 0);
    CHECK(t.drained());
    t.pass_time();
    CHECK_FALSE(t.poll(t.a));
    CHECK(t.poll(t.z));
    CHECK_FALSE(t.poll(t.z));
    REQUIRE(t.transition(t.a, "SQD_RTS_QP") == 0);
    CHECK(t.wait_for(t.a).counter() == 1);
    CHECK(t.state_of(t.a) == qp_state<"RTS">);
}

TEST_CASE("SQD: a message that fails while the queue drains ends it in ERR") {
    draining t({.rnr_retry = 1, .min_rnr_nak = 20}); // ten milliseconds
    t.send();
    t.send();
    t.drain();
    CHECK(t.wait_for(t.a).is(errors::remote_not_ready));
    CHECK(t.wait_for(t.a).is(errors::flushed));
    CHECK(t.state_of(t.a) == qp_state<"ERR">);
    CHECK_FALSE(t.drained());
}

TEST_CASE("SQD: it receives as before") {
    draining t;
    t.drain();
    t.receive(t.a, {{t.to, 8, t.key}});
    t.post(t.z, {wqe_op<"SEND">, data(sge{t.from, 8, t.key})});
    CHECK(t.wait_for(t.z).opcode() == cqe_op<"REQ">);
    CHECK(t.wait_for(t.a).opcode() == cqe_op<"RESP_SEND">);
}
