// SPDX-License-Identifier: MIT
// A number of the device contract with its PRM name and what it means; tables of them are what
// decoders, error texts and --help print from.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace kdevx::prm {

struct named_code {
    std::uint32_t value;
    std::string_view name;
    std::string_view text{};
};

// Null when the table does not know the value: say "unknown" and the number, never a neighbour.
constexpr const named_code *find_code(std::span<const named_code> table, std::uint32_t value) {
    for (const named_code &c : table)
        if (c.value == value) return &c;
    return nullptr;
}

} // namespace kdevx::prm
