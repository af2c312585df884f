// SPDX-License-Identifier: MIT
// Completions that the hardware writes into a program's CQ, and one that it loses.
#include "faults.hpp"

#include "kdevx/prm/cqe.hpp"
#include "kdevx/prm/doorbell.hpp"
#include "kdevx/prm/wqe.hpp"

using namespace kdevx;
using namespace kdevx::vm;
using namespace std::chrono_literals;

namespace {

// A QP that does nothing: each of its WQEs is a NOP, and asks for a completion.
class idler {
    static constexpr std::uint64_t cqe_size = prm::cqe64.size, cqes = 64;
    static constexpr std::uint64_t receive_queue = 16 * 64, send_queue = 0x10000 + receive_queue;

    bench bench_;
    object_ptr qp_;
    std::uint16_t posted_ = 0;

    std::byte *cqe(unsigned n) { return bench_.memory() + bench::ring + n * cqe_size; }
    prm::view<prm::cqe64> completion(unsigned n) {
        return prm::view<prm::cqe64>(std::span<const std::byte>(cqe(n), cqe_size));
    }

public:
    idler() {
        std::memset(bench_.memory() + bench::ring, 0xff, cqes * cqe_size); // none is valid yet
        qp_ = bench_.create(bench_.qp());
        for (const char *step : {"RST2INIT_QP", "INIT2RTR_QP", "RTR2RTS_QP"}) {
            exchange x(step);
            x.set("qpn", number());
            REQUIRE(modify(qp_.get(), x) == ok);
        }
    }
    std::uint64_t number() const { return info_of(qp_.get()).device_id & 0xffffff; }
    std::uint64_t cqn() { return bench_[resource::cqn]; }
    kdevx_context *context() const { return bench_.context(); }

    void post() {
        std::byte *at = bench_.memory() + send_queue + posted_ % 16 * 64;
        std::memset(at, 0, 64);
        prm::editor<prm::wqe_ctrl> w(std::span(at, prm::wqe_ctrl.size));
        w.set<"opcode">(prm::wqe_op<"NOP">).set<"wqe_index">(posted_).set<"ds", 1>();
        w.set<"qpn_or_sqn">(number()).set<"ce">(prm::completion_mode<"ALWAYS">);
        std::byte *record = bench_.memory() + bench::record + 64;
        ++posted_;
        __atomic_thread_fence(__ATOMIC_RELEASE);
        prm::editor<prm::qp_doorbell_record>(std::span(record, prm::qp_doorbell_record.size))
            .set<"send_counter">(posted_);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        std::uint64_t first;
        std::memcpy(&first, at, sizeof first);
        *static_cast<volatile std::uint64_t *>(info_of(bench_.uar()).reg_addr) = first;
    }

    bool has(unsigned n) {
        return *reinterpret_cast<volatile std::byte *>(cqe(n) + 63) == std::byte(0);
    }
    // Of which WQE the nth completion is.
    std::uint64_t wait_for_completion(unsigned n) {
        REQUIRE(wait_for(5s, [&] { return has(n); }));
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        CHECK(completion(n).get<"qpn">() == number());
        return completion(n).get<"wqe_counter">();
    }
};

} // namespace

TEST_CASE("each WQE leaves its completion", "[completions]") {
    idler q;
    for (unsigned i = 0; i < 40; ++i) { // around the send queue more than twice
        q.post();
        CHECK(q.wait_for_completion(i) == i);
    }
    CHECK_FALSE(q.has(40));
}

TEST_CASE("a completion that the hardware loses leaves no gap, and the next one tells",
          "[completions]") {
    idler q;
    faults f;
    q.post();
    CHECK(q.wait_for_completion(0) == 0);
    f.drop_completions(q.cqn());
    q.post();
    q.post();
    CHECK(q.wait_for_completion(1) == 2);
    CHECK_FALSE(q.has(2));
}
