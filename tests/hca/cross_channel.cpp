// SPDX-License-Identifier: MIT
// Queues that wait for completions and enable other queues, and keys that WQEs change.
#include "traffic.hpp"

#include "../unit/catch.hpp"
#include "engine/engine.hpp"
#include "engine/queue_pair.hpp"
#include "kdevx/prm/mkey.hpp"

using namespace hca_test;
using engine::qp_state;
using prm::cqe_op;
using prm::wqe_op;

namespace {

bytes wait_segment(std::uint32_t cq, std::uint32_t index) {
    prm::mailbox<prm::wqe_wait> s;
    s.set<"cqn">(cq).set<"max_index">(index);
    return segment(s);
}
bytes enable_segment(std::uint32_t qpn, std::uint32_t index) {
    prm::mailbox<prm::wqe_enable> s;
    s.set<"qpn_or_sqn">(qpn).set<"pi">(index);
    return segment(s);
}

// A master, and a connected pair of which `a` sends and `z` receives only when it says so.
struct managed : traffic {
    endpoint master, a, z;
    std::uint64_t from, to;
    std::uint32_t key;

    managed() {
        master = make({.log_sq = 5, .master = true});
        connect(master, master.qpn);
        a = make({.managed_send = true});
        z = make({.managed_receive = true});
        connect(a, z.qpn, {.rnr_retry = 7});
        connect(z, a.qpn);
        from = take(4096);
        to = take(4096);
        key = mkey(b.memory, b.size);
    }
    work nop() const { return {wqe_op<"NOP">}; }
    work wait(std::uint32_t cq, std::uint32_t index) const {
        return {wqe_op<"WAIT">, wait_segment(cq, index)};
    }
    work enable(std::uint32_t qpn, std::uint32_t index) const {
        return {wqe_op<"SEND_EN">, enable_segment(qpn, index)};
    }
};

} // namespace

TEST_CASE("cross-channel: a managed queue goes as far as it is enabled") {
    managed t;
    for (int n = 0; n < 4; ++n)
        t.post(t.a, t.nop(), false);
    t.memory.store<std::uint32_t>(t.a.record + 4, t.a.sent); // a record alone does nothing
    t.run();
    CHECK_FALSE(t.poll(t.a));
    t.post(t.master, t.enable(t.a.qpn, 3));
    CHECK(t.poll(t.master)->opcode() == cqe_op<"REQ">);
    for (int n = 0; n < 3; ++n)
        CHECK(t.poll(t.a)->counter() == n);
    CHECK_FALSE(t.poll(t.a));
    t.post(t.master, t.enable(t.a.qpn, 2)); // behind: changes nothing
    CHECK_FALSE(t.poll(t.a));
    t.ring_doorbell(t.a); // rung directly, it does all that is posted
    CHECK(t.poll(t.a)->counter() == 3);
}

TEST_CASE("cross-channel: the index of SEND_EN counts blocks, through the end of the counter") {
    managed t;
    constexpr unsigned blocks_per_round = 4;
    for (unsigned round = 0; round * blocks_per_round < 0x10000 + 100; ++round) {
        for (std::size_t n : {20u, 60u, 20u}) // one block, two, and one
            t.post(t.a,
                   {.opcode = wqe_op<"RDMA_WRITE">,
                    .body = remote(t.to, t.key) + inline_data(bytes(n)),
                    .signaled = n == 60},
                   false);
        t.post(t.master, t.enable(t.a.qpn, std::uint16_t(t.a.sent - 1)));
        REQUIRE(t.poll(t.master)->opcode() == cqe_op<"REQ">);
        auto c = t.poll(t.a);
        REQUIRE(c);
        REQUIRE(c->counter() == std::uint16_t(round * blocks_per_round + 1));
        t.post(t.master, t.enable(t.a.qpn, t.a.sent));
        REQUIRE(t.poll(t.master)->opcode() == cqe_op<"REQ">);
    }
    CHECK(t.state_of(t.a) == qp_state<"RTS">);
}

