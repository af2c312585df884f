// SPDX-License-Identifier: MIT
// What all RAII types of the C++ face are made of: the only owner of one pointer of the C
// interface.
#pragma once

#include <utility>

#include <kdevx/result.hpp>

namespace kdevx {

// The destructor destroys and cannot say if that was refused: then the object stays the context's
// and ends with it. To know, call destroy(): after a refusal the object is here and usable.
template <class T, int (*Destroy)(T *, kdevx_failure *) noexcept>
class unique_handle {
    T *p_;

public:
    explicit unique_handle(T *p = nullptr) noexcept : p_(p) {}
    unique_handle(unique_handle &&other) noexcept : p_(other.release()) {}
    unique_handle &operator=(unique_handle &&other) noexcept {
        std::swap(p_, other.p_);
        return *this;
    }
    ~unique_handle() {
        if (p_) Destroy(p_, nullptr);
    }

    T *get() const noexcept { return p_; }
    T *release() noexcept { return std::exchange(p_, nullptr); }
    explicit operator bool() const noexcept { return p_; }

    result<void> destroy() noexcept {
        kdevx_failure why{};
        if (Destroy(p_, &why)) return why;
        p_ = nullptr;
        return {};
    }
};

} // namespace kdevx
