// SPDX-License-Identifier: MIT
// A dmabuf of system memory: from udmabuf where the kernel has it, else from vgem (Debian's 6.1).
#pragma once

#include <cstddef>

namespace kdevx::vm {

class dmabuf {
    int fd_ = -1;
    std::size_t size_;

public:
    explicit dmabuf(std::size_t size);
    ~dmabuf();
    dmabuf(const dmabuf &) = delete;

    int fd() const { return fd_; }
    std::size_t size() const { return size_; }
};

} // namespace kdevx::vm
