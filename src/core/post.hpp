// SPDX-License-Identifier: MIT
// From the requests of the C interface to those of the data path, which are laid out alike: only
// those that name another ring are translated.
#pragma once

#include <kdevx/post.h>

#include "core/ring.hpp"

namespace kdevx::core {

rings::error post_sends(qp_ring_data &qp, const kdevx_send_wr *list,
                        const kdevx_send_wr **bad) noexcept;
rings::error post_receives(qp_ring_data &qp, const kdevx_recv_wr *list,
                           const kdevx_recv_wr **bad) noexcept;
rings::error post_receives(srq_ring_data &srq, const kdevx_recv_wr *list,
                           const kdevx_recv_wr **bad) noexcept;
std::size_t poll(cq_ring_data &cq, std::span<kdevx_wc> out) noexcept;

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

// post_task.cpp
result<void> post_tasks(context &c, const kdevx_task *list, kdevx_bad_task &bad) noexcept;

} // namespace kdevx::core
