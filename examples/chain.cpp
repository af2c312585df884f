// SPDX-License-Identifier: MIT
// Take a job from another's memory and pass it on: RDMA read of the job, compare-and-swap of its
// owner, send of both to a third party. Each step needs the one before it. Once with the CPU
// between the steps, once as a chain: the three requests stand on managed queues, and one
// master enables the next when the one before has completed.
#include <cstdio>
#include <vector>

#include "site.hpp"

using namespace example;

namespace {

constexpr std::uint64_t job = 0x1234567890, nobody = 0, me = 42;
enum remote_word { job_word, owner_word, remote_words };
enum local_word { read_word, old_owner_word, received_job, received_owner, local_words };

struct parties {
    memory theirs, mine;
    endpoint to_them, them, to_third, third;

    parties(const site &s, std::uint32_t flags)
        : theirs(s, remote_words), mine(s, local_words), to_them(s, flags), them(s),
          to_third(s, flags), third(s) {
        connect(s, to_them, them);
        connect(s, to_third, third);
        theirs[job_word] = job;
        theirs[owner_word] = nobody;
        mine[old_owner_word] = ~0ull;
        const kdevx_sge at = mine.word(received_job, 2);
        third.post(receive_into(at, 0));
    }
    void post_read() {
        const kdevx_sge into = mine.word(read_word);
        kdevx_send_wr w = send_of(into, 1, KDEVX_SEND_SIGNALED);
        w.op = KDEVX_RDMA_READ;
        w.u.rdma = {theirs.address(job_word), theirs.rkey()};
        to_them.post(w);
    }
    void post_take() {
        const kdevx_sge into = mine.word(old_owner_word);
        kdevx_send_wr w = send_of(into, 2, KDEVX_SEND_SIGNALED);
        w.op = KDEVX_ATOMIC_CAS;
        w.u.atomic = {theirs.address(owner_word), theirs.rkey(), me, nobody, 0, 0};
        to_them.post(w);
    }
    void post_report() {
        const kdevx_sge from = mine.word(read_word, 2);
        to_third.post(send_of(from, 3, KDEVX_SEND_SIGNALED));
    }
    void check(const char *name) {
        third.received.wait();
        if (mine[received_job] != job || mine[received_owner] != nobody)
            give_up("the report is not of this job");
        if (theirs[owner_word] != me) give_up("the job was not taken");
        std::printf("%s: job %#llx read, taken and reported\n", name,
                    static_cast<unsigned long long>(job));
    }
};

void by_the_cpu(const site &s) {
    parties p(s, 0);
    p.post_read();
    p.to_them.sent.wait();
    p.post_take();
    p.to_them.sent.wait();
    p.post_report();
    p.check("by the CPU");
}

void by_the_device(const site &s) {
    parties p(s, KDEVX_QP_CROSS_CHANNEL | KDEVX_QP_MANAGED_SEND);
    endpoint master(s, KDEVX_QP_CROSS_CHANNEL);
    master.connect(s, master);
    // One list: the work, and the order in which it is to be done.
    p.post_read();
    p.post_take();
    p.post_report();
    std::vector<kdevx_send_wr> order = {enable_send(p.to_them, 1), wait_for(p.to_them.sent, 1),
                                        enable_send(p.to_them, 1), wait_for(p.to_them.sent, 1),
                                        enable_send(p.to_third, 1)};
    for (std::size_t n = 0; n + 1 < order.size(); ++n)
        order[n].next = &order[n + 1];
    const kdevx_task task{KDEVX_TASK_SEND, 0, master.ring.get(), order.data(), nullptr, nullptr};
    need(kdevx::post_task(s.context, task));
    p.check("by the device");
}

} // namespace

int main(int argc, char **argv) {
    site s(device_of(argc, argv));
    by_the_cpu(s);
    by_the_device(s);
}
