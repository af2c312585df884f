// SPDX-License-Identifier: MIT
// Memory from whoever provides it, and one owner for what lives in it.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace kdevx {

struct memory {
    void *arg;
    void *(*allocate)(void *arg, std::size_t size); // NULL: there is none
    void (*release)(void *arg, void *block);
};

// The only owner of a T made by make_owned. Empty when there was no memory.
template <class T>
class owned {
    T *p_ = nullptr;
    memory from_{};

public:
    owned() noexcept = default;
    owned(T *p, const memory &from) noexcept : p_(p), from_(from) {}
    owned(owned &&o) noexcept : p_(std::exchange(o.p_, nullptr)), from_(o.from_) {}
    owned &operator=(owned &&o) noexcept {
        std::swap(p_, o.p_);
        std::swap(from_, o.from_);
        return *this;
    }
    ~owned() {
        if (!p_) return;
        p_->~T();
        from_.release(from_.arg, p_);
    }
    explicit operator bool() const noexcept { return p_; }
    T &operator*() const noexcept { return *p_; }
    T *operator->() const noexcept { return p_; }
    T *get() const noexcept { return p_; }
    T *disown() noexcept { return std::exchange(p_, nullptr); }
};

template <class T, class... Args>
owned<T> make_owned(const memory &from, Args &&...args) noexcept {
    void *block = from.allocate(from.arg, sizeof(T));
    if (!block) return {};
    return {new (block) T(std::forward<Args>(args)...), from};
}

} // namespace kdevx
