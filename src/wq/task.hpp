// SPDX-License-Identifier: MIT
// Task lists: sends and receives of several queue pairs, communication and coordination mixed, in
// one call. The tasks are posted in order. The first that is refused ends the list: those before it
// stay posted and are announced, those after it are not looked at.
#pragma once

#include "wq/queue_pair.hpp"

namespace kdevx::wq {

enum class task_type : std::uint32_t { send = 0, receive = 1 };

struct task {
    task_type type = task_type::send;
    queue_pair *qp = nullptr;
    const send_request *sends = nullptr;
    const receive_request *receives = nullptr;
    const task *next = nullptr;
    std::uint32_t comp_mask = 0; // must be 0
};

// Which task was refused, and which of its requests; null where the task itself was.
struct task_failure {
    const task *failed = nullptr;
    const send_request *send = nullptr;
    const receive_request *receive = nullptr;
};

// A list that is posted task by task; what was posted is announced when it ends.
class task_poster {
    queue_pair *first_ = nullptr;
    queue_pair **end_ = &first_;

    void note(queue_pair &qp) noexcept;

public:
    task_poster() noexcept = default;
    task_poster(const task_poster &) = delete;
    ~task_poster();

    // `next` is not looked at. `why`, if not null: the request that was refused, if it was one.
    error post(const task &t, task_failure *why) noexcept;
};

error post_tasks_locked(const task *list, task_failure *why) noexcept;

// The counters of WAIT and ENABLE are shared by all masters of a context: one lock orders them.
template <class Lock>
error post_tasks(Lock &lock, const task *list, task_failure *why) noexcept {
    lock.lock();
    const error e = post_tasks_locked(list, why);
    lock.unlock();
    return e;
}

} // namespace kdevx::wq
