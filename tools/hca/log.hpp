// SPDX-License-Identifier: MIT
// The HCA's diary: one line per command, event and oddity, with the seconds since the start.
#pragma once

#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <string>

namespace kdevx::hca {

class logger {
    std::FILE *to_ = nullptr; // null: nobody wants to know
    bool owned_ = false;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();

    void write(const std::string &line);

public:
    logger() = default;
    logger(const logger &) = delete;
    ~logger();

    // "-" is stderr. False, with errno, when the file cannot be written.
    bool open(const std::string &path);

    template <class... A>
    void line(fmt::format_string<A...> format, A &&...a) {
        if (to_) write(fmt::format(format, std::forward<A>(a)...));
    }
};

} // namespace kdevx::hca