TEST_CASE("cross-channel: a master waits for completions without a turn in between") {
    managed t;
    endpoint worker = t.make();
    t.connect(worker, worker.qpn);
    t.post(t.master, t.wait(worker.cq, 2), false);
    t.post(t.master, t.enable(t.a.qpn, 1), false);
    t.post(t.a, t.nop(), false);
    t.ring_doorbell(t.master);
    CHECK_FALSE(t.poll(t.master));
    t.post(worker, t.nop());
    CHECK_FALSE(t.poll(t.master));
    t.post(worker, {.opcode = wqe_op<"NOP">, .signaled = false}); // does not count
    CHECK_FALSE(t.poll(t.master));
    t.post(worker, t.nop());
    CHECK(t.poll(t.master)->counter() == 0);
    CHECK(t.poll(t.master)->counter() == 1);
    CHECK(t.poll(t.a)->counter() == 0);
    // What has been reached already, and what lies behind, is no wait.
    t.post(t.master, t.wait(worker.cq, 2));
    t.post(t.master, t.wait(worker.cq, 0));
    t.post(t.master, t.wait(worker.cq, 0xfffff0));
    for (int n = 0; n < 3; ++n)
        CHECK(t.poll(t.master)->opcode() == cqe_op<"REQ">);
}

TEST_CASE("cross-channel: the index of WAIT has 24 bits, all of which count") {
    managed t;
    endpoint worker = t.make();
    t.connect(worker, worker.qpn);
    t.post(worker, t.nop());
    // In 16 bits it would be 1, which has been reached.
    t.post(t.master, t.wait(worker.cq, 0x10001));
    t.run();
    CHECK_FALSE(t.poll(t.master));
    REQUIRE(t.transition(t.master, "2ERR_QP") == 0);
    CHECK(t.poll(t.master)->is(errors::flushed));
}

TEST_CASE("cross-channel: errors count as completions") {
    managed t;
    endpoint worker = t.make();
    t.connect(worker, worker.qpn);
    t.post(t.master, t.wait(worker.cq, 1));
    CHECK_FALSE(t.poll(t.master));
    t.post(worker, {0x3f});
    CHECK(t.poll(t.master)->opcode() == cqe_op<"REQ">);
}

TEST_CASE("cross-channel: a message waits for a receive to be enabled") {
    managed t;
    const bytes sent = t.pattern(t.from, 32, 1);
    t.receive(t.z, {{t.to, 32, t.key}});
    t.post(t.a, {wqe_op<"SEND">, data(sge{t.from, 32, t.key})}, false);
    t.post(t.master, t.enable(t.a.qpn, 1));
    for (int n = 0; n < 5; ++n)
        t.events.run_once(std::chrono::milliseconds(1));
    CHECK_FALSE(t.poll(t.z));
    t.post(t.master, {wqe_op<"RECV_EN">, enable_segment(t.z.qpn, 1)});
    CHECK(t.wait_for(t.z).byte_count() == 32);
    CHECK(t.read_guest(t.to, 32) == sent);
}

TEST_CASE("cross-channel: a chain in which each reply is enabled by what arrives, and no CPU") {
    traffic t;
    endpoint a = t.make({.master = true, .managed_send = true});
    endpoint z = t.make({.master = true, .managed_send = true});
    endpoint ma = t.make({.master = true}), mz = t.make({.master = true});
    t.connect(a, z.qpn);
    t.connect(z, a.qpn);
    t.connect(ma, ma.qpn);
    t.connect(mz, mz.qpn);
    const std::uint32_t rounds = 6;
    for (std::uint32_t n = 0; n < rounds; ++n)
        for (endpoint *e : {&a, &z}) {
            t.receive(*e, {});
            t.post(*e, {.opcode = wqe_op<"SEND">, .signaled = false}, false);
        }
    for (std::uint32_t n = 1; n <= rounds; ++n) {
        t.post(mz, {wqe_op<"WAIT">, wait_segment(z.cq, n), 0, 0, false}, false);
        t.post(mz, {wqe_op<"SEND_EN">, enable_segment(z.qpn, n), 0, 0, false}, false);
        if (n == 1) continue; // the first ball is served by hand
        t.post(ma, {wqe_op<"WAIT">, wait_segment(a.cq, n - 1), 0, 0, false}, false);
        t.post(ma, {wqe_op<"SEND_EN">, enable_segment(a.qpn, n), 0, 0, n == rounds}, false);
    }
    t.ring_doorbell(mz);
    t.ring_doorbell(ma);
    CHECK_FALSE(t.poll(ma));
    endpoint serve = t.make({.master = true});
    t.connect(serve, serve.qpn);
    t.post(serve, {wqe_op<"SEND_EN">, enable_segment(a.qpn, 1)});
    CHECK(t.wait_for(ma).opcode() == cqe_op<"REQ">);
    t.run();
    for (std::uint32_t n = 0; n < rounds; ++n) {
        CHECK(t.poll(a)->opcode() == cqe_op<"RESP_SEND">);
        CHECK(t.poll(z)->opcode() == cqe_op<"RESP_SEND">);
    }
}

