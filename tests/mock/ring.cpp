// SPDX-License-Identifier: MIT
// Rings over the C interface: what is posted and polled, in which state, who holds whom, and what
// is refused. What WQEs and CQEs look like byte by byte is tested in tests/unit/wq_*.
#include <atomic>
#include <deque>
#include <thread>

#include <kdevx/prm/wqe.hpp>

#include "ringed.hpp"

using namespace kdevx;
using mock::device, mock::nop, mock::REQ, mock::RESP_SEND, mock::ringed, mock::sized;

namespace {

std::uint32_t be32(const void *p, std::size_t at = 0) {
    return prm::load_be<std::uint32_t>(static_cast<const std::byte *>(p) + at);
}

} // namespace

TEST_CASE("a ring of a verbs QP posts once the QP can send, and polls what is done") {
    ringed v;
    kdevx_qp *qp = v.rc();
    kdevx_qp_ring *r = v.ring_of(qp);
    auto i = v.qp_info(qp);
    char data[8] = "kdevx";
    kdevx_sge sge{std::uint64_t(std::uintptr_t(data)), sizeof data, 0x1234};
    kdevx_send_wr w{};
    w.wr_id = 0x1122334455667788;
    w.sg_list = &sge;
    w.num_sge = 1;
    w.op = KDEVX_SEND_IMM;
    w.imm_or_rkey = 0xcafe;
    w.flags = KDEVX_SEND_SIGNALED | KDEVX_SEND_INLINE;
    const kdevx_send_wr *bad = nullptr;
    v.refused("WRONG_STATE", kdevx_post_send(r, &w, &bad, &v.why));
    CHECK(bad == &w);
    v.move(qp, KDEVX_QPS_RTS); // the mock kernel allows any transition
    unsigned calls = v.k.count(mock::call::ioctl);
    REQUIRE(kdevx_post_send(r, &w, &bad, &v.why) == 0);
    CHECK(be32(i.memory.dbrec, 4) == 1);
    auto *wqe = static_cast<std::byte *>(i.memory.buffer) + i.sq_offset;
    CHECK((be32(wqe) & 0xff) == prm::wqe_op<"SEND_IMM">);
    CHECK(be32(wqe, 12) == 0xcafe);
    CHECK(std::memcmp(i.memory.uar_reg, wqe, 8) == 0);
    CHECK(std::memcmp(wqe + 20, data, sizeof data) == 0);
    CHECK(v.poll().empty());
    v.hca.completes(REQ, i.qpn, 0);
    auto done = v.poll();
    REQUIRE(done.size() == 1);
    CHECK(done[0].wr_id == w.wr_id);
    CHECK(done[0].qp == r);
    CHECK(done[0].what == KDEVX_SEND_IMM);
    CHECK(done[0].syndrome == 0);
    CHECK(done[0].problem == 0);
    CHECK(v.k.count(mock::call::ioctl) == calls); // none of this needs the kernel
    v.end(r, qp);
}

TEST_CASE("receives, errors, and completions that belong to nothing") {
    ringed v;
    kdevx_qp *qp = v.rc();
    kdevx_qp_ring *r = v.ring_of(qp);
    auto i = v.qp_info(qp);
    kdevx_recv_wr second{22, nullptr, nullptr, 0}, first{11, &second, nullptr, 0};
    v.refused("WRONG_STATE", kdevx_post_recv(r, &first, nullptr, &v.why));
    v.move(qp, KDEVX_QPS_INIT);
    REQUIRE(kdevx_post_recv(r, &first, nullptr, &v.why) == 0);
    CHECK(be32(i.memory.dbrec) == 2);
    v.hca.completes(RESP_SEND, i.qpn, 0);
    v.hca.completes(prm::cqe_op<"RESP_ERR">, i.qpn, 1, 0, 0x05);
    v.hca.completes(RESP_SEND, i.qpn + 1, 0);
    auto done = v.poll();
    REQUIRE(done.size() == 3);
    CHECK(done[0].wr_id == 11);
    CHECK(done[0].what == KDEVX_COMPLETED_RECV);
    CHECK(done[1].wr_id == 22);
    CHECK(std::string(kdevx_syndrome_name(done[1].syndrome)) == "WR_FLUSH_ERR");
    CHECK(std::string(kdevx_syndrome_text(done[1].syndrome)) != "");
    CHECK(done[2].qp == nullptr);
    CHECK(std::string(kdevx_wc_problem_name(done[2].problem)) == "UNKNOWN_QUEUE");
    CHECK(std::string(kdevx_wc_problem_name(0xfe)) == "UNKNOWN");
    CHECK(std::string(kdevx_syndrome_name(0xee)) == "UNKNOWN");
    v.end(r, qp);
}

