// SPDX-License-Identifier: MIT
// The lock of everything that posts and polls: one instruction to take it and one to give it back
// as long as nobody waits, without a call. Who finds it taken sleeps at libc's semaphore.
#pragma once

#include <atomic>
#include <cstdint>
#include <semaphore.h>

namespace kdevx {

class queue_lock {
    std::atomic<std::uint32_t> inside_{0}; // who holds it, and those who wait
    sem_t turn_;

    [[gnu::noinline, gnu::cold]] void wait() noexcept {
        while (sem_wait(&turn_)) { // EINTR
        }
    }
    [[gnu::noinline, gnu::cold]] void wake() noexcept { sem_post(&turn_); }

public:
    queue_lock() noexcept { sem_init(&turn_, 0, 0); }
    queue_lock(const queue_lock &) = delete;
    ~queue_lock() { sem_destroy(&turn_); }

    void lock() noexcept {
        if (inside_.fetch_add(1, std::memory_order_acquire) != 0) [[unlikely]]
            wait();
    }
    bool try_lock() noexcept {
        std::uint32_t nobody = 0;
        return inside_.compare_exchange_strong(nobody, 1, std::memory_order_acquire,
                                               std::memory_order_relaxed);
    }
    void unlock() noexcept {
        if (inside_.fetch_sub(1, std::memory_order_release) != 1) [[unlikely]]
            wake();
    }
};

} // namespace kdevx
