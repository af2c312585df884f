// SPDX-License-Identifier: MIT
#include "numbers.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace kdevx::tool {
namespace {

std::optional<unsigned> digit(char c) {
    if (c >= '0' && c <= '9') return unsigned(c - '0');
    if (c >= 'a' && c <= 'f') return unsigned(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') return unsigned(c - 'A' + 10);
    return {};
}

bool is_filler(char c) {
    return c == ' ' || c == ':' || c == '\n' || c == '\t' || c == '_';
}

} // namespace

std::optional<std::uint64_t> parse_number(std::string_view text) {
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) base = 16;
    if (text.starts_with("0b")) base = 2;
    if (base != 10) text.remove_prefix(2);
    std::uint64_t value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

std::optional<std::vector<std::byte>> parse_hex(std::string_view text) {
    if (text.starts_with("0x")) text.remove_prefix(2);
    std::vector<std::byte> bytes;
    std::optional<unsigned> high;
    for (char c : text) {
        if (is_filler(c) && !high) continue;
        std::optional<unsigned> d = digit(c);
        if (!d) return {};
        if (high) bytes.push_back(std::byte(*high << 4 | *d));
        high = high ? std::nullopt : d;
    }
    if (high || bytes.empty()) return {};
    return bytes;
}

std::string to_hex(std::span<const std::byte> bytes) {
    std::string text;
    for (std::byte b : bytes)
        text += fmt::format("{:02x}", unsigned(b));
    return text;
}

std::string hex_dump(std::span<const std::byte> bytes) {
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 16) {
        text += fmt::format("{:03x}:", at);
        for (std::size_t i = at; i < std::min(at + 16, bytes.size()); i += 4)
            text += ' ' + to_hex(bytes.subspan(i, std::min<std::size_t>(4, bytes.size() - i)));
        text += '\n';
    }
    return text;
}

} // namespace kdevx::tool