TEST_CASE("a full queue keeps what it has, and says which request was too much") {
    ringed v;
    kdevx_qp *qp = v.rc();
    kdevx_qp_ring *r = v.ring_of(qp);
    v.move(qp, KDEVX_QPS_RTS);
    auto info = v.info(r, kdevx_qp_ring_get_info);
    std::vector<kdevx_send_wr> list(info.sq_wqebbs + 1, nop(1));
    for (std::size_t n = 0; n + 1 < list.size(); ++n)
        list[n].next = &list[n + 1];
    const kdevx_send_wr *bad = nullptr;
    v.refused("QUEUE_FULL", kdevx_post_send(r, list.data(), &bad, &v.why), -ENOMEM);
    CHECK(v.why.cause == KDEVX_CAUSE_LIMIT);
    CHECK(bad == &list.back());
    CHECK(be32(v.qp_info(qp).memory.dbrec, 4) == info.sq_wqebbs);
    info = v.info(r, kdevx_qp_ring_get_info);
    CHECK(info.sq_free_wqebbs == 0);
    CHECK(info.state == KDEVX_QPS_RTS);
    v.hca.completes(REQ, info.qpn, info.sq_wqebbs - 1);
    CHECK(v.poll().size() == 1);
    CHECK(v.info(r, kdevx_qp_ring_get_info).sq_free_wqebbs == info.sq_wqebbs);
    v.end(r, qp);
}

TEST_CASE("a transition to RESET empties the rings when they are told") {
    ringed v;
    kdevx_qp *qp = v.rc();
    kdevx_qp_ring *r = v.ring_of(qp);
    v.move(qp, KDEVX_QPS_RTS);
    kdevx_send_wr w = nop(7);
    REQUIRE(kdevx_post_send(r, &w, nullptr, &v.why) == 0);
    v.move(qp, KDEVX_QPS_RESET);
    REQUIRE(kdevx_qp_ring_set_state(r, KDEVX_QPS_RESET, &v.why) == 0);
    auto info = v.info(r, kdevx_qp_ring_get_info);
    CHECK(info.sq_producer == 0);
    CHECK(info.sq_free_wqebbs == info.sq_wqebbs);
    v.invalid("state", [&] { return kdevx_qp_ring_set_state(r, 8, &v.why); });
    v.end(r, qp);
}

TEST_CASE("who holds whom: a queue with a ring, a CQ ring that queues complete to") {
    ringed v;
    kdevx_qp *qp = v.rc();
    kdevx_qp_ring *r = v.ring_of(qp);
    CHECK(kdevx_qp_destroy(qp, &v.why) == -EBUSY);
    CHECK(v.why.cause == KDEVX_CAUSE_BUSY);
    CHECK(v.why.detail[0] == KDEVX_KIND_QP_RING);
    CHECK(kdevx_cq_ring_destroy(v.cq_ring, &v.why) == -EBUSY);
    CHECK(v.why.detail[0] == KDEVX_KIND_QP_RING);
    CHECK(kdevx_cq_destroy(v.cq, &v.why) == -EBUSY);
    v.end(r, qp);
    CHECK(kdevx_qp_ring_destroy(r, &v.why) == -EBADF);
    kdevx_send_wr w = nop(1);
    CHECK(kdevx_post_send(r, &w, nullptr, &v.why) == -EBADF);
    CHECK(v.why.cause == KDEVX_CAUSE_CLOSED);
    CHECK(kdevx_post_send(nullptr, &w, nullptr, &v.why) == -EINVAL);
    CHECK(kdevx_poll_cq(nullptr, nullptr, 1) == -EBADF);
    CHECK(kdevx_poll_cq(v.cq_ring, nullptr, 1) == 0);
}

