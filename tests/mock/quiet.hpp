// SPDX-License-Identifier: MIT
// What is written to standard output and standard error while this is alive.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <string>

namespace mock {

class quiet {
    int file_ = memfd_create("heard", MFD_CLOEXEC);
    std::array<int, 2> before_{};

public:
    quiet() {
        for (int fd : {1, 2}) {
            before_[unsigned(fd - 1)] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
            dup2(file_, fd);
        }
    }
    quiet(const quiet &) = delete;
    ~quiet() {
        for (int fd : {1, 2}) {
            dup2(before_[unsigned(fd - 1)], fd);
            ::close(before_[unsigned(fd - 1)]);
        }
        ::close(file_);
    }
    std::string heard() const {
        std::string text(std::size_t(lseek(file_, 0, SEEK_END)), '\0');
        const ssize_t n = pread(file_, text.data(), text.size(), 0);
        text.resize(n > 0 ? std::size_t(n) : 0);
        return text;
    }
};

} // namespace mock
