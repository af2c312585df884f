// SPDX-License-Identifier: MIT
// How most objects end: a method of the kernel that takes the handle, and nothing else to give
// back.
#pragma once

#include "core/command.hpp"
#include "core/pin.hpp"

namespace kdevx::core {

// The handle is the library's own, so nothing but the firmware can find fault with it.
inline result<void> ended(const result<void> &r) noexcept {
    return r ? r : result<void>(refused_without_outbox(r.failure()));
}

template <const auto &Method, prm::fixed_string Handle>
result<void> end_by(slot &s) noexcept {
    return ended(uverbs::invoke<Method>(s.context->file(), uverbs::end<Handle>(s.handle)));
}
// Those that tell how many events the object had.
template <const auto &Method, prm::fixed_string Handle, prm::fixed_string Response, class Events>
result<void> end_with_events(slot &s) noexcept {
    Events events{};
    return ended(uverbs::invoke<Method>(s.context->file(), uverbs::end<Handle>(s.handle),
                                        uverbs::out_value<Response>(events)));
}

// The memory of a queue is in use by its rings, which the kernel does not know.
template <class Queue, result<void> (*End)(slot &) noexcept>
result<void> unless_ringed(slot &s) noexcept {
    if (s.body<Queue>().rings.load()) return fail(KDEVX_CAUSE_BUSY, EBUSY, Queue::noun.name);
    return End(s);
}

inline void nothing_to_drop(slot &) noexcept {}

} // namespace kdevx::core
