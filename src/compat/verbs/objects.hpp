// SPDX-License-Identifier: MIT
// The objects: what the user holds, and what of kdevx.h is behind it.
#pragma once

#include <atomic>
#include <type_traits>

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

struct xrcd {
    ibv_xrcd shown;
    kdevx_xrcd *own;
};

struct mr {
    ibv_mr shown;
    kdevx_mr *own;
};

struct dm {
    ibv_dm shown;
    kdevx_dm *own;
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
    std::uint32_t user_index; // XRC
    std::uint32_t events_taken;
};

struct qp {
    ibv_qp shown;
    kdevx_qp *own;
    kdevx_qp_ring *ring, *recv_ring; // NULL: nothing can be posted there. Mostly they are one
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

std::type_identity<device> part_of(const ibv_device *);
std::type_identity<context> part_of(const ibv_context *);
std::type_identity<pd> part_of(const ibv_pd *);
std::type_identity<xrcd> part_of(const ibv_xrcd *);
std::type_identity<mr> part_of(const ibv_mr *);
std::type_identity<dm> part_of(const ibv_dm *);
std::type_identity<ah> part_of(const ibv_ah *);
std::type_identity<channel> part_of(const ibv_comp_channel *);
std::type_identity<cq> part_of(const ibv_cq *);
std::type_identity<srq> part_of(const ibv_srq *);
std::type_identity<qp> part_of(const ibv_qp *);
std::type_identity<wq> part_of(const ibv_wq *);
std::type_identity<ind_table> part_of(const ibv_rwq_ind_table *);

template <class Shown>
auto *ours(Shown *shown) noexcept {
    using whole = typename decltype(part_of(shown))::type;
    return shown ? mlx5dv::whole<whole>(shown) : nullptr;
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