TEST_CASE("cross-channel: what cannot be waited for or enabled is an error") {
    const auto outcome = [](const work &w) {
        managed t;
        t.post(t.master, w);
        return t.wait_for(t.master);
    };
    CHECK(outcome({wqe_op<"WAIT">, wait_segment(0xabcdef, 1)}).is(errors::no_cq_to_wait_for));
    CHECK(outcome({wqe_op<"SEND_EN">, enable_segment(0xabcdef, 1)}).is(errors::not_managed));
    CHECK(outcome({wqe_op<"SEND_EN">}).is(errors::malformed_wqe));
    CHECK(outcome({wqe_op<"WAIT">}).is(errors::malformed_wqe));
    CHECK(outcome({wqe_op<"WAIT">, bytes(48), 0, 2}).is(errors::unknown_operation)); // on time
    managed t;
    t.post(t.master, t.enable(t.z.qpn, 1)); // its sends are not managed
    CHECK(t.poll(t.master)->is(errors::not_managed));
}

TEST_CASE("cross-channel: a CQ that goes away lets its master fail, and 2ERR lets it go") {
    managed t;
    endpoint worker = t.make();
    t.post(t.master, t.wait(worker.cq, 1));
    REQUIRE(t.simple("DESTROY_QP", worker.qpn, t.b.uid) == 0);
    REQUIRE(t.simple("DESTROY_CQ", worker.cq, t.b.uid) == 0);
    t.run();
    CHECK(t.poll(t.master)->is(errors::no_cq_to_wait_for));
    managed u;
    u.post(u.master, u.wait(u.a.cq, 1));
    REQUIRE(u.transition(u.master, "2ERR_QP") == 0);
    CHECK(u.poll(u.master)->is(errors::flushed));
}

TEST_CASE("cross-channel: a wait on data") {
    managed t;
    const auto on_data = [&](std::uint64_t condition, std::uint64_t value, bool fails = false,
                             bool invert = false) {
        prm::mailbox<prm::wqe_wait_on_data> s;
        s.set<"condition">(condition)
            .set<"invert">(invert)
            .set<"lkey">(t.key)
            .set<"va_63_3">(t.to >> 3)
            .set<"fail_action">(fails)
            .set<"data">(value)
            .set<"data_mask", 0xffff>();
        t.post(t.master, {wqe_op<"WAIT">, segment(s), 0, prm::wait_opc_mod<"DATA">});
    };
    t.memory.store<std::uint64_t>(t.to, 0xabc00005);
    on_data(prm::wait_condition<"EQUAL">, 5);
    on_data(prm::wait_condition<"BIGGER">, 4);
    on_data(prm::wait_condition<"SMALLER">, 6);
    on_data(prm::wait_condition<"SMALLER">, 5, true, true);
    for (int n = 0; n < 4; ++n)
        CHECK(t.poll(t.master)->opcode() == cqe_op<"REQ">);
    on_data(prm::wait_condition<"EQUAL">, 6);
    t.run();
    CHECK_FALSE(t.poll(t.master));
    t.memory.store<std::uint64_t>(t.to, 6);
    CHECK(t.wait_for(t.master).opcode() == cqe_op<"REQ">);
    on_data(prm::wait_condition<"EQUAL">, 7, true);
    CHECK(t.poll(t.master)->is(errors::wait_refused));
}

