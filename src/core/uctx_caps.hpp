// SPDX-License-Identifier: MIT
// Which rights the firmware offers to user contexts at all.
#pragma once

#include "core/context.hpp"

namespace kdevx::core {

// hca_cap.uctx_cap, as bits of kdevx_uctx_cap.
result<std::uint32_t> query_uctx_caps(context &c) noexcept;

} // namespace kdevx::core
