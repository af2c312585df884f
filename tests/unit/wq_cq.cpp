// SPDX-License-Identifier: MIT
// Completion queues: polling, errors, inline data, arming, resize.
#include "wq_world.hpp"

#include "catch.hpp"

#include <map>
#include <numeric>
#include <random>

using namespace world;

namespace {

send_request nop(std::uint64_t id) {
    send_request r;
    r.op = send_op::nop;
    r.wr_id = id;
    return r;
}

// A queue pair with its completion queue.
struct connected {
    cq_world c;
    pair p;
    explicit connected(std::uint32_t entries = 8, std::uint32_t size = 64,
                       const pair_options &o = {})
        : c(entries, size), p(0x11, o) {
        c.queues.add(0x11, &p.qp, nullptr);
    }
    std::uint16_t post(std::uint64_t id) {
        const std::uint16_t at = std::uint16_t(p.qp.sq.producer());
        if (p.qp.sq.post(nop(id)) != error::none) std::abort();
        return at;
    }
};

constexpr std::uint8_t REQ = 0x00, WR_IMM = 0x10, SEND = 0x20, SEND_IMM = 0x30, SEND_INV = 0x40,
                       RESIZE = 0x50, SIG_ERR = 0xc0, REQ_ERR = 0xd0, RESP_ERR = 0xe0;

} // namespace

TEST_CASE("bug 66: a CQE that no device has written is empty, never an error", "[wq][bugs]") {
    for (std::uint32_t size : {64, 128}) {
        cq_world w(8, size);
        REQUIRE(w.cq_error == error::none);
        CHECK(w.cq.peek() == nullptr);
        // Whatever the owner bit and the rest of a fresh entry are.
        for (unsigned low = 0; low < 16; ++low) {
            w.ring.data()[size - 1] = std::byte(0xf0 | low);
            w.poll_one();
            CHECK(w.polled == 0);
        }
        CHECK(w.consumer_record() == 0);
    }
}

TEST_CASE("a CQE of the turn before is empty", "[wq]") {
    connected w;
    for (int i = 0; i < 8; ++i) {
        w.c.complete_send(0x11, w.post(i));
        REQUIRE(w.c.poll_one().ok());
    }
    w.c.poll_one();
    CHECK(w.c.polled == 0);
    w.c.complete_send(0x11, w.post(8));
    CHECK(w.c.poll_one().wr_id == 8);
    CHECK(w.c.polled == 1);
}

TEST_CASE("completions keep their ids through all wraps of WQE counter and CQ index", "[wq]") {
    connected w(4);
    for (std::uint64_t i = 0; i < (1u << 24) + 70000; ++i) {
        w.c.complete_send(0x11, w.post(i));
        const completion c = w.c.poll_one();
        if (w.c.polled != 1 || !c.ok() || c.wr_id != i) FAIL("at completion " << i);
        if (w.c.consumer_record() != ((i + 1) & 0xffffff)) FAIL("record at completion " << i);
    }
    CHECK(w.c.cq.consumer() == (1u << 24) + 70000);
    w.c.cq.arm();
    CHECK(w.c.arm_record() == 70000);
    CHECK(w.c.own_uar.cq_doorbell() == (70000ull << 32 | 0xc0de));
    CHECK(w.p.qp.sq.producer() == (1u << 24) + 70000);
}

TEST_CASE("a completion frees all that was posted before it", "[wq]") {
    connected w;
    for (std::uint64_t i = 0; i < 7; ++i)
        w.post(i);
    const std::uint16_t last = w.post(7);
    CHECK(w.p.qp.sq.post(nop(8)) == error::queue_full);
    w.c.complete_send(0x11, last);
    CHECK(w.c.poll_one().wr_id == 7);
    CHECK(w.p.qp.sq.free_wqebbs() == 8);
}

TEST_CASE("poll takes many at once and tells the device once", "[wq]") {
    connected w;
    for (std::uint64_t i = 0; i < 6; ++i)
        w.c.complete_send(0x11, w.post(i));
    completion c[4];
    CHECK(w.c.cq.poll({c, 0}, w.c.queues) == 0);
    CHECK(w.c.consumer_record() == 0);
    REQUIRE(w.c.cq.poll(c, w.c.queues) == 4);
    for (std::uint64_t i = 0; i < 4; ++i)
        CHECK(c[i].wr_id == i);
    CHECK(w.c.consumer_record() == 4);
    REQUIRE(w.c.cq.poll(c, w.c.queues) == 2);
    CHECK(c[1].wr_id == 5);
    CHECK(w.c.consumer_record() == 6);
}

