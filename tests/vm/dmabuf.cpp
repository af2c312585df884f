// SPDX-License-Identifier: MIT
#include "dmabuf.hpp"

#include "guest.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <linux/udmabuf.h>
#include <stdexcept>
#include <string>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace kdevx::vm {
namespace {

// Of the DRM interface these two are all that is needed, and its headers are no part of the kernel
// headers that Debian installs.
struct create_dumb {
    std::uint32_t height, width, bpp, flags, handle, pitch;
    std::uint64_t size;
};
struct prime_handle {
    std::uint32_t handle, flags;
    std::int32_t fd;
};
constexpr unsigned long mode_create_dumb = _IOWR('d', 0xb2, create_dumb),
                        prime_handle_to_fd = _IOWR('d', 0x2d, prime_handle);

[[noreturn]] void give_up(const char *what) {
    throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

int from_udmabuf(int udmabuf, std::size_t size) {
    const int memory = memfd_create("kdevx", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0 || ftruncate(memory, off_t(size)) ||
        fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK))
        give_up("memfd");
    udmabuf_create create{};
    create.memfd = std::uint32_t(memory);
    create.flags = UDMABUF_FLAGS_CLOEXEC;
    create.size = size;
    const int fd = ioctl(udmabuf, UDMABUF_CREATE, &create);
    close(memory);
    close(udmabuf);
    if (fd < 0) give_up("udmabuf");
    return fd;
}

int from_vgem(std::size_t size) {
    load_module("vgem");
    const auto there = [] { return access("/dev/dri/card0", F_OK) == 0; };
    wait_for(std::chrono::seconds(5), there);
    const int card = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    if (card < 0) give_up("vgem");
    create_dumb create{};
    create.width = std::uint32_t(size / 4096);
    create.height = 1024;
    create.bpp = 32;
    if (ioctl(card, mode_create_dumb, &create)) give_up("vgem buffer");
    prime_handle prime{};
    prime.handle = create.handle;
    prime.flags = O_CLOEXEC | O_RDWR;
    if (ioctl(card, prime_handle_to_fd, &prime)) give_up("vgem dmabuf");
    close(card);
    return prime.fd;
}

} // namespace

dmabuf::dmabuf(std::size_t size) : size_(size) {
    const int udmabuf = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
    fd_ = udmabuf >= 0 ? from_udmabuf(udmabuf, size) : from_vgem(size);
}

dmabuf::~dmabuf() {
    close(fd_);
}

} // namespace kdevx::vm
