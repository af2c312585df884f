// SPDX-License-Identifier: MIT
// An object that an option names or leaves out: pinned for the call, and of the right context.
#pragma once

#include <optional>

#include "core/pin.hpp"

namespace kdevx::core {

template <class Body>
class [[nodiscard]] maybe {
    std::optional<pin<Body>> pin_;
    std::optional<failure> failure_;

public:
    maybe(const typename Body::handle_type *p, context &c, const char *name) noexcept {
        if (!p) return;
        result<pin<Body>> r = enter<Body>(p);
        if (!r)
            failure_ = named(r.failure(), name);
        else if (&r->context() != &c)
            failure_ = invalid(name);
        else
            pin_.emplace(*std::move(r));
    }
    // NULL: it is left out.
    const pin<Body> *get() const noexcept { return pin_ ? &*pin_ : nullptr; }
    const failure *failed() const noexcept { return failure_ ? &*failure_ : nullptr; }
    // What makers note of it.
    slot *at() const noexcept { return pin_ ? &pin_->at() : nullptr; }
    std::uint32_t handle() const noexcept { return pin_ ? pin_->handle() : 0; }
    explicit operator bool() const noexcept { return pin_.has_value(); }

private:
    // By the name that the option has.
    static failure named(failure f, const char *name) noexcept {
        f.step = name;
        return f;
    }
};

template <class Body>
int fd_of(const maybe<Body> &m) noexcept {
    return m ? (*m.get())->fd : -1;
}

// The first that failed, or NULL.
template <class... Maybe>
const failure *first_failed(const Maybe &...m) noexcept {
    const failure *f = nullptr;
    ((f = f ? f : m.failed()), ...);
    return f;
}

} // namespace kdevx::core
