// SPDX-License-Identifier: MIT
// pthread's mutex: std::mutex would bring in libstdc++.
#pragma once

#include <pthread.h>

namespace kdevx {

class mutex {
    pthread_mutex_t m_ = PTHREAD_MUTEX_INITIALIZER;

public:
    mutex() noexcept = default;
    mutex(const mutex &) = delete;
    ~mutex() { pthread_mutex_destroy(&m_); }
    void lock() noexcept { pthread_mutex_lock(&m_); }
    void unlock() noexcept { pthread_mutex_unlock(&m_); }
};

template <class Lock>
class [[nodiscard]] locked {
    Lock &m_;

public:
    explicit locked(Lock &m) noexcept : m_(m) { m_.lock(); }
    locked(const locked &) = delete;
    ~locked() { m_.unlock(); }
};

} // namespace kdevx
