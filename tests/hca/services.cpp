// SPDX-License-Identifier: MIT
// The other services: UD, UC, XRC, and receives that many share.
#include "traffic.hpp"

#include "../unit/catch.hpp"
#include "engine/events.hpp"
#include "engine/queue_pair.hpp"

using namespace hca_test;
using engine::event;
using engine::qp_state;
using prm::cqe_op;
using prm::wqe_op;

namespace {

constexpr std::uint32_t grh_size = 40;

struct datagrams : traffic {
    endpoint a, z;
    std::uint64_t from, to;
    std::uint32_t key;

    datagrams() {
        a = make({.type = ud});
        z = make({.type = ud});
        connect(a, 0, {.q_key = 0x1111});
        connect(z, 0, {.q_key = 0x2222});
        from = take(4096);
        to = take(4096);
        key = mkey(b.memory, b.size);
    }
    void send(std::uint32_t q_key, std::uint16_t lid = 1, bool grh = false, std::uint32_t n = 50) {
        post(a,
             {wqe_op<"SEND_IMM">, datagram(z.qpn, q_key, lid, grh) + data(sge{from, n, key}), 77});
    }
};

// A shared receive queue: RMP, or XRC SRQ, as a linked list of WQEs of two segments.
struct shared_queue {
    traffic &t;
    std::uint64_t ring, record;
    std::uint32_t number = 0;
    std::uint16_t posted = 0, head = 0;
    static constexpr unsigned log_size = 3, stride = 32;

    explicit shared_queue(traffic &with) : t(with), ring(t.take(4096)), record(t.take(64)) {
        for (std::uint16_t n = 0; n < 1u << log_size; ++n) { // every third one comes next
            const auto next = std::uint16_t((n + 3) % (1u << log_size));
            prm::editor<prm::srq_next>(t.memory.at(ring + n * stride, 16))
                .set<"next_wqe_index">(next);
        }
    }
    void make_rmp() {
        bytes in(prm::create_rmp_in.size);
        prm::editor<prm::create_rmp_in>(in)
            .set<"ctx.wq.pd">(t.b.pd)
            .set<"ctx.wq.log_wq_sz">(log_size)
            .set<"ctx.wq.log_wq_stride", 5>()
            .set<"ctx.wq.wq_umem_valid", 1>()
            .set<"ctx.wq.wq_umem_id">(t.b.umem)
            .set<"ctx.wq.wq_umem_offset">(ring - t.b.memory)
            .set<"ctx.wq.dbr_umem_valid", 1>()
            .set<"ctx.wq.dbr_umem_id">(t.b.umem)
            .set<"ctx.wq.dbr_addr">(record - t.b.memory);
        number = t.create(in, "CREATE_RMP", t.b.uid);
    }
    void make_xrc(std::uint32_t xrcd, std::uint32_t cq) {
        bytes in(prm::create_xrc_srq_in.size);
        prm::editor<prm::create_xrc_srq_in>(in)
            .set<"xrc_srq_context_entry.log_xrc_srq_size">(log_size)
            .set<"xrc_srq_context_entry.log_rq_stride", 1>()
            .set<"xrc_srq_context_entry.xrcd">(xrcd)
            .set<"xrc_srq_context_entry.cqn">(cq)
            .set<"xrc_srq_context_entry.user_index", 0x777>()
            .set<"xrc_srq_context_entry.pd">(t.b.pd)
            .set<"xrc_srq_umem_valid", 1>()
            .set<"xrc_srq_umem_id">(t.b.umem)
            .set<"xrc_srq_umem_offset">(ring - t.b.memory)
            .set<"xrc_srq_context_entry.dbr_umem_valid", 1>()
            .set<"xrc_srq_context_entry.dbr_umem_id">(t.b.umem)
            .set<"xrc_srq_context_entry.db_record_addr_l">((record - t.b.memory) >> 2);
        number = t.create(in, "CREATE_XRC_SRQ", t.b.uid);
    }
    // Which index it has.
    std::uint16_t post(const sge &s) {
        const std::uint16_t at = head;
        head = std::uint16_t((head + 3) % (1u << log_size));
        std::ranges::copy(data(s), t.memory.at(ring + at * stride + 16, 16).begin());
        t.memory.store<std::uint32_t>(record, ++posted);
        return at;
    }
    std::uint32_t arm(std::uint16_t limit, const char *command, std::uint16_t op_mod = 0) {
        bytes in(prm::arm_rq_in.size);
        prm::editor<prm::arm_rq_in>(in)
            .set<"opcode">(prm::opcodes.find(std::string_view(command))->number)
            .set<"uid">(t.b.uid)
            .set<"op_mod">(op_mod)
            .set<"srq_number">(number)
            .set<"lwm">(limit);
        return result(t.execute(in, 16));
    }
    // As the driver does it.
    std::uint32_t modify_rmp(std::uint16_t limit) {
        prm::mailbox<prm::modify_rmp_in> in;
        in.set<"opcode", prm::op<"MODIFY_RMP">>().set<"uid">(t.b.uid).set<"rmpn">(number);
        in.set<"bitmask.lwm", 1>().set<"ctx.wq.lwm">(limit);
        const auto given = in.bytes();
        return result(t.execute({given.begin(), given.end()}, 16));
    }
};

} // namespace

