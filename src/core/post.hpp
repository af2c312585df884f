// SPDX-License-Identifier: MIT
// From the requests of the C interface to those of the data path, which are laid out alike: only
// those that name another ring are translated.
#pragma once

#include <kdevx/post.h>

#include "core/ring.hpp"
#include "wq/send_short.hpp"

namespace kdevx::core {

rings::error post_receives(qp_ring_data &qp, const kdevx_recv_wr *list,
                           const kdevx_recv_wr **bad) noexcept;
rings::error post_receives(srq_ring_data &srq, const kdevx_recv_wr *list,
                           const kdevx_recv_wr **bad) noexcept;

// A rings::send_request without `next`. A ring that was destroyed is no target, and one of another
// context is refused: its counters are under another lock.
struct translated_send {
    rings::send_request request;
    rings::umr_request umr;

    rings::error translate(const kdevx_send_wr &w, const context &c) noexcept;
};

inline const rings::send_request *as_requests(const kdevx_send_wr *list) noexcept {
    return reinterpret_cast<const rings::send_request *>(list);
}
inline const rings::receive_request *as_requests(const kdevx_recv_wr *list) noexcept {
    return reinterpret_cast<const rings::receive_request *>(list);
}

// The state that others may have changed.
inline void look_at_state(qp_ring_data &qp) noexcept {
    if (qp.followed) qp.state = qp.followed->load(std::memory_order_relaxed);
}

// All there is to posting but for one plain request, which is posted in place. `bad` may be null.
rings::error post_many(qp_ring_data &qp, const kdevx_send_wr *list,
                       const kdevx_send_wr **bad) noexcept;

// This and poll() are what programs do all the time: in place, so that nothing is called on the way
// from the C interface to the ring.
[[gnu::always_inline]] inline rings::error post_sends(qp_ring_data &qp, const kdevx_send_wr *list,
                                                      const kdevx_send_wr **bad) noexcept {
    locked l(*qp.lock);
    look_at_state(qp);
    if (list && !list->next && qp.can_send() && qp.sq.post_alone(*as_requests(list))) [[likely]]
        return rings::error::none;
    return post_many(qp, list, bad);
}

// The two ways on from poll(): somebody else holds the lock, or it is held and there is something.
std::size_t poll_waiting(cq_ring_data &cq, std::span<kdevx_wc> out) noexcept;
std::size_t poll_and_unlock(cq_ring_data &cq, const std::byte *first,
                            std::span<kdevx_wc> out) noexcept;

// Looking in vain is what is done most: on that way nothing is called.
[[gnu::always_inline]] inline std::size_t poll(cq_ring_data &cq, std::span<kdevx_wc> out) noexcept {
    if (!cq.lock.try_lock()) [[unlikely]]
        return poll_waiting(cq, out);
    const std::byte *first = cq.peek();
    if (first) return poll_and_unlock(cq, first, out);
    cq.lock.unlock();
    return 0;
}

// post_task.cpp
result<void> post_tasks(context &c, const kdevx_task *list, kdevx_bad_task &bad) noexcept;

} // namespace kdevx::core
