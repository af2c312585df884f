// SPDX-License-Identifier: MIT
// Reading directories and small files through the table of system calls.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>

#include "uverbs/sys.hpp"

namespace kdevx::uverbs {

// A path put together; empty when it did not fit, which no file has for a name.
struct path {
    char text[256];

    template <class... Parts>
    explicit path(const char *format, Parts... parts) noexcept {
        int n = std::snprintf(text, sizeof text, format, parts...);
        if (n < 0 || std::size_t(n) >= sizeof text) text[0] = 0;
    }
    operator const char *() const noexcept { return text; }
};

// The entries of a directory, one at a time, without . and ..
class directory {
    const sys &sys_;
    int fd_;
    std::size_t at_ = 0, end_ = 0;
    alignas(8) char buffer_[2048];

public:
    directory(const sys &s, const char *name) noexcept;
    directory(const directory &) = delete;
    ~directory();

    explicit operator bool() const noexcept { return fd_ >= 0; }
    // NULL at the end. Valid until the next call.
    const char *next() noexcept;
};

// The first line of a small file. False: it cannot be read, `text` is empty.
bool read_line(const sys &s, const char *name, char *text, std::size_t size) noexcept;
// The last component of what a symbolic link says.
bool read_link_name(const sys &s, const char *name, char *text, std::size_t size) noexcept;

template <std::size_t N>
bool read_line(const sys &s, const char *name, char (&text)[N]) noexcept {
    return read_line(s, name, text, N);
}
template <std::size_t N>
bool read_link_name(const sys &s, const char *name, char (&text)[N]) noexcept {
    return read_link_name(s, name, text, N);
}

} // namespace kdevx::uverbs
