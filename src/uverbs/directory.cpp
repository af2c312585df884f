// SPDX-License-Identifier: MIT
#include "uverbs/directory.hpp"

#include <fcntl.h>

namespace kdevx::uverbs {

namespace {

// The kernel's linux_dirent64: inode, offset, length of the record, type, name.
constexpr std::size_t length_at = 16, name_at = 19;

bool is_dots(const char *name) {
    return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

std::int64_t read_retrying(const sys &s, int fd, void *buffer, std::size_t size) {
    std::int64_t n;
    do
        n = s.read(fd, buffer, size);
    while (n == -EINTR);
    return n;
}

} // namespace

directory::directory(const sys &s, const char *name) noexcept
    : sys_(s), fd_(*name ? s.open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -ENAMETOOLONG) {}

directory::~directory() {
    if (fd_ >= 0) sys_.close(fd_);
}

const char *directory::next() noexcept {
    for (;;) {
        if (at_ + name_at >= end_) {
            std::int64_t n = fd_ < 0 ? 0 : sys_.getdents(fd_, buffer_, sizeof buffer_);
            if (n <= 0) return nullptr;
            at_ = 0;
            end_ = std::size_t(n);
        }
        const char *entry = buffer_ + at_;
        std::uint16_t length;
        std::memcpy(&length, entry + length_at, sizeof length);
        if (length <= name_at) return nullptr;
        at_ += length;
        if (!is_dots(entry + name_at)) return entry + name_at;
    }
}

bool read_line(const sys &s, const char *name, char *text, std::size_t size) noexcept {
    text[0] = 0;
    int fd = *name ? s.open(name, O_RDONLY | O_CLOEXEC) : -ENAMETOOLONG;
    if (fd < 0) return false;
    std::int64_t n = read_retrying(s, fd, text, size - 1);
    s.close(fd);
    text[n < 0 ? 0 : n] = 0;
    text[std::strcspn(text, "\n")] = 0;
    return n >= 0;
}

bool read_link_name(const sys &s, const char *name, char *text, std::size_t size) noexcept {
    char target[512];
    text[0] = 0;
    std::int64_t n = *name ? s.readlink(name, target, sizeof target - 1) : -ENAMETOOLONG;
    if (n <= 0) return false;
    target[n] = 0;
    const char *slash = std::strrchr(target, '/');
    std::snprintf(text, size, "%s", slash ? slash + 1 : target);
    return true;
}

} // namespace kdevx::uverbs