TEST_CASE("a context that is closed first leaves the rings to be given back in any order") {
    ringed v;
    kdevx_qp *qp = v.rc();
    kdevx_qp_ring *r = v.ring_of(qp);
    kdevx_context_close(v.c);
    v.c = nullptr;
    CHECK(kdevx_cq_ring_destroy(v.cq_ring, &v.why) == 0);
    v.cq_ring = nullptr;
    CHECK(kdevx_qp_destroy(qp, &v.why) == 0);
    CHECK(kdevx_qp_ring_destroy(r, &v.why) == 0);
    CHECK(kdevx_cq_destroy(v.cq, &v.why) == 0);
    CHECK(kdevx_pd_dealloc(v.pd, &v.why) == 0);
    v.cq = nullptr;
    v.pd = nullptr;
}

TEST_CASE("as many queue pairs at one CQ as there are, each found by its number") {
    constexpr unsigned many = 40;
    struct one {
        alignas(64) std::byte sq[64];
        std::uint32_t record[2];
        kdevx_qp_ring *ring;
    };
    static one all[many];
    alignas(64) static std::byte uar[4096];
    ringed v;
    for (unsigned n = 0; n < many; ++n) {
        auto o = sized<kdevx_qp_ring_options>();
        o.send_cq = v.cq_ring;
        o.qpn = 0x1000 + n;
        o.state = KDEVX_QPS_RTS;
        o.sq_buffer = all[n].sq;
        o.sq_size = sizeof all[n].sq;
        o.dbrec = all[n].record;
        o.uar = uar;
        o.uar_reg = uar + 0x800;
        REQUIRE(kdevx_qp_ring_create_devx(v.c, &o, &all[n].ring, &v.why) == 0);
        kdevx_send_wr w = nop(n);
        REQUIRE(kdevx_post_send(all[n].ring, &w, nullptr, &v.why) == 0);
    }
    for (unsigned n = 0; n < many; ++n) {
        v.hca.completes(REQ, 0x1000 + n, 0);
        auto done = v.poll();
        REQUIRE(done.size() == 1);
        CHECK(done[0].wr_id == n);
        CHECK(done[0].qp == all[n].ring);
    }
    for (one &o : all)
        CHECK(kdevx_qp_ring_destroy(o.ring, &v.why) == 0);
}

TEST_CASE("rings of verbs queues: what does not belong to them") {
    ringed v;
    kdevx_qp *qp = v.rc();
    auto o = sized<kdevx_qp_ring_options>();
    kdevx_qp_ring *r = nullptr;
    auto refuse = [&](const char *step) {
        v.invalid(step, [&] { return kdevx_qp_ring_create(qp, &o, &r, &v.why); });
    };
    refuse("send_cq");
    o.send_cq = v.cq_ring;
    refuse("recv_cq");
    o.recv_cq = v.cq_ring;
    o.flags = KDEVX_QP_RING_MASTER;
    refuse("flags");
    o.flags = 0;
    o.bf_size = 256;
    refuse("bf_size");
    v.invalid("options", [&] { return kdevx_qp_ring_create(qp, nullptr, &r, &v.why); });
    v.invalid("qp", [&] { return kdevx_qp_ring_create(nullptr, &o, &r, &v.why); });
    v.invalid("ring", [&] { return kdevx_qp_ring_create(qp, &o, nullptr, &v.why); });
    CHECK(kdevx_qp_destroy(qp, &v.why) == 0);
}