TEST_CASE("what a receive completion says", "[wq]") {
    connected w;
    for (std::uint64_t i = 0; i < 5; ++i)
        REQUIRE(w.p.qp.rq.post({100 + i, nullptr, nullptr, 0}) == error::none);
    // rqpn 0x654321, sl 5, grh; slid 0x1234; ml_path 0x92: only seven bits are path bits
    const auto respond = [&](std::uint8_t op, std::uint32_t grh) {
        w.c.write_cqe(op, {{0x10, 0x00920000},
                           {0x14, 0x00001234},
                           {0x18, grh | 0x05654321},
                           {0x24, 0xcafef00d},
                           {0x2c, 4096},
                           {0x38, 0x11},
                           {0x3c, 7u << 16}});
        return w.c.poll_one();
    };
    completion c = respond(SEND, 0x10000000);
    CHECK(c.ok());
    CHECK(c.wr_id == 100);
    CHECK(c.qp == &w.p.qp);
    CHECK(c.what == completed::receive);
    CHECK(c.flags == completion_has_grh);
    CHECK(c.byte_len == 4096);
    CHECK(c.src_qp == 0x654321);
    CHECK(c.slid == 0x1234);
    CHECK(c.sl == 5);
    CHECK(c.path_bits == 0x12);
    CHECK(c.qpn == 0x11);
    c = respond(SEND_IMM | 2, 0); // solicited
    CHECK(c.what == completed::receive);
    CHECK(c.flags == (completion_has_imm | completion_solicited));
    CHECK(c.imm_or_rkey == 0xcafef00d);
    c = respond(SEND_INV, 0);
    CHECK(c.flags == completion_has_inval);
    c = respond(WR_IMM, 0);
    CHECK(c.what == completed::receive_rdma_imm);
    CHECK(c.flags == completion_has_imm);
    CHECK(c.wr_id == 103);
}

TEST_CASE("what a send completion says it was is what was posted", "[wq]") {
    pair_options o;
    o.wqebbs = 16;
    connected w(8, 64, o);
    send_request inval;
    inval.op = send_op::local_inval;
    inval.wr_id = 5;
    std::uint16_t at = std::uint16_t(w.p.qp.sq.producer());
    REQUIRE(w.p.qp.sq.post(inval) == error::none);
    w.c.write_cqe(REQ, {{0x38, 0x25000011}, {0x3c, std::uint32_t(at) << 16}});
    completion c = w.c.poll_one();
    CHECK(c.what == completed_send(send_op::local_inval));
    CHECK(c.wr_id == 5);
    CHECK(w.p.qp.sq.free_wqebbs() == 16);
}

TEST_CASE("error completions are decoded, and known ones have a name and a meaning", "[wq]") {
    const std::uint32_t size = GENERATE(64u, 128u);
    connected w(8, size);
    const struct {
        std::uint8_t syndrome;
        const char *name;
    } known[] = {{0x01, "LOCAL_LENGTH_ERR"},
                 {0x02, "LOCAL_QP_OP_ERR"},
                 {0x04, "LOCAL_PROT_ERR"},
                 {0x05, "WR_FLUSH_ERR"},
                 {0x06, "MW_BIND_ERR"},
                 {0x10, "BAD_RESP_ERR"},
                 {0x11, "LOCAL_ACCESS_ERR"},
                 {0x12, "REMOTE_INVAL_REQ_ERR"},
                 {0x13, "REMOTE_ACCESS_ERR"},
                 {0x14, "REMOTE_OP_ERR"},
                 {0x15, "TRANSPORT_RETRY_EXC_ERR"},
                 {0x16, "RNR_RETRY_EXC_ERR"},
                 {0x22, "REMOTE_ABORTED_ERR"},
                 {0x77, "UNKNOWN"}};
    for (const auto &k : known) {
        const std::uint16_t at = w.post(k.syndrome);
        w.c.write_cqe(
            REQ_ERR,
            {{0x34, 0x8800u | k.syndrome}, {0x38, 0x00000011}, {0x3c, std::uint32_t(at) << 16}});
        const completion c = w.c.poll_one();
        REQUIRE(w.c.polled == 1);
        CHECK_FALSE(c.ok());
        CHECK(c.problem == error::none);
        CHECK(c.wr_id == k.syndrome);
        CHECK(c.syndrome == k.syndrome);
        CHECK(c.vendor_error == 0x88);
        CHECK(c.what == completed_send(send_op::nop));
        CHECK(syndrome_name(c.syndrome) == k.name);
        CHECK(syndrome_text(c.syndrome).empty() == (k.syndrome == 0x77));
    }
    REQUIRE(w.p.qp.rq.post({9, nullptr, nullptr, 0}) == error::none);
    w.c.write_cqe(RESP_ERR, {{0x34, 0x00000005}, {0x38, 0x11}});
    const completion c = w.c.poll_one();
    CHECK(c.what == completed::receive);
    CHECK(c.wr_id == 9);
    CHECK(syndrome_name(c.syndrome) == "WR_FLUSH_ERR");
}

