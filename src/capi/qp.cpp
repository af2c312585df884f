// SPDX-License-Identifier: MIT
#include "core/qp.hpp"

#include <cstddef>

#include "capi/verbs_devx.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_qp_create(kdevx_pd *pd, const kdevx_qp_options *options, kdevx_qp **qp,
                    kdevx_failure *why) noexcept {
    return make_with<core::pd>(pd, qp, "qp", why, [=](auto &domain) {
        return core::create_qp(domain.context(), &domain, options);
    });
}

int kdevx_qp_create_xrc_tgt(kdevx_context *context, const kdevx_qp_options *options, kdevx_qp **qp,
                            kdevx_failure *why) noexcept {
    return make_in(context, qp, "qp", why,
                   [=](core::context &c) { return core::create_qp(c, nullptr, options); });
}

int kdevx_qp_destroy(kdevx_qp *qp, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::qp>(qp), why);
}

int kdevx_qp_get_info(const kdevx_qp *qp, kdevx_qp_info *info, kdevx_failure *why) noexcept {
    return answer<core::qp>(qp, info, offsetof(kdevx_qp_info, type), "info", why,
                            [](auto &q) -> result<kdevx_qp_info> { return core::describe(q); });
}

int kdevx_qp_modify(kdevx_qp *qp, const kdevx_qp_attr *attr, std::uint32_t attr_mask,
                    kdevx_failure *why) noexcept {
    return with<core::qp>(qp, why, [=](auto &q) { return core::modify_qp(q, attr, attr_mask); });
}

int kdevx_qp_query(kdevx_qp *qp, std::uint32_t attr_mask, kdevx_qp_attr *attr,
                   kdevx_failure *why) noexcept {
    return answer<core::qp>(qp, attr, offsetof(kdevx_qp_attr, rq_psn), "attr", why,
                            [=](auto &q) { return core::query_qp(q, attr_mask); });
}

int kdevx_qp_devx_query(kdevx_qp *qp, const void *in, std::size_t in_size, void *out,
                        std::size_t out_size, kdevx_failure *why) noexcept {
    return with<core::qp>(qp, why, [=](auto &q) {
        return core::devx_query_qp(q, bytes(in, in_size), bytes(out, out_size));
    });
}

int kdevx_qp_devx_modify(kdevx_qp *qp, const void *in, std::size_t in_size, void *out,
                         std::size_t out_size, kdevx_failure *why) noexcept {
    return with<core::qp>(qp, why, [=](auto &q) {
        return core::devx_modify_qp(q, bytes(in, in_size), bytes(out, out_size));
    });
}
