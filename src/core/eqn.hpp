// SPDX-License-Identifier: MIT
// The event queue behind a completion vector.
#pragma once

#include "core/context.hpp"

namespace kdevx::core {

result<std::uint32_t> query_eqn(context &c, std::uint32_t vector) noexcept;

} // namespace kdevx::core