TEST_CASE("shared receive queues: basic ones by the QP, XRC ones by the number in the CQE") {
    ringed v;
    kdevx_xrcd *xrcd = nullptr;
    REQUIRE(kdevx_xrcd_open(v.c, &xrcd, &v.why) == 0);
    auto so = sized<kdevx_srq_options>();
    so.max_wr = 7;
    so.max_sge = 1;
    kdevx_srq *basic = nullptr, *xrc = nullptr;
    REQUIRE(kdevx_srq_create(v.pd, &so, &basic, &v.why) == 0);
    so.type = KDEVX_SRQ_XRC;
    so.xrcd = xrcd;
    so.cq = v.cq;
    so.user_index = 0x77;
    REQUIRE(kdevx_srq_create(v.pd, &so, &xrc, &v.why) == 0);
    kdevx_srq_ring *basic_ring = nullptr, *xrc_ring = nullptr;
    v.invalid("cq", [&] { return kdevx_srq_ring_create(basic, v.cq_ring, &basic_ring, &v.why); });
    v.invalid("cq", [&] { return kdevx_srq_ring_create(xrc, nullptr, &xrc_ring, &v.why); });
    REQUIRE(kdevx_srq_ring_create(basic, nullptr, &basic_ring, &v.why) == 0);
    REQUIRE(kdevx_srq_ring_create(xrc, v.cq_ring, &xrc_ring, &v.why) == 0);
    kdevx_recv_wr w{0x51, nullptr, nullptr, 0};
    REQUIRE(kdevx_post_srq_recv(xrc_ring, &w, nullptr, &v.why) == 0);
    v.hca.completes(RESP_SEND, 0x4242, 0, 0x77);
    auto done = v.poll();
    REQUIRE(done.size() == 1);
    CHECK(done[0].wr_id == 0x51);
    CHECK(done[0].qp == nullptr);
    CHECK(done[0].problem == 0);
    std::vector<kdevx_recv_wr> list(8, w);
    for (std::size_t n = 0; n < 7; ++n)
        list[n].next = &list[n + 1];
    const kdevx_recv_wr *bad = nullptr;
    v.refused("QUEUE_FULL", kdevx_post_srq_recv(basic_ring, list.data(), &bad, &v.why), -ENOMEM);
    CHECK(bad == &list[7]);
    CHECK(kdevx_cq_ring_destroy(v.cq_ring, &v.why) == -EBUSY);
    CHECK(v.why.detail[0] == KDEVX_KIND_SRQ_RING);
    CHECK(kdevx_srq_ring_destroy(xrc_ring, &v.why) == 0);
    CHECK(kdevx_srq_ring_destroy(basic_ring, &v.why) == 0);
    CHECK(kdevx_srq_destroy(xrc, &v.why) == 0);
    CHECK(kdevx_srq_destroy(basic, &v.why) == 0);
    CHECK(kdevx_xrcd_close(xrcd, &v.why) == 0);
}

TEST_CASE("a shared receive queue is posted to by one thread and polled by another") {
    constexpr unsigned rounds = 20000, entries = 8;
    ringed v;
    auto so = sized<kdevx_srq_options>();
    so.max_wr = entries - 1;
    kdevx_srq *srq = nullptr;
    REQUIRE(kdevx_srq_create(v.pd, &so, &srq, &v.why) == 0);
    kdevx_srq_ring *ring = nullptr;
    REQUIRE(kdevx_srq_ring_create(srq, nullptr, &ring, &v.why) == 0);
    auto qo = sized<kdevx_qp_ring_options>();
    qo.recv_cq = v.cq_ring;
    qo.srq = ring;
    qo.qpn = 0x99;
    qo.state = KDEVX_QPS_RTS;
    kdevx_qp_ring *qp = nullptr;
    REQUIRE(kdevx_qp_ring_create_devx(v.c, &qo, &qp, &v.why) == 0);
    const auto *record = v.info(srq, kdevx_srq_get_info).memory.dbrec;
    std::thread poster([&] {
        kdevx_recv_wr w{};
        for (unsigned n = 0; n < rounds;) {
            w.wr_id = n;
            n += kdevx_post_srq_recv(ring, &w, nullptr, nullptr) == 0;
        }
    });
    // The device takes entries in the order of their list, which the poller learns from the WQEs.
    const auto *wqes =
        static_cast<const std::byte *>(v.info(srq, kdevx_srq_get_info).memory.buffer);
    const std::size_t stride = 1u << v.info(srq, kdevx_srq_get_info).wqe_shift;
    std::uint32_t at = 0;
    bool in_order = true;
    for (unsigned n = 0; n < rounds; ++n) {
        auto posted = [&] {
            return std::uint16_t(be32(const_cast<const std::uint32_t *>(record)));
        };
        while (posted() == std::uint16_t(n))
            std::this_thread::yield();
        std::atomic_thread_fence(std::memory_order_acquire);
        const std::uint32_t taken = at;
        at = be32(wqes + taken * stride) & 0xffff;
        v.hca.completes(RESP_SEND, 0x99, taken);
        kdevx_wc wc{};
        in_order &= kdevx_poll_cq(v.cq_ring, &wc, 1) == 1 && wc.wr_id == n && !wc.problem;
    }
    poster.join();
    CHECK(in_order);
    CHECK(kdevx_qp_ring_destroy(qp, &v.why) == 0);
    CHECK(kdevx_srq_ring_destroy(ring, &v.why) == 0);
    CHECK(kdevx_srq_destroy(srq, &v.why) == 0);
}

