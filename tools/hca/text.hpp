// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace kdevx::hca {

// A whole word that is a number, decimal, 0x... or 0...
inline std::optional<std::uint64_t> parse_number(const std::string &text) {
    char *end = nullptr;
    errno = 0;
    const std::uint64_t v = std::strtoull(text.c_str(), &end, 0);
    if (text.empty() || text[0] == '-' || *end || errno) return std::nullopt;
    return v;
}

} // namespace kdevx::hca
