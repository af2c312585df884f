// SPDX-License-Identifier: MIT
// libnl's objects, each freed when its owner goes.
#pragma once

#include <netlink/handlers.h>
#include <netlink/msg.h>
#include <netlink/socket.h>

namespace kdevx::nl {

template <class T, void (*Free)(T *)>
class owned {
    T *p_ = nullptr;

public:
    explicit owned(T *p) noexcept : p_(p) {}
    owned(const owned &) = delete;
    owned &operator=(const owned &) = delete;
    ~owned() {
        if (p_) Free(p_);
    }
    T *get() const noexcept { return p_; }
    T *release() noexcept {
        T *p = p_;
        p_ = nullptr;
        return p;
    }
    explicit operator bool() const noexcept { return p_ != nullptr; }
};

using owned_socket = owned<nl_sock, nl_socket_free>;
using owned_message = owned<nl_msg, nlmsg_free>;
using owned_callbacks = owned<nl_cb, nl_cb_put>;

} // namespace kdevx::nl
