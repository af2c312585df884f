// SPDX-License-Identifier: MIT
// Which methods and attributes the kernel has, found out without an effect.
#pragma once

#include "core/context.hpp"

namespace kdevx::core {

result<bool> probe_method(context &c, std::uint16_t object, std::uint16_t method) noexcept;
result<bool> probe_attr(context &c, std::uint16_t object, std::uint16_t method,
                        std::uint16_t attr) noexcept;

} // namespace kdevx::core
