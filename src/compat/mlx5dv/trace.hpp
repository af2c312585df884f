// SPDX-License-Identifier: MIT
// That a call came here: counted always, told on stderr if KDEVX_TRACE asks for it.
#pragma once

#include <cstddef>

namespace kdevx::mlx5dv {

// `function` is its place in the table of functions.
void count(std::size_t function) noexcept;
void tell(std::size_t function, const char *how, int err) noexcept;

} // namespace kdevx::mlx5dv
