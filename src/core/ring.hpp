// SPDX-License-Identifier: MIT
// Rings as the library's objects: what the data path (wq/) knows of a queue, the memory for it, and
// who uses whom. A ring has no part in the kernel.
#pragma once

#include <kdevx/ring.h>

#include "core/qp.hpp"
#include "core/srq.hpp"
#include "wq/cq.hpp"
#include "wq/queue_pair.hpp"
#include "wq/shared_ring.hpp"

namespace kdevx {
namespace rings = wq; // core::wq is a work queue of the verbs kind
}

namespace kdevx::core {

// What posting and polling work on. Each lies in a block of memory of its own, with its arrays.
struct cq_ring_data : rings::cq {
    queue_lock lock;
    rings::uar_register uar{};
    rings::queue_table queues;      // by QP number
    rings::queue_table srqs;        // by the number that the CQEs of a SRQ without a QP carry
    queue_lock *srq_lock = nullptr; // the context's, once a shared receive queue completes here
};

struct srq_ring_data : rings::shared_ring {
    queue_lock *lock = nullptr; // the context's
};

struct qp_ring_data : rings::queue_pair {
    queue_lock own;
    // Its own, or the context's: the counters of masters and of what they enable are shared.
    queue_lock *lock = nullptr;
    rings::uar_register uar{};
    kdevx_qp_ring *self = nullptr;
    const std::atomic<std::uint8_t> *followed = nullptr; // a verbs QP's state
    bool held = false; // by post_task, which may come across it again

    bool in_order() const noexcept { return lock != &own; }
};

// The block of memory that holds one of them.
template <class Data>
struct ring_body {
    Data *data;
    void *block;
    const slot *queue; // a verbs object; null: made by DEVX
};

struct cq_ring : ring_body<cq_ring_data> {
    using handle_type = kdevx_cq_ring;
    static const core::noun noun;

    void *queue_places, *srq_places; // the memory of the tables
    std::atomic<std::uint32_t> users;
};
struct srq_ring : ring_body<srq_ring_data> {
    using handle_type = kdevx_srq_ring;
    static const core::noun noun;

    slot *cq;
    std::uint32_t number; // in the CQ ring's table
    std::atomic<std::uint32_t> users;
};
struct qp_ring : ring_body<qp_ring_data> {
    using handle_type = kdevx_qp_ring;
    static const core::noun noun;

    slot *send_cq, *recv_cq, *srq;
    // That the CQEs of its queues carry; a raw packet QP's two are not the same.
    std::uint32_t sq_number, rq_number;
};

result<kdevx_cq_ring *> create_cq_ring(const pin<cq> &q) noexcept;
result<kdevx_cq_ring *> create_cq_ring(context &c, const kdevx_cq_ring_options *given) noexcept;
result<kdevx_srq_ring *> create_srq_ring(const pin<srq> &q, kdevx_cq_ring *completes_to) noexcept;
result<kdevx_srq_ring *> create_srq_ring(context &c, const kdevx_srq_ring_options *given) noexcept;
result<kdevx_qp_ring *> create_qp_ring(const pin<qp> &q,
                                       const kdevx_qp_ring_options *given) noexcept;
result<kdevx_qp_ring *> create_qp_ring(context &c, const kdevx_qp_ring_options *given) noexcept;

result<void> set_state(const pin<qp_ring> &r, std::uint32_t state) noexcept;
kdevx_qp_ring_info describe(const pin<qp_ring> &r) noexcept;

result<void> begin_resize(const pin<cq_ring> &r, std::span<std::byte> buffer,
                          std::uint32_t cqe_size) noexcept;
result<void> finish_resize(const pin<cq_ring> &r) noexcept;
void abort_resize(const pin<cq_ring> &r) noexcept;

// What an error of the data path is as a failure: `step` is its name.
failure failed(rings::error e) noexcept;

// For every post and poll: no pin, since a ring that is being used may not be destroyed. Null: it
// was destroyed before.
template <class Body>
[[gnu::always_inline]] inline auto data_of(const typename Body::handle_type *p) noexcept
    -> decltype(Body::data) {
    if (!p) return nullptr;
    const slot *s = slot_of(p);
    if (!s->gate.is_open_for(generation_of(p))) return nullptr;
    auto *data = s->body<Body>().data;
    if (!data) __builtin_unreachable(); // none is published without
    return data;
}

} // namespace kdevx::core
