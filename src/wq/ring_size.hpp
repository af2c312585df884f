// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace kdevx::wq {

// std::has_single_bit counts bits, for which compilers call a function of their own library.
constexpr bool power_of_two(std::size_t n) noexcept {
    return n != 0 && (n & (n - 1)) == 0;
}

} // namespace kdevx::wq
