// SPDX-License-Identifier: MIT
// RC messages between two queue pairs: what arrives, and what their completions say.
#include "traffic.hpp"

#include "../unit/catch.hpp"

using namespace hca_test;
using prm::cqe_op;
using prm::wqe_op;

TEST_CASE("RC: a send goes from a list of buffers to a list of buffers") {
    connected t;
    const bytes sent = t.pattern(t.from, 3000, 1);
    t.receive(t.z, {{t.to, 100, t.key}, {t.to + 8192, 1900, t.key}, {t.to + 200, 5000, t.key}});
    t.post(t.a, {wqe_op<"SEND_IMM">,
                 data({{t.from, 1, t.key}, {t.from + 1, 2000, t.key}, {t.from + 2001, 999, t.key}}),
                 0x11223344});
    auto s = t.poll(t.a), r = t.poll(t.z);
    REQUIRE(s);
    CHECK(s->opcode() == cqe_op<"REQ">);
    CHECK(s->view().get<"s_wqe_opcode">() == wqe_op<"SEND_IMM">);
    CHECK(s->view().get<"qpn">() == t.a.qpn);
    REQUIRE(r);
    CHECK(r->opcode() == cqe_op<"RESP_SEND_IMM">);
    CHECK(r->byte_count() == 3000);
    CHECK(r->view().get<"imm_inval_pkey">() == 0x11223344);
    CHECK(r->view().get<"srqn_uidx">() == t.z.user_index);
    CHECK(r->view().get<"rqpn">() == t.a.qpn);
    CHECK(t.read_guest(t.to, 100) + t.read_guest(t.to + 8192, 1900) +
              t.read_guest(t.to + 200, 1000) ==
          sent);
    CHECK(t.read_guest(t.to + 1200, 100) == bytes(100));
}

TEST_CASE("RC: inline data, and messages of no length") {
    connected t;
    const bytes text = t.pattern(t.from, 77, 9);
    t.receive(t.z, {{t.to, 100, t.key}});
    t.receive(t.z, {});
    t.post(t.a, {wqe_op<"SEND">, inline_data(bytes(text.begin(), text.begin() + 50)) +
                                     inline_data(bytes(text.begin() + 50, text.end()))});
    t.post(t.a, {.opcode = wqe_op<"SEND">, .signaled = false, .solicited = true});
    CHECK(t.read_guest(t.to, 77) == text);
    CHECK(t.poll(t.z)->byte_count() == 77);
    auto empty = t.poll(t.z);
    REQUIRE(empty);
    CHECK(empty->byte_count() == 0);
    CHECK(empty->view().get<"se">() == 1);
    CHECK(t.poll(t.a)->counter() == 0);
    CHECK_FALSE(t.poll(t.a)); // not signalled
}

TEST_CASE("RC: small messages stand in the CQE where the queue pair wants them") {
    for (bool large : {false, true}) {
        connected t({.large_cqe = large,
                     .cs_req = large ? prm::cqe_scatter<"REQ_SCAT_DATA64_CQE">
                                     : prm::cqe_scatter<"REQ_SCAT_DATA32_CQE">,
                     .cs_res = large ? prm::cqe_scatter<"RES_SCAT_DATA64_CQE">
                                     : prm::cqe_scatter<"RES_SCAT_DATA32_CQE">});
        const std::uint32_t most = large ? 64 : 32;
        const bytes sent = t.pattern(t.from, 100, 3);
        for (std::uint32_t n : {most, most + 1}) {
            t.receive(t.z, {{t.to, 100, t.key}});
            t.post(t.a, {wqe_op<"SEND">, data(sge{t.from, n, t.key})});
            auto c = t.poll(t.z);
            REQUIRE(c);
            const bool in_cqe = n == most;
            CHECK(c->view().get<"format">() == (in_cqe ? large ? 2 : 1 : 0));
            const auto n_bytes = std::ptrdiff_t(n);
            const bytes wanted(sent.begin(), sent.begin() + n_bytes);
            if (in_cqe)
                CHECK(bytes(c->raw.begin(), c->raw.begin() + n_bytes) == wanted);
            else
                CHECK(t.read_guest(t.to, n) == wanted);
            CHECK((t.read_guest(t.to, n) == wanted) == !in_cqe);
            CHECK(c->byte_count() == n);
            t.poll(t.a);
        }
        // The same for what a read brings home.
        t.post(t.a,
               {wqe_op<"RDMA_READ">, remote(t.from, t.key) + data(sge{t.to + 512, 16, t.key})});
        auto c = t.poll(t.a);
        REQUIRE(c);
        CHECK(c->view().get<"format">() == prm::cqe_format<"INLINE_32">);
        const auto data_at = c->raw.end() - 64;
        CHECK(bytes(data_at, data_at + 16) == bytes(sent.begin(), sent.begin() + 16));
        CHECK(t.read_guest(t.to + 512, 16) == bytes(16));
    }
}

