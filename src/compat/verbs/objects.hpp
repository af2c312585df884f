// SPDX-License-Identifier: MIT
// The objects: what the user holds, and what of kdevx.h is behind it.
#pragma once

#include <atomic>

#include <kdevx/kdevx.h>

#include "base/memory.hpp"
#include "compat/mlx5dv/layout.hpp"
#include "compat/verbs/attempt.hpp"
#include "uverbs/sys.hpp"

namespace kdevx::verbs {

// Known by the address that is in _ops.
struct device {
    ibv_device shown;
    char node[64];
    std::atomic<unsigned> users;
};

struct context {
    ibv_context shown;
    kdevx_context *own;
    kdevx_async_fd *async;
};

struct pd {
    ibv_pd shown;
    kdevx_pd *own;
};

struct mr {
    ibv_mr shown;
    kdevx_mr *own;
};

struct ah {
    ibv_ah shown;
    kdevx_ah *own;
    kdevx_av av;
};

struct channel {
    ibv_comp_channel shown;
    kdevx_comp_channel *own;
};

// How many events were taken that the user has still to acknowledge: counted under the mutex of
// what is shown, and against the counter there.
struct cq {
    ibv_cq shown;
    kdevx_cq *own;
    kdevx_cq_ring *ring;
    std::uint32_t comp_events_taken, async_events_taken;
};

struct srq {
    ibv_srq shown;
    kdevx_srq *own;
    kdevx_srq_ring *ring;
    std::uint32_t events_taken;
};

struct qp {
    ibv_qp shown;
    kdevx_qp *own;
    kdevx_qp_ring *ring; // NULL: nothing can be posted
    ibv_qp_cap cap;
    int sq_sig_all;
    std::uint32_t events_taken;
};

struct wq {
    ibv_wq shown;
    kdevx_wq *own;
    kdevx_qp_ring *ring;
    std::uint32_t events_taken;
};

struct ind_table {
    ibv_rwq_ind_table shown;
    kdevx_ind_table *own;
};

// ---- from what the user holds to all of it -----------------------------------------------------

template <class Whole, class Shown>
Whole *whole_or_null(Shown *shown) noexcept {
    return shown ? mlx5dv::whole<Whole>(shown) : nullptr;
}
inline device *ours(ibv_device *d) noexcept {
    return mlx5dv::whole<device>(d);
}
inline context *ours(ibv_context *c) noexcept {
    return mlx5dv::whole<context>(c);
}
inline pd *ours(ibv_pd *p) noexcept {
    return mlx5dv::whole<pd>(p);
}
inline mr *ours(ibv_mr *m) noexcept {
    return mlx5dv::whole<mr>(m);
}
inline ah *ours(ibv_ah *a) noexcept {
    return whole_or_null<ah>(a);
}
inline channel *ours(ibv_comp_channel *c) noexcept {
    return whole_or_null<channel>(c);
}
inline cq *ours(ibv_cq *q) noexcept {
    return whole_or_null<cq>(q);
}
inline srq *ours(ibv_srq *q) noexcept {
    return whole_or_null<srq>(q);
}
inline qp *ours(ibv_qp *q) noexcept {
    return whole_or_null<qp>(q);
}
inline wq *ours(ibv_wq *q) noexcept {
    return whole_or_null<wq>(q);
}
inline ind_table *ours(ibv_rwq_ind_table *t) noexcept {
    return whole_or_null<ind_table>(t);
}

// ------------------------------------------------------------------------------------------------

inline uverbs::sys system() noexcept {
    return *uverbs::sys::make(nullptr);
}
template <class T>
owned<T> make() noexcept {
    return make_owned<T>(system().memory());
}
template <class T>
void end(T *p) noexcept {
    owned<T> mine(p, system().memory());
}

template <class Info>
Info sized() noexcept {
    Info i{};
    i.size = sizeof i;
    return i;
}
// What an object of ours tells about itself: it cannot fail.
template <class Info, class Own>
Info info_of(const Own *own, int (*get)(const Own *, Info *, kdevx_failure *) noexcept) noexcept {
    Info i = sized<Info>();
    get(own, &i, nullptr);
    return i;
}

} // namespace kdevx::verbs