TEST_CASE("a signature error names its key and completes no work request", "[wq]") {
    connected w;
    w.post(1);
    w.c.write_cqe(SIG_ERR, {{0x20, 0x20000000}, {0x24, 0x00000f01}, {0x38, 0x11}});
    const completion c = w.c.poll_one();
    REQUIRE(w.c.polled == 1);
    CHECK(c.what == completed::signature_error);
    CHECK(c.imm_or_rkey == 0xf01);
    CHECK(c.problem == error::signature_mismatch);
    CHECK(w.p.qp.sq.free_wqebbs() == 7);
}

TEST_CASE("completions that fit nothing are delivered as such, and nothing is lost", "[wq]") {
    connected w;
    const std::uint16_t at = w.post(1);
    w.c.complete_send(0x12, at); // no such queue
    w.c.complete_send(0x11, std::uint16_t(at + 1));
    w.c.write_cqe(SEND, {{0x38, 0x11}}); // no receive is posted
    w.c.write_cqe(0x70, {{0x38, 0x11}}); // no such kind
    w.c.write_cqe(RESIZE, {{0x38, 0}});  // nobody asked for a resize
    w.c.write_cqe(REQ_ERR, {{0x38, 0x12}, {0x34, 5}});
    w.c.complete_send(0x11, at);
    w.c.complete_send(0x11, at); // twice
    const error expected[]{error::unknown_queue,  error::stray_completion, error::stray_completion,
                           error::unexpected_cqe, error::unexpected_cqe,   error::unknown_queue,
                           error::none,           error::stray_completion};
    for (error e : expected) {
        const completion c = w.c.poll_one();
        REQUIRE(w.c.polled == 1);
        CHECK(name(c.problem) == name(e));
    }
    CHECK(w.c.consumer_record() == 8);
    CHECK(w.p.qp.sq.free_wqebbs() == 8);
}

TEST_CASE("CQEs find shared receive queues by number and by user index", "[wq]") {
    memory ring(4 * 64), record(64);
    std::vector<shared_slot> slots(4);
    shared_ring srq;
    shared_ring_config sc;
    sc.buffer = ring.span();
    sc.stride = 64;
    sc.slots = slots;
    sc.doorbell_record = record.data();
    sc.number = 0x22;
    sc.max_sge = 1;
    REQUIRE(srq.init(sc) == error::none);
    for (std::uint64_t i = 0; i < 3; ++i)
        REQUIRE(srq.post({50 + i, nullptr, nullptr, 0}) == error::none);

    cq_world by_number(8);
    std::vector<queue_entry> places(16);
    queue_table srqs;
    REQUIRE(srqs.init(places) == error::none);
    pair p(0x11);
    p.qp.srq = &srq;
    by_number.queues.add(0x11, &p.qp, nullptr);
    srqs.add(0x22, nullptr, &srq);
    by_number.write_cqe(SEND, {{0x20, 0x22}, {0x38, 0x11}, {0x3c, 1u << 16}});
    completion c;
    REQUIRE(by_number.cq.poll({&c, 1}, by_number.queues, &srqs) == 1);
    CHECK(c.problem == error::none);
    CHECK(c.wr_id == 51);

    // With user indices the same field is the index of the QP, or of an XRC SRQ.
    cq_world by_index(8, 64, true);
    by_index.queues.add(0x777, &p.qp, nullptr);
    by_index.queues.add(0x888, nullptr, &srq);
    by_index.write_cqe(SEND, {{0x20, 0x777}, {0x38, 0x11}, {0x3c, 0u << 16}});
    by_index.write_cqe(SEND, {{0x20, 0x888}, {0x38, 0x33}, {0x3c, 2u << 16}});
    c = by_index.poll_one();
    CHECK(c.wr_id == 50);
    CHECK(c.qp == &p.qp);
    c = by_index.poll_one();
    CHECK(c.wr_id == 52);
    CHECK(c.qp == nullptr);
    CHECK(c.problem == error::none);
}

