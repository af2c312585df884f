// SPDX-License-Identifier: MIT
// Small payloads that the device put into the CQE instead of the posted buffers.
#pragma once

#include "wq/cursor.hpp"
#include "wq/error.hpp"

#include <cstdint>

namespace kdevx::wq {

// Copies them from a CQE (its last 64 bytes) whose format is not NO_INLINE to where `count` data
// segments of the WQE point. The segments' addresses must be this process's own.
error scatter_inline(const std::byte *cqe, std::uint32_t cqe_size, cursor segments,
                     std::uint32_t count) noexcept;

} // namespace kdevx::wq
