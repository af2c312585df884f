// SPDX-License-Identifier: MIT
// Address vectors from addresses.
#pragma once

#include <kdevx/post.h>

#include "base/failure.hpp"

namespace kdevx::core {

// dmac NULL: InfiniBand.
result<kdevx_av> make_av(const kdevx_address &a, const std::uint8_t *dmac) noexcept;

} // namespace kdevx::core
