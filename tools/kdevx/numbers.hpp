// SPDX-License-Identifier: MIT
// Numbers and bytes as people type them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kdevx::tool {

// "18", "0x12", "0b10010"; nothing else, and nothing behind it.
std::optional<std::uint64_t> parse_number(std::string_view text);

// "0a0b0c0d", "0a:0b", "0a 0b 0c", with or without 0x in front; empty optional: no such thing.
std::optional<std::vector<std::byte>> parse_hex(std::string_view text);

std::string to_hex(std::span<const std::byte> bytes);

// Sixteen bytes a line with their offset, as the kernel's own command dumps have it.
std::string hex_dump(std::span<const std::byte> bytes);

} // namespace kdevx::tool