// ---- inline data
// ---------------------------------------------------------------------------------

namespace {

struct buffers {
    std::uint8_t a[10]{}, b[100]{};
    sge list[2]{{std::uint64_t(std::uintptr_t(a)), sizeof a, 1},
                {std::uint64_t(std::uintptr_t(b)), sizeof b, 2}};
};

void check_counting(const buffers &b, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        CHECK((i < 10 ? b.a[i] : b.b[i - 10]) == i);
    CHECK(b.b[n - 10] == 0);
}

} // namespace

TEST_CASE("data in a CQE is copied to the posted receive", "[wq]") {
    for (const std::uint32_t size : {64, 128}) {
        const std::uint32_t n = size == 64 ? 32 : 64;
        connected w(8, size);
        buffers b;
        REQUIRE(w.p.qp.rq.post({1, nullptr, b.list, 2}) == error::none);
        std::byte *cqe = w.c.write_cqe(SEND | (size == 64 ? 1 << 2 : 2 << 2),
                                       {{0x2c, n}, {0x38, 0x11}, {0x3c, 0}});
        cqe[63] = std::byte(SEND | (size == 64 ? 4 : 8));
        std::byte *from = size == 64 ? cqe : cqe - 64;
        for (std::uint32_t i = 0; i < n; ++i)
            from[i] = std::byte(i);
        const completion c = w.c.poll_one();
        CHECK(name(c.problem) == "NONE");
        CHECK(c.byte_len == n);
        check_counting(b, n);
    }
}

TEST_CASE("data in a CQE is copied to the buffers of a read, also where its WQE wraps", "[wq]") {
    connected w;
    for (std::uint32_t slot : {0, 7}) {
        buffers b;
        w.p.qp.sq.reset();
        w.p.advance(slot);
        send_request r;
        r.op = send_op::rdma_read;
        r.sg_list = b.list;
        r.num_sge = 2;
        r.rdma = {0, 0};
        // control, address, two pieces: one WQEBB; a third piece makes it two
        const sge three[]{b.list[0], b.list[1], b.list[1]};
        r.sg_list = three;
        r.num_sge = 3;
        REQUIRE(w.p.qp.sq.post(r) == error::none);
        std::byte *cqe =
            w.c.write_cqe(REQ, {{0x2c, 32}, {0x38, 0x10000011}, {0x3c, std::uint32_t(slot) << 16}});
        cqe[63] |= std::byte{4};
        for (std::uint32_t i = 0; i < 32; ++i)
            cqe[i] = std::byte(i);
        CHECK(name(w.c.poll_one().problem) == "NONE");
        check_counting(b, 32);
    }
}

TEST_CASE("data in the CQE of an atomic goes to its operand's buffer", "[wq]") {
    connected w;
    for (const send_op op :
         {send_op::atomic_cas, send_op::atomic_add, send_op::masked_cas, send_op::masked_add}) {
        std::uint64_t old = 0;
        const sge piece{std::uint64_t(std::uintptr_t(&old)), 8, 1};
        send_request r;
        r.op = op;
        r.sg_list = &piece;
        r.num_sge = 1;
        const std::uint16_t at = std::uint16_t(w.p.qp.sq.producer());
        REQUIRE(w.p.qp.sq.post(r) == error::none);
        std::byte *cqe =
            w.c.write_cqe(REQ | 4, {{0x2c, 8}, {0x38, 0x11}, {0x3c, std::uint32_t(at) << 16}});
        cqe[63] |= std::byte{4};
        std::memset(cqe, 0x5a, 8);
        CHECK(name(w.c.poll_one().problem) == "NONE");
        CHECK(old == 0x5a5a5a5a5a5a5a5a);
    }
}