TEST_CASE("arming: a completion that is there already is told at once") {
    ringed v;
    kdevx_qp *qp = v.rc();
    kdevx_qp_ring *r = v.ring_of(qp);
    v.move(qp, KDEVX_QPS_RTS);
    CHECK(kdevx_arm_cq(v.cq_ring, 0) == 0);
    kdevx_send_wr w = nop(1);
    REQUIRE(kdevx_post_send(r, &w, nullptr, &v.why) == 0);
    v.hca.completes(REQ, v.qp_info(qp).qpn, 0);
    CHECK(kdevx_acknowledge_cq_event(v.cq_ring) == 0);
    CHECK(kdevx_arm_cq(v.cq_ring, 1) == 1);
    CHECK(v.poll().size() == 1);
    CHECK(kdevx_arm_cq(nullptr, 0) == -EBADF);
    CHECK(kdevx_acknowledge_cq_event(nullptr) == -EBADF);
    v.end(r, qp);
}

// ---- tasks over queues made by DEVX ------------------------------------------------------------

namespace {

// Memory of one queue pair and its CQ, as a program has it that uses CREATE_QP itself.
struct devx_queue {
    alignas(64) std::byte sq[16 * 64]{}, rq[4 * 64]{}, cqes[16 * 64]{};
    alignas(64) std::byte uar[4096]{};
    alignas(8) std::uint32_t qp_record[2]{}, cq_record[2]{};
    kdevx_cq_ring *cq = nullptr;
    kdevx_qp_ring *qp = nullptr;
    kdevx_failure why{};

    devx_queue(kdevx_context *c, std::uint32_t qpn, std::uint32_t flags) {
        for (unsigned n = 0; n < 16; ++n)
            cqes[n * 64 + 63] = std::byte{0xf0};
        auto co = sized<kdevx_cq_ring_options>();
        co.buffer = cqes;
        co.buffer_size = sizeof cqes;
        co.dbrec = cq_record;
        co.uar = uar;
        co.cqn = qpn + 0x1000;
        co.cqe_size = 64;
        REQUIRE(kdevx_cq_ring_create_devx(c, &co, &cq, &why) == 0);
        auto o = options(qpn, flags);
        REQUIRE(kdevx_qp_ring_create_devx(c, &o, &qp, &why) == 0);
    }
    ~devx_queue() {
        CHECK(kdevx_qp_ring_destroy(qp, &why) == 0);
        CHECK(kdevx_cq_ring_destroy(cq, &why) == 0);
    }
    devx_queue(const devx_queue &) = delete;
    kdevx_qp_ring_options options(std::uint32_t qpn, std::uint32_t flags) {
        auto o = sized<kdevx_qp_ring_options>();
        o.send_cq = o.recv_cq = cq;
        o.flags = flags;
        o.qpn = qpn;
        o.state = KDEVX_QPS_RTS;
        o.sq_buffer = sq;
        o.sq_size = sizeof sq;
        o.rq_buffer = rq;
        o.rq_size = sizeof rq;
        o.rq_stride = 64;
        o.dbrec = qp_record;
        o.uar = uar;
        o.uar_reg = uar + 0x800;
        return o;
    }
    std::uint32_t rung() { return be32(uar, 0x804); } // queue number and size of the last WQE
};

kdevx_task send_task(kdevx_qp_ring *qp, const kdevx_send_wr *w, const kdevx_task *next = nullptr) {
    return {KDEVX_TASK_SEND, 0, qp, w, nullptr, next};
}

struct with_tasks : mock::verbs {
    devx_queue master{c, 0x10, KDEVX_QP_RING_MASTER};
    devx_queue slave{c, 0x20, KDEVX_QP_RING_MANAGED_SEND | KDEVX_QP_RING_MANAGED_RECV};
    devx_queue plain{c, 0x30, 0};
    kdevx_bad_task bad{};

