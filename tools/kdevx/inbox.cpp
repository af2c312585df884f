// SPDX-License-Identifier: MIT
#include "inbox.hpp"
#include "numbers.hpp"
#include "similar.hpp"
#include "trouble.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace kdevx::tool {
namespace {

constexpr std::size_t largest_mailbox = 65535; // what the length of a kernel attribute holds

// One step of a path: "vport[3]" is the name "vport" and the index 3.
struct step {
    std::string_view name;
    std::uint32_t index = 0;
};

step parse_step(std::string_view text, std::string_view path) {
    std::size_t bracket = text.find('[');
    if (bracket == std::string_view::npos) return {text};
    std::string_view inside = text.substr(bracket + 1);
    auto index =
        inside.ends_with(']') ? parse_number(inside.substr(0, inside.size() - 1)) : std::nullopt;
    if (!index || *index > largest_mailbox)
        throw usage(fmt::format("{}: [..] must hold the number of an array element", path));
    return {text.substr(0, bracket), std::uint32_t(*index)};
}

trouble no_such_field(const prm::layout_base &in, std::string_view name) {
    std::vector<std::string_view> names;
    for (const prm::field &f : in.rows)
        names.push_back(f.name);
    std::string all;
    for (std::string_view n : names)
        all += (all.empty() ? "its fields are " : ", ") + std::string(n);
    return usage(fmt::format("{} has no field {}", in.name, name), did_you_mean(name, names, all));
}

const prm::field &find_row(const prm::layout_base &in, const step &s, std::string_view path) {
    const prm::field *row = in.find(s.name);
    if (!row) throw no_such_field(in, s.name);
    if (row->count != 0 && s.index >= row->count)
        throw usage(fmt::format("{}: {} has {} element{}", path, s.name, row->count,
                                row->count == 1 ? "" : "s"));
    return *row;
}

// The row a path ends at, moved to where it lies from the outermost layout.
prm::field resolve(const prm::layout_base &outermost, std::string_view path) {
    const prm::layout_base *in = &outermost;
    std::uint32_t base = 0;
    for (std::string_view rest = path;;) {
        std::size_t dot = rest.find('.');
        step s = parse_step(rest.substr(0, dot), path);
        prm::field row = find_row(*in, s, path);
        row.offset += base + s.index * row.stride();
        if (dot == std::string_view::npos) return row;
        if (!row.nested) throw usage(fmt::format("{}: {} has no parts", path, s.name));
        base = row.offset;
        in = row.nested;
        rest.remove_prefix(dot + 1);
    }
}

std::uint64_t number_for(const prm::field &row, std::string_view path, std::string_view text) {
    std::optional<std::uint64_t> value = parse_number(text);
    if (!value)
        throw usage(fmt::format("{}: {} is not a number", path, text),
                    "write it decimal, or hexadecimal as 0x1f, or binary as 0b101");
    if (*value > prm::width_mask(row.width()))
        throw usage(fmt::format("{}: {} does not fit: it has {} bit{}, at most {:#x}", path, text,
                                row.width(), row.width() == 1 ? "" : "s",
                                prm::width_mask(row.width())));
    return *value;
}

std::vector<std::byte> bytes_for(const prm::field &row, std::string_view path,
                                 std::string_view text) {
    auto bytes = parse_hex(text);
    if (!bytes) throw usage(fmt::format("{}: bytes are written as hex, not {}", path, text));
    if (row.count != 0 && bytes->size() > row.size)
        throw usage(
            fmt::format("{}: {} bytes do not fit: it has {}", path, bytes->size(), row.size));
    return *bytes;
}

} // namespace

void inbox::grow(std::size_t size, std::string_view path) {
    if (size > largest_mailbox)
        throw usage(
            fmt::format("{}: the inbox would have more than {} bytes", path, largest_mailbox));
    if (size > bytes_.size()) bytes_.resize((size + 3) / 4 * 4);
}

void inbox::assign(std::string_view path, std::string_view value) {
    prm::field row = resolve(layout_, path);
    if (row.nested)
        throw usage(fmt::format("{} has parts: give {}.FIELD=VALUE", path, path),
                    fmt::format("its fields are those of {}", row.nested->name));
    if (!row.is_bits()) {
        std::vector<std::byte> bytes = bytes_for(row, path, value);
        grow(row.offset + bytes.size(), path);
        std::copy(bytes.begin(), bytes.end(), bytes_.begin() + row.offset);
        return;
    }
    std::uint64_t number = number_for(row, path, value);
    grow(row.offset + row.word_bits() / 8, path);
    prm::place{row, path}.put(bytes_, number);
}

void inbox::assign(std::string_view assignment) {
    std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos)
        throw usage(fmt::format("{}: a field is given as FIELD=VALUE", assignment));
    assign(assignment.substr(0, equals), assignment.substr(equals + 1));
}

} // namespace kdevx::tool
