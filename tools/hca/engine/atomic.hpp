// SPDX-License-Identifier: MIT
// The four atomic operations, on numbers.
#pragma once

#include "engine/packet.hpp"

#include <cstdint>
#include <span>

namespace kdevx::hca::engine {

// What an atomic (a WQE opcode, its operand segments, operands of `size` bytes) makes of `before`.
std::uint64_t apply_atomic(std::uint8_t opcode, unsigned size, const operands &arguments,
                           std::uint64_t before);

// An operand in memory, in the order of the host or in that of the network.
std::uint64_t load_operand(std::span<const std::byte> at, bool host_order);
void store_operand(std::span<std::byte> at, bool host_order, std::uint64_t value);

} // namespace kdevx::hca::engine