    int post(const kdevx_task &list) { return kdevx_post_task(c, &list, &bad, &why); }
};

} // namespace

TEST_CASE("a task list: the slave is filled, the master waits and enables it, and is rung last") {
    with_tasks v;
    kdevx_send_wr work = nop(1), more = nop(2);
    work.next = &more;
    kdevx_send_wr enable{}, wait{};
    wait.op = KDEVX_WAIT_CQ;
    wait.u.wait = {v.plain.cq, 1};
    wait.flags = KDEVX_SEND_WAIT_ENABLE_LAST;
    wait.next = &enable;
    enable.op = KDEVX_SEND_ENABLE;
    enable.u.enable = {v.slave.qp, 0};
    enable.flags = KDEVX_SEND_WAIT_ENABLE_LAST;
    kdevx_recv_wr receive{3, nullptr, nullptr, 0};
    kdevx_task receives{KDEVX_TASK_RECV, 0, v.slave.qp, nullptr, &receive, nullptr};
    kdevx_task fills = send_task(v.slave.qp, &work, &receives);
    kdevx_task waits = send_task(v.master.qp, &wait, nullptr);
    receives.next = &waits;
    REQUIRE(v.post(fills) == 0);
    CHECK(v.bad.task == nullptr);
    CHECK(v.slave.rung() == 0); // a managed queue has no doorbell
    CHECK(be32(v.slave.qp_record) == 1);
    CHECK(v.master.rung() != 0);
    CHECK(be32(v.master.qp_record, 4) == 2);
    CHECK((be32(v.master.sq) & 0xff) == prm::wqe_op<"WAIT">);
    CHECK(be32(v.master.sq, 0x18) == 1);      // one completion
    CHECK(be32(v.master.sq, 0x1c) == 0x1030); // of this CQ
    CHECK((be32(v.master.sq, 64) & 0xff) == prm::wqe_op<"SEND_EN">);
    CHECK(be32(v.master.sq, 64 + 0x18) == 2);
    CHECK(be32(v.master.sq, 64 + 0x1c) == 0x20);
}

TEST_CASE("the first task that is refused ends the list; what came before it is rung") {
    with_tasks v;
    kdevx_send_wr good = nop(1), wrong = nop(2), never = nop(3);
    wrong.op = 0x55;
    kdevx_task third = send_task(v.master.qp, &never);
    kdevx_task second = send_task(v.plain.qp, &wrong, &third);
    kdevx_send_wr before = nop(4);
    before.next = &wrong;
    second.sends = &before;
    kdevx_task first = send_task(v.master.qp, &good, &second);
    CHECK(v.post(first) == -EINVAL);
    CHECK(std::string(v.why.step) == "BAD_OPCODE");
    CHECK(v.bad.task == &second);
    CHECK(v.bad.send == &wrong);
    CHECK(v.bad.recv == nullptr);
    CHECK(be32(v.master.qp_record, 4) == 1);
    CHECK(be32(v.plain.qp_record, 4) == 1); // `before`
    CHECK(v.plain.rung() != 0);
}

TEST_CASE("every refusal of cross-channel requests, by its name, with the request that it was") {
    with_tasks v;
    struct row {
        const char *name;
        kdevx_qp_ring *on;
        std::uint8_t op;
        kdevx_qp_ring *target;
        std::uint32_t count;
    };
    const row rows[] = {
        {"ENABLE_BEYOND_POSTED", v.master.qp, KDEVX_SEND_ENABLE, v.slave.qp, 1},
        {"ENABLE_BEYOND_POSTED", v.master.qp, KDEVX_RECV_ENABLE, v.slave.qp, 1},
        {"TARGET_NOT_MANAGED", v.master.qp, KDEVX_SEND_ENABLE, v.plain.qp, 1},
        {"TARGET_NOT_MANAGED", v.master.qp, KDEVX_RECV_ENABLE, v.plain.qp, 1},
        {"NOT_A_MASTER", v.plain.qp, KDEVX_SEND_ENABLE, v.slave.qp, 1},
        {"NO_TARGET", v.master.qp, KDEVX_SEND_ENABLE, nullptr, 1},
        {"NO_TARGET", v.master.qp, KDEVX_WAIT_CQ, nullptr, 1},
    };
    for (const row &r : rows) {
        INFO(r.name);
        kdevx_send_wr w{};
        w.op = r.op;
        w.u.enable = {r.target, r.count};
        CHECK(v.post(send_task(r.on, &w)) == -EINVAL);
        CHECK(std::string(v.why.step) == r.name);
        CHECK(v.bad.send == &w);
        const kdevx_send_wr *bad = nullptr;
        CHECK(kdevx_post_send(r.on, &w, &bad, &v.why) == -EINVAL);
        CHECK(std::string(v.why.step) == r.name);
        CHECK(bad == &w);
    }
    CHECK(be32(v.master.qp_record, 4) == 0);
}

