// SPDX-License-Identifier: MIT
// Keys that are there without being made; the driver asks for them with QUERY_SPECIAL_CONTEXTS.
#pragma once

#include <cstdint>

namespace kdevx::hca::engine {

inline constexpr std::uint32_t null_index = 1, reserved_lkey_index = 2, dump_fill_index = 3,
                               terminate_scatter_list_index = 4, repeated_index = 5;
constexpr std::uint32_t reserved_key(std::uint32_t index) {
    return index << 8;
}

} // namespace kdevx::hca::engine
