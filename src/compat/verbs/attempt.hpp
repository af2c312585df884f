// SPDX-License-Identifier: MIT
// One call of a verb: how it ends by libibverbs' conventions, with the cause kept for whoever asks.
#pragma once

#include <cerrno>

#include <kdevx/failure.h>

#include "compat/verbs/api.hpp"

namespace kdevx::verbs {

// What ibv_context.abi_compat points to in a context of ours.
extern const char mark;
inline bool is_ours(const ibv_context *context) noexcept {
    return context->abi_compat == &mark;
}

class attempt {
    kdevx_failure why_{};

    void keep() const noexcept;

public:
    attempt() noexcept = default;
    attempt(const attempt &) = delete;
    operator kdevx_failure *() noexcept { return &why_; }

    // Of what kdevx.h returned. A kernel that has not got the object for this device says so by an
    // errno of its own, which libibverbs has not got.
    bool good(int rc) const noexcept {
        if (rc >= 0) return true;
        keep();
        errno = rc == -EPROTONOSUPPORT ? EOPNOTSUPP : -rc;
        return false;
    }
    // 0, or the errno.
    int ended(int rc) const noexcept { return good(rc) ? 0 : errno; }
    // 0, or -1.
    int told(int rc) const noexcept { return good(rc) ? 0 : -1; }

    // What is refused here.
    int refused(int err, kdevx_cause cause, const char *step) noexcept;
    int invalid(const char *step) noexcept { return refused(EINVAL, KDEVX_CAUSE_INVALID, step); }
    int not_supported(const char *step) noexcept {
        return refused(EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED, step);
    }
    int no_memory() noexcept { return refused(ENOMEM, KDEVX_CAUSE_LIMIT, "malloc"); }
    // Whether what belongs to that context is ours; if not, it is refused.
    bool takes(const ibv_context *context) noexcept;
    template <class... Object>
    bool takes_all(const Object *...objects) noexcept {
        return (... && (!objects || takes(objects->context)));
    }
};

} // namespace kdevx::verbs
