// SPDX-License-Identifier: MIT
// A verbs CQ of another size, on the real kernel: what was not polled survives, traffic goes on.
#include "loopback.hpp"
#include "qp_states.hpp"

#include <atomic>
#include <thread>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

constexpr std::uint64_t handle_of_cq = 0x1122334455667788;

// A queue pair that is its own peer: each request writes its number into memory, and completes.
class writer {
    verbs v_;
    pages memory_{4096};
    mr_ptr mr_ = v_.make_mr(memory_, KDEVX_MR_LOCAL_WRITE | KDEVX_MR_REMOTE_WRITE);
    comp_channel_ptr channel_ = make<comp_channel_ptr>(kdevx_comp_channel_create, context());
    qp_ptr qp_;
    qp_ring_ptr ring_;

public:
    cq_ptr cq;
    cq_ring_ptr completions;

    explicit writer(kdevx_cq_options o = cq_of(15)) {
        o.channel = channel_.get();
        o.user_handle = handle_of_cq;
        cq = v_.make_cq(o);
        completions = make<cq_ring_ptr>(kdevx_cq_ring_create, cq.get());
        auto q = v_.qp_of(KDEVX_QP_RC);
        q.send_cq = q.recv_cq = cq.get();
        q.max_send_wr = 64;
        q.max_inline_data = 8;
        qp_ = v_.make_qp(q);
        REQUIRE(to_init(qp_) == ok);
        REQUIRE(to_rtr(qp_, info_of(qp_).qpn) == ok);
        REQUIRE(to_rts(qp_, first_receive_psn) == ok); // what it sends it receives
        auto r = sized<kdevx_qp_ring_options>();
        r.send_cq = r.recv_cq = completions.get();
        ring_ = make<qp_ring_ptr>(kdevx_qp_ring_create, qp_.get(),
                                  static_cast<const kdevx_qp_ring_options *>(&r));
    }
    ~writer() { // the CQ, which is the caller's to use, before what it completes for
        ring_.reset();
        qp_.reset();
        completions.reset();
        cq.reset();
    }
    kdevx_context *context() const { return v_.context.get(); }

    int try_post(std::uint64_t number) const {
        const kdevx_sge from{std::uintptr_t(&number), 8, 0};
        kdevx_send_wr w{};
        w.wr_id = number;
        w.sg_list = &from;
        w.num_sge = 1;
        w.op = KDEVX_RDMA_WRITE;
        w.flags = KDEVX_SEND_SIGNALED | KDEVX_SEND_INLINE;
        w.u.rdma = {std::uintptr_t(memory_.data()), info_of(mr_).rkey};
        const kdevx_send_wr *bad = nullptr;
        return kdevx_post_send(ring_.get(), &w, &bad, nullptr);
    }
    void post(std::uint64_t first, std::uint64_t end) const {
        for (; first < end; ++first)
            REQUIRE(try_post(first) == 0);
    }
    // Until that many completions are in the CQ, whoever polls it or not.
    void wait_in_device(std::uint64_t completions_and_marks) const {
        REQUIRE(wait_for(std::chrono::seconds(30), [&] {
            return look("QUERY_CQ", kdevx_cq_devx_query, cq.get())
                       .get("cq_context.producer_counter") == completions_and_marks;
        }));
    }
    void expect(std::uint64_t first, std::uint64_t end) const {
        for (; first < end; ++first) {
            const kdevx_wc wc = next(completions);
            CHECK(wc.wr_id == first);
            CHECK(wc.syndrome == 0);
            CHECK(wc.problem == 0);
        }
    }
    std::uint64_t written() const {
        return __atomic_load_n(reinterpret_cast<const std::uint64_t *>(memory_.data()),
                               __ATOMIC_ACQUIRE);
    }
    outcome resize(std::uint32_t cqe) const {
        auto o = sized<kdevx_cq_resize_options>();
        o.cqe = cqe;
        o.ring = completions.get();
        return call(kdevx_cq_resize, cq.get(), static_cast<const kdevx_cq_resize_options *>(&o));
    }
    outcome event(int timeout_ms) const {
        std::uint64_t handle = 0;
        const outcome got = call(kdevx_comp_channel_get, channel_.get(), timeout_ms, &handle);
        if (!got.err) CHECK(handle == handle_of_cq);
        return got;
    }
};

