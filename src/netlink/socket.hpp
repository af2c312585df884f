// SPDX-License-Identifier: MIT
// A `struct kdevx_nl` is libnl's socket under a name of its own: it has no other state.
#pragma once

#include "kdevx/kdevx-nl.h"
#include "netlink/handles.hpp"

namespace kdevx::nl {

inline nl_sock *socket_of(struct kdevx_nl *nl) {
    return reinterpret_cast<nl_sock *>(nl);
}
inline struct kdevx_nl *handle_of(nl_sock *s) {
    return reinterpret_cast<struct kdevx_nl *>(s);
}

int open_socket(struct kdevx_nl **nl, kdevx_nl_failure *why) noexcept;

} // namespace kdevx::nl
