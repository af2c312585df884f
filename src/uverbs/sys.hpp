// SPDX-License-Identifier: MIT
// The table of system calls, complete: what an embedder left out is the system's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <kdevx/sys.h>

#include "base/failure.hpp"
#include "base/memory.hpp"

namespace kdevx::uverbs {

class sys {
    kdevx_sys t_;

public:
    // -E2BIG INVALID for a table of a newer program that has entries unknown here.
    static result<sys> make(const kdevx_sys *overrides) noexcept;

    int open(const char *path, int flags) const noexcept { return t_.open(t_.arg, path, flags); }
    int close(int fd) const noexcept { return t_.close(t_.arg, fd); }
    int ioctl(int fd, unsigned long request, void *arg) const noexcept {
        return t_.ioctl(t_.arg, fd, request, arg);
    }
    std::int64_t read(int fd, void *buffer, std::size_t size) const noexcept {
        return t_.read(t_.arg, fd, buffer, size);
    }
    int poll(pollfd *fds, unsigned count, int timeout_ms) const noexcept {
        return t_.poll(t_.arg, fds, count, timeout_ms);
    }
    int fcntl(int fd, int command, long value) const noexcept {
        return t_.fcntl(t_.arg, fd, command, value);
    }
    int mmap(std::size_t length, int protection, int flags, int fd, std::uint64_t offset,
             void **address) const noexcept {
        return t_.mmap(t_.arg, length, protection, flags, fd, offset, address);
    }
    int munmap(void *address, std::size_t length) const noexcept {
        return t_.munmap(t_.arg, address, length);
    }
    int madvise(void *address, std::size_t length, int advice) const noexcept {
        return t_.madvise(t_.arg, address, length, advice);
    }
    std::int64_t getdents(int fd, void *buffer, std::size_t size) const noexcept {
        return t_.getdents(t_.arg, fd, buffer, size);
    }
    std::int64_t readlink(const char *path, char *buffer, std::size_t size) const noexcept {
        return t_.readlink(t_.arg, path, buffer, size);
    }
    int access(const char *path, int mode) const noexcept { return t_.access(t_.arg, path, mode); }
    // 0 when they cannot be told.
    std::uint64_t capabilities() const noexcept {
        std::uint64_t effective = 0;
        return t_.capabilities(t_.arg, &effective) ? 0 : effective;
    }
    std::int64_t clock() const noexcept { return t_.clock(t_.arg); }
    kdevx::memory memory() const noexcept { return {t_.arg, t_.allocate, t_.release}; }
};

} // namespace kdevx::uverbs
