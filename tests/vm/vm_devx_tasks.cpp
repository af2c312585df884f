// SPDX-License-Identifier: MIT
// Lists of tasks over queue pairs that were made by DEVX, on the real kernel. (Over verbs queue
// pairs: the examples, vm_examples.cpp, and libkdevx-verbs, vm_verbs_face.cpp.)
#include "loopback.hpp"

#include <string>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

constexpr std::uint64_t task_data = 0x90000, log_task_cqes = 4;
constexpr std::size_t record_size = 64, task_cqe = 64;

std::uint32_t number_in_device(const object_ptr &o) {
    return std::uint32_t(info_of(o.get()).device_id & 0xffffff);
}

// The nth RC queue pair on a bench, its own peer, with a CQ of its own and the rings of both.
struct devx_queue {
    object_ptr cq, qp;
    cq_ring_ptr completions;
    qp_ring_ptr ring;

    devx_queue(bench &b, unsigned n, std::uint32_t flags)
        : cq(make_cq(b, n)), qp(make_qp(b, n, number_in_device(cq), flags)) {
        connect();
        make_cq_ring(b, n);
        make_qp_ring(b, n, flags);
    }

private:
    static constexpr std::uint64_t receives_at = 0x10000, room = 0x1000, receives = 16 * 64;
    static std::uint64_t record(unsigned n, unsigned which) {
        return bench::record + (2 * n + which) * record_size;
    }
    static object_ptr make_cq(bench &b, unsigned n) {
        for (unsigned i = 1; i <= 1u << log_task_cqes; ++i)
            b.memory()[n * room + i * task_cqe - 1] = std::byte(0xf0);
        exchange x = b.cq(log_task_cqes);
        x.set("cq_umem_offset", n * room).set("cq_context.dbr_addr", record(n, 0));
        return b.create(x);
    }
    static object_ptr make_qp(bench &b, unsigned n, std::uint32_t cqn, std::uint32_t flags) {
        exchange x = b.qp();
        x.set("qpc.cqn_snd", cqn).set("qpc.cqn_rcv", cqn);
        x.set("qpc.cd_master", flags & KDEVX_QP_RING_MASTER ? 1 : 0);
        x.set("qpc.cd_slave_send", flags & KDEVX_QP_RING_MANAGED_SEND ? 1 : 0);
        x.set("qpc.cd_slave_receive", flags & KDEVX_QP_RING_MANAGED_RECV ? 1 : 0);
        x.set("wq_umem_offset", receives_at + n * room).set("qpc.dbr_addr", record(n, 1));
        return b.create(x);
    }
    void connect() {
        const std::uint64_t self = number_in_device(qp);
        const std::string lid = "/sys/class/infiniband/" + under_test().name + "/ports/1/lid";
        const auto step = [&](const char *name) { return exchange(name).set("qpn", self); };
        exchange init = step("RST2INIT_QP"), rtr = step("INIT2RTR_QP"), rts = step("RTR2RTS_QP");
        init.set("qpc.pm_state", prm::value_of<prm::qpc_pm_states, "MIGRATED">);
        init.set("qpc.primary_address_path.vhca_port_num", 1).set("qpc.rwe", 1);
        rtr.set("qpc.remote_qpn", self).set("qpc.mtu", 3).set("qpc.log_msg_max", 30);
        rtr.set("qpc.primary_address_path.vhca_port_num", 1).set("qpc.min_rnr_nak", 1);
        rtr.set("qpc.primary_address_path.rlid", std::stoul(read_file(lid), nullptr, 0));
        rts.set("qpc.retry_count", 7).set("qpc.rnr_retry", 7);
        rts.set("qpc.primary_address_path.ack_timeout", 14);
        for (exchange *x : {&init, &rtr, &rts})
            REQUIRE(modify(qp.get(), *x) == ok);
    }
    void make_cq_ring(bench &b, unsigned n) {
        auto c = sized<kdevx_cq_ring_options>();
        c.buffer = b.memory() + n * room;
        c.buffer_size = task_cqe << log_task_cqes;
        c.dbrec = reinterpret_cast<std::uint32_t *>(b.memory() + record(n, 0));
        c.uar = info_of(b.uar()).base_addr;
        c.cqn = number_in_device(cq);
        c.cqe_size = task_cqe;
        completions = make<cq_ring_ptr>(kdevx_cq_ring_create_devx, b.context(), &c);
    }
    void make_qp_ring(bench &b, unsigned n, std::uint32_t flags) {
        auto q = sized<kdevx_qp_ring_options>();
        q.send_cq = q.recv_cq = completions.get();
        q.flags = flags;
        q.max_send_sge = q.max_recv_sge = 1;
        q.qpn = number_in_device(qp);
        q.state = KDEVX_QPS_RTS;
        q.rq_buffer = b.memory() + receives_at + n * room;
        q.rq_size = receives;
        q.rq_stride = 64;
        q.sq_buffer = b.memory() + receives_at + n * room + receives;
        q.sq_size = 16 * 64;
        q.dbrec = reinterpret_cast<std::uint32_t *>(b.memory() + record(n, 1));
        q.uar = info_of(b.uar()).base_addr;
        q.uar_reg = info_of(b.uar()).reg_addr;
        ring = make<qp_ring_ptr>(kdevx_qp_ring_create_devx, b.context(), &q);
    }
};

struct company_of_devx {
    bench b;
    object_ptr mkey = b.create(b.mkey());
    devx_queue master{b, 0, KDEVX_QP_RING_MASTER};
    devx_queue slave{b, 1, KDEVX_QP_RING_MANAGED_SEND | KDEVX_QP_RING_MANAGED_RECV};
    devx_queue worker{b, 2, 0};