TEST_CASE("RC: RDMA writes and reads, of one piece and of many") {
    connected t;
    const std::uint64_t near = t.take(200000), far = t.take(200000);
    for (std::uint32_t n : {1u, 1000u, 65536u, 200000u}) {
        const bytes sent = t.pattern(near, n, std::uint8_t(n));
        t.post(t.a, {wqe_op<"RDMA_WRITE">, remote(far, t.key) + data(sge{near, n, t.key})});
        CHECK(t.wait_for(t.a).opcode() == cqe_op<"REQ">);
        CHECK(t.read_guest(far, n) == sent);
        const bytes other = t.pattern(far, n, 200);
        t.post(t.a, {wqe_op<"RDMA_READ">, remote(far, t.key) + data(sge{near, n, t.key})});
        CHECK(t.wait_for(t.a).byte_count() == n);
        CHECK(t.read_guest(near, n) == other);
    }
    CHECK_FALSE(t.poll(t.z)); // the other side is not told
}

TEST_CASE("RC: a message of several pieces takes one receive") {
    connected t;
    const std::uint32_t n = 160u << 10;
    const std::uint64_t src = t.take(n), dst = t.take(n);
    const bytes sent = t.pattern(src, n, 1);
    t.receive(t.z, {{dst, n, t.key}});
    t.post(t.a, {wqe_op<"SEND">, data(sge{src, n, t.key})});
    CHECK(t.wait_for(t.z).byte_count() == n);
    CHECK(t.wait_for(t.a).opcode() == cqe_op<"REQ">);
    CHECK(t.read_guest(dst, n) == sent);
}

TEST_CASE("RC: a write with immediate takes a receive and tells how much was written") {
    connected t;
    const bytes sent = t.pattern(t.from, 500, 5);
    t.receive(t.z, {});
    t.post(t.a,
           {wqe_op<"RDMA_WRITE_IMM">, remote(t.to, t.key) + data(sge{t.from, 500, t.key}), 0xabcd});
    auto c = t.poll(t.z);
    REQUIRE(c);
    CHECK(c->opcode() == cqe_op<"RESP_WR_IMM">);
    CHECK(c->byte_count() == 500);
    CHECK(c->view().get<"imm_inval_pkey">() == 0xabcd);
    CHECK(t.read_guest(t.to, 500) == sent);
}

