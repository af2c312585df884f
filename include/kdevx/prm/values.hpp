// SPDX-License-Identifier: MIT
// The numbers that PRM fields hold, in the same notation as the layouts: one row, one number. The
// names are the kernel's without the prefix that the table states, so that tests/abi can compare:
//
//     inline constexpr values qpc_states{"MLX5_QPC_STATE_", {{"RST", 0}, {"INIT", 1}}};
//     value_of<qpc_states, "RTR">     does not compile: no such name
//     qpc_states.name_of(1)           "INIT"; empty when the number has no name
#pragma once

#include "kdevx/prm/layout.hpp"

namespace kdevx::prm {

struct value {
    std::string_view name{};
    std::uint32_t number = 0;
    std::string_view text{}; // what it means, where the name does not say it
};

struct values_base {
    std::string_view prefix;
    std::span<const value> rows;

    constexpr std::size_t index_of(std::string_view name) const {
        std::size_t i = 0;
        while (i < rows.size() && rows[i].name != name)
            ++i;
        return i;
    }
    constexpr const value *find(std::string_view name) const {
        std::size_t i = index_of(name);
        return i < rows.size() ? &rows[i] : nullptr;
    }
    constexpr const value *find(std::uint32_t number) const {
        for (const value &v : rows)
            if (v.number == number) return &v;
        return nullptr;
    }
    constexpr std::string_view name_of(std::uint32_t number) const {
        const value *v = find(number);
        return v ? v->name : std::string_view{};
    }
};

namespace error {
inline void this_table_has_no_such_value() {}
} // namespace error

template <std::size_t N>
struct values : values_base {
    std::array<value, N> table{};

    consteval values(std::string_view p, const value (&v)[N]) : values_base{p, {}} {
        for (std::size_t i = 0; i < N; ++i)
            table[i] = v[i];
        rows = table;
    }
    values(const values &) = delete; // `rows` points into this object
};
template <std::size_t N>
values(std::string_view, const value (&)[N]) -> values<N>;

template <const auto &Table, fixed_string Name>
consteval std::uint32_t number_in() {
    std::size_t i = Table.index_of(Name.view());
    if (i == Table.rows.size()) error::this_table_has_no_such_value();
    return Table.rows[i].number;
}
template <const auto &Table, fixed_string Name>
inline constexpr std::uint32_t value_of = number_in<Table, Name>();

// One of the layouts that a number chooses between: a capability page by its type, a register by
// its id, event data by the event type.
struct variant {
    std::uint32_t number;
    const layout_base *of;
};
constexpr const layout_base *variant_of(std::span<const variant> all, std::uint32_t number) {
    for (const variant &v : all)
        if (v.number == number) return v.of;
    return nullptr;
}

} // namespace kdevx::prm
