// SPDX-License-Identifier: MIT
// Instructions of the data path, one operation at a time, without a device: rings in memory, CQEs
// written by hand. tests/bench/wq.py has callgrind count what happens inside of the functions named
// bench_*; each is called `rounds` times.
#include "wq/cq.hpp"
#include "wq/task.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace kdevx;
using namespace kdevx::wq;

namespace {

constexpr std::uint32_t wqebbs = 1024, cqes = 256, cqn = 0x77;

struct world {
    alignas(64) std::byte sq_memory[wqebbs * 64]{};
    alignas(64) std::byte cq_memory[cqes * 64]{};
    alignas(64) std::byte uar_page[4096]{};
    alignas(8) std::byte records[4][8]{};
    send_slot slots[wqebbs]{};
    queue_entry places[64]{};
    uar_register uar;
    queue_pair qp;
    wq::cq cq;
    queue_table table;

    void setup(std::uint32_t qpn, bool master) {
        uar.page = uar_page;
        uar.reg = uar_page + prm::MLX5_BF_OFFSET;
        send_ring_config s;
        s.buffer = sq_memory;
        s.slots = slots;
        s.doorbell_record = records[0];
        s.uar = &uar;
        s.qpn_or_sqn = qpn;
        s.max_inline = 256;
        s.max_sge = 4;
        s.master = master;
        cq_config c;
        c.buffer = cq_memory;
        c.doorbell_record = records[1];
        c.uar = &uar;
        c.cqn = cqn;
        if (qp.sq.init(s) != error::none || cq.init(c) != error::none ||
            table.init(places) != error::none || table.add(qpn, &qp, nullptr) != error::none)
            std::abort();
        qp.state = 3;
    }
    // What the device writes when the newest WQE is done.
    void complete(std::uint32_t index, std::uint16_t wqe_counter, std::uint32_t qpn) {
        std::byte *cqe = cq_memory + (index % cqes) * 64;
        put<prm::cqe64, "s_wqe_opcode", "qpn">(cqe, prm::wqe_op<"SEND">, qpn);
        put<prm::cqe64, "wqe_counter", "opcode", "owner">(cqe, wqe_counter, 0u, index / cqes & 1);
    }
};

world a, b;

send_request inline_send(const sge &data) {
    send_request r;
    r.op = send_op::send;
    r.flags = send_signaled | send_inline;
    r.sg_list = &data;
    r.num_sge = 1;
    return r;
}

} // namespace

// One call is one operation. Not inlined, so that callgrind has a name for each.
#define BENCH [[gnu::noinline]] static void

BENCH bench_post_inline_64(queue_pair &qp, const send_request &r) {
    if (post_sends(qp, &r, nullptr) != error::none) std::abort();
}
BENCH bench_post_gather_64(queue_pair &qp, const send_request &r) {
    if (post_sends(qp, &r, nullptr) != error::none) std::abort();
}
BENCH bench_empty_poll(cq &q, const queue_table &t, completion &c) {
    if (q.poll({&c, 1}, t) != 0) std::abort();
}
BENCH bench_poll_success(cq &q, const queue_table &t, completion &c) {
    if (q.poll({&c, 1}, t) != 1 || !c.ok()) std::abort();
}
BENCH bench_one_by_one(queue_pair &qp, const send_request *r, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        if (post_sends(qp, r + i, nullptr) != error::none) std::abort();
}
BENCH bench_post_task(const task &t) {
    if (post_tasks_locked(&t, nullptr) != error::none) std::abort();
}

int main(int argc, char **argv) {
    const std::uint32_t rounds = argc > 1 ? std::uint32_t(std::strtoul(argv[1], nullptr, 0)) : 1000;
    constexpr std::size_t list_size = 16;
    a.setup(0x11, false);
    b.setup(0x22, true);
    std::byte payload[64]{};
    const sge data{std::uint64_t(std::uintptr_t(payload)), sizeof payload, 0};
    const send_request r = inline_send(data);
    send_request gather = r;
    gather.flags = send_signaled;
    completion c;
    for (std::uint32_t i = 0; i < rounds; ++i) {
        const std::uint16_t at = std::uint16_t(a.qp.sq.producer());
        bench_empty_poll(a.cq, a.table, c);
        bench_post_inline_64(a.qp, r);
        a.complete(a.cq.consumer(), at, 0x11);
        bench_poll_success(a.cq, a.table, c);
        bench_post_gather_64(b.qp, gather);
        b.qp.sq.reset();
    }
    std::vector<send_request> list(list_size, r);
    task t;
    t.qp = &b.qp;
    for (std::uint32_t i = 0; i < rounds; ++i) {
        for (send_request &x : list)
            x.next = nullptr;
        bench_one_by_one(b.qp, list.data(), list_size);
        b.qp.sq.reset();
        for (std::size_t n = 0; n + 1 < list_size; ++n)
            list[n].next = &list[n + 1];
        t.sends = list.data();
        bench_post_task(t);
        b.qp.sq.reset();
    }
    std::printf("rounds %u list %zu\n", rounds, list_size);
}
