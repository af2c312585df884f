// SPDX-License-Identifier: MIT
// Eight threads use a verbs object while it is destroyed: each call does its work, or says that a
// destroy is in progress (which the kernel may yet refuse) or that the object is gone; the destroy
// is refused as long as one is at it.
#include "events.hpp"
#include "qp_states.hpp"

#include <atomic>
#include <thread>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

struct tally {
    std::atomic<unsigned> worked = 0, met_destroy = 0, gone = 0, wrong = 0;
    std::atomic<int> wrong_errno = 0, wrong_cause = 0; // of the last one

    // What a call came to, without Catch: its assertions are of one thread.
    void count(int rc, const kdevx_failure &why) {
        if (rc == 0)
            ++worked;
        else if (rc == -EBUSY && why.cause == KDEVX_CAUSE_BUSY)
            ++met_destroy;
        else if (rc == -EBADF && why.cause == KDEVX_CAUSE_CLOSED)
            ++gone;
        else {
            wrong_errno = -rc;
            wrong_cause = int(why.cause);
            ++wrong;
        }
    }
};

// `use` is called by all of them, so often or until it is told that the object is gone.
template <class Use, class Destroy>
void race(Use use, Destroy destroy) {
    constexpr unsigned users = 8, times = 60;
    tally seen;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < users; ++i)
        threads.emplace_back([&] {
            for (unsigned n = 0; n < times; ++n) {
                kdevx_failure why{};
                const int rc = use(&why);
                seen.count(rc, why);
                if (rc && rc != -EBUSY) return;
            }
        });
    CHECK(wait_for(std::chrono::seconds(20), [&] { return seen.worked > times || seen.wrong; }));
    unsigned refused = 0;
    outcome last;
    CHECK(wait_for(std::chrono::seconds(20), [&] {
        kdevx_failure why{};
        last.err = -destroy(&why);
        last.why = why;
        refused += last.err == EBUSY && why.cause == KDEVX_CAUSE_BUSY;
        return last.err == 0;
    }));
    for (std::thread &t : threads)
        t.join();
    CAPTURE(refused, last, seen.wrong_errno.load(), seen.wrong_cause.load());
    CHECK(seen.wrong == 0);
    kdevx_failure why{};
    CHECK(use(&why) == -EBADF);
    CHECK(why.cause == KDEVX_CAUSE_CLOSED);
}

} // namespace

TEST_CASE("threads against the end of a CQ", "[verbs][threads]") {
    verbs v;
    kdevx_cq *cq = v.cq.release();
    race(
        [=](kdevx_failure *why) {
            std::byte out[512];
            return kdevx_cq_devx_query(cq, nullptr, 0, out, sizeof out, why);
        },
        [=](kdevx_failure *why) { return kdevx_cq_destroy(cq, why); });
}

TEST_CASE("threads against the end of a queue pair", "[verbs][threads]") {
    verbs v;
    kdevx_qp *qp = v.make_qp(v.qp_of(KDEVX_QP_RC)).release();
    race(
        [=](kdevx_failure *why) {
            auto attr = sized<kdevx_qp_attr>();
            return kdevx_qp_query(qp, KDEVX_QP_STATE, &attr, why);
        },
        [=](kdevx_failure *why) { return kdevx_qp_destroy(qp, why); });
}

TEST_CASE("threads against the end of an SRQ", "[verbs][threads]") {
    verbs v;
    kdevx_srq *srq = v.make_srq(v.srq_of()).release();
    race([=](kdevx_failure *why) { return kdevx_srq_set_limit(srq, 3, why); },
         [=](kdevx_failure *why) { return kdevx_srq_destroy(srq, why); });
}

TEST_CASE("threads against the end of a PD that others hold", "[verbs][threads]") {
    verbs v;
    kdevx_pd *pd = make<pd_ptr>(kdevx_pd_alloc, v.context.get()).release();
    pages memory(4096);
    race(
        [&](kdevx_failure *why) {
            kdevx_mr *mr = nullptr;
            const int rc = kdevx_mr_reg(pd, memory.data(), memory.size(),
                                        std::uintptr_t(memory.data()), 0, &mr, why);
            if (rc) return rc;
            return kdevx_mr_dereg(mr, why);
        },
        [=](kdevx_failure *why) { return kdevx_pd_dealloc(pd, why); });
}

TEST_CASE("threads against the end of an object of DEVX's", "[objects][threads]") {
    bench b;
    kdevx_object *cq = b.create(b.cq()).release();
    exchange x("QUERY_CQ");
    x.set("cqn", info_of(cq).device_id);
    race(
        [=](kdevx_failure *why) {
            std::byte out[512];
            return kdevx_object_query(cq, x.in.data(), x.in.size(), out, sizeof out, why);
        },
        [=](kdevx_failure *why) { return kdevx_object_destroy(cq, why); });
}

TEST_CASE("threads against the end of an event channel", "[events][threads]") {
    context_ptr c = open_context();
    kdevx_event_channel *channel = make_channel(c.get()).release();
    race(
        [=](kdevx_failure *why) {
            const std::uint16_t port_change = prm::event_types.find("PORT_CHANGE")->number;
            return kdevx_event_subscribe(channel, nullptr, &port_change, 1, 0, why);
        },
        [=](kdevx_failure *why) { return kdevx_event_channel_destroy(channel, why); });
}

TEST_CASE("threads against the end of a receive queue and of a table", "[verbs][threads][eth]") {
    verbs v;
    kdevx_wq *wq = v.make_wq(v.wq_of()).release();
    kdevx_ind_table *table = v.make_table({wq}).release();
    race(
        [=](kdevx_failure *why) {
            std::byte out[512];
            return kdevx_ind_table_devx_query(table, nullptr, 0, out, sizeof out, why);
        },
        [=](kdevx_failure *why) { return kdevx_ind_table_destroy(table, why); });
    race(
        [=](kdevx_failure *why) {
            std::byte out[512];
            return kdevx_wq_devx_query(wq, nullptr, 0, out, sizeof out, why);
        },
        [=](kdevx_failure *why) { return kdevx_wq_destroy(wq, why); });
}
