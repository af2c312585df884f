// SPDX-License-Identifier: MIT
// Receive queues and shared receive queues.
#include "wq_golden.hpp"
#include "wq_world.hpp"

#include "catch.hpp"

#include <numeric>
#include <random>
#include <set>

using namespace world;

namespace {

const sge piece{0xaabbccdd0010, 64, 0x11223344}, other{0xaabbccddeeff, 1, 0x55667788},
    nothing{0x1234, 0, 9};

receive_request request(std::uint64_t id, const sge *list = nullptr, std::uint32_t n = 0) {
    return {id, nullptr, list, n};
}

golden::bytes at(memory &m, std::size_t offset, std::size_t size) {
    const auto *p = reinterpret_cast<const std::uint8_t *>(m.data()) + offset;
    return {p, p + size};
}

struct shared_world {
    memory ring{8 * 64}, record{64};
    std::vector<shared_slot> slots{8};
    shared_ring srq;
    error result;

    shared_world() {
        shared_ring_config c;
        c.buffer = ring.span();
        c.stride = 64;
        c.slots = slots;
        c.doorbell_record = record.data();
        c.number = 0x123456;
        c.max_sge = 3;
        result = srq.init(c);
    }
    std::uint32_t counter() { return prm::load_be<std::uint32_t>(record.data()); }
};

} // namespace

TEST_CASE("receive WQEs are what the specification says, at the last slots of a ring", "[wq]") {
    const auto entries = golden::read("wq_receive.txt");
    const sge skipped[]{nothing, piece}, full[]{piece, other, piece, other};
    for (std::uint32_t slot : {4, 5, 6, 7}) {
        pair_options o;
        o.max_receive_sge = 4;
        for (const auto &[name, list] :
             {std::pair<const char *, receive_request>{"receive", request(1, skipped, 2)},
              {"receive_full", request(1, full, 4)},
              {"receive_none", request(1)}}) {
            pair p(0xabcdef, o);
            REQUIRE(p.rq_error == error::none);
            for (std::uint32_t i = 0; i < slot; ++i)
                REQUIRE(p.qp.rq.post(request(0)) == error::none);
            REQUIRE(p.qp.rq.post(list) == error::none);
            const golden::bytes expected = golden::with_index(entries.at(name), 0);
            INFO(name << " at slot " << slot);
            CHECK(golden::hex(at(p.rq_ring, slot * 64, expected.size())) == golden::hex(expected));
        }
    }
}

TEST_CASE("an element of a shared receive queue links to the next", "[wq]") {
    shared_world w;
    REQUIRE(w.result == error::none);
    for (int i = 0; i < 3; ++i)
        REQUIRE(w.srq.post(request(i, &piece, 1)) == error::none);
    const golden::bytes expected =
        golden::with_index(golden::read("wq_receive.txt").at("shared"), 0);
    CHECK(golden::hex(at(w.ring, 2 * 64, expected.size())) == golden::hex(expected));
    CHECK(w.counter() == 0);
    w.srq.ring();
    CHECK(w.counter() == 3);
}

TEST_CASE("a receive queue keeps order and ids through all wraps of its counter", "[wq]") {
    pair p(1);
    std::uint64_t id = 0, posted = 0, done = 0;
    const std::byte *segments = nullptr;
    CHECK_FALSE(p.qp.rq.retire(id, segments));
    std::mt19937 random(2);
    while (posted < 200000) {
        for (std::uint32_t n = random() % 9; n != 0 && posted - done < 8; --n)
            REQUIRE(p.qp.rq.post(request(posted++, &piece, 1)) == error::none);
        p.qp.rq.ring();
        REQUIRE(p.receive_record() == (posted & 0xffff));
        for (std::uint32_t n = random() % 9; n != 0 && done < posted; --n) {
            REQUIRE(p.qp.rq.retire(id, segments));
            REQUIRE(id == done++);
        }
    }
}

TEST_CASE("a full receive queue refuses, and nothing is lost", "[wq]") {
    pair p(1);
    for (int i = 0; i < 8; ++i)
        REQUIRE(p.qp.rq.post(request(i)) == error::none);
    CHECK(p.qp.rq.post(request(8)) == error::queue_full);
    std::uint64_t id;
    const std::byte *segments;
    REQUIRE(p.qp.rq.retire(id, segments));
    CHECK(id == 0);
    CHECK(p.qp.rq.post(request(8)) == error::none);
    pair_options o;
    o.ignore_overflow = true;
    pair free(1, o);
    for (int i = 0; i < 20; ++i)
        REQUIRE(free.qp.rq.post(request(i)) == error::none);
}

TEST_CASE("receives that do not fit are refused by name", "[wq]") {
    pair p(1);
    const sge four[]{piece, other, piece, other};
    CHECK(p.qp.rq.post(request(1, four, 4)) == error::too_many_sges);
    const sge huge{0, 0x80000000, 0};
    CHECK(p.qp.rq.post(request(1, &huge, 1)) == error::sge_too_long);
    CHECK(p.qp.rq.posted() == 0);
    shared_world w;
    CHECK(w.srq.post(request(1, four, 4)) == error::too_many_sges);
    CHECK(w.srq.post(request(1, &huge, 1)) == error::sge_too_long);
    w.srq.ring();
    CHECK(w.counter() == 0);
}