// ---- keys
// -----------------------------------------------------------------------------------------

namespace {

struct umr {
    std::uint64_t offset = 0; // in octwords; 0: from the first on
    std::uint64_t mask = prm::mkey_mask<"LEN", "START_ADDR", "LR", "LW", "RR", "RW", "FREE">;
    std::uint64_t start = 0, length = 0;
    std::uint32_t pd = 0;
    bool free = false;
    std::uint64_t check = 0;
    std::vector<sge> entries{};
};

bytes umr_body(const umr &u) {
    prm::mailbox<prm::umr_ctrl> control;
    control.set<"inline", 1>()
        .set<"check_free">(u.check)
        .set<"xlt_octowords">(u.entries.size())
        .set<"mkey_mask">(u.mask);
    if (u.offset)
        control.set<"translation_offset_en", 1>()
            .set<"xlt_offset_or_bsf_octowords">(u.offset & 0xffff)
            .set<"xlt_offset_47_16">(u.offset >> 16);
    prm::mailbox<prm::mkc> context;
    context.set<"free">(u.free).set<"start_addr">(u.start).set<"len">(u.length).set<"pd">(u.pd);
    context.set<"lr", 1>().set<"lw", 1>().set<"rr", 1>().set<"rw", 1>();
    bytes body = segment(control) + segment(context);
    for (const sge &s : u.entries) {
        prm::mailbox<prm::umr_klm> k;
        k.set<"byte_count">(s.length).set<"mkey">(s.key).set<"va">(s.address);
        body = body + segment(k);
    }
    return body;
}

struct keys : traffic {
    endpoint a, z;
    std::uint64_t from, to;
    std::uint32_t key, list;
    keys() {
        pair(a, z);
        from = take(4096);
        to = take(4096);
        key = mkey(b.memory, b.size);
        list = indirect_key(4);
    }
    // A key of pages that are to be listed.
    std::uint32_t pages_key(std::uint32_t n) {
        bytes in(prm::create_mkey_in.size);
        prm::editor<prm::create_mkey_in>(in)
            .set<"memory_key_mkey_entry.free", 1>()
            .set<"memory_key_mkey_entry.umr_en", 1>()
            .set<"memory_key_mkey_entry.access_mode_1_0">(
                prm::value_of<prm::mkc_access_modes, "MTT">)
            .set<"memory_key_mkey_entry.qpn", 0xffffff>()
            .set<"memory_key_mkey_entry.pd">(b.pd)
            .set<"memory_key_mkey_entry.log_page_size", 12>()
            .set<"memory_key_mkey_entry.translations_octword_size">(n);
        return create(in, "CREATE_MKEY", b.uid) << 8;
    }
    // Two pieces of `to`, the second before the first.
    umr two_pieces() const {
        return {.start = 0x1000, .length = 150, .entries = {{to + 500, 100, key}, {to, 50, key}}};
    }
    cqe_seen change(const umr &u) {
        post(a, {wqe_op<"UMR">, umr_body(u), list});
        return wait_for(a);
    }
};

} // namespace

TEST_CASE("UMR: a list of pieces of other keys becomes one range") {
    keys t;
    const bytes sent = t.pattern(t.from, 150, 1);
    REQUIRE(t.change(t.two_pieces()).opcode() == cqe_op<"REQ">);
    t.post(t.a, {wqe_op<"RDMA_WRITE">, remote(0x1000, t.list) + data(sge{t.from, 150, t.key})});
    CHECK(t.poll(t.a)->opcode() == cqe_op<"REQ">);
    CHECK(t.read_guest(t.to + 500, 100) + t.read_guest(t.to, 50) == sent);
    // And without the right to write.
    REQUIRE(t.change({.mask = prm::mkey_mask<"LEN">, .length = 149}).opcode() == cqe_op<"REQ">);
    t.post(t.a, {wqe_op<"RDMA_WRITE">, remote(0x1000, t.list) + data(sge{t.from, 150, t.key})});
    CHECK(t.poll(t.a)->is(errors::remote_access));
}

