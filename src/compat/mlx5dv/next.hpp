// SPDX-License-Identifier: MIT
// The library behind this one: the next definition of a function that is defined here too.
#pragma once

namespace kdevx::mlx5dv {

// NULL if there is none in the process. Nothing is loaded to find it.
void *next(const char *function) noexcept;

template <class Function>
Function *next_as(const char *function) noexcept {
    return reinterpret_cast<Function *>(next(function));
}

} // namespace kdevx::mlx5dv