TEST_CASE("a master reaches the queues of its own context only") {
    with_tasks v;
    mock::kernel another;
    kdevx_context *other = another.open();
    {
        devx_queue theirs(other, 0x50, KDEVX_QP_RING_MANAGED_SEND);
        kdevx_send_wr w{};
        w.op = KDEVX_WAIT_CQ;
        w.u.wait = {theirs.cq, 1};
        CHECK(v.post(send_task(v.master.qp, &w)) == -EINVAL);
        CHECK(std::string(v.why.step) == "FOREIGN_TARGET");
        CHECK(v.bad.send == &w);
        w.op = KDEVX_SEND_ENABLE;
        w.u.enable = {theirs.qp, 0};
        const kdevx_send_wr *bad = nullptr;
        CHECK(kdevx_post_send(v.master.qp, &w, &bad, &v.why) == -EINVAL);
        CHECK(std::string(v.why.step) == "FOREIGN_TARGET");
        CHECK(bad == &w);
    }
    kdevx_context_close(other);
}

TEST_CASE("lists of several threads on one master stand in its queue one after the other") {
    constexpr std::uint32_t threads = 4, lists = 500, master_wqebbs = 16;
    mock::verbs v;
    devx_queue master(v.c, 0x10, KDEVX_QP_RING_MASTER | KDEVX_QP_RING_IGNORE_OVERFLOW);
    std::deque<devx_queue> slaves;
    for (std::uint32_t n = 0; n < threads; ++n)
        slaves.emplace_back(v.c, 0x20 + n,
                            KDEVX_QP_RING_MANAGED_SEND | KDEVX_QP_RING_IGNORE_OVERFLOW);
    std::atomic<unsigned> failed = 0;
    std::vector<std::thread> running;
    for (devx_queue &slave : slaves)
        running.emplace_back([&] {
            kdevx_send_wr work = nop(1), wait{}, enable{};
            wait.op = KDEVX_WAIT_CQ;
            wait.u.wait = {master.cq, 1};
            enable.op = KDEVX_SEND_ENABLE;
            enable.u.enable = {slave.qp, 1};
            wait.flags = enable.flags = KDEVX_SEND_WAIT_ENABLE_LAST;
            wait.next = &enable;
            const kdevx_task last = send_task(master.qp, &wait);
            const kdevx_task list = send_task(slave.qp, &work, &last);
            for (std::uint32_t n = 0; n < lists; ++n)
                failed += kdevx_post_task(v.c, &list, nullptr, nullptr) != 0;
        });
    for (std::thread &t : running)
        t.join();
    CHECK(failed == 0);
    CHECK(be32(master.qp_record, 4) == threads * lists * 2);
    for (devx_queue &slave : slaves) {
        auto info = sized<kdevx_qp_ring_info>();
        REQUIRE(kdevx_qp_ring_get_info(slave.qp, &info, &v.why) == 0);
        CHECK(info.sq_producer == lists);
    }
    // What is still in the ring: pairs of a WAIT, each for one completion more, and an ENABLE.
    for (std::uint32_t n = 0; n < master_wqebbs / 2; ++n) {
        const std::uint32_t done = threads * lists - master_wqebbs / 2 + n;
        const std::size_t at = done * 2 % master_wqebbs * 64;
        CHECK((be32(master.sq, at) & 0xff) == prm::wqe_op<"WAIT">);
        CHECK(be32(master.sq, at + 0x18) == done + 1);
        CHECK((be32(master.sq, at + 64) & 0xff) == prm::wqe_op<"SEND_EN">);
        CHECK(be32(master.sq, at + 64 + 0x18) <= lists);
    }
}