TEST_CASE("UMR: what a key does not allow") {
    const auto outcome = [](const std::function<void(keys &, umr &)> &spoil) {
        keys t;
        umr u = t.two_pieces();
        spoil(t, u);
        return t.change(u).is(errors::umr_refused);
    };
    CHECK_FALSE(outcome([](auto &, auto &) {}));
    CHECK(outcome([](auto &, auto &u) { u.entries.resize(5, u.entries[0]); })); // room for four
    CHECK(outcome([](auto &, auto &u) { u.offset = 3; })); // the second of them is the fifth
    CHECK(outcome([](auto &t, auto &u) {                   // beyond what any key gets
        t.list = t.indirect_key((1u << 18) + 4);
        u.offset = 1u << 18;
    }));
    CHECK(outcome([](auto &t, auto &) { t.list = t.pages_key(4); })); // pages are the driver's
    CHECK(outcome([](auto &t, auto &) { t.list = t.key; }));          // made without umr_en
    CHECK(outcome([](auto &t, auto &) { t.list = 0x7777700; }));      // not there
    CHECK(outcome([](auto &, auto &u) {
        u.mask |= prm::mkey_mask<"PD">;
        u.pd = 0x7777;
    }));
    // Checks are named for what is refused.
    CHECK(outcome([](auto &, auto &u) { u.check = prm::value_of<prm::umr_checks, "FREE">; }));
    CHECK_FALSE(
        outcome([](auto &, auto &u) { u.check = prm::value_of<prm::umr_checks, "NOT_FREE">; }));
    CHECK(outcome([](auto &t, auto &u) {
        t.change(u);
        u.check = prm::value_of<prm::umr_checks, "NOT_FREE">;
    }));
}

TEST_CASE("UMR: a key is invalidated, here and from the other side") {
    keys t;
    const auto write = [&] {
        t.post(t.a, {wqe_op<"RDMA_WRITE">, remote(0x1000, t.list) + data(sge{t.from, 8, t.key})});
        return t.wait_for(t.a);
    };
    REQUIRE(t.change(t.two_pieces()).opcode() == cqe_op<"REQ">);
    CHECK(write().opcode() == cqe_op<"REQ">);
    t.receive(t.z, {});
    t.post(t.a, {wqe_op<"SEND_INVAL">, {}, t.list});
    auto c = t.poll(t.z);
    REQUIRE(c);
    CHECK(c->opcode() == cqe_op<"RESP_SEND_INV">);
    CHECK(c->view().get<"imm_inval_pkey">() == t.list);
    t.poll(t.a);
    REQUIRE(t.change({.mask = prm::mkey_mask<"FREE">}).opcode() == cqe_op<"REQ">); // valid again
    CHECK(write().opcode() == cqe_op<"REQ">);
    REQUIRE(t.change({.mask = prm::mkey_mask<"FREE">, .free = true}).opcode() == cqe_op<"REQ">);
    CHECK(write().is(errors::remote_access));
}

TEST_CASE("cross-channel: masters that wait cost nothing") {
    managed t;
    std::vector<endpoint> masters;
    for (int n = 0; n < 50; ++n) {
        masters.push_back(t.make({.master = true}));
        t.connect(masters.back(), masters.back().qpn);
        t.post(masters.back(), t.wait(t.a.cq, 1));
    }
    // Nobody wants a turn, and no timer looks after them: the loop sleeps its whole time.
    CHECK_FALSE(t.device.firmware().engine.run());
    const auto begin = std::chrono::steady_clock::now();
    t.events.run_once(std::chrono::milliseconds(100));
    CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(100));
    t.post(t.a, t.nop());
    t.ring_doorbell(t.a);
    for (endpoint &m : masters)
        CHECK(t.wait_for(m).opcode() == cqe_op<"REQ">);
}
