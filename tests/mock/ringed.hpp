// SPDX-License-Identifier: MIT
// Verbs queues with rings, and what the device would write to them.
#pragma once

#include <kdevx/kdevx.h>
#include <kdevx/prm/cqe.hpp>

#include "verbs.hpp"
#include "wq/words.hpp"

namespace mock {

namespace prm = kdevx::prm;

// What the device writes when a WQE is done.
struct device {
    kdevx_cq_info cq;
    std::uint32_t index = 0;

    std::byte *entry() {
        auto *buffer = static_cast<std::byte *>(cq.memory.buffer);
        return buffer + std::size_t(index % cq.cqe) * cq.cqe_size + (cq.cqe_size - 64);
    }
    void completes(std::uint32_t opcode, std::uint32_t qpn, std::uint32_t counter,
                   std::uint32_t uidx = 0, std::uint8_t syndrome = 0) {
        std::byte *e = entry();
        std::memset(e, 0, 63);
        kdevx::wq::put<prm::cqe64, "qpn">(e, qpn);
        kdevx::wq::put<prm::cqe64, "srqn_uidx">(e, uidx);
        if (syndrome) kdevx::wq::put<prm::err_cqe, "error_syndrome.syndrome">(e, syndrome);
        kdevx::wq::put<prm::cqe64, "wqe_counter", "opcode", "owner">(e, counter, opcode,
                                                                     index / cq.cqe & 1);
        ++index;
    }
};

inline constexpr std::uint32_t REQ = prm::cqe_op<"REQ">, RESP_SEND = prm::cqe_op<"RESP_SEND">;

// A CQ with its ring, and RC queue pairs.
struct ringed : verbs {
    kdevx_cq_ring *cq_ring = nullptr;
    device hca;

    ringed() {
        REQUIRE(kdevx_cq_ring_create(cq, &cq_ring, &why) == 0);
        hca.cq = cq_info();
    }
    ~ringed() {
        if (cq_ring) CHECK(kdevx_cq_ring_destroy(cq_ring, &why) == 0);
    }
    kdevx_qp *rc(std::uint32_t create_flags = 0) {
        auto o = sized<kdevx_qp_options>();
        o.type = KDEVX_QP_RC;
        o.create_flags = create_flags;
        o.send_cq = o.recv_cq = cq;
        o.max_send_wr = 8;
        o.max_recv_wr = 4;
        o.max_send_sge = o.max_recv_sge = 2;
        o.max_inline_data = 32;
        kdevx_qp *qp = nullptr;
        REQUIRE(kdevx_qp_create(pd, &o, &qp, &why) == 0);
        return qp;
    }
    kdevx_qp_ring *ring_of(kdevx_qp *qp) {
        auto o = sized<kdevx_qp_ring_options>();
        o.send_cq = o.recv_cq = cq_ring;
        kdevx_qp_ring *r = nullptr;
        REQUIRE(kdevx_qp_ring_create(qp, &o, &r, &why) == 0);
        return r;
    }
    void move(kdevx_qp *qp, std::uint8_t state) {
        auto a = sized<kdevx_qp_attr>();
        a.qp_state = state;
        REQUIRE(kdevx_qp_modify(qp, &a, KDEVX_QP_STATE, &why) == 0);
    }
    void end(kdevx_qp_ring *r, kdevx_qp *qp) {
        CHECK(kdevx_qp_ring_destroy(r, &why) == 0);
        CHECK(kdevx_qp_destroy(qp, &why) == 0);
    }
    std::vector<kdevx_wc> poll() {
        std::vector<kdevx_wc> all(8);
        int n = kdevx_poll_cq(cq_ring, all.data(), 8);
        REQUIRE(n >= 0);
        all.resize(std::size_t(n));
        return all;
    }
    kdevx_qp_info qp_info(kdevx_qp *qp) { return info(qp, kdevx_qp_get_info); }
    void refused(const char *step, int r, int with = -EINVAL) {
        INFO(step);
        CHECK(r == with);
        CHECK(std::string(why.step) == step);
        CHECK(std::string(kdevx_failure_hint(&why)) != "");
    }
};

inline kdevx_send_wr nop(std::uint64_t id) {
    kdevx_send_wr w{};
    w.wr_id = id;
    w.op = KDEVX_NOP;
    w.flags = KDEVX_SEND_SIGNALED;
    return w;
}

} // namespace mock
