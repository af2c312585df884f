// SPDX-License-Identifier: MIT
#include "core/srq.hpp"

#include <cstddef>

#include "capi/verbs_devx.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_srq_create(kdevx_pd *pd, const kdevx_srq_options *options, kdevx_srq **srq,
                     kdevx_failure *why) noexcept {
    return make_with<core::pd>(pd, srq, "srq", why,
                               [=](auto &domain) { return core::create_srq(domain, options); });
}

int kdevx_srq_destroy(kdevx_srq *srq, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::srq>(srq), why);
}

int kdevx_srq_get_info(const kdevx_srq *srq, kdevx_srq_info *info, kdevx_failure *why) noexcept {
    return answer<core::srq>(
        srq, info, offsetof(kdevx_srq_info, srqn), "info", why,
        [](auto &q) -> result<kdevx_srq_info> {
            return kdevx_srq_info{
                sizeof(kdevx_srq_info), q.handle(),   q->srqn,    q->type,
                q->wqe_count,           q->wqe_shift, q->max_sge, q->memory.describe()};
        });
}

int kdevx_srq_set_limit(kdevx_srq *srq, std::uint32_t limit, kdevx_failure *why) noexcept {
    return with<core::srq>(srq, why, [=](auto &q) { return core::set_limit(q, limit); });
}

int kdevx_srq_query(kdevx_srq *srq, kdevx_srq_attr *attr, kdevx_failure *why) noexcept {
    return make_with<core::srq>(srq, attr, "attr", why, [](auto &q) { return core::query_srq(q); });
}

int kdevx_srq_devx_query(kdevx_srq *srq, const void *in, std::size_t in_size, void *out,
                         std::size_t out_size, kdevx_failure *why) noexcept {
    return devx_query<core::srq>(srq, bytes(in, in_size), bytes(out, out_size), why);
}

int kdevx_srq_devx_modify(kdevx_srq *srq, const void *in, std::size_t in_size, void *out,
                          std::size_t out_size, kdevx_failure *why) noexcept {
    return devx_modify<core::srq>(srq, bytes(in, in_size), bytes(out, out_size), why);
}
