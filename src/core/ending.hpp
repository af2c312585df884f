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

inline void nothing_to_drop(slot &) noexcept {}

} // namespace kdevx::core
