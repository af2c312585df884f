// SPDX-License-Identifier: MIT
#include "loop.hpp"

#include <algorithm>
#include <poll.h>
#include <vector>

namespace kdevx::hca {

void loop::watch(int fd, handler on_readable) {
    watched_[fd] = std::move(on_readable);
}

void loop::forget(int fd) {
    watched_.erase(fd);
}

loop::timer_id loop::after(std::chrono::nanoseconds delay, handler fire) {
    timer_id id{clock::now() + delay, next_timer_++};
    timers_.emplace(id, std::move(fire));
    return id;
}

void loop::cancel(timer_id id) {
    timers_.erase(id);
}

bool loop::work() {
    return worker_ && worker_();
}

// A handler may add and cancel timers: take each one out before it runs.
void loop::fire_due_timers() {
    const auto now = clock::now();
    while (!timers_.empty() && timers_.begin()->first.first <= now) {
        handler fire = std::move(timers_.begin()->second);
        timers_.erase(timers_.begin());
        fire();
    }
}

int loop::poll_timeout(std::chrono::milliseconds longest, bool more_work) const {
    if (more_work) return 0;
    auto wait = longest;
    if (!timers_.empty()) {
        auto until = std::chrono::ceil<std::chrono::milliseconds>(timers_.begin()->first.first -
                                                                  clock::now());
        wait = std::clamp(until, std::chrono::milliseconds(0), longest);
    }
    return int(wait.count());
}

void loop::run_once(std::chrono::milliseconds longest) {
    bool more = work();
    std::vector<pollfd> fds;
    for (const auto &[fd, on_readable] : watched_)
        fds.push_back({fd, POLLIN, 0});
    ::poll(fds.data(), fds.size(), poll_timeout(longest, more));
    for (const pollfd &p : fds) {
        auto found = p.revents ? watched_.find(p.fd) : watched_.end();
        if (found == watched_.end()) continue; // nothing there, or forgotten by a handler just now
        handler on_readable = found->second;
        on_readable();
    }
    fire_due_timers();
}

void loop::run() {
    while (!stopped_)
        run_once(std::chrono::hours(1));
}

} // namespace kdevx::hca
