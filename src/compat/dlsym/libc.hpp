// SPDX-License-Identifier: MIT
// libc's own functions of names that are defined here: found without the functions that would find
// these.
#pragma once

namespace kdevx::dlsym {

// The default version of a function in libc, or NULL.
void *in_libc(const char *function) noexcept;

} // namespace kdevx::dlsym
