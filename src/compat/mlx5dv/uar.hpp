// SPDX-License-Identifier: MIT
// Pages of the device that were given out and not freed yet.
#pragma once

#include "compat/mlx5dv/api.hpp"

namespace kdevx::mlx5dv {

// Unmaps what the context still has: a mapping would keep the uverbs file, with all that is in it.
void drop_pages(const ibv_context *context) noexcept;

} // namespace kdevx::mlx5dv
