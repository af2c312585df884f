// SPDX-License-Identifier: MIT
// Whole big-endian words from the rows of a prm table. A mailbox is written field by field, each
// reading its word first; on the hot path the fields of one word are composed here and stored once:
//
//     put<wqe_ctrl, "qpn_or_sqn", "ds">(segment, qpn, ds);
//     get<cqe64, "byte_cnt">(cqe)
//
// The fields of the word that are not named become 0, so that nothing of an older WQE survives.
// Values must fit their fields: who stores them made sure when the queue was set up.
#pragma once

#include "kdevx/prm/layout.hpp"

namespace kdevx::wq {

namespace detail {

template <const auto &L, prm::fixed_string First, prm::fixed_string... Rest>
consteval bool one_word() {
    constexpr prm::field first = prm::place_of<L, First>.row;
    return first.is_bits() && !first.is_array() &&
           (... && (prm::place_of<L, Rest>.row.is_bits() &&
                    prm::place_of<L, Rest>.row.offset == first.offset &&
                    prm::place_of<L, Rest>.row.word_bits() == first.word_bits()));
}

template <const auto &L, prm::fixed_string Name>
using word_of =
    std::conditional_t<(prm::place_of<L, Name>.row.hi > 31), std::uint64_t, std::uint32_t>;

} // namespace detail

template <const auto &L, prm::fixed_string First, prm::fixed_string... Rest, class V, class... Vs>
inline void put(std::byte *layout, V first, Vs... rest) noexcept {
    static_assert(sizeof...(Rest) == sizeof...(Vs), "as many values as fields");
    static_assert(detail::one_word<L, First, Rest...>(), "these fields do not share one word");
    using word = detail::word_of<L, First>;
    prm::store_be<word>(layout + prm::place_of<L, First>.row.offset,
                        word(word(first) << prm::place_of<L, First>.row.lo |
                             (word(0) | ... | (word(rest) << prm::place_of<L, Rest>.row.lo))));
}

template <const auto &L, prm::fixed_string Name>
inline detail::word_of<L, Name> get(const std::byte *layout) noexcept {
    constexpr prm::field row = prm::place_of<L, Name>.row;
    static_assert(row.is_bits() && !row.is_array(), "not a number");
    using word = detail::word_of<L, Name>;
    return word(prm::load_be<word>(layout + row.offset) >> row.lo & prm::width_mask(row.width()));
}

// Bytes that no row names.
template <std::size_t From, std::size_t Size>
inline void put_zero(std::byte *layout) noexcept {
    std::memset(layout + From, 0, Size);
}

} // namespace kdevx::wq