TEST_CASE("tasks that are wrong in themselves") {
    with_tasks v;
    kdevx_send_wr w = nop(1);
    kdevx_task t = send_task(v.plain.qp, &w);
    auto refused = [&](const char *step, int r = -EINVAL) {
        INFO(step);
        CHECK(v.post(t) == r);
        CHECK(std::string(v.why.step) == step);
        CHECK(v.bad.task == &t);
        CHECK(v.bad.send == nullptr);
    };
    t.comp_mask = 1;
    refused("COMP_MASK_NOT_ZERO");
    t.comp_mask = 0;
    t.type = 2;
    refused("UNKNOWN_TASK_TYPE");
    t.type = KDEVX_TASK_SEND;
    t.qp = nullptr;
    refused("NO_TARGET");
    {
        devx_queue gone(v.c, 0x40, 0);
        t.qp = gone.qp;
    }
    refused("qp", -EBADF);
    mock::kernel another;
    kdevx_context *other = another.open();
    {
        devx_queue theirs(other, 0x50, 0);
        t.qp = theirs.qp;
        refused("qp");
    }
    kdevx_context_close(other);
    CHECK(kdevx_post_task(nullptr, &t, &v.bad, &v.why) == -EINVAL);
    CHECK(kdevx_post_task(v.c, nullptr, &v.bad, &v.why) == 0);
}

TEST_CASE("rings of DEVX queues: sizes and places that cannot be") {
    with_tasks v;
    kdevx_qp_ring *r = nullptr;
    const auto good = v.plain.options(0x60, 0);
    auto o = good;
    auto refused = [&](const char *step) {
        v.invalid(step, [&] { return kdevx_qp_ring_create_devx(v.c, &o, &r, &v.why); });
        o = good;
    };
    o.sq_size = 65;
    refused("BAD_RING_SIZE");
    o.rq_stride = 48;
    refused("BAD_RING_SIZE");
    o.qpn = 1 << 24;
    refused("BAD_NUMBER");
    o.sq_buffer = nullptr;
    refused("sq_buffer");
    o.rq_buffer = nullptr;
    refused("rq_buffer");
    o.dbrec = nullptr;
    refused("dbrec");
    o.transport = 6;
    refused("transport");
    o.state = 8;
    refused("state");
    o.flags = 1u << 31;
    refused("flags");
    o.sq_size = o.rq_size = 0;
    refused("sq_size");
    kdevx_cq_ring *cq = nullptr;
    auto co = sized<kdevx_cq_ring_options>();
    v.invalid("BAD_RING_SIZE", [&] { return kdevx_cq_ring_create_devx(v.c, &co, &cq, &v.why); });
    kdevx_srq_ring *srq = nullptr;
    auto so = sized<kdevx_srq_ring_options>();
    v.invalid("BAD_MEMORY", [&] { return kdevx_srq_ring_create_devx(v.c, &so, &srq, &v.why); });
}

TEST_CASE("address vectors: what has no place is named") {
    kdevx_failure why{};
    kdevx_av av{};
    kdevx_address a{};
    a.dlid = 0x1234;
    a.sl = 3;
    REQUIRE(kdevx_av_make(&a, nullptr, &av, &why) == 0);
    const auto *raw = reinterpret_cast<const std::byte *>(&av);
    CHECK((wq::get<prm::wqe_ud_av, "path.rlid_or_udp_sport">(raw) == 0x1234));
    CHECK((wq::get<prm::wqe_ud_av, "path.sl">(raw) == 3));
    auto refused = [&](const char *step) {
        CHECK(kdevx_av_make(&a, nullptr, &av, &why) == -EINVAL);
        CHECK(std::string(why.step) == step);
        a = {};
    };
    a.sl = 16;
    refused("sl");
    a.flow_label = 1 << 20;
    refused("flow_label");
    a.static_rate = 1;
    refused("static_rate");
    a.src_path_bits = 0x80;
    refused("src_path_bits");
    CHECK(kdevx_av_make(nullptr, nullptr, &av, &why) == -EINVAL);
    CHECK(kdevx_av_make(&a, nullptr, nullptr, &why) == -EINVAL);
}
