// SPDX-License-Identifier: MIT
// Copies one field between two contexts of the same layout: a number, an array, bytes, or a nested
// layout with all that is in it.
#pragma once

#include "kdevx/prm/layout.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace kdevx::hca::firmware {

inline void copy_field(const prm::place &p, std::span<const std::byte> from,
                       std::span<std::byte> to) {
    if (p.row.is_bits()) {
        for (std::uint32_t i = 0; i < p.row.count; ++i)
            p.put(to, p.get(from, i), i);
        return;
    }
    const std::size_t end = p.row.offset + std::size_t(p.row.size) * p.row.count;
    if (end > from.size() || end > to.size()) return;
    std::copy(from.begin() + p.row.offset, from.begin() + std::ptrdiff_t(end),
              to.begin() + p.row.offset);
}

} // namespace kdevx::hca::firmware
