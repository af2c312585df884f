// SPDX-License-Identifier: MIT
// The data path through the public C interface on a real kernel, for callgrind: each function named
// bench_* is one operation. What theirs.c does with libibverbs, in the same order.
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "site.hpp"

using namespace example;

namespace {

constexpr std::uint32_t batch = 16, bytes = 64, inline_bytes = 64;

[[noreturn]] void stop(const char *what) {
    give_up(std::string(what) + " did not do what it is measured for");
}

} // namespace

#define BENCH [[gnu::noinline]] static void

BENCH bench_post(kdevx_qp_ring *ring, const kdevx_send_wr *w) {
    if (kdevx_post_send(ring, w, nullptr, nullptr)) stop("posting");
}
BENCH bench_poll_success(kdevx_cq_ring *ring, kdevx_wc *wc) {
    if (kdevx_poll_cq(ring, wc, 1) != 1 || wc->syndrome) stop("polling");
}
BENCH bench_empty_poll(kdevx_cq_ring *ring, kdevx_wc *wc) {
    if (kdevx_poll_cq(ring, wc, 1) != 0) stop("polling nothing");
}
BENCH bench_one_by_one(kdevx_qp_ring *ring, const std::array<kdevx_send_wr, batch> &list) {
    for (const kdevx_send_wr &w : list)
        if (kdevx_post_send(ring, &w, nullptr, nullptr)) stop("posting");
}
BENCH bench_post_task(kdevx_context *context, const kdevx_task *t) {
    if (kdevx_post_task(context, t, nullptr, nullptr)) stop("posting a task");
}

namespace {

class loop {
    site s_;
    memory words_;
    endpoint a_, z_;
    std::array<kdevx_sge, batch + 1> at_;
    std::uint64_t additions_ = 0;

    // Word 0 is counted up, word 1 is what it was before; then come the buffers.
    kdevx_sge buffer(std::uint32_t n) const { return words_.word(2 + n * bytes / 8, bytes / 8); }

    // The additions of one QP are done when all before them are done, and their CQEs written.
    void wait_for_all_before() {
        words_[1] = ~additions_;
        const kdevx_sge into = words_.word(1);
        kdevx_send_wr w = send_of(into, 0);
        w.op = KDEVX_ATOMIC_ADD;
        w.u.atomic = {words_.address(0), words_.rkey(), 1, 0, 0, 0};
        a_.post(w);
        volatile std::uint64_t &was = words_[1];
        while (was != additions_) {
        }
        ++additions_;
    }
    void post_receives() {
        for (std::uint32_t n = 0; n < batch; ++n) {
            const kdevx_sge into = buffer(n);
            z_.post(receive_into(into, n));
        }
    }
    void take_receives() {
        for (std::uint32_t n = 0; n < batch; ++n)
            z_.received.wait();
    }

public:
    explicit loop(const std::string &device)
        : s_(device), words_(s_, 2 + (batch + 1) * bytes / 8), a_(s_, 0, 4 * batch, inline_bytes),
          z_(s_, 0, 4 * batch) {
        for (std::uint32_t n = 0; n <= batch; ++n)
            at_[n] = buffer(n);
        connect(s_, a_, z_);
    }

    void one_operation_at_a_time() {
        kdevx_wc wc;
        post_receives();
        for (std::uint32_t n = 0; n < batch; ++n) {
            const kdevx_send_wr w = send_of(at_[batch], n, KDEVX_SEND_SIGNALED | KDEVX_SEND_INLINE);
            bench_post(a_.ring.get(), &w);
        }
        wait_for_all_before();
        for (std::uint32_t n = 0; n < batch; ++n)
            bench_poll_success(a_.sent.ring(), &wc);
        for (std::uint32_t n = 0; n < batch; ++n)
            bench_empty_poll(a_.sent.ring(), &wc);
        take_receives();
    }
    template <class Post>
    void list_of_requests(Post post) {
        post_receives();
        std::array<kdevx_send_wr, batch> list;
        for (std::uint32_t n = 0; n < batch; ++n)
            list[n] = send_of(at_[batch], n, KDEVX_SEND_SIGNALED | KDEVX_SEND_INLINE);
        post(list);
        for (std::uint32_t n = 0; n < batch; ++n)
            a_.sent.wait();
        take_receives();
    }
    void one_by_one() {
        list_of_requests([this](const auto &list) { bench_one_by_one(a_.ring.get(), list); });
    }
    void as_a_task() {
        list_of_requests([this](auto &list) {
            for (std::uint32_t n = 0; n + 1 < batch; ++n)
                list[n].next = &list[n + 1];
            const kdevx_task t{KDEVX_TASK_SEND, 0, a_.ring.get(), list.data(), nullptr, nullptr};
            bench_post_task(s_.context.get(), &t);
        });
    }
};

} // namespace

int main(int argc, char **argv) {
    const long rounds = argc > 1 ? std::strtol(argv[1], nullptr, 0) : 10;
    loop l(device_of(1, argv));
    const auto began = std::chrono::steady_clock::now();
    for (long n = 0; n < rounds; ++n) {
        l.one_operation_at_a_time();
        l.one_by_one();
        l.as_a_task();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    std::printf("%.0f messages a second\n", double(rounds) * 3 * batch / took.count());
}