std::uint64_t log_size_in_device(const cq_ptr &cq) {
    return look("QUERY_CQ", kdevx_cq_devx_query, cq.get()).get("cq_context.log_cq_size");
}

} // namespace

TEST_CASE("a resized CQ keeps what was not polled, and goes on", "[verbs][cq][resize]") {
    for (std::uint32_t entry : {64u, 128u}) {
        CAPTURE(entry);
        auto o = cq_of(15);
        o.cqe_size = entry;
        writer w(o);
        std::uint64_t posted = 0, marks = 0;
        for (const auto &[cqe, log] : {std::pair(100u, 7u), {5u, 3u}, {2000u, 11u}, {15u, 4u}}) {
            CAPTURE(cqe);
            w.post(posted, posted + 5);
            w.wait_in_device(posted + 5 + marks);
            REQUIRE(w.resize(cqe) == ok);
            ++marks;
            CHECK(log_size_in_device(w.cq) == log);
            CHECK(info_of(w.cq).cqe == 1u << log);
            w.expect(posted, posted + 5);
            posted += 5;
            for (unsigned round = 0; round < 10; ++round, posted += 6) { // and around the new ring
                w.post(posted, posted + 6);
                w.expect(posted, posted + 6);
            }
        }
        CHECK(w.written() == posted - 1);
    }
}

TEST_CASE("a CQ is resized while one thread posts and polls", "[verbs][cq][resize]") {
    writer w(cq_of(127));
    std::atomic<std::uint64_t> polled = 0;
    std::atomic<unsigned> wrong = 0;
    std::atomic<bool> enough = false;
    std::thread traffic([&] { // without Catch: its assertions are of one thread
        for (std::uint64_t posted = 0; !enough || polled != posted;) {
            if (!enough && posted - polled < 32 && w.try_post(posted) == 0) ++posted;
            kdevx_wc wc{};
            const int n = kdevx_poll_cq(w.completions.get(), &wc, 1);
            if (n < 0 || (n && (wc.wr_id != polled || wc.syndrome || wc.problem))) ++wrong;
            if (n > 0) ++polled;
        }
    });
    for (std::uint32_t cqe : {1000u, 60u, 4000u, 127u, 63u, 255u, 127u}) {
        const std::uint64_t before = polled;
        CHECK(w.resize(cqe) == ok);
        CHECK(wait_for(std::chrono::seconds(30), [&] { return polled > before + 50; }));
    }
    enough = true;
    traffic.join();
    CHECK(wrong == 0);
    CHECK(w.written() == polled - 1);
}

