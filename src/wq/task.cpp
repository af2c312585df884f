// SPDX-License-Identifier: MIT
#include "wq/task.hpp"

namespace kdevx::wq {

namespace {

// The queue pairs that something was posted to, in the order of their first task.
struct ring_list {
    queue_pair *first = nullptr;
    queue_pair **end = &first;

    void add(queue_pair &qp) noexcept {
        if (qp.to_ring) return;
        qp.to_ring = true;
        qp.next_to_ring = nullptr;
        *end = &qp;
        end = &qp.next_to_ring;
    }
    void ring_all() noexcept {
        // Every WQE of the list is visible before the first doorbell: a master that is rung may
        // enable any of them at once.
        to_device();
        for (queue_pair *qp = first; qp; qp = qp->next_to_ring)
            qp->rq.ring();
        for (queue_pair *qp = first; qp; qp = qp->next_to_ring) {
            qp->sq.ring();
            qp->to_ring = false;
        }
    }
};

template <class Queue, class Request>
error post_list(error allowed, Queue &q, const Request *list, const Request *&bad) noexcept {
    if (!list || allowed == error::none) return q.post_list(list, &bad);
    bad = list;
    return allowed;
}

error post_task(const task &t, ring_list &to_ring, task_failure &why) noexcept {
    if (t.comp_mask != 0) return error::comp_mask_not_zero;
    if (t.type != task_type::send && t.type != task_type::receive) return error::unknown_task_type;
    if (!t.qp) return error::no_target;
    to_ring.add(*t.qp);
    queue_pair &qp = *t.qp;
    return t.type == task_type::send
               ? post_list(qp.check_send(), qp.sq, t.sends, why.send)
               : post_list(qp.check_receive(), qp.rq, t.receives, why.receive);
}

} // namespace

error post_tasks_locked(const task *list, task_failure *why) noexcept {
    ring_list to_ring;
    task_failure failure;
    error e = error::none;
    for (const task *t = list; t; t = t->next) {
        e = post_task(*t, to_ring, failure);
        if (e == error::none) continue;
        failure.failed = t;
        break;
    }
    to_ring.ring_all();
    if (why) *why = failure;
    return e;
}

} // namespace kdevx::wq
