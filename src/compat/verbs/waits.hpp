// SPDX-License-Identifier: MIT
// Events that were taken and not acknowledged yet: the end of an object waits for them.
#pragma once

#include <pthread.h>

#include <cstdint>

namespace kdevx::verbs {

template <class Shown>
void make_waitable(Shown &s) noexcept {
    pthread_mutex_init(&s.mutex, nullptr);
    pthread_cond_init(&s.cond, nullptr);
}

template <class Shown>
void took(Shown &s, std::uint32_t &taken) noexcept {
    pthread_mutex_lock(&s.mutex);
    ++taken;
    pthread_mutex_unlock(&s.mutex);
}

template <class Shown>
void acknowledged(Shown &s, std::uint32_t &completed, std::uint32_t count) noexcept {
    pthread_mutex_lock(&s.mutex);
    completed += count;
    pthread_cond_signal(&s.cond);
    pthread_mutex_unlock(&s.mutex);
}

template <class Shown>
void wait_for(Shown &s, const std::uint32_t &completed, const std::uint32_t &taken) noexcept {
    pthread_mutex_lock(&s.mutex);
    while (completed != taken)
        pthread_cond_wait(&s.cond, &s.mutex);
    pthread_mutex_unlock(&s.mutex);
}

template <class Shown>
void end_waitable(Shown &s) noexcept {
    pthread_cond_destroy(&s.cond);
    pthread_mutex_destroy(&s.mutex);
}

} // namespace kdevx::verbs