    kdevx_sge at(std::uint64_t offset) {
        return {std::uintptr_t(b.memory()) + task_data + offset, 64,
                std::uint32_t(number_in_device(mkey) << 8)};
    }
    outcome post(const kdevx_task &first, kdevx_bad_task &bad) {
        return call(kdevx_post_task, b.context(), &first, &bad);
    }
    outcome post(const kdevx_task &first) {
        kdevx_bad_task bad{};
        return post(first, bad);
    }
};

kdevx_send_wr task_request(std::uint8_t op, std::uint32_t flags = 0) {
    kdevx_send_wr w{};
    w.op = op;
    w.flags = flags;
    return w;
}
kdevx_send_wr wait_for_one(const devx_queue &q) {
    kdevx_send_wr w = task_request(KDEVX_WAIT_CQ, KDEVX_SEND_WAIT_ENABLE_LAST);
    w.u.wait = {q.completions.get(), 1};
    return w;
}
kdevx_send_wr enable_of(std::uint8_t op, const devx_queue &q, std::uint32_t count) {
    kdevx_send_wr w = task_request(op, KDEVX_SEND_WAIT_ENABLE_LAST);
    w.u.enable = {q.ring.get(), count};
    return w;
}
kdevx_task sends_of(const devx_queue &q, const kdevx_send_wr &list) {
    return {KDEVX_TASK_SEND, 0, q.ring.get(), &list, nullptr, nullptr};
}

} // namespace

TEST_CASE("tasks over queue pairs of DEVX: a master waits, and enables sends and receives",
          "[tasks]") {
    company_of_devx t;
    const kdevx_sge from = t.at(0), to = t.at(256);
    std::byte *const data = t.b.memory() + task_data;
    for (unsigned round = 1; round <= 20; ++round) { // around every ring
        CAPTURE(round);
        std::memset(data, int(round), 64);
        kdevx_send_wr send = task_request(KDEVX_SEND, KDEVX_SEND_SIGNALED);
        send.sg_list = &from;
        send.num_sge = 1;
        const kdevx_recv_wr receive{round, nullptr, &to, 1};
        kdevx_send_wr order[] = {wait_for_one(t.worker), enable_of(KDEVX_SEND_ENABLE, t.slave, 0),
                                 enable_of(KDEVX_RECV_ENABLE, t.slave, 1)};
        order[0].next = &order[1];
        order[1].next = &order[2];
        order[2].flags |= KDEVX_SEND_SIGNALED;
        kdevx_task masters = sends_of(t.master, order[0]), works = sends_of(t.slave, send);
        kdevx_task receives{KDEVX_TASK_RECV, 0, t.slave.ring.get(), nullptr, &receive, &works};
        works.next = &masters;
        REQUIRE(t.post(receives) == ok);
        kdevx_wc wc{};
        CHECK(kdevx_poll_cq(t.slave.completions.get(), &wc, 1) == 0);
        CHECK(kdevx_poll_cq(t.master.completions.get(), &wc, 1) == 0);
        const kdevx_send_wr nop = task_request(KDEVX_NOP, KDEVX_SEND_SIGNALED);
        REQUIRE(t.post(sends_of(t.worker, nop)) == ok);
        CHECK(next(t.worker.completions).what == KDEVX_NOP);
        CHECK(next(t.master.completions).what == KDEVX_RECV_ENABLE);
        for (unsigned n = 0; n < 2; ++n) {
            wc = next(t.slave.completions);
            CHECK(wc.syndrome == 0);
            CHECK(wc.problem == 0);
            if (wc.what == KDEVX_COMPLETED_RECV) CHECK(wc.wr_id == round);
        }
        CHECK(std::memcmp(data, data + 256, 64) == 0);
    }
}

TEST_CASE("tasks over queue pairs of DEVX: what is refused, and what was posted before it",
          "[tasks]") {
    company_of_devx t;
    const auto refused = [&](const char *name, const devx_queue &on, const kdevx_send_wr &w) {
        INFO(name);
        kdevx_send_wr nop = task_request(KDEVX_NOP, KDEVX_SEND_SIGNALED);
        kdevx_task good = sends_of(t.worker, nop), bad = sends_of(on, w);
        good.next = &bad;
        kdevx_bad_task told{};
        const outcome got = t.post(good, told);
        CHECK(got == invalid);
        CHECK(std::string(got.why.step) == name);
        CHECK(told.task == &bad);
        CHECK(told.send == &w);
        CHECK(next(t.worker.completions).what == KDEVX_NOP); // rung all the same
    };
    refused("ENABLE_BEYOND_POSTED", t.master, enable_of(KDEVX_SEND_ENABLE, t.slave, 1));
    refused("ENABLE_BEYOND_POSTED", t.master, enable_of(KDEVX_RECV_ENABLE, t.slave, 1));
    refused("TARGET_NOT_MANAGED", t.master, enable_of(KDEVX_SEND_ENABLE, t.worker, 1));
    refused("NOT_A_MASTER", t.worker, enable_of(KDEVX_SEND_ENABLE, t.slave, 0));
    refused("NOT_A_MASTER", t.slave, wait_for_one(t.worker));
    const kdevx_sge pieces[2] = {t.at(0), t.at(64)};
    kdevx_send_wr two = task_request(KDEVX_SEND);
    two.sg_list = pieces;
    two.num_sge = 2;
    refused("TOO_MANY_SGES", t.slave, two);
    REQUIRE(call(kdevx_qp_ring_set_state, t.slave.ring.get(), std::uint32_t(KDEVX_QPS_INIT)) == ok);
    refused("WRONG_STATE", t.slave, task_request(KDEVX_NOP));
    refused("TARGET_WRONG_STATE", t.master, enable_of(KDEVX_SEND_ENABLE, t.slave, 0));
}