TEST_CASE("a CQ that is armed stays so over a resize", "[verbs][cq][resize]") {
    writer w;
    REQUIRE(kdevx_arm_cq(w.completions.get(), 0) == 0);
    REQUIRE(w.resize(100) == ok);
    CHECK(w.event(KDEVX_NO_WAIT) == failed(EAGAIN, KDEVX_CAUSE_NOTHING_YET)); // the mark is none
    w.post(0, 1);
    CHECK(w.event(30'000) == ok);
    CHECK(kdevx_acknowledge_cq_event(w.completions.get()) == 0);
    w.expect(0, 1);
}

TEST_CASE("sizes that a CQ cannot be given", "[verbs][cq][resize]") {
    writer w;
    CHECK(w.resize(0) == invalid);
    CHECK(w.resize(KDEVX_MAX_CQE + 1) == invalid);
    const outcome larger_than_device = w.resize(1u << 22); // log_max_cq_sz
    CHECK(larger_than_device == invalid);
    CHECK(std::string(larger_than_device.why.step) == "IB_USER_VERBS_CMD_RESIZE_CQ");
    w.post(0, 3);
    w.wait_in_device(3);
    const outcome too_small = w.resize(1);
    CHECK(too_small == invalid);
    CHECK(std::string(too_small.why.step) == "CQ_TOO_SMALL");
    CHECK(info_of(w.cq).cqe == 16);
    CHECK(log_size_in_device(w.cq) == 4);
    w.expect(0, 3);
    CHECK(w.resize(1) == ok); // two entries
    for (std::uint64_t i = 3; i < 20; ++i) {
        w.post(i, i + 1);
        w.expect(i, i + 1);
    }
    CHECK(w.resize(15) == ok);
    w.post(20, 30);
    w.expect(20, 30);
}

TEST_CASE("a CQ whose program moves its entries itself", "[verbs][cq][resize]") {
    pages first(4096), second(4096), third(4096);
    const auto in = [](const pages &p) {
        kdevx_buffer b{};
        b.kind = KDEVX_BUFFER_MEMORY;
        b.address = std::uintptr_t(p.data());
        b.length = p.size();
        for (std::size_t end = 64; end <= p.size(); end += 64)
            p.data()[end - 1] = std::byte(0xf0);
        return b;
    };
    auto c = cq_of(15);
    c.buffer = in(first);
    writer w(c);
    auto o = sized<kdevx_cq_resize_options>();
    const auto resize = [&] {
        return call(kdevx_cq_resize, w.cq.get(), static_cast<const kdevx_cq_resize_options *>(&o));
    };
    o.cqe = 63;
    o.buffer = in(second);
    const outcome without = resize(); // there is a ring, and it would be left behind
    CHECK(without == invalid);
    CHECK(std::string(without.why.step) == "ring");
    o.ring = w.completions.get();
    w.post(0, 3);
    w.wait_in_device(3);
    REQUIRE(resize() == ok);
    std::memset(first.data(), 0x5a, first.size()); // it is the program's again
    w.expect(0, 3);
    CHECK(info_of(w.cq).memory.buffer == second.data());
    o.buffer = in(third);
    o.cqe = 31;
    w.post(3, 6);
    w.wait_in_device(7);
    REQUIRE(resize() == ok);
    w.expect(3, 6);
}

TEST_CASE("the device itself refuses to drop completions", "[verbs][cq][resize]") {
    pages first(4096), second(4096);
    verbs v;
    auto o = cq_of(15);
    o.buffer = {KDEVX_BUFFER_MEMORY, 0, std::uintptr_t(first.data()), first.size()};
    cq_ptr cq = v.make_cq(o);
    auto q = v.qp_of(KDEVX_QP_RC);
    q.send_cq = q.recv_cq = cq.get();
    q.max_recv_wr = 8;
    qp_ptr qp = v.make_qp(q);
    REQUIRE(to_init(qp) == ok);
    // Receives are flushed into the CQ, which nobody polls.
    REQUIRE(set_state(qp, KDEVX_QPS_ERR) == ok);
    const auto info = info_of(qp);
    info.memory.dbrec[0] = __builtin_bswap32(3);
    REQUIRE(wait_for(std::chrono::seconds(30), [&] {
        return look("QUERY_CQ", kdevx_cq_devx_query, cq.get()).get("cq_context.producer_counter") ==
               3;
    }));
    auto r = sized<kdevx_cq_resize_options>();
    r.cqe = 1;
    r.buffer = {KDEVX_BUFFER_MEMORY, 0, std::uintptr_t(second.data()), second.size()};
    const outcome small =
        call(kdevx_cq_resize, cq.get(), static_cast<const kdevx_cq_resize_options *>(&r));
    CHECK(small == invalid);
    CHECK(std::string(small.why.step) == "IB_USER_VERBS_CMD_RESIZE_CQ");
    CHECK(log_size_in_device(cq) == 4);
    r.cqe = 7;
    r.buffer.address = 0x10000; // nothing is there
    CHECK(call(kdevx_cq_resize, cq.get(), static_cast<const kdevx_cq_resize_options *>(&r)) ==
          failed(EFAULT, KDEVX_CAUSE_INVALID));
    r.buffer.address = std::uintptr_t(second.data());
    CHECK(call(kdevx_cq_resize, cq.get(), static_cast<const kdevx_cq_resize_options *>(&r)) == ok);
    CHECK(log_size_in_device(cq) == 3);
}
