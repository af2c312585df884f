// SPDX-License-Identifier: MIT
// The rings of queues. They are made of the queue's memory and not of its kdevx.h object, which
// they would keep from being destroyed: a queue that the kernel refuses to destroy goes on as it
// was.
#pragma once

#include "compat/verbs/objects.hpp"

namespace kdevx::verbs {

// 0 or -errno, as in kdevx.h. A ring is there afterwards only if there is such a queue.
int make_ring(context &c, cq &q, kdevx_failure *why) noexcept;
// `cq`: where an XRC one completes to.
int make_ring(context &c, srq &q, ibv_cq *cq, kdevx_failure *why) noexcept;
int make_ring(context &c, wq &q, kdevx_failure *why) noexcept;
int make_rings(context &c, qp &q, std::uint32_t flags, kdevx_failure *why) noexcept;
void end_rings(qp &q) noexcept;

// Tells of a transition.
void follow(const qp &q) noexcept;

} // namespace kdevx::verbs
