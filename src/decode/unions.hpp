// SPDX-License-Identifier: MIT
// Rows whose bytes mean one thing or another: which layout holds there.
#pragma once

#include "kdevx/prm/layout.hpp"

#include <optional>

namespace kdevx::decode {

// What chooses, where it does not stand in the union itself. The command decoder fills it in from
// the inbox; without it the bytes of the union stay bytes.
struct selectors {
    std::optional<std::uint32_t> cap_page;     // of `capability`
    std::optional<std::uint32_t> register_id;  // of `register_data`
    std::optional<std::uint32_t> event_type;   // of `event_data`
    std::optional<std::uint32_t> object_type;  // of what follows a general object's header
    std::optional<std::uint32_t> destinations; // how many of a flow entry's list are not counters
    bool extended_destination = false;         // ... and whether each takes 16 bytes, not 8
};

// The layout of one element of the union in row `f` of `in`, or null where `f` is no union or
// nothing chooses.
const prm::layout_base *union_member(const prm::layout_base &in, const prm::field &f,
                                     std::span<const std::byte> element, std::uint32_t index,
                                     const selectors &choice);
// A trailing union that is a list of elements, not one that takes all there is.
bool union_repeats(const prm::field &f);
// How far it is from one element of such a list to the next.
std::uint32_t union_stride(const prm::field &f, const prm::layout_base &member,
                           const selectors &choice);
// What follows a layout that is only a header, or null.
const prm::layout_base *body_of(const prm::layout_base &header, const selectors &choice);

} // namespace kdevx::decode
