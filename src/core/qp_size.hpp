// SPDX-License-Identifier: MIT
// How big the queues of a QP are, by the rules that the kernel checks: powers of two; the receive
// queue comes first in the buffer and the send queue follows it, except in a raw packet QP, which
// has two buffers; a send queue counts units of 64 bytes.
#pragma once

#include <kdevx/qp.h>

#include "base/failure.hpp"

namespace kdevx::core {

// What the device can do at most, from GET_CONTEXT.
struct qp_limits {
    std::uint32_t max_sq_desc_sz, max_rq_desc_sz; // bytes of a WQE
    std::uint32_t max_send_wqebb, max_recv_wr;    // 64-byte units, entries
};

struct qp_size {
    std::uint32_t sq_wqe_count = 0, rq_wqe_count = 0, rq_wqe_shift = 0;

    std::uint64_t rq_bytes() const { return std::uint64_t(rq_wqe_count) << rq_wqe_shift; }
    std::uint64_t sq_bytes() const { return std::uint64_t(sq_wqe_count) * 64; }
};

bool has_send_queue(const kdevx_qp_options &o) noexcept;
bool has_receive_queue(const kdevx_qp_options &o) noexcept;

result<qp_size> size_of(const kdevx_qp_options &o, const qp_limits &most) noexcept;

// The receive part alone, which WQs have as well.
struct receive_size {
    std::uint32_t count, shift;
};
// Entries of `sges` pieces of memory. Failures have the names of the options.
struct receive_wish {
    std::uint32_t wrs, sges;
    bool signature;
    const char *wrs_name, *sges_name;
};
result<receive_size> receive_size_of(const receive_wish &w, const qp_limits &most) noexcept;
// One that the caller has worked out.
result<receive_size> check(receive_size given) noexcept;

} // namespace kdevx::core
