// SPDX-License-Identifier: MIT
#include "core/wq.hpp"

#include <cstddef>

#include "capi/verbs_devx.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_wq_create(kdevx_pd *pd, const kdevx_wq_options *options, kdevx_wq **wq,
                    kdevx_failure *why) noexcept {
    return make_with<core::pd>(pd, wq, "wq", why,
                               [=](auto &domain) { return core::create_wq(domain, options); });
}

int kdevx_wq_destroy(kdevx_wq *wq, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::wq>(wq), why);
}

int kdevx_wq_get_info(const kdevx_wq *wq, kdevx_wq_info *info, kdevx_failure *why) noexcept {
    return answer<core::wq>(
        wq, info, offsetof(kdevx_wq_info, rqn), "info", why, [](auto &q) -> result<kdevx_wq_info> {
            return kdevx_wq_info{sizeof(kdevx_wq_info), q.handle(),   q->rqn,
                                 q->wqe_count,          q->wqe_shift, q->memory.describe()};
        });
}

int kdevx_wq_modify(kdevx_wq *wq, const kdevx_wq_attr *attr, std::uint32_t attr_mask,
                    kdevx_failure *why) noexcept {
    if (!attr) return kdevx::deliver(invalid("attr"), why);
    return with<core::wq>(wq, why, [=](auto &q) { return core::modify_wq(q, *attr, attr_mask); });
}

int kdevx_wq_devx_query(kdevx_wq *wq, const void *in, std::size_t in_size, void *out,
                        std::size_t out_size, kdevx_failure *why) noexcept {
    return devx_query<core::wq>(wq, bytes(in, in_size), bytes(out, out_size), why);
}

int kdevx_wq_devx_modify(kdevx_wq *wq, const void *in, std::size_t in_size, void *out,
                         std::size_t out_size, kdevx_failure *why) noexcept {
    return devx_modify<core::wq>(wq, bytes(in, in_size), bytes(out, out_size), why);
}

int kdevx_ind_table_create(kdevx_context *context, std::uint32_t log_size, kdevx_wq *const *wqs,
                           kdevx_ind_table **table, kdevx_failure *why) noexcept {
    return make_in(context, table, "table", why,
                   [=](core::context &c) { return core::create_ind_table(c, log_size, wqs); });
}

int kdevx_ind_table_destroy(kdevx_ind_table *table, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::ind_table>(table), why);
}

int kdevx_ind_table_get_info(const kdevx_ind_table *table, kdevx_ind_table_info *info,
                             kdevx_failure *why) noexcept {
    return answer<core::ind_table>(table, info, offsetof(kdevx_ind_table_info, rqtn), "info", why,
                                   [](auto &t) -> result<kdevx_ind_table_info> {
                                       return kdevx_ind_table_info{sizeof(kdevx_ind_table_info),
                                                                   t.handle(), t->rqtn, t->log_size,
                                                                   0};
                                   });
}

int kdevx_ind_table_devx_query(kdevx_ind_table *table, const void *in, std::size_t in_size,
                               void *out, std::size_t out_size, kdevx_failure *why) noexcept {
    return devx_query<core::ind_table>(table, bytes(in, in_size), bytes(out, out_size), why);
}

int kdevx_ind_table_devx_modify(kdevx_ind_table *table, const void *in, std::size_t in_size,
                                void *out, std::size_t out_size, kdevx_failure *why) noexcept {
    return devx_modify<core::ind_table>(table, bytes(in, in_size), bytes(out, out_size), why);
}