TEST_CASE("a shared receive queue takes its elements back in any order", "[wq]") {
    shared_world w;
    std::mt19937 random(3);
    std::set<std::uint16_t> outstanding;
    std::vector<std::uint64_t> id_of(8);
    std::uint64_t id = 0, next = 100;
    std::uint32_t count = 0;
    const std::byte *segments = nullptr;
    for (int round = 0; round < 70000; ++round) {
        // Where the device would look: the list as it stands in memory.
        while (outstanding.size() < 7 && random() % 3) {
            std::set<std::uint16_t> before = outstanding;
            REQUIRE(w.srq.post(request(next)) == error::none);
            for (std::uint16_t i = 0; i < 8; ++i)
                if (w.slots[i].posted && !before.count(i)) {
                    outstanding.insert(i);
                    id_of[i] = next;
                }
            REQUIRE(outstanding.size() == before.size() + 1);
            ++next, ++count;
        }
        w.srq.ring();
        REQUIRE(w.counter() == (count & 0xffff));
        if (outstanding.empty()) continue;
        auto it = std::next(outstanding.begin(), long(random() % outstanding.size()));
        const std::uint16_t index = *it;
        outstanding.erase(it);
        REQUIRE(w.srq.retire(index, id, segments));
        REQUIRE(id == id_of[index]);
        REQUIRE(segments == w.ring.data() + index * 64 + 16);
    }
    CHECK(count > 0x10000);
}

TEST_CASE("one element of a shared receive queue stays free", "[wq]") {
    shared_world w;
    for (int i = 0; i < 7; ++i)
        REQUIRE(w.srq.post(request(i)) == error::none);
    CHECK(w.srq.post(request(7)) == error::queue_full);
    std::uint64_t id;
    const std::byte *segments;
    REQUIRE(w.srq.retire(4, id, segments));
    CHECK(w.srq.post(request(7)) == error::none);
    // The element that came back is the last of the list, not the one that is posted now.
    CHECK_FALSE(w.slots[4].posted);
}

TEST_CASE("completions of elements that were not posted are refused", "[wq]") {
    shared_world w;
    std::uint64_t id = 0;
    const std::byte *segments = nullptr;
    REQUIRE(w.srq.post(request(1)) == error::none);
    CHECK_FALSE(w.srq.retire(1, id, segments));
    CHECK_FALSE(w.srq.retire(8, id, segments));
    CHECK_FALSE(w.srq.retire(0xffff, id, segments));
    CHECK(w.srq.retire(0, id, segments));
    CHECK_FALSE(w.srq.retire(0, id, segments));
}

TEST_CASE("a signed receive WQE says whose it is and which", "[wq]") {
    pair_options o;
    o.signature = true;
    pair p(0xabcdef, o);
    REQUIRE(p.rq_error == error::none);
    for (std::uint32_t i = 0; i < 0x10003; ++i) {
        REQUIRE(p.qp.rq.post(request(i, &piece, 1)) == error::none);
        const golden::bytes w = at(p.rq_ring, (i % 8) * 64, 32);
        // All bytes, the queue number and the index come to 0xff.
        const int sum = std::accumulate(w.begin(), w.end(), 0, [](int a, int b) { return a ^ b; });
        REQUIRE((sum ^ 0xab ^ 0xcd ^ 0xef ^ (i & 0xff) ^ (i >> 8 & 0xff)) == 0xff);
        std::uint64_t id;
        const std::byte *segments;
        REQUIRE(p.qp.rq.retire(id, segments));
        REQUIRE(segments == p.rq_ring.data() + (i % 8) * 64 + 16);
    }
}

TEST_CASE("receive rings of impossible shape are refused", "[wq]") {
    memory ring(1024), record(64);
    std::vector<std::uint64_t> ids(16);
    auto with = [&](std::size_t size, std::uint32_t stride, std::size_t n, std::uint32_t sges) {
        receive_ring_config c;
        c.buffer = ring.span().first(size);
        c.stride = stride;
        c.wr_ids = std::span(ids).first(n);
        c.doorbell_record = record.data();
        c.max_sge = sges;
        receive_ring r;
        return r.init(c);
    };
    CHECK(with(1024, 64, 16, 4) == error::none);
    CHECK(with(1024, 64, 15, 4) == error::bad_ring_size);
    CHECK(with(960, 64, 15, 4) == error::bad_ring_size);
    CHECK(with(1024, 48, 16, 3) == error::bad_ring_size);
    CHECK(with(1024, 8, 16, 1) == error::bad_ring_size);
    CHECK(with(0, 64, 0, 1) == error::bad_ring_size);
    CHECK(with(1024, 64, 16, 5) == error::too_many_sges);
}
