// SPDX-License-Identifier: MIT
// Making failures and handing them over the C interface.
#pragma once

#include <cerrno>
#include <cstdint>

#include <kdevx/result.hpp>

namespace kdevx {

constexpr failure fail(kdevx_cause cause, int err, const char *step, std::uint64_t detail0 = 0,
                       std::uint64_t detail1 = 0) {
    failure f{};
    f.err = err;
    f.cause = cause;
    f.step = step;
    f.detail[0] = detail0;
    f.detail[1] = detail1;
    return f;
}
constexpr failure invalid(const char *argument, std::uint64_t value = 0, std::uint64_t bound = 0) {
    return fail(KDEVX_CAUSE_INVALID, EINVAL, argument, value, bound);
}
constexpr failure no_memory(const char *step) {
    return fail(KDEVX_CAUSE_LIMIT, ENOMEM, step);
}
constexpr failure closed(const char *argument) {
    return fail(KDEVX_CAUSE_CLOSED, EBADF, argument);
}

// What a C function returns for it.
inline int deliver(const failure &f, kdevx_failure *why) {
    if (why) *why = f;
    return -f.err;
}
inline int deliver(const result<void> &r, kdevx_failure *why) {
    return r ? 0 : deliver(r.failure(), why);
}

} // namespace kdevx
