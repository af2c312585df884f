// SPDX-License-Identifier: MIT
// What an outbox that came asynchronously says.
#pragma once

#include <cstdint>
#include <span>

#include <kdevx/object.h>

namespace kdevx::core {

// The kernel hides whether the command was executed at all: if it was not, the outbox is all zero.
// By the field of this opcode's answer that cannot be zero, if it has one, that is seen.
kdevx_verdict judge(std::uint16_t opcode, std::span<const std::byte> outbox) noexcept;

} // namespace kdevx::core
