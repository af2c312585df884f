// SPDX-License-Identifier: MIT
// Completion queues of the verbs kind.
#pragma once

#include <atomic>

#include <kdevx/cq.h>

#include "core/async_fd.hpp"
#include "core/comp_channel.hpp"
#include "core/queue_memory.hpp"

namespace kdevx::core {

struct cq {
    using handle_type = kdevx_cq;
    static const core::noun noun;

    std::uint32_t cqn, cqe, cqe_size;
    queue_memory memory;
    slot *channel;
    std::atomic<std::uint32_t> rings; // of it that live
    // Under the context's task_lock, which also keeps what a resize exchanges: cqe and the buffer.
    bool resizing;
};

result<kdevx_cq *> create_cq(context &c, const kdevx_cq_options *given) noexcept;
kdevx_cq_info describe(const pin<cq> &q) noexcept;
// In cq_resize.cpp.
result<void> resize(const pin<cq> &q, const kdevx_cq_resize_options *given) noexcept;
result<void> moderate(const pin<cq> &q, std::uint16_t count, std::uint16_t period) noexcept;

} // namespace kdevx::core
