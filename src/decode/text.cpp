// SPDX-License-Identifier: MIT
#include "decode/text.hpp"

#include <algorithm>
#include <charconv>

namespace kdevx::decode {
namespace {

constexpr std::size_t bytes_per_line = 16;

std::string hex(std::uint64_t number, unsigned digits) {
    char b[16];
    auto [end, error] = std::to_chars(b, b + sizeof b, number, 16);
    std::string r(b, end);
    return r.size() < digits ? std::string(digits - r.size(), '0') + r : r;
}

class printer {
    zeros zeros_;
    std::string text_;

    void line(unsigned depth, std::string_view name, std::size_t column, std::string_view rest) {
        text_.append(depth * 2, ' ').append(name);
        if (!rest.empty()) {
            text_.append(column > name.size() ? column - name.size() : 0, ' ');
            text_.append("  ").append(rest);
        }
        text_ += '\n';
    }

    bool hidden(const item &i) const { return zeros_ == zeros::hide && !i.always && i.is_zero(); }

    static std::string element_name(const item &list, std::size_t n) {
        return std::string(list.name) + "[" + std::to_string(n) + "]";
    }

    std::size_t width_of(const item &i) const {
        if (i.kind != item_kind::list) return i.name.size();
        std::size_t widest = 0;
        for (std::size_t n = 0; n < i.items.size(); ++n)
            if (!hidden(i.items[n])) widest = std::max(widest, element_name(i, n).size());
        return widest;
    }
    // Groups do not count: nothing stands beside their names.
    std::size_t column_of(const std::vector<item> &items) const {
        std::size_t widest = 0;
        for (const item &i : items)
            if (!hidden(i) && i.kind != item_kind::group) widest = std::max(widest, width_of(i));
        return widest;
    }

    void raw(const item &i, std::string_view name, unsigned depth, std::size_t column) {
        std::span<const std::byte> all(i.raw);
        for (std::size_t at = 0; at < all.size(); at += bytes_per_line) {
            auto part = all.subspan(at, std::min(bytes_per_line, all.size() - at));
            line(depth, at ? std::string_view() : name, column, bytes_text(part));
        }
    }

    void elements(const item &list, unsigned depth, std::size_t column) {
        for (std::size_t n = 0; n < list.items.size(); ++n)
            if (!hidden(list.items[n])) one(list.items[n], element_name(list, n), depth, column);
    }

    void one(const item &i, std::string_view name, unsigned depth, std::size_t column) {
        std::string label = i.label.empty() ? std::string() : " " + i.label;
        switch (i.kind) {
        case item_kind::number:
            line(depth, name, column, number_text(i.number) + label);
            break;
        case item_kind::bytes:
            raw(i, name, depth, column);
            break;
        case item_kind::list:
            elements(i, depth, column);
            break;
        case item_kind::note:
            line(depth, name, column, i.label);
            break;
        case item_kind::unknown:
            line(depth, name, column,
                 "bits 0x" + hex(i.number, 8) + " of the dword at 0x" + hex(i.offset, 2));
            break;
        case item_kind::group:
            line(depth, name, 0, label.empty() ? label : "(" + i.label + ")");
            members(i, depth + 1);
            break;
        }
    }

public:
    explicit printer(zeros z) : zeros_(z) {}

    void members(const item &g, unsigned depth) {
        std::size_t column = column_of(g.items);
        for (const item &i : g.items)
            if (!hidden(i)) one(i, i.name, depth, column);
    }
    std::string whole(const item &i) {
        one(i, i.name, 0, 0);
        return std::move(text_);
    }
};

} // namespace

std::string number_text(std::uint64_t number) {
    return number < 10 ? std::to_string(number) : "0x" + hex(number, 1);
}

std::string bytes_text(std::span<const std::byte> data) {
    std::string r;
    for (std::byte b : data)
        r += (r.empty() ? "" : " ") + hex(std::uint64_t(b), 2);
    return r;
}

std::string to_text(const item &i, zeros z) {
    return printer(z).whole(i);
}

} // namespace kdevx::decode