TEST_CASE("data in a CQE that has no place is said to be lost", "[wq]") {
    connected w;
    buffers b;
    REQUIRE(w.p.qp.rq.post({1, nullptr, b.list, 1}) == error::none); // 10 bytes
    w.c.write_cqe(SEND | 4, {{0x2c, 11}, {0x38, 0x11}});
    CHECK(name(w.c.poll_one().problem) == "INLINE_DATA_LOST");
    REQUIRE(w.p.qp.rq.post({1, nullptr, b.list, 2}) == error::none);
    w.c.write_cqe(SEND | 4, {{0x2c, 33}, {0x38, 0x11}}); // more than is there
    CHECK(name(w.c.poll_one().problem) == "INLINE_DATA_LOST");
    REQUIRE(w.p.qp.rq.post({1, nullptr, b.list, 2}) == error::none);
    w.c.write_cqe(SEND | 8, {{0x2c, 8}, {0x38, 0x11}}); // 64 bytes before a 64-byte CQE
    CHECK(name(w.c.poll_one().problem) == "UNEXPECTED_CQE");
    REQUIRE(w.p.qp.rq.post({1, nullptr, b.list, 2}) == error::none);
    w.c.write_cqe(SEND | 12, {{0x2c, 8}, {0x38, 0x11}}); // compressed
    CHECK(name(w.c.poll_one().problem) == "UNEXPECTED_CQE");
    // A send was posted whose response there is none to scatter.
    const std::uint16_t at = w.post(1);
    w.c.write_cqe(REQ | 4, {{0x2c, 8}, {0x38, 0x11}, {0x3c, std::uint32_t(at) << 16}});
    CHECK(name(w.c.poll_one().problem) == "INLINE_DATA_LOST");
}

TEST_CASE("bug 62: how much may be scattered to a CQE follows from what was asked for",
          "[wq][bugs]") {
    std::uint8_t f = 0xff;
    const struct {
        std::uint32_t bytes, cqe;
        int req, res;
    } table[] = {{0, 64, 0, 0},      {1, 64, 0x11, 1},  {32, 64, 0x11, 1},  {33, 64, -1, -1},
                 {0, 128, 0, 0},     {1, 128, 0x11, 1}, {32, 128, 0x11, 1}, {33, 128, 0x22, 2},
                 {64, 128, 0x22, 2}, {65, 128, -1, -1}};
    for (const auto &t : table) {
        CHECK((requester_scatter(t.bytes, t.cqe, f) ? f : -1) == t.req);
        CHECK((responder_scatter(t.bytes, t.cqe, f) ? f : -1) == t.res);
    }
}

TEST_CASE("bug 65: cqe_sz follows the stride that was asked for", "[wq][bugs]") {
    std::uint8_t f = 0xff;
    CHECK((cqe_size_field(64, f) && f == 0));
    CHECK((cqe_size_field(128, f) && f == 1));
    CHECK_FALSE(cqe_size_field(0, f));
    CHECK_FALSE(cqe_size_field(32, f));
    CHECK_FALSE(cqe_size_field(256, f));
    // The ring's stride too: entries are found where the device writes them.
    connected w(4, 128);
    for (std::uint64_t i = 0; i < 9; ++i) {
        w.c.complete_send(0x11, w.post(i));
        CHECK(w.c.poll_one().wr_id == i);
    }
}

// ---- events
// --------------------------------------------------------------------------------------

TEST_CASE("arming writes record and register alike", "[wq]") {
    connected w;
    for (int i = 0; i < 3; ++i) {
        w.c.complete_send(0x11, w.post(1));
        w.c.poll_one();
    }
    w.c.cq.arm();
    CHECK(w.c.arm_record() == 0x00000003);
    CHECK(w.c.own_uar.cq_doorbell() == 0x000000030000c0de);
    w.c.cq.acknowledge_event();
    w.c.cq.arm(true);
    CHECK(w.c.arm_record() == 0x11000003);
    CHECK(w.c.own_uar.cq_doorbell() == 0x110000030000c0de);
    for (int i = 0; i < 3; ++i)
        w.c.cq.acknowledge_event();
    w.c.cq.arm(); // the sequence number has two bits
    CHECK(w.c.arm_record() == 0x00000003);
}

