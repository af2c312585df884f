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
    writable_.erase(fd);
}

void loop::watch_writable(int fd, handler on_writable) {
    writable_[fd] = std::move(on_writable);
}

void loop::forget_writable(int fd) {
    writable_.erase(fd);
}

// A copy is called: the handler may forget itself. It may also have been forgotten just now.
void loop::call(const std::map<int, handler> &handlers, int fd) {
    auto found = handlers.find(fd);
    if (found == handlers.end()) return;
    handler h = found->second;
    h();
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
        fds.push_back({fd, short(writable_.contains(fd) ? POLLIN | POLLOUT : POLLIN), 0});
    ::poll(fds.data(), fds.size(), poll_timeout(longest, more));
    for (const pollfd &p : fds) {
        if (p.revents & POLLOUT) call(writable_, p.fd);
        if (p.revents & ~POLLOUT) call(watched_, p.fd);
    }
    fire_due_timers();
}

void loop::run() {
    while (!stopped_)
        run_once(std::chrono::hours(1));
}

} // namespace kdevx::hca
