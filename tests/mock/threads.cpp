// SPDX-License-Identifier: MIT
// Many threads on one object, one context, one queue, while others end them.
#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>

#include "../unit/catch.hpp"
#include "kernel.hpp"

using mock::bytes;

namespace {

// Runs f(i) in n threads that begin together.
template <class F>
void together(unsigned n, F f) {
    std::atomic<unsigned> ready{0};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < n; ++i)
        threads.emplace_back([&, i] {
            ++ready;
            while (ready < n)
                std::this_thread::yield();
            f(i);
        });
    for (std::thread &t : threads)
        t.join();
}

} // namespace

TEST_CASE("eight threads use an object while another destroys it: done, busy or closed") {
    for (unsigned round = 0; round < 30; ++round) {
        mock::kernel k;
        kdevx_context *c = k.open();
        bytes in = mock::random_bytes(32), made(16);
        kdevx_object *o = nullptr;
        REQUIRE(kdevx_object_create(c, in.data(), 32, made.data(), 16, &o, nullptr) == 0);
        std::atomic<unsigned> destroyed{0}, wrong{0};
        together(9, [&](unsigned i) {
            bytes out(16);
            kdevx_failure why{};
            for (unsigned n = 0; n < 200; ++n) {
                int r = i ? kdevx_object_query(o, in.data(), 32, out.data(), 16, &why)
                          : kdevx_object_destroy(o, &why);
                destroyed += i == 0 && r == 0;
                bool known = r == 0 || (r == -EBUSY && why.cause == KDEVX_CAUSE_BUSY) ||
                             (r == -EBADF && why.cause == KDEVX_CAUSE_CLOSED);
                wrong += !known;
            }
        });
        if (!destroyed) {
            CHECK(kdevx_object_destroy(o, nullptr) == 0);
        } else {
            CHECK(destroyed == 1);
        }
        CHECK(wrong == 0);
        kdevx_context_close(c);
        CHECK(k.live() == 0);
    }
}

TEST_CASE("objects come and go in eight threads") {
    mock::kernel k;
    kdevx_context *c = k.open();
    std::atomic<unsigned> wrong{0};
    together(8, [&](unsigned) {
        bytes in = mock::random_bytes(32), out(16);
        std::uint32_t nc = KDEVX_UAR_NC;
        for (unsigned n = 0; n < 100; ++n) {
            kdevx_object *o = nullptr;
            kdevx_uar *u = nullptr;
            wrong += kdevx_object_create(c, in.data(), 32, out.data(), 16, &o, nullptr) != 0;
            wrong += kdevx_uar_alloc(c, &nc, 1, &u, nullptr) != 0;
            wrong += kdevx_object_destroy(o, nullptr) != 0;
            wrong += kdevx_uar_free(u, nullptr) != 0;
        }
    });
    CHECK(wrong == 0);
    kdevx_context_close(c);
    CHECK(k.live() == 0);
}

TEST_CASE("E53: doorbell records of eight threads' queues are nobody else's") {
    mock::kernel k;
    kdevx_context *c = k.open();
    std::atomic<unsigned> wrong{0};
    together(8, [&](unsigned thread) {
        kdevx_cq_options o{};
        o.size = sizeof o;
        o.cqe = 1;
        for (unsigned n = 0; n < 50; ++n) {
            std::vector<kdevx_cq *> cqs(20);
            std::vector<std::uint32_t *> records;
            for (kdevx_cq *&cq : cqs) {
                wrong += kdevx_cq_create(c, &o, &cq, nullptr) != 0;
                kdevx_cq_info i{};
                i.size = sizeof i;
                wrong += kdevx_cq_get_info(cq, &i, nullptr) != 0;
                std::uint32_t *record = i.memory.dbrec;
                wrong += record[0] != 0 || record[1] != 0; // fresh
                record[0] = record[1] = thread + 1;
                records.push_back(record);
            }
            for (std::size_t i = 0; i < cqs.size(); ++i) {
                wrong += records[i][0] != thread + 1 || records[i][1] != thread + 1;
                wrong += kdevx_cq_destroy(cqs[i], nullptr) != 0;
            }
        }
    });
    CHECK(wrong == 0);
    kdevx_context_close(c);
    CHECK(k.live() == 0);
}

TEST_CASE("a context is closed while eight threads are in it") {
    for (unsigned round = 0; round < 30; ++round) {
        mock::kernel k;
        kdevx_context *c = k.open();
        bytes in = mock::random_bytes(32), made(16);
        kdevx_object *o = nullptr;
        REQUIRE(kdevx_object_create(c, in.data(), 32, made.data(), 16, &o, nullptr) == 0);
        std::atomic<unsigned> wrong{0};
        together(9, [&](unsigned i) {
            if (i == 0) return kdevx_context_close(c);
            bytes out(16);
            kdevx_failure why{};
            for (unsigned n = 0; n < 50; ++n) {
                int r = kdevx_object_query(o, in.data(), 32, out.data(), 16, &why);
                wrong += r != 0 && !(r == -EBADF && why.cause == KDEVX_CAUSE_CLOSED);
            }
        });
        CHECK(wrong == 0);
        CHECK(kdevx_object_destroy(o, nullptr) == 0);
        CHECK(k.live() == 0);
        CHECK(k.broken_rules.empty());
    }
}

TEST_CASE("several threads send and take: every answer arrives once") {
    mock::kernel k;
    kdevx_context *c = k.open();
    bytes in = mock::random_bytes(32), made(16);
    kdevx_object *o = nullptr;
    kdevx_cmd_comp *q = nullptr;
    REQUIRE(kdevx_object_create(c, in.data(), 32, made.data(), 16, &o, nullptr) == 0);
    REQUIRE(kdevx_cmd_comp_create(c, &q, nullptr) == 0);
    k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) { // answers at once
        if (h->object_id != 0x1001 || h->method_id != 0x1004) return 1;
        std::uint64_t number;
        bytes b = mock::carried(h->attrs[3], kdevx::kabi::ptr_in);
        std::memcpy(&number, b.data(), sizeof number);
        k.answers.push_back({number, mock::random_bytes(h->attrs[4].data)});
        return 0;
    };
    constexpr unsigned threads = 4, each = 300;
    std::atomic<std::uint64_t> sum{0};
    std::atomic<unsigned> taken{0}, wrong{0};
    together(2 * threads, [&](unsigned i) {
        bytes out(256);
        kdevx_completion done{};
        done.size = sizeof done;
        for (unsigned n = 0; n < each && i < threads; ++n)
            wrong += kdevx_object_query_async(o, in.data(), 32, 16 + n % 200, i * each + n, q,
                                              nullptr) != 0;
        while (i >= threads && taken < threads * each) {
            int r = kdevx_cmd_comp_get(q, out.data(), 256, KDEVX_NO_WAIT, &done, nullptr);
            if (r == 0) sum += done.wr_id;
            if (r == 0) ++taken;
            wrong += r != 0 && r != -EAGAIN;
        }
    });
    CHECK(wrong == 0);
    CHECK(taken == threads * each);
    CHECK(sum == std::uint64_t(threads * each) * (threads * each - 1) / 2);
    CHECK(kdevx_cmd_comp_in_flight(q) == 0);
    k.on_ioctl = nullptr;
    CHECK(kdevx_cmd_comp_destroy(q, nullptr) == 0);
    CHECK(kdevx_object_destroy(o, nullptr) == 0);
    kdevx_context_close(c);
    CHECK(k.live() == 0);
}
