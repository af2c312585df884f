// SPDX-License-Identifier: MIT
#include "core/cq.hpp"

#include <cstddef>

#include "capi/verbs_devx.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_cq_create(kdevx_context *context, const kdevx_cq_options *options, kdevx_cq **cq,
                    kdevx_failure *why) noexcept {
    return make_in(context, cq, "cq", why,
                   [=](core::context &c) { return core::create_cq(c, options); });
}

int kdevx_cq_destroy(kdevx_cq *cq, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::cq>(cq), why);
}

int kdevx_cq_get_info(const kdevx_cq *cq, kdevx_cq_info *info, kdevx_failure *why) noexcept {
    return answer<core::cq>(
        cq, info, offsetof(kdevx_cq_info, cqn), "info", why,
        [](auto &q) -> result<kdevx_cq_info> { return core::describe(q); });
}

int kdevx_cq_resize(kdevx_cq *cq, const kdevx_cq_resize_options *options,
                    kdevx_failure *why) noexcept {
    return with<core::cq>(cq, why, [=](auto &q) { return core::resize(q, options); });
}

int kdevx_cq_moderate(kdevx_cq *cq, std::uint16_t count, std::uint16_t period,
                      kdevx_failure *why) noexcept {
    return with<core::cq>(cq, why, [=](auto &q) { return core::moderate(q, count, period); });
}

int kdevx_cq_devx_query(kdevx_cq *cq, const void *in, std::size_t in_size, void *out,
                        std::size_t out_size, kdevx_failure *why) noexcept {
    return devx_query<core::cq>(cq, bytes(in, in_size), bytes(out, out_size), why);
}

int kdevx_cq_devx_modify(kdevx_cq *cq, const void *in, std::size_t in_size, void *out,
                         std::size_t out_size, kdevx_failure *why) noexcept {
    return devx_modify<core::cq>(cq, bytes(in, in_size), bytes(out, out_size), why);
}
