// SPDX-License-Identifier: MIT
// Rings, and what is posted to and polled from them. See ring.h and post.h.
#pragma once

#include <span>

#include <kdevx/made.hpp>
#include <kdevx/post.h>
#include <kdevx/verbs.hpp>

namespace kdevx {

class cq_ring : public unique_handle<kdevx_cq_ring, kdevx_cq_ring_destroy> {
public:
    using unique_handle::unique_handle;

    static result<cq_ring> create(const cq &of) noexcept {
        return owner_of<cq_ring>(
            [&](auto... made) { return kdevx_cq_ring_create(of.get(), made...); });
    }
    static result<cq_ring> create_devx(const context &c,
                                       const kdevx_cq_ring_options &options) noexcept {
        return owner_of<cq_ring>(
            [&](auto... made) { return kdevx_cq_ring_create_devx(c.get(), &options, made...); });
    }
    // What has completed, at the beginning of `room`.
    std::span<kdevx_wc> poll(std::span<kdevx_wc> room) const noexcept {
        const int n = kdevx_poll_cq(get(), room.data(), int(room.size()));
        return room.first(n > 0 ? std::size_t(n) : 0);
    }
};

class srq_ring : public unique_handle<kdevx_srq_ring, kdevx_srq_ring_destroy> {
public:
    using unique_handle::unique_handle;

    static result<srq_ring> create(const srq &of, const cq_ring *completes_to = nullptr) noexcept {
        return owner_of<srq_ring>([&](auto... made) {
            return kdevx_srq_ring_create(of.get(), completes_to ? completes_to->get() : nullptr,
                                         made...);
        });
    }
    result<void> post(const kdevx_recv_wr &list,
                      const kdevx_recv_wr **bad = nullptr) const noexcept {
        return done([&](auto *why) { return kdevx_post_srq_recv(get(), &list, bad, why); });
    }
};

class qp_ring : public unique_handle<kdevx_qp_ring, kdevx_qp_ring_destroy> {
public:
    using unique_handle::unique_handle;

    static result<qp_ring> create(const qp &of, const kdevx_qp_ring_options &options) noexcept {
        return owner_of<qp_ring>(
            [&](auto... made) { return kdevx_qp_ring_create(of.get(), &options, made...); });
    }
    static result<qp_ring> create_devx(const context &c,
                                       const kdevx_qp_ring_options &options) noexcept {
        return owner_of<qp_ring>(
            [&](auto... made) { return kdevx_qp_ring_create_devx(c.get(), &options, made...); });
    }
    result<void> post(const kdevx_send_wr &list,
                      const kdevx_send_wr **bad = nullptr) const noexcept {
        return done([&](auto *why) { return kdevx_post_send(get(), &list, bad, why); });
    }
    result<void> post(const kdevx_recv_wr &list,
                      const kdevx_recv_wr **bad = nullptr) const noexcept {
        return done([&](auto *why) { return kdevx_post_recv(get(), &list, bad, why); });
    }
    result<void> set_state(kdevx_qp_state state) const noexcept {
        return done([&](auto *why) { return kdevx_qp_ring_set_state(get(), state, why); });
    }
    result<kdevx_qp_ring_info> info() const noexcept {
        return info_of(get(), kdevx_qp_ring_get_info);
    }
};

inline result<void> post_task(const context &c, const kdevx_task &list,
                              kdevx_bad_task *bad = nullptr) noexcept {
    return done([&](auto *why) { return kdevx_post_task(c.get(), &list, bad, why); });
}

} // namespace kdevx
