// SPDX-License-Identifier: MIT
// The kernel's side of an RDMA netlink conversation: composes its messages, and plays it to libnl.
#pragma once

#include "kdevx/kdevx-nl.h"
#include "netlink/handles.hpp"
#include "netlink/socket.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>

namespace test {

using bytes = std::vector<unsigned char>;

inline void put(bytes &b, const void *data, std::size_t size) {
    auto *p = static_cast<const unsigned char *>(data);
    b.insert(b.end(), p, p + size);
    while (b.size() % 4)
        b.push_back(0);
}
// One attribute, bytes by hand: the composer shares nothing with libnl or the code under test.
inline bytes attribute(int type, const void *data, std::size_t size) {
    bytes b;
    std::uint16_t head[2] = {std::uint16_t(4 + size), std::uint16_t(type)};
    put(b, head, sizeof head);
    put(b, data, size);
    return b;
}
template <class T>
bytes number(int type, T value) {
    return attribute(type, &value, sizeof value);
}
inline bytes text(int type, const char *value) {
    return attribute(type, value, std::strlen(value) + 1);
}
inline bytes join(std::initializer_list<bytes> parts) {
    bytes b;
    for (const bytes &p : parts)
        b.insert(b.end(), p.begin(), p.end());
    return b;
}
inline bytes nest(int type, std::initializer_list<bytes> parts) {
    bytes in = join(parts);
    return attribute(type, in.data(), in.size());
}
inline bytes message(int type, int flags, const bytes &payload) {
    nlmsghdr head{};
    head.nlmsg_len = std::uint32_t(sizeof head + payload.size());
    head.nlmsg_type = std::uint16_t(type);
    head.nlmsg_flags = std::uint16_t(flags);
    bytes b;
    put(b, &head, sizeof head);
    put(b, payload.data(), payload.size());
    return b;
}
inline bytes answer(int command, std::initializer_list<bytes> attributes, int flags = 0) {
    return message(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command), flags, join(attributes));
}
inline bytes error(int number) {
    nlmsgerr e{};
    e.error = -number;
    bytes b;
    put(b, &e, sizeof e);
    return message(NLMSG_ERROR, 0, b);
}
inline bytes done(int code = 0) {
    bytes b;
    put(b, &code, sizeof code);
    return message(NLMSG_DONE, NLM_F_MULTI, b);
}

// A kdevx_nl whose socket is this object: what is sent is kept, what is received comes from a list
// with one datagram an element.
class kernel {
    kdevx_nl *nl_ = nullptr;
    std::vector<bytes> datagrams_;
    std::size_t next_ = 0;

    static kernel *&current() {
        static kernel *k;
        return k;
    }
    static int on_send(nl_sock *, nl_msg *m) {
        nlmsghdr *h = nlmsg_hdr(m);
        auto *p = reinterpret_cast<unsigned char *>(h);
        current()->sent.assign(p, p + h->nlmsg_len);
        return int(h->nlmsg_len);
    }
    static int on_receive(nl_sock *, sockaddr_nl *, unsigned char **buffer, ucred **) {
        return current()->receive(buffer);
    }
    int receive(unsigned char **buffer) {
        if (next_ == datagrams_.size()) return -NLE_AGAIN;
        bytes &b = datagrams_[next_++];
        for (std::size_t at = 0; at + sizeof(nlmsghdr) <= b.size();) {
            auto *h = reinterpret_cast<nlmsghdr *>(&b[at]);
            h->nlmsg_seq = request().nlmsg_seq;
            h->nlmsg_pid = request().nlmsg_pid;
            at += NLMSG_ALIGN(h->nlmsg_len);
        }
        *buffer = static_cast<unsigned char *>(std::malloc(b.size()));
        std::memcpy(*buffer, b.data(), b.size());
        return int(b.size());
    }

public:
    bytes sent;

    explicit kernel(std::vector<bytes> datagrams) : datagrams_(std::move(datagrams)) {
        current() = this;
        nl_sock *s = nl_socket_alloc();
        kdevx::nl::owned_callbacks cb(nl_socket_get_cb(s));
        nl_cb_overwrite_send(cb.get(), on_send);
        nl_cb_overwrite_recv(cb.get(), on_receive);
        nl_ = kdevx::nl::handle_of(s);
    }
    kernel(const kernel &) = delete;
    ~kernel() { kdevx_nl_close(nl_); }

    kdevx_nl *handle() const { return nl_; }
    const nlmsghdr &request() const { return *reinterpret_cast<const nlmsghdr *>(sent.data()); }
    bytes payload() const { return {sent.begin() + sizeof(nlmsghdr), sent.end()}; }
    bool all_read() const { return next_ == datagrams_.size(); }
};

} // namespace test
