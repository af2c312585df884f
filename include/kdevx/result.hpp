// SPDX-License-Identifier: MIT
// result<T>: a value, or the failure that there is none. No exceptions, no allocation.
#pragma once

#include <cassert>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include <kdevx/failure.h>

namespace kdevx {

using failure = ::kdevx_failure;

template <class T>
class [[nodiscard]] result {
    union {
        T value_;
        kdevx::failure failure_;
    };
    bool ok_;

public:
    result(T v) noexcept : value_(std::move(v)), ok_(true) {}
    result(const kdevx::failure &f) noexcept : failure_(f), ok_(false) {}
    result(result &&other) noexcept : ok_(other.ok_) {
        if (ok_)
            std::construct_at(&value_, std::move(other.value_));
        else
            std::construct_at(&failure_, other.failure_);
    }
    result &operator=(result &&) = delete;
    ~result() {
        if (ok_) value_.~T();
    }

    explicit operator bool() const noexcept { return ok_; }
    T &operator*() &noexcept { return assert(ok_), value_; }
    const T &operator*() const &noexcept { return assert(ok_), value_; }
    T &&operator*() &&noexcept { return assert(ok_), std::move(value_); }
    T *operator->() noexcept { return assert(ok_), &value_; }
    const T *operator->() const noexcept { return assert(ok_), &value_; }
    const kdevx::failure &failure() const noexcept { return assert(!ok_), failure_; }
};

template <>
class [[nodiscard]] result<void> {
    kdevx::failure failure_{};
    bool ok_ = true;

public:
    result() noexcept = default;
    result(const kdevx::failure &f) noexcept : failure_(f), ok_(false) {}

    explicit operator bool() const noexcept { return ok_; }
    const kdevx::failure &failure() const noexcept { return assert(!ok_), failure_; }
};

} // namespace kdevx
