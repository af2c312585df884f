// SPDX-License-Identifier: MIT
// How the user wants to wait: the fd says.
#pragma once

#include <fcntl.h>

#include "compat/verbs/objects.hpp"

namespace kdevx::verbs {

// kdevx.h makes its fds non-blocking; a user of verbs expects them to block until told otherwise.
inline void let_user_decide(int fd) noexcept {
    verbs::system().fcntl(fd, F_SETFL, 0);
}

inline int waiting_time(int fd) noexcept {
    const int flags = verbs::system().fcntl(fd, F_GETFL, 0);
    return flags >= 0 && flags & O_NONBLOCK ? KDEVX_NO_WAIT : KDEVX_FOREVER;
}

} // namespace kdevx::verbs
