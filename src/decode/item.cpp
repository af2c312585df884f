// SPDX-License-Identifier: MIT
#include "decode/item.hpp"

#include <algorithm>

namespace kdevx::decode {

bool item::is_zero() const {
    switch (kind) {
    case item_kind::number:
        return number == 0;
    case item_kind::bytes:
        return std::ranges::all_of(raw, [](std::byte b) { return b == std::byte{}; });
    case item_kind::group:
    case item_kind::list:
        return std::ranges::all_of(items, &item::is_zero);
    case item_kind::unknown:
    case item_kind::note:
        break;
    }
    return false;
}

const item *item::find(std::string_view wanted) const {
    auto it = std::ranges::find(items, wanted, &item::name);
    return it == items.end() ? nullptr : &*it;
}

const item *item::find_path(std::string_view path) const {
    std::size_t dot = path.find('.');
    const item *first = find(path.substr(0, dot));
    if (!first || dot == std::string_view::npos) return first;
    return first->find_path(path.substr(dot + 1));
}

} // namespace kdevx::decode
