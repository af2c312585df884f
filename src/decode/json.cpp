// SPDX-License-Identifier: MIT
#include "decode/json.hpp"

#include "decode/text.hpp"

#include <algorithm>

namespace kdevx::decode {

using nlohmann::ordered_json;

namespace {

ordered_json members(const item &g) {
    ordered_json o = ordered_json::object();
    for (const item &i : g.items) {
        if (i.kind == item_kind::unknown)
            o["UNKNOWN"].push_back({{"offset", i.offset}, {"bits", i.number}});
        else if (i.kind == item_kind::note)
            o["notes"].push_back(i.label);
        else
            o[std::string(i.name)] = to_json(i);
    }
    return o;
}

std::string digits(const item &i) {
    std::string text = bytes_text(i.raw);
    std::erase(text, ' ');
    return text;
}

} // namespace

ordered_json to_json(const item &i) {
    switch (i.kind) {
    case item_kind::number:
        if (i.label.empty()) return i.number;
        return {{"value", i.number}, {"name", i.label}};
    case item_kind::bytes:
        return digits(i);
    case item_kind::group:
        return members(i);
    case item_kind::list:
        break;
    case item_kind::unknown:
    case item_kind::note:
        return i.label;
    }
    ordered_json list = ordered_json::array();
    for (const item &e : i.items)
        list.push_back(to_json(e));
    return list;
}

} // namespace kdevx::decode
