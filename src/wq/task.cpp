// SPDX-License-Identifier: MIT
#include "wq/task.hpp"

namespace kdevx::wq {

namespace {

template <class Queue, class Request>
error post_list(error allowed, Queue &q, const Request *list, const Request *&bad) noexcept {
    if (!list || allowed == error::none) return q.post_list(list, &bad);
    bad = list;
    return allowed;
}

} // namespace

// In the order of their first task.
void task_poster::note(queue_pair &qp) noexcept {
    if (qp.to_ring) return;
    qp.to_ring = true;
    qp.next_to_ring = nullptr;
    *end_ = &qp;
    end_ = &qp.next_to_ring;
}

// Every WQE of the list is visible before the first doorbell: a master that is rung may enable any
// of them at once.
task_poster::~task_poster() {
    to_device();
    for (queue_pair *qp = first_; qp; qp = qp->next_to_ring)
        qp->rq.ring();
    for (queue_pair *qp = first_; qp; qp = qp->next_to_ring) {
        qp->sq.ring();
        qp->to_ring = false;
    }
}

error task_poster::post(const task &t, task_failure *why) noexcept {
    if (t.comp_mask != 0) return error::comp_mask_not_zero;
    if (t.type != task_type::send && t.type != task_type::receive) return error::unknown_task_type;
    if (!t.qp) return error::no_target;
    note(*t.qp);
    queue_pair &qp = *t.qp;
    task_failure ignored;
    task_failure &failure = why ? *why : ignored;
    return t.type == task_type::send
               ? post_list(qp.check_send(), qp.sq, t.sends, failure.send)
               : post_list(qp.check_receive(), qp.rq, t.receives, failure.receive);
}

error post_tasks_locked(const task *list, task_failure *why) noexcept {
    task_poster poster;
    task_failure failure;
    error e = error::none;
    for (const task *t = list; t; t = t->next) {
        e = poster.post(*t, &failure);
        if (e == error::none) continue;
        failure.failed = t;
        break;
    }
    if (why) *why = failure;
    return e;
}

} // namespace kdevx::wq
