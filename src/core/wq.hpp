// SPDX-License-Identifier: MIT
// Receive work queues of the verbs kind, and tables of them.
#pragma once

#include <kdevx/wq.h>

#include "core/cq.hpp"
#include "core/pd.hpp"

namespace kdevx::core {

struct wq {
    using handle_type = kdevx_wq;
    static const core::noun noun;

    std::uint32_t rqn, wqe_count, wqe_shift;
    queue_memory memory;
    const slot *pd, *cq; // what it uses
};

struct ind_table {
    using handle_type = kdevx_ind_table;
    static const core::noun noun;

    std::uint32_t rqtn, log_size;
    const slot **wqs; // what it uses
};

result<kdevx_wq *> create_wq(const pin<pd> &domain, const kdevx_wq_options *given) noexcept;
result<void> modify_wq(const pin<wq> &q, const kdevx_wq_attr &attr, std::uint32_t mask) noexcept;

result<kdevx_ind_table *> create_ind_table(context &c, std::uint32_t log_size,
                                           kdevx_wq *const *wqs) noexcept;

} // namespace kdevx::core