TEST_CASE("UD: a datagram arrives behind the room for its route header") {
    datagrams t;
    const bytes sent = t.pattern(t.from, 50, 1);
    for (bool grh : {false, true}) {
        t.pattern(t.to, 4096, 99);
        const bytes before = t.read_guest(t.to, grh_size);
        t.receive(t.z, {{t.to, 200, t.key}});
        t.send(0x2222, 1, grh);
        auto c = t.poll(t.z);
        REQUIRE(c);
        CHECK(c->opcode() == cqe_op<"RESP_SEND_IMM">);
        CHECK(c->byte_count() == grh_size + 50);
        CHECK(c->view().get<"rqpn">() == t.a.qpn);
        CHECK(c->view().get<"slid">() == 1);
        CHECK(c->view().get<"imm_inval_pkey">() == 77);
        CHECK((c->view().get<"g">() != 0) == grh);
        CHECK(t.read_guest(t.to + grh_size, 50) == sent);
        const bytes header = t.read_guest(t.to, grh_size);
        CHECK((header == before) == !grh);
        if (grh) CHECK(prm::load_be<std::uint64_t>(header.data() + 8) == 0xfe80000000000000);
        CHECK(t.poll(t.a)->opcode() == cqe_op<"REQ">);
    }
}

TEST_CASE("UD: who has not the key, and who finds no receive, is not heard") {
    datagrams t;
    t.receive(t.z, {{t.to, 200, t.key}});
    t.send(0x2223);
    t.send(0x2222, 17); // nobody has this LID
    CHECK_FALSE(t.poll(t.z));
    t.send(0x2222);
    t.send(0x2222); // there is no second receive
    CHECK(t.poll(t.z)->byte_count() == grh_size + 50);
    CHECK_FALSE(t.poll(t.z));
    for (int n = 0; n < 4; ++n) // all were sent, for all that their sender can know
        CHECK(t.poll(t.a)->opcode() == cqe_op<"REQ">);
    // With the highest bit set it is the sender's own key that counts.
    t.receive(t.a, {{t.to, 200, t.key}});
    t.post(t.a, {wqe_op<"SEND">, datagram(t.a.qpn, 0x80000000, 1) + data(sge{t.from, 5, t.key})});
    CHECK(t.poll(t.a)->byte_count() == grh_size + 5);
}

TEST_CASE("UD: errors stop the sends only, a receive that is too short stops all") {
    datagrams t;
    t.receive(t.a, {{t.to, 200, t.key}});
    t.post(t.a, {wqe_op<"SEND">, datagram(t.z.qpn, 0x2222, 1) + data(sge{t.from, 5, 0x7700})});
    CHECK(t.poll(t.a)->is(errors::local_protection));
    CHECK(t.state_of(t.a) == qp_state<"SQER">);
    t.post(t.z, {wqe_op<"SEND">, datagram(t.a.qpn, 0x1111, 1) + data(sge{t.from, 5, t.key})});
    CHECK(t.poll(t.a)->opcode() == cqe_op<"RESP_SEND">);
    REQUIRE(t.transition(t.a, "SQERR2RTS_QP", 0, {.q_key = 0x1111}) == 0);
    t.receive(t.z, {{t.to, grh_size + 49, t.key}});
    t.send(0x2222);
    t.poll(t.z); // its own send
    CHECK(t.poll(t.z)->is(errors::receive_too_short));
    CHECK(t.state_of(t.z) == qp_state<"ERR">);
    CHECK(t.poll(t.a)->opcode() == cqe_op<"REQ">);
    t.post(t.a, {wqe_op<"RDMA_WRITE">, remote(t.to, t.key)});
    CHECK(t.poll(t.a)->is(errors::not_on_this_queue));
}

TEST_CASE("UC: messages arrive or are dropped, and nobody is told") {
    traffic t;
    endpoint a, z;
    t.pair(a, z, {.type = uc});
    const std::uint64_t from = t.take(4096), to = t.take(4096);
    const std::uint32_t key = t.mkey(t.b.memory, t.b.size);
    const bytes sent = t.pattern(from, 64, 1);
    t.post(a, {wqe_op<"SEND">, data(sge{from, 64, key})}); // no receive
    t.post(a, {wqe_op<"RDMA_WRITE">, remote(to, 0x7700) + data(sge{from, 64, key})});
    CHECK(t.poll(a)->opcode() == cqe_op<"REQ">);
    CHECK(t.poll(a)->opcode() == cqe_op<"REQ">);
    CHECK(t.state_of(z) == qp_state<"RTS">);
    CHECK_FALSE(t.poll(z));
    t.receive(z, {{to, 64, key}});
    t.post(a, {wqe_op<"SEND">, data(sge{from, 64, key})});
    CHECK(t.poll(z)->byte_count() == 64);
    CHECK(t.read_guest(to, 64) == sent);
    t.poll(a);
    t.post(a, {wqe_op<"RDMA_READ">, remote(to, key) + data(sge{from, 64, key})});
    CHECK(t.poll(a)->is(errors::not_on_this_queue));
    CHECK(t.state_of(a) == qp_state<"SQER">);
}

