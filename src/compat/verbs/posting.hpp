// SPDX-License-Identifier: MIT
// Lists of sends go on in batches, of which each is one doorbell.
#pragma once

#include "compat/verbs/request.hpp"

namespace kdevx::verbs {

struct sends {
    static constexpr std::uint32_t most = 16;
    kdevx_send_wr own[most];
    std::uint32_t count = 0;
    int err = 0; // why the one after them is none
};

template <class Wr>
void fill(sends &s, const Wr *wr, ibv_qp_type type) noexcept {
    for (; wr && s.count < sends::most; wr = wr->next, ++s.count) {
        s.err = convert(*wr, type, s.own[s.count]);
        if (s.err) break;
        if (s.count) s.own[s.count - 1].next = &s.own[s.count];
    }
}

template <class Wr>
int refuse(int err, Wr *wr, Wr **bad) noexcept {
    if (bad) *bad = wr;
    return err;
}

template <class Wr>
int post_sends(ibv_qp *qp, Wr *wr, Wr **bad) noexcept {
    attempt a;
    kdevx_qp_ring *ring = ours(qp)->ring;
    if (!ring) return refuse(a.invalid("ring"), wr, bad);
    while (wr) {
        sends s;
        fill(s, wr, qp->qp_type);
        const kdevx_send_wr *refused = s.own;
        if (s.count)
            if (int err = a.ended(kdevx_post_send(ring, s.own, &refused, a)))
                return refuse(err, after(wr, refused - s.own), bad);
        wr = after(wr, s.count);
        if (s.err) return refuse(a.refused(s.err, KDEVX_CAUSE_INVALID, "request"), wr, bad);
    }
    return 0;
}

} // namespace kdevx::verbs
