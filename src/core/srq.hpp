// SPDX-License-Identifier: MIT
// Shared receive queues of the verbs kind.
#pragma once

#include <kdevx/srq.h>

#include "core/cq.hpp"
#include "core/pd.hpp"

namespace kdevx::core {

struct srq {
    using handle_type = kdevx_srq;
    static const core::noun noun;

    std::uint32_t srqn, wqe_count, max_sge;
    std::uint8_t wqe_shift, type;
    queue_memory memory;
    std::uint32_t user_index;
    const slot *pd, *cq, *xrcd;       // what it uses; the latter two may be null
    std::atomic<std::uint32_t> rings; // of it that live
};

result<kdevx_srq *> create_srq(const pin<pd> &domain, const kdevx_srq_options *given) noexcept;
result<void> set_limit(const pin<srq> &q, std::uint32_t limit) noexcept;
result<kdevx_srq_attr> query_srq(const pin<srq> &q) noexcept;

} // namespace kdevx::core
