// SPDX-License-Identifier: MIT
#include "core/ring.hpp"

#include <cstddef>

#include "capi/calls.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_cq_ring_create(kdevx_cq *cq, kdevx_cq_ring **ring, kdevx_failure *why) noexcept {
    return make_with<core::cq>(cq, ring, "ring", why,
                               [](auto &q) { return core::create_cq_ring(q); });
}

int kdevx_cq_ring_create_devx(kdevx_context *context, const kdevx_cq_ring_options *options,
                              kdevx_cq_ring **ring, kdevx_failure *why) noexcept {
    return make_in(context, ring, "ring", why,
                   [=](core::context &c) { return core::create_cq_ring(c, options); });
}

int kdevx_cq_ring_destroy(kdevx_cq_ring *ring, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::cq_ring>(ring), why);
}

int kdevx_cq_ring_begin_resize(kdevx_cq_ring *ring, void *buffer, std::uint64_t buffer_size,
                               std::uint32_t cqe_size, kdevx_failure *why) noexcept {
    return with<core::cq_ring>(ring, why, [=](auto &r) {
        return core::begin_resize(r, bytes(buffer, std::size_t(buffer_size)), cqe_size);
    });
}

int kdevx_cq_ring_finish_resize(kdevx_cq_ring *ring, kdevx_failure *why) noexcept {
    return with<core::cq_ring>(ring, why, [](auto &r) { return core::finish_resize(r); });
}

int kdevx_cq_ring_abort_resize(kdevx_cq_ring *ring, kdevx_failure *why) noexcept {
    return with<core::cq_ring>(ring, why, [](auto &r) {
        core::abort_resize(r);
        return result<void>();
    });
}

int kdevx_srq_ring_create(kdevx_srq *srq, kdevx_cq_ring *cq, kdevx_srq_ring **ring,
                          kdevx_failure *why) noexcept {
    return make_with<core::srq>(srq, ring, "ring", why,
                                [=](auto &q) { return core::create_srq_ring(q, cq); });
}

int kdevx_srq_ring_create_devx(kdevx_context *context, const kdevx_srq_ring_options *options,
                               kdevx_srq_ring **ring, kdevx_failure *why) noexcept {
    return make_in(context, ring, "ring", why,
                   [=](core::context &c) { return core::create_srq_ring(c, options); });
}

int kdevx_srq_ring_destroy(kdevx_srq_ring *ring, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::srq_ring>(ring), why);
}

int kdevx_qp_ring_create(kdevx_qp *qp, const kdevx_qp_ring_options *options, kdevx_qp_ring **ring,
                         kdevx_failure *why) noexcept {
    return make_with<core::qp>(qp, ring, "ring", why,
                               [=](auto &q) { return core::create_qp_ring(q, options); });
}

int kdevx_qp_ring_create_devx(kdevx_context *context, const kdevx_qp_ring_options *options,
                              kdevx_qp_ring **ring, kdevx_failure *why) noexcept {
    return make_in(context, ring, "ring", why,
                   [=](core::context &c) { return core::create_qp_ring(c, options); });
}

int kdevx_qp_ring_destroy(kdevx_qp_ring *ring, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::qp_ring>(ring), why);
}

int kdevx_qp_ring_set_state(kdevx_qp_ring *ring, std::uint32_t state, kdevx_failure *why) noexcept {
    return with<core::qp_ring>(ring, why, [=](auto &r) { return core::set_state(r, state); });
}

int kdevx_qp_ring_get_info(const kdevx_qp_ring *ring, kdevx_qp_ring_info *info,
                           kdevx_failure *why) noexcept {
    return answer<core::qp_ring>(
        ring, info, offsetof(kdevx_qp_ring_info, sq_wqebbs), "info", why,
        [](auto &r) -> result<kdevx_qp_ring_info> { return core::describe(r); });
}
