// SPDX-License-Identifier: MIT
// What decoding gives: a tree of named items that text and JSON are printed from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kdevx::decode {

enum class item_kind {
    number,  // `number`, `bits` wide; `label` where the number has a name
    bytes,   // `raw`, in memory order
    group,   // a layout; `items`
    list,    // an array; `items` are its elements, without names
    unknown, // bits that are set where no row of the layout is: dword `number` at byte `offset`
    note,    // something about the bytes as a whole, in `label`
};

struct item {
    std::string_view name{};
    item_kind kind = item_kind::number;
    std::uint32_t offset = 0; // byte offset from the start of what was decoded
    std::uint64_t number = 0;
    unsigned bits = 0;
    bool always = false; // shown even when it is zero: zero says something
    std::string label{};
    std::vector<std::byte> raw{};
    std::vector<item> items{};

    // Nothing in it is set: left out of text unless one asks for everything.
    bool is_zero() const;
    const item *find(std::string_view name) const;
    // "qpc.state"
    const item *find_path(std::string_view path) const;
};

inline item group(std::string_view name, std::uint32_t offset = 0) {
    item i;
    i.name = name;
    i.kind = item_kind::group;
    i.offset = offset;
    return i;
}
inline item note(std::string text) {
    item i;
    i.name = "note";
    i.kind = item_kind::note;
    i.label = std::move(text);
    return i;
}

} // namespace kdevx::decode