TEST_CASE("SRQ: queue pairs share receives, in the order of the list") {
    traffic t;
    shared_queue q(t);
    q.make_rmp();
    endpoint a, z, c, d;
    t.pair(a, z, {.srq = q.number});
    t.pair(c, d, {.srq = q.number});
    const std::uint64_t from = t.take(4096), to = t.take(4096);
    const std::uint32_t key = t.mkey(t.b.memory, t.b.size);
    REQUIRE(q.arm(3, "ARM_RQ", 1) == 0);
    CHECK(t.event_seen(event<"SRQ_RQ_LIMIT">, q.number)); // at once: there are none
    for (unsigned n = 0; n < 5; ++n)
        q.post({to + n * 100, 64, key});
    REQUIRE(q.modify_rmp(3) == 0);
    for (unsigned n = 0; n < 5; ++n) {
        const bytes sent = t.pattern(from, 64, std::uint8_t(n));
        endpoint &sender = n % 2 ? c : a, &receiver = n % 2 ? d : z;
        t.post(sender, {wqe_op<"SEND">, data(sge{from, 64, key})});
        auto got = t.poll(receiver);
        REQUIRE(got);
        CHECK(got->counter() == n * 3 % 8);
        CHECK(got->view().get<"srqn_uidx">() == receiver.user_index);
        CHECK(t.read_guest(to + n * 100, 64) == sent);
        CHECK(t.event_seen(event<"SRQ_RQ_LIMIT">, q.number) == (n == 2)); // 2 are left, once
    }
    REQUIRE(t.transition(z, "2ERR_QP") == 0);
    CHECK(t.event_seen(event<"SRQ_LAST_WQE">, z.qpn));
}

TEST_CASE("SRQ: an empty one is waited for, as often as was agreed") {
    traffic t;
    shared_queue q(t);
    q.make_rmp();
    endpoint patient, other, hasty, another;
    t.pair(patient, other, {.srq = q.number}, {.rnr_retry = 7});
    t.pair(hasty, another, {.srq = q.number}, {.rnr_retry = 1});
    const std::uint64_t from = t.take(4096), to = t.take(4096);
    const std::uint32_t key = t.mkey(t.b.memory, t.b.size);
    const bytes sent = t.pattern(from, 64, 1);
    t.post(hasty, {wqe_op<"SEND">, data(sge{from, 64, key})});
    CHECK(t.wait_for(hasty).is(errors::remote_not_ready));
    CHECK(t.state_of(another) == qp_state<"RTS">);
    t.post(patient, {wqe_op<"SEND">, data(sge{from, 64, key})});
    for (int n = 0; n < 20; ++n)
        t.events.run_once(std::chrono::milliseconds(1));
    CHECK_FALSE(t.poll(patient));
    q.post({to, 64, key});
    CHECK(t.wait_for(patient).opcode() == cqe_op<"REQ">);
    CHECK(t.wait_for(other).byte_count() == 64);
    CHECK(t.read_guest(to, 64) == sent);
}

TEST_CASE("XRC: the message names the shared queue, and must know its domain") {
    traffic t;
    const std::uint32_t domain = t.create(bytes(16), "ALLOC_XRCD", t.b.uid);
    const std::uint32_t other = t.create(bytes(16), "ALLOC_XRCD", t.b.uid);
    endpoint a = t.make({.type = xrc, .no_receive = true, .xrc_domain = domain});
    endpoint z = t.make({.type = xrc, .no_receive = true, .xrc_domain = domain});
    t.connect(a, z.qpn, {.rnr_retry = 0});
    t.connect(z, a.qpn);
    shared_queue q(t), foreign(t);
    q.make_xrc(domain, z.cq);
    foreign.make_xrc(other, z.cq);
    const std::uint64_t from = t.take(4096), to = t.take(4096);
    const std::uint32_t key = t.mkey(t.b.memory, t.b.size);
    const bytes sent = t.pattern(from, 64, 1);
    q.post({to, 64, key});
    foreign.post({to, 64, key});
    const auto send_to = [&](std::uint32_t srq) {
        prm::mailbox<prm::wqe_xrc> s;
        s.set<"xrc_srqn">(srq);
        t.post(a, {wqe_op<"SEND">, segment(s) + data(sge{from, 64, key})});
    };
    send_to(q.number);
    auto c = t.poll(z);
    REQUIRE(c);
    CHECK(c->view().get<"srqn_uidx">() == 0x777);
    CHECK(t.read_guest(to, 64) == sent);
    CHECK(t.poll(a)->opcode() == cqe_op<"REQ">);
    send_to(foreign.number);
    CHECK(t.wait_for(a).is(errors::remote_not_ready));
}
