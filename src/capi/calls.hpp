// SPDX-License-Identifier: MIT
// What functions of the C interface have in common: enter, do, deliver.
#pragma once

#include "base/options.hpp"
#include "capi/convert.hpp"
#include "core/pin.hpp"

namespace kdevx::capi {

// Makes something in a context: make(context) -> result<Made>.
template <class Made, class Make>
int make_in(kdevx_context *context, Made *made, const char *name, kdevx_failure *why,
            Make make) noexcept {
    if (!made) return kdevx::deliver(invalid(name), why);
    result<core::entered> c = core::enter(from(context));
    if (!c) return kdevx::deliver(c.failure(), why);
    return capi::deliver(make(**c), made, why);
}

// Does something in a context: act(context) -> result<void>.
template <class Act>
int in_context(kdevx_context *context, kdevx_failure *why, Act act) noexcept {
    result<core::entered> c = core::enter(from(context));
    if (!c) return kdevx::deliver(c.failure(), why);
    return kdevx::deliver(act(**c), why);
}

// Makes something of an object: make(pin) -> result<Made>.
template <class Body, class Made, class Make>
int make_with(const typename Body::handle_type *p, Made *made, const char *name, kdevx_failure *why,
              Make make) noexcept {
    if (!made) return kdevx::deliver(invalid(name), why);
    result<core::pin<Body>> o = core::enter<Body>(p);
    if (!o) return kdevx::deliver(o.failure(), why);
    return capi::deliver(make(*o), made, why);
}

// Does something with an object: act(pin) -> result<void>.
template <class Body, class Act>
int with(const typename Body::handle_type *p, kdevx_failure *why, Act act) noexcept {
    result<core::pin<Body>> o = core::enter<Body>(p);
    if (!o) return kdevx::deliver(o.failure(), why);
    return kdevx::deliver(act(*o), why);
}

// Asks an object for an answer that begins with its size: ask(pin) -> result<Answer>.
template <class Body, class Answer, class Ask>
int answer(const typename Body::handle_type *p, Answer *given, std::size_t least, const char *name,
           kdevx_failure *why, Ask ask) noexcept {
    if (!given || given->size < least) return kdevx::deliver(invalid(name), why);
    return with<Body>(p, why, [&](core::pin<Body> &o) -> result<void> {
        result<Answer> mine = ask(o);
        if (!mine) return mine.failure();
        return write_answer(*mine, given, least, name);
    });
}

// The fd of something that has one.
template <class Body>
int fd_of(const typename Body::handle_type *p) noexcept {
    result<core::pin<Body>> o = core::enter<Body>(p);
    return o ? (*o)->fd : -EBADF;
}

} // namespace kdevx::capi