TEST_CASE("RC: atomics give what was there, in the order of the network until the driver asks") {
    connected t;
    t.memory.store<std::uint64_t>(t.to, 5);
    auto run = [&](std::uint8_t opcode, const bytes &operands, std::uint8_t opc_mod = 0) {
        t.post(t.a,
               {opcode, remote(t.to, t.key) + operands + data(sge{t.from, 8, t.key}), 0, opc_mod});
        CHECK(t.poll(t.a)->opcode() == cqe_op<"REQ">);
        return t.memory.load<std::uint64_t>(t.from);
    };
    CHECK(run(wqe_op<"ATOMIC_FA">, atomic(10, 0)) == 5);
    CHECK(run(wqe_op<"ATOMIC_CS">, atomic(77, 14)) == 15); // not equal: nothing changes
    CHECK(run(wqe_op<"ATOMIC_CS">, atomic(77, 15)) == 15);
    CHECK(t.memory.load<std::uint64_t>(t.to) == 77);
    prm::mailbox<prm::wqe_masked_cas_8> cas;
    cas.set<"swap", 0xff00>().set<"compare", 0x4d>().set<"swap_mask", 0xff00>();
    cas.set<"compare_mask", 0xff>();
    CHECK(run(wqe_op<"ATOMIC_MASKED_CS">, segment(cas), prm::masked_atomic_opc_mod<"8">) == 77);
    CHECK(t.memory.load<std::uint64_t>(t.to) == 0xff4d);
    prm::mailbox<prm::wqe_masked_add_8> add;
    add.set<"add", 0x0101>().set<"field_boundary", 0x8080>();
    CHECK(run(wqe_op<"ATOMIC_MASKED_FA">, segment(add), prm::masked_atomic_opc_mod<"8">) == 0xff4d);
    CHECK(t.memory.load<std::uint64_t>(t.to) == 0x004e); // the fields do not carry
}

TEST_CASE("RC: rings go round, whatever the size of the WQEs") {
    connected t({.log_sq = 3});
    unsigned wraps = 0;
    for (std::uint16_t n = 0; n < 100; ++n) {
        const std::uint32_t length = 20 + n % 3 * 60; // one to three WQEBBs
        const bytes sent = t.pattern(t.from, length, std::uint8_t(n));
        t.receive(t.z, {{t.to, 4096, t.key}});
        const std::uint16_t at = t.a.sent;
        t.post(t.a, {wqe_op<"SEND">, inline_data(sent)});
        wraps += (at & 7) + (t.a.sent - at) > 8;
        auto s = t.poll(t.a), r = t.poll(t.z);
        REQUIRE(s);
        REQUIRE(r);
        REQUIRE(s->counter() == at);
        REQUIRE(r->counter() == n);
        REQUIRE(t.read_guest(t.to, length) == sent);
    }
    CHECK(wraps > 3);
    CHECK(t.a.sent > 100);
}

TEST_CASE("RC: one queue pair connected to itself") {
    traffic t;
    endpoint e = t.make();
    t.connect(e, e.qpn);
    const std::uint64_t at = t.take(4096);
    const std::uint32_t key = t.mkey(t.b.memory, t.b.size);
    const bytes sent = t.pattern(at, 60, 1);
    t.receive(e, {{at + 100, 60, key}});
    t.post(e, {wqe_op<"SEND">, data(sge{at, 60, key})});
    CHECK(t.poll(e)->opcode() == cqe_op<"RESP_SEND">);
    CHECK(t.poll(e)->opcode() == cqe_op<"REQ">);
    CHECK(t.read_guest(at + 100, 60) == sent);
}

TEST_CASE("RC: a long queue is not the only one that works") {
    connected t({.log_cq = 7, .log_sq = 6});
    endpoint c, d;
    t.pair(c, d);
    t.receive(d, {});
    for (int n = 0; n < 60; ++n)
        t.post(t.a, {wqe_op<"NOP">}, false);
    t.post(c, {wqe_op<"SEND">}, false);
    t.memory.store<std::uint32_t>(t.a.record + 4, t.a.sent);
    t.memory.store<std::uint32_t>(c.record + 4, c.sent);
    bytes first(8), second(8);
    prm::store_be(first.data() + 4, t.a.qpn << 8 | 1);
    prm::store_be(second.data() + 4, c.qpn << 8 | 1);
    t.device.region_write(wire::bar0_region, std::uint64_t(t.b.uar) * 4096 + 0x800, first);
    t.device.region_write(wire::bar0_region, std::uint64_t(t.b.uar) * 4096 + 0x800, second);
    t.events.run_once(std::chrono::milliseconds(0)); // one round
    unsigned done = 0;
    while (t.poll(t.a))
        ++done;
    CHECK(done == 16);
    CHECK(t.poll(d)); // had its turn
    t.run();
    while (t.poll(t.a))
        ++done;
    CHECK(done == 60);
}