TEST_CASE("a completion between the last poll and the arming is not slept through", "[wq]") {
    connected w;
    w.c.poll_one();
    REQUIRE(w.c.polled == 0);
    CHECK_FALSE(w.c.cq.arm_and_check());
    w.c.complete_send(0x11, w.post(1));
    CHECK(w.c.cq.arm_and_check());
    w.c.poll_one();
    CHECK(w.c.polled == 1);
    CHECK_FALSE(w.c.cq.arm_and_check());
}

// ---- resize
// --------------------------------------------------------------------------------------

namespace {

// The device after a resize: it goes on at the next index, in the new ring.
void go_on_in(connected &w, memory &ring, std::uint32_t entries, std::uint32_t size) {
    w.c.entries = entries;
    w.c.cqe_size = size;
    std::swap(w.c.ring, ring);
}

} // namespace

TEST_CASE("polling comes across a resize by itself", "[wq]") {
    for (std::uint32_t size : {64, 128})
        for (std::uint32_t entries : {2, 4, 16, 64}) {
            connected w(8);
            for (std::uint64_t i = 0; i < 11; ++i) { // not at a round index
                w.c.complete_send(0x11, w.post(i));
                w.c.poll_one();
            }
            memory ring(entries * size);
            w.c.complete_send(0x11, w.post(11));
            REQUIRE(w.c.cq.begin_resize(ring.span(), size) == error::none);
            CHECK(w.c.cq.resizing());
            w.c.write_cqe(RESIZE, {});
            go_on_in(w, ring, entries, size);
            w.c.complete_send(0x11, w.post(12));
            completion c[4];
            REQUIRE(w.c.cq.poll(c, w.c.queues) == 2);
            CHECK(c[0].wr_id == 11);
            CHECK(c[1].wr_id == 12);
            CHECK(w.c.cq.finish_resize() == error::none);
            CHECK_FALSE(w.c.cq.resizing());
            CHECK(w.c.cq.size() == entries);
            for (std::uint64_t i = 13; i < 100; ++i) {
                w.c.complete_send(0x11, w.post(i));
                const completion one = w.c.poll_one();
                REQUIRE(w.c.polled == 1);
                REQUIRE(one.wr_id == i);
            }
        }
}

TEST_CASE("a resize that is finished before polling moves what was not polled", "[wq]") {
    for (std::uint32_t size : {64, 128})
        for (std::uint32_t entries : {4, 16}) {
            connected w(8);
            for (std::uint64_t i = 0; i < 6; ++i) {
                w.c.complete_send(0x11, w.post(i));
                w.c.poll_one();
            }
            for (std::uint64_t i = 6; i < 9; ++i) // across the old ring's end
                w.c.complete_send(0x11, w.post(i));
            memory ring(entries * size);
            REQUIRE(w.c.cq.begin_resize(ring.span(), size) == error::none);
            w.c.write_cqe(RESIZE, {});
            go_on_in(w, ring, entries, size);
            REQUIRE(w.c.cq.finish_resize() == error::none);
            std::memset(ring.data(), 0xee, ring.size()); // the old ring is nobody's any more
            w.c.complete_send(0x11, w.post(9));
            for (std::uint64_t i = 6; i < 10; ++i) {
                const completion c = w.c.poll_one();
                REQUIRE(w.c.polled == 1);
                CHECK(c.wr_id == i);
            }
            w.c.poll_one();
            CHECK(w.c.polled == 0);
        }
}

TEST_CASE("a resize that failed leaves everything as it was", "[wq]") {
    connected w(8);
    memory ring(16 * 64);
    w.c.complete_send(0x11, w.post(0));
    REQUIRE(w.c.cq.begin_resize(ring.span(), 64) == error::none);
    CHECK(w.c.cq.begin_resize(ring.span(), 64) == error::cq_resizing);
    // No mark was written: the command did not do it.
    CHECK(w.c.cq.finish_resize() == error::unexpected_cqe);
    w.c.cq.abort_resize();
    CHECK(w.c.cq.size() == 8);
    CHECK(w.c.poll_one().wr_id == 0);
    CHECK(w.c.polled == 1);
    connected big(8, 128);
    CHECK(big.c.cq.begin_resize(ring.span(), 64) == error::bad_ring_size);
}

