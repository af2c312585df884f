// SPDX-License-Identifier: MIT
#include "core/post.hpp"
#include "wq/task.hpp"

namespace kdevx::core {

namespace {

// Every QP of the list is locked when it is first met, under the context's lock: nobody else takes
// more than one of them.
class held_queues {
    const kdevx_task *list_;

    static qp_ring_data *own_lock_of(const kdevx_task &t) {
        qp_ring_data *qp = data_of<qp_ring>(t.qp);
        return qp && !qp->in_order() ? qp : nullptr;
    }

public:
    explicit held_queues(const kdevx_task *list) : list_(list) {
        for (const kdevx_task *t = list; t; t = t->next)
            if (qp_ring_data *qp = own_lock_of(*t); qp && !qp->held) {
                qp->own.lock();
                qp->held = true;
            }
    }
    held_queues(const held_queues &) = delete;
    ~held_queues() {
        for (const kdevx_task *t = list_; t; t = t->next)
            if (qp_ring_data *qp = own_lock_of(*t); qp && qp->held) {
                qp->held = false;
                qp->own.unlock();
            }
    }
};

const slot *context_of(const kdevx_qp_ring *p) {
    return slot_of(p);
}

result<void> check_tasks(context &c, const kdevx_task *list, kdevx_bad_task &bad) {
    for (const kdevx_task *t = list; t; t = t->next) {
        bad.task = t;
        if (t->qp && !data_of<qp_ring>(t->qp)) return closed("qp");
        if (t->qp && context_of(t->qp)->context != &c) return invalid("qp");
    }
    bad.task = nullptr;
    return {};
}

rings::task head_of(const kdevx_task &t) {
    rings::task mine;
    mine.type = rings::task_type(t.type);
    mine.comp_mask = t.comp_mask;
    qp_ring_data *qp = data_of<qp_ring>(t.qp);
    if (qp && qp->followed) qp->state = qp->followed->load(std::memory_order_relaxed);
    mine.qp = qp;
    return mine;
}

// A master's requests go one by one, since each is translated on its way.
rings::error post_translated(rings::task_poster &poster, rings::task mine, const kdevx_task &t,
                             kdevx_bad_task &bad) {
    rings::error e = poster.post(mine, nullptr); // refuses what is wrong with the task itself
    for (const kdevx_send_wr *w = t.sends; w && e == rings::error::none; w = w->next) {
        translated_send one;
        e = one.translate(*w, *slot_of(t.qp)->context);
        mine.sends = &one.request;
        if (e == rings::error::none) e = poster.post(mine, nullptr);
        if (e != rings::error::none) bad.send = w;
    }
    return e;
}

rings::error post_alike(rings::task_poster &poster, rings::task mine, const kdevx_task &t,
                        kdevx_bad_task &bad) {
    if (mine.type == rings::task_type::receive)
        mine.receives = as_requests(t.recvs);
    else
        mine.sends = as_requests(t.sends);
    rings::task_failure why;
    const rings::error e = poster.post(mine, &why);
    bad.send = reinterpret_cast<const kdevx_send_wr *>(why.send);
    bad.recv = reinterpret_cast<const kdevx_recv_wr *>(why.receive);
    return e;
}

} // namespace

result<void> post_tasks(context &c, const kdevx_task *list, kdevx_bad_task &bad) noexcept {
    bad = {};
    locked order(c.task_lock);
    if (result<void> r = check_tasks(c, list, bad); !r) return r;
    held_queues held(list);
    rings::task_poster poster;
    for (const kdevx_task *t = list; t; t = t->next) {
        const rings::task mine = head_of(*t);
        const bool translate = t->type == KDEVX_TASK_SEND && mine.qp && mine.qp->sq.master();
        const rings::error e =
            translate ? post_translated(poster, mine, *t, bad) : post_alike(poster, mine, *t, bad);
        if (e == rings::error::none) continue;
        bad.task = t;
        return failed(e);
    }
    return {};
}

} // namespace kdevx::core
