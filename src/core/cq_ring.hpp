// SPDX-License-Identifier: MIT
// How rings of QPs and SRQs come to be known to the CQ ring that they complete to.
#pragma once

#include "core/ring.hpp"

namespace kdevx::core {

// What a CQE with a number belongs to.
struct completes {
    std::uint32_t number;
    qp_ring_data *qp = nullptr;
    srq_ring_data *srq = nullptr;
};

// -ENOMEM LIMIT; INVALID BAD_NUMBER
result<void> attach(slot &cq, const completes &what) noexcept;
// Nothing happens if either is not there any more.
void detach(slot *cq, const completes &what) noexcept;

} // namespace kdevx::core
