// SPDX-License-Identifier: MIT
// From the caller's pointer to an object that stays alive for the time of a call, and the beginning
// and the end of such objects.
//
// A noun is a Body (plain data) with
//     using handle_type = struct kdevx_...;      what the C interface calls it
//     static const core::noun noun;              what can be done to it (slot.hpp)
#pragma once

#include <type_traits>
#include <utility>

#include "core/context.hpp"

namespace kdevx::core {

// Enters slot and context. `n` is what the pointer must stand for.
result<slot *> enter_slot(const void *p, const noun &n) noexcept;
void leave_slot(slot &s) noexcept;

template <class Body>
class [[nodiscard]] pin {
    core::slot *s_;
    bool in_context_ = true;

public:
    explicit pin(core::slot &s) noexcept : s_(&s) {} // entered by the caller
    pin(pin &&o) noexcept : s_(std::exchange(o.s_, nullptr)), in_context_(o.in_context_) {}
    pin(const pin &) = delete;
    ~pin() {
        if (!s_) return;
        if (in_context_)
            leave_slot(*s_);
        else
            s_->gate.leave();
    }
    // Between these two the context may be closed, though not the object: for waits without end.
    // The object keeps the memory of both. False: it was closed.
    void step_out() noexcept {
        in_context_ = false;
        s_->context->leave();
    }
    bool step_in() noexcept { return in_context_ = s_->context->enter(); }

    Body *operator->() const noexcept { return &s_->template body<Body>(); }
    Body &operator*() const noexcept { return s_->template body<Body>(); }
    std::uint32_t handle() const noexcept { return s_->handle; }
    core::context &context() const noexcept { return *s_->context; }
    const uverbs::file &file() const noexcept { return s_->context->file(); }
    core::slot &at() const noexcept { return *s_; }
};

template <class Body>
result<pin<Body>> enter(const typename Body::handle_type *p) noexcept {
    result<slot *> s = enter_slot(p, Body::noun);
    if (!s) return s.failure();
    return pin<Body>(**s);
}

// An object in the making: taken first, so that nothing can fail once the kernel has made its part.
// Published it is alive; else its slot goes back.
template <class Body>
class [[nodiscard]] draft {
    core::slot *s_;
    static_assert(std::is_trivially_destructible_v<Body>);
    static_assert(alignof(Body) <= alignof(core::slot));

public:
    explicit draft(context &c) noexcept : s_(c.slots.take(sizeof(Body))) {
        if (!s_) return;
        s_->noun = &Body::noun;
        s_->context = &c;
        s_->handle = 0;
        new (s_ + 1) Body{};
    }
    draft(draft &&o) noexcept : s_(std::exchange(o.s_, nullptr)) {}
    draft(const draft &) = delete;
    ~draft() {
        if (s_) s_->context->slots.give_back(*s_, sizeof(Body));
    }
    explicit operator bool() const noexcept { return s_; }
    Body *operator->() const noexcept { return &s_->template body<Body>(); }
    Body &operator*() const noexcept { return s_->template body<Body>(); }
    std::uint32_t &handle() const noexcept { return s_->handle; }
    core::slot &at() const noexcept { return *s_; }

    typename Body::handle_type *publish() noexcept {
        core::slot *s = std::exchange(s_, nullptr);
        s->context->keep();
        s->context->slots.enlist(*s);
        s->gate.open();
        return static_cast<typename Body::handle_type *>(to_public(*s));
    }
};

// Destroys it, or leaves it as it was. Told by the noun what that means; a device that is gone has
// taken its objects along, so that counts as done.
result<void> end_slot(void *p, const noun &n, std::size_t body_size) noexcept;

template <class Body>
result<void> destroy(typename Body::handle_type *p) noexcept {
    return end_slot(p, Body::noun, sizeof(Body));
}

// Ends the library's part of it and leaves the kernel's alone.
result<void> forget_slot(void *p, const noun &n, std::size_t body_size) noexcept;

template <class Body>
result<void> forget(typename Body::handle_type *p) noexcept {
    return forget_slot(p, Body::noun, sizeof(Body));
}

} // namespace kdevx::core
