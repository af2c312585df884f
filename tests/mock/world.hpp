// SPDX-License-Identifier: MIT
// One object of every kind, in a context of a kernel of its own.
#pragma once

#include <tuple>
#include <utility>

#include "verbs.hpp"

namespace mock {

// How each kind ends. The order is the one in which they are made: later ones use earlier ones.
#define KDEVX_KINDS(KIND)                                                                          \
    KIND(pd, pd_dealloc)                                                                           \
    KIND(object, object_destroy)                                                                   \
    KIND(umem, umem_dereg)                                                                         \
    KIND(uar, uar_free)                                                                            \
    KIND(cmd_comp, cmd_comp_destroy)                                                               \
    KIND(event_channel, event_channel_destroy)                                                     \
    KIND(async_fd, async_fd_destroy)                                                               \
    KIND(comp_channel, comp_channel_destroy)                                                       \
    KIND(xrcd, xrcd_close)                                                                         \
    KIND(var, var_free)                                                                            \
    KIND(pp, pp_free)                                                                              \
    KIND(clock, clock_close)                                                                       \
    KIND(dm, dm_free)                                                                              \
    KIND(mr, mr_dereg)                                                                             \
    KIND(ah, ah_destroy)                                                                           \
    KIND(cq, cq_destroy)                                                                           \
    KIND(srq, srq_destroy)                                                                         \
    KIND(qp, qp_destroy)                                                                           \
    KIND(wq, wq_destroy)                                                                           \
    KIND(ind_table, ind_table_destroy)                                                             \
    KIND(cq_ring, cq_ring_destroy)                                                                 \
    KIND(srq_ring, srq_ring_destroy)                                                               \
    KIND(qp_ring, qp_ring_destroy)                                                                 \
    KIND(flow_matcher, flow_matcher_destroy)                                                       \
    KIND(flow_action, flow_action_destroy)                                                         \
    KIND(flow, flow_destroy)                                                                       \
    KIND(steering_anchor, steering_anchor_destroy)

#define KIND(noun, end_of_it)                                                                      \
    inline int end(kdevx_##noun *p, kdevx_failure *why) {                                          \
        return kdevx_##end_of_it(p, why);                                                          \
    }
KDEVX_KINDS(KIND)
#undef KIND

template <class T>
concept ending = requires(T *p) {
    end(p, nullptr);
};

struct world {
    kernel k;
    kernel spare; // with nothing on it: for contexts that are opened
    kdevx_context *context = nullptr;
    kdevx_failure why{};
#define KIND(noun, end_of_it) kdevx_##noun *noun = nullptr;
    KDEVX_KINDS(KIND)
#undef KIND

    world();
    ~world();
    world(const world &) = delete;

#define KIND(noun, end_of_it)                                                                      \
    kdevx_##noun *get(std::type_identity<kdevx_##noun>) {                                          \
        return noun;                                                                               \
    }
    KDEVX_KINDS(KIND)
#undef KIND
    kdevx_context *get(std::type_identity<kdevx_context>) {
        return context;
    }

    // Ends this one, and all that were made after it: copies of the pointers dangle.
    void end_from(const void *first);
    // Somebody else has ended this one (or the context).
    void gone(const void *ended);
    void close() {
        if (context) kdevx_context_close(std::exchange(context, nullptr));
    }

private:
    void make_memory();
    void make_queues();
    void make_rings();
    void make_steering();
};

} // namespace mock
