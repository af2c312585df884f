// SPDX-License-Identifier: MIT
// The one event loop: file descriptors, timers and the engine's run queue, on one thread. Handlers
// run one after the other, so nothing in the HCA needs a lock and a run can be repeated exactly.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace kdevx::hca {

class loop {
public:
    using handler = std::function<void()>;
    using clock = std::chrono::steady_clock;
    using timer_id = std::pair<clock::time_point, std::uint64_t>;

    void watch(int fd, handler on_readable);
    void forget(int fd);
    // The same for room to write; apart from what is read.
    void watch_writable(int fd, handler on_writable);
    void forget_writable(int fd);
    timer_id after(std::chrono::nanoseconds delay, handler fire);
    void cancel(timer_id id);

    // Work that is not waiting for anything. It is asked once between two looks at the sockets and
    // says whether there is more to do.
    void set_worker(std::function<bool()> worker) { worker_ = std::move(worker); }

    // One look at everything. Waits until something happens, or until `longest` has passed.
    void run_once(std::chrono::milliseconds longest);
    void run();
    void stop() { stopped_ = true; }
    bool stopped() const { return stopped_; }

private:
    std::map<int, handler> watched_, writable_;
    std::map<timer_id, handler> timers_;
    std::function<bool()> worker_;
    std::uint64_t next_timer_ = 0;
    bool stopped_ = false;

    bool work();
    void fire_due_timers();
    static void call(const std::map<int, handler> &handlers, int fd);
    int poll_timeout(std::chrono::milliseconds longest, bool more_work) const;
};

} // namespace kdevx::hca
