// SPDX-License-Identifier: MIT
#include "flat.hpp"
#include "numbers.hpp"

#include <fmt/format.h>

namespace kdevx::tool {
namespace {

using visitor = std::function<void(const std::string &, const decode::item &)>;

void walk(const decode::item &i, const std::string &path, const visitor &f) {
    std::string prefix = path.empty() ? "" : path + ".";
    std::size_t n = 0;
    switch (i.kind) {
    case decode::item_kind::group:
        for (const decode::item &member : i.items) {
            if (member.kind == decode::item_kind::note) continue;
            std::string name = member.kind == decode::item_kind::unknown
                                   ? fmt::format("UNKNOWN@{:#x}", member.offset)
                                   : std::string(member.name);
            walk(member, prefix + name, f);
        }
        break;
    case decode::item_kind::list:
        for (const decode::item &element : i.items)
            walk(element, fmt::format("{}[{}]", path, n++), f);
        break;
    default:
        f(path, i);
    }
}

} // namespace

void each_field(const decode::item &tree, const visitor &f) {
    walk(tree, "", f);
}

std::string value_text(const decode::item &i) {
    if (i.kind == decode::item_kind::bytes) return to_hex(i.raw);
    bool wide = i.bits > 16 || i.kind == decode::item_kind::unknown;
    std::string number = wide ? fmt::format("{:#x}", i.number) : std::to_string(i.number);
    return i.label.empty() ? number : number + " " + i.label;
}

} // namespace kdevx::tool