TEST_CASE("a ring without room for what waits, or for the mark, is refused", "[wq]") {
    connected w(8, 64);
    memory two(2 * 64), four(4 * 64), many(64 * 64);
    for (std::uint64_t i = 0; i < 3; ++i)
        w.c.complete_send(0x11, w.post(i));
    CHECK(w.c.cq.begin_resize(two.span(), 64) == error::cq_too_small);
    CHECK_FALSE(w.c.cq.resizing());
    REQUIRE(w.c.cq.begin_resize(four.span(), 64) == error::none);
    w.c.cq.abort_resize();
    for (std::uint64_t i = 3; i < 8; ++i)
        w.c.complete_send(0x11, w.post(i));
    CHECK(w.c.cq.begin_resize(many.span(), 64) == error::cq_too_small); // full
    for (std::uint64_t i = 0; i < 8; ++i)
        CHECK(w.c.poll_one().wr_id == i);
    CHECK(w.c.cq.begin_resize(two.span(), 64) == error::none);
}

TEST_CASE("completion queues of impossible shape are refused", "[wq]") {
    memory ring(1024), record(64);
    uar u;
    auto with = [&](std::size_t size, std::uint32_t cqe_size, std::uint32_t number) {
        cq_config c;
        c.buffer = ring.span().first(size);
        c.cqe_size = cqe_size;
        c.doorbell_record = record.data();
        c.uar = &u.reg;
        c.cqn = number;
        wq::cq q;
        return q.init(c);
    };
    CHECK(with(1024, 64, 0xffffff) == error::none);
    CHECK(with(1024, 64, 0x1000000) == error::bad_number);
    CHECK(with(960, 64, 1) == error::bad_ring_size);
    CHECK(with(1000, 64, 1) == error::bad_ring_size);
    CHECK(with(1024, 32, 1) == error::bad_ring_size);
    CHECK(with(0, 64, 1) == error::bad_ring_size);
}

TEST_CASE("the table of queues finds what is there, through growth and removal", "[wq]") {
    std::vector<queue_entry> small(8), large(64);
    queue_table t;
    CHECK(t.find(0) == nullptr);
    std::vector<queue_entry> odd(6);
    CHECK(t.init(odd) == error::bad_ring_size);
    REQUIRE(t.init(small) == error::none);
    std::vector<queue_pair> qps(40);
    for (std::uint32_t i = 0; i < 7; ++i)
        REQUIRE(t.add(i * 0x10000, &qps[i], nullptr) == error::none);
    CHECK(t.add(99, &qps[7], nullptr) == error::table_full);
    CHECK(t.add(0x1000000, &qps[7], nullptr) == error::bad_number);
    REQUIRE(t.init(large) == error::none);
    CHECK(t.size() == 7);
    for (std::uint32_t i = 7; i < 40; ++i)
        REQUIRE(t.add(i * 0x10000, &qps[i], nullptr) == error::none);
    for (std::uint32_t gone = 0; gone < 40; gone += 3)
        t.remove(gone * 0x10000);
    t.remove(12345);
    for (std::uint32_t i = 0; i < 40; ++i) {
        const queue_entry *e = t.find(i * 0x10000);
        CHECK((e != nullptr) == (i % 3 != 0));
        if (e) CHECK(e->qp == &qps[i]);
    }
}

TEST_CASE("the table of queues agrees with a map, whatever is added and removed", "[wq]") {
    std::vector<queue_entry> places(16);
    queue_table t;
    REQUIRE(t.init(places) == error::none);
    std::map<std::uint32_t, queue_pair *> model;
    std::vector<queue_pair> qps(4);
    std::mt19937 random(5);
    for (int round = 0; round < 20000; ++round) {
        const std::uint32_t number = random() % 40; // many share a place
        if (random() % 2 && model.size() < 14) {
            model[number] = &qps[round % 4];
            REQUIRE(t.add(number, model[number], nullptr) == error::none);
        } else {
            model.erase(number);
            t.remove(number);
        }
        REQUIRE(t.size() == model.size());
        for (std::uint32_t i = 0; i < 40; ++i) {
            const queue_entry *e = t.find(i);
            const auto m = model.find(i);
            if ((e ? e->qp : nullptr) != (m == model.end() ? nullptr : m->second))
                FAIL("number " << i << " in round " << round);
        }
    }
}
