// SPDX-License-Identifier: MIT
// A table made at compile time of what is wanted of the registry of commands (prm/commands.hpp):
// the library carries nothing else of it.
#pragma once

#include <array>
#include <cstddef>

#include <kdevx/prm/commands.hpp>

namespace kdevx::core {

template <class Row, bool (*Wanted)(const prm::command &), Row (*Make)(const prm::command &)>
consteval auto rows_of_registry() {
    constexpr std::size_t count = [] {
        std::size_t n = 0;
        for (const prm::command &c : prm::commands)
            n += Wanted(c);
        return n;
    }();
    std::array<Row, count> rows{};
    std::size_t n = 0;
    for (const prm::command &c : prm::commands)
        if (Wanted(c)) rows[n++] = Make(c);
    return rows;
}

} // namespace kdevx::core
