// SPDX-License-Identifier: MIT
// Pages of this machine's processor, in which memory is mapped.
#pragma once

#include <cstddef>

#include <unistd.h>

namespace kdevx {

inline std::size_t cpu_page() noexcept {
    return std::size_t(::sysconf(_SC_PAGESIZE));
}
inline std::size_t whole_pages(std::size_t size) noexcept {
    return (size + cpu_page() - 1) & ~(cpu_page() - 1);
}

} // namespace kdevx
