// SPDX-License-Identifier: MIT
// A queue pair made by DEVX that is its own peer, with rings to work it: what it sends it receives
// from a shared receive queue. For what the device does because of traffic.
#pragma once

#include "verbs.hpp"

namespace kdevx::vm {

using cq_ring_ptr = std::unique_ptr<kdevx_cq_ring, ending<kdevx_cq_ring_destroy>>;
using srq_ring_ptr = std::unique_ptr<kdevx_srq_ring, ending<kdevx_srq_ring_destroy>>;
using qp_ring_ptr = std::unique_ptr<kdevx_qp_ring, ending<kdevx_qp_ring_destroy>>;

// The next completion before long; must be there.
kdevx_wc next(const cq_ring_ptr &completions);

class loopback {
    bench bench_;

public:
    static constexpr unsigned log_cqes = 4, cqes = 1u << log_cqes;

    object_ptr cq, rmp, mkey, qp;
    cq_ring_ptr completions;
    srq_ring_ptr receives;
    qp_ring_ptr sends;

    loopback();

    kdevx_context *context() const { return bench_.context(); }
    void receive(unsigned count = 1);
    void send(); // some bytes
    // To memory of its own, by a key that is or is not the right one.
    void write(std::uint32_t rkey);

private:
    object_ptr make_cq();
    object_ptr make_rmp();
    object_ptr make_qp();
    void connect();
    void post(kdevx_send_wr &w);
    std::uint32_t *record(std::size_t n);
    std::uint32_t key() const;
    kdevx_sge data();
};

} // namespace kdevx::vm
