// SPDX-License-Identifier: MIT
// Lists of tasks. kdevx.h is given all of them at once, so that a master is rung when everything
// that it may enable is in place; so the list is translated first, up to the first request that
// there is no translation for.
#include <cstdlib>
#include <new>

#include "compat/verbs/request.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

namespace {

struct counts {
    std::size_t tasks = 0, sends = 0;
};

counts count(const ibv_exp_task *list) {
    counts n;
    for (; list; list = list->next, ++n.tasks)
        if (list->task_type == IBV_EXP_TASK_SEND)
            for (const ibv_exp_send_wr *wr = list->item.send_wr; wr; wr = wr->next)
                ++n.sends;
    return n;
}

class translation {
    struct few {
        kdevx_task tasks[8];
        kdevx_send_wr sends[24];
    };
    few here_;
    void *block_ = nullptr;
    kdevx_task *tasks_ = here_.tasks;
    kdevx_send_wr *sends_ = here_.sends;
    std::size_t task_count_ = 0, send_count_ = 0;
    int err_ = 0;               // why the list ends before its end...
    std::ptrdiff_t err_at_ = 0; // ... at which task

    kdevx_send_wr *translate(const ibv_exp_send_wr *wr, ibv_qp_type type) noexcept;
    void add(const ibv_exp_task &t) noexcept;

public:
    translation() = default;
    translation(const translation &) = delete;
    ~translation() { std::free(block_); }

    bool make_room(const counts &n) noexcept;
    void take(const ibv_exp_task *list) noexcept;

    const kdevx_task *list() const noexcept { return task_count_ ? tasks_ : nullptr; }
    std::ptrdiff_t place_of(const kdevx_task *t) const noexcept { return t - tasks_; }
    int err() const noexcept { return err_; }
    std::ptrdiff_t err_at() const noexcept { return err_at_; }
};

bool translation::make_room(const counts &n) noexcept {
    if (n.tasks <= std::size(here_.tasks) && n.sends <= std::size(here_.sends)) return true;
    const std::size_t tasks = n.tasks * sizeof(kdevx_task), sends = n.sends * sizeof(kdevx_send_wr);
    block_ = std::malloc(tasks + sends);
    if (!block_) return false;
    tasks_ = static_cast<kdevx_task *>(block_);
    sends_ = reinterpret_cast<kdevx_send_wr *>(static_cast<char *>(block_) + tasks);
    return true;
}
static_assert(alignof(kdevx_send_wr) <= alignof(kdevx_task) &&
              sizeof(kdevx_task) % alignof(kdevx_send_wr) == 0);

kdevx_send_wr *translation::translate(const ibv_exp_send_wr *wr, ibv_qp_type type) noexcept {
    kdevx_send_wr *first = nullptr, **end = &first;
    for (; wr; wr = wr->next) {
        kdevx_send_wr *to = &sends_[send_count_];
        err_ = convert(*wr, type, *to);
        if (err_) break;
        ++send_count_;
        *end = to;
        end = const_cast<kdevx_send_wr **>(&to->next);
    }
    return first;
}

// What kdevx.h refuses is not looked at here: it says so in the order of the list.
void translation::add(const ibv_exp_task &t) noexcept {
    kdevx_task &to = *new (&tasks_[task_count_++]) kdevx_task{};
    ibv_qp *qp = t.item.qp;
    to.type = std::uint32_t(t.task_type);
    to.comp_mask = t.comp_mask;
    const bool receives = t.task_type == IBV_EXP_TASK_RECV;
    if (qp) to.qp = receives ? ours(qp)->recv_ring : ours(qp)->ring;
    if (!to.qp || to.comp_mask) return;
    if (t.task_type == IBV_EXP_TASK_SEND)
        to.sends = translate(t.item.send_wr, qp->qp_type);
    else if (t.task_type == IBV_EXP_TASK_RECV)
        to.recvs = as_own(t.item.recv_wr);
}

void translation::take(const ibv_exp_task *list) noexcept {
    for (; list && !err_; list = list->next) {
        err_at_ = std::ptrdiff_t(task_count_);
        const ibv_qp *qp = list->item.qp;
        if (qp && !is_ours(qp->context)) {
            err_ = EXDEV;
            return;
        }
        add(*list);
        if (err_at_) tasks_[err_at_ - 1].next = &tasks_[err_at_];
    }
}

int refuse(int err, ibv_exp_task *task, ibv_exp_task **bad) {
    if (bad) *bad = task;
    return err;
}

} // namespace

int ibv_exp_post_task(ibv_context *context, ibv_exp_task *task_list, ibv_exp_task **bad_task) {
    attempt a;
    if (!a.takes(context)) return refuse(EXDEV, task_list, bad_task);
    if (!task_list) return 0;
    translation all;
    if (!all.make_room(count(task_list))) return refuse(a.no_memory(), task_list, bad_task);
    all.take(task_list);
    kdevx_bad_task bad{};
    if (int err = a.ended(kdevx_post_task(ours(context)->own, all.list(), &bad, a)))
        return refuse(err, bad.task ? after(task_list, all.place_of(bad.task)) : task_list,
                      bad_task);
    if (!all.err()) return 0;
    return refuse(a.refused(all.err(), KDEVX_CAUSE_INVALID, "task"), after(task_list, all.err_at()),
                  bad_task);
}
