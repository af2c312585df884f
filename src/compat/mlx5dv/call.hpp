// SPDX-License-Identifier: MIT
// A call of one of the functions: how it is counted, passed on, and how it ends by libmlx5's
// conventions.
#pragma once

#include <cerrno>
#include <type_traits>

#include "base/memory.hpp"
#include "compat/mlx5dv/api.hpp"
#include "compat/mlx5dv/functions.hpp"
#include "compat/mlx5dv/next.hpp"
#include "compat/mlx5dv/trace.hpp"
#include "uverbs/request.hpp"

namespace kdevx::mlx5dv {

// The uverbs file of somebody's context: its fd is all there is to know, so nothing is remembered
// that could become stale.
class file_of {
    uverbs::sys sys_;
    uverbs::file file_;

public:
    explicit file_of(const ibv_context *context) noexcept : sys_(*uverbs::sys::make(nullptr)) {
        file_.sys = &sys_;
        file_.fd = context->cmd_fd;
    }
    file_of(const file_of &) = delete;
    operator const uverbs::file &() const noexcept { return file_; }
};

// One that no uverbs file is behind is another library's affair.
inline bool is_elsewhere(const ibv_context *context) noexcept {
    return context->cmd_fd < 0;
}

inline uverbs::const_bytes box(const void *p, std::size_t size) {
    return {static_cast<const std::byte *>(p), size};
}
inline uverbs::bytes box(void *p, std::size_t size) {
    return {static_cast<std::byte *>(p), size};
}

// Objects come from malloc: libmlx5 may free them.
template <class T>
owned<T> make_object() noexcept {
    return make_owned<T>(uverbs::sys::make(nullptr)->memory());
}
template <class T>
void end_object(T *p) noexcept {
    owned<T> mine(p, uverbs::sys::make(nullptr)->memory());
}

class call {
    std::size_t function_;

public:
    explicit call(std::size_t function) noexcept : function_(function) { count(function_); }
    call(const call &) = delete;

    // 0, or the errno.
    int ended(int err) const noexcept {
        if (err) errno = err;
        tell(function_, "errno", err);
        return err;
    }
    int ended(const failure &f) const noexcept { return ended(errno_of(f)); }
    int ended(const result<void> &r) const noexcept { return r ? ended(0) : ended(r.failure()); }

    // The pointer, or NULL and the errno.
    template <class T>
    T *made(T *p) const noexcept {
        ended(0);
        return p;
    }
    template <class Refusal>
    std::nullptr_t none(const Refusal &why) const noexcept {
        ended(why);
        return nullptr;
    }

    // Something that is not negative, or -1 and the errno.
    template <class T>
    T told(const result<T> &r) const noexcept {
        return r ? (ended(0), *r) : (ended(r.failure()), T(-1));
    }

    // What the library behind this one says.
    template <class R, class... Declared, class... Given>
    R pass_on(R (*self)(Declared...), Given... given) const noexcept {
        (void)self;
        auto *function = next_as<R(Declared...)>(functions[function_]);
        tell(function_, "passed on", function ? 0 : EOPNOTSUPP);
        if (function) return function(given...);
        if constexpr (!std::is_void_v<R>) return nobody<R>();
    }

private:
    // A mailbox that is too long was never sent; libmlx5 says so by another name.
    static int errno_of(const failure &f) noexcept {
        return f.err == E2BIG && f.cause == KDEVX_CAUSE_LIMIT ? EINVAL : f.err;
    }
    template <class R>
    static R nobody() noexcept {
        errno = EOPNOTSUPP;
        if constexpr (std::is_pointer_v<R>)
            return nullptr;
        else
            return EOPNOTSUPP;
    }
};

} // namespace kdevx::mlx5dv
