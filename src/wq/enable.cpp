// SPDX-License-Identifier: MIT
#include "wq/enable.hpp"

#include "wq/cq.hpp"
#include "wq/queue_pair.hpp"

namespace kdevx::wq {

namespace {

resolved_index refuse_index(error e) noexcept {
    return {.refused = e};
}

// How many work requests beyond the base: n of them, or all that were posted.
resolved_index requests(const enable_request &r, std::uint32_t posted,
                        const group_counter &base) noexcept {
    const std::uint32_t available = posted - base.index;
    if (r.count > available) return refuse_index(error::enable_beyond_posted);
    return {.count = r.count != 0 ? r.count : available, .end = base.position};
}

} // namespace

resolved_index resolve_wait(const wait_cq_request &r) noexcept {
    if (!r.cq) return refuse_index(error::no_target);
    if (r.cq->resizing()) return refuse_index(error::cq_resizing);
    if (r.count >= wait_distance_limit) return refuse_index(error::wait_too_far);
    return {.count = r.count, .end = r.cq->waits.position + r.count};
}

resolved_index resolve_send_enable(const enable_request &r) noexcept {
    const queue_pair *t = r.target;
    if (!t || !t->sq.ready()) return refuse_index(error::no_target);
    if (!t->sq.managed()) return refuse_index(error::target_not_managed);
    if (!t->can_send()) return refuse_index(error::target_wrong_state);
    const group_counter &base = t->send_enables;
    resolved_index i = requests(r, t->sq.posted(), base);
    if (i.refused != error::none || i.count == 0) return i;
    const std::uint32_t request = base.index + i.count;
    // On a queue that may overflow, the request can be older than what the ring remembers.
    if (t->sq.posted() - request >= t->sq.wqebbs()) return refuse_index(error::enable_too_far);
    i.end = t->sq.enable_index(request);
    if (i.end - base.position >= enable_distance_limit) return refuse_index(error::enable_too_far);
    return i;
}

resolved_index resolve_receive_enable(const enable_request &r) noexcept {
    const queue_pair *t = r.target;
    if (!t) return refuse_index(error::no_target);
    if (t->srq) return refuse_index(error::target_has_srq);
    if (!t->rq.ready()) return refuse_index(error::no_target);
    if (!t->rq.managed()) return refuse_index(error::target_not_managed);
    if (!t->can_receive()) return refuse_index(error::target_wrong_state);
    resolved_index i = requests(r, t->rq.posted(), t->receive_enables);
    if (i.refused != error::none) return i;
    if (i.count >= enable_distance_limit) return refuse_index(error::enable_too_far);
    i.end += i.count;
    return i;
}

} // namespace kdevx::wq
