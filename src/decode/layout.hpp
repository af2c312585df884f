// SPDX-License-Identifier: MIT
// PRM bytes by a layout, walked at run time.
#pragma once

#include "decode/item.hpp"
#include "decode/unions.hpp"
#include "kdevx/prm/layout.hpp"

namespace kdevx::decode {

// All rows that the bytes reach, then UNKNOWN for each dword with a bit set that no row claims.
// Bytes behind the layout's end are looked at too; a layout that the bytes cut short gets a note.
item decode_layout(const prm::layout_base &layout, std::span<const std::byte> whole,
                   const selectors &choice = {});

} // namespace kdevx::decode
