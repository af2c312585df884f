// SPDX-License-Identifier: MIT
// The one file that makes system calls.

// Where a long has 64 bits the plain names take offsets of 64 bits, and every libc has them: musl
// has no fcntl64.
#ifdef __LP64__
#undef _FILE_OFFSET_BITS
#endif

#include "uverbs/sys.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/options.hpp"

namespace kdevx::uverbs {

namespace {

// -1 and errno become -errno.
template <class R>
R from_errno(R r) {
    return r == R(-1) ? R(-errno) : r;
}

int sys_open(void *, const char *path, int flags) {
    return from_errno(::open(path, flags));
}
int sys_close(void *, int fd) {
    return from_errno(::close(fd));
}
int sys_ioctl(void *, int fd, unsigned long request, void *argument) {
    return from_errno(::ioctl(fd, request, argument));
}
std::int64_t sys_read(void *, int fd, void *buffer, std::size_t size) {
    return from_errno(std::int64_t(::read(fd, buffer, size)));
}
int sys_poll(void *, pollfd *fds, unsigned count, int timeout_ms) {
    return from_errno(::poll(fds, count, timeout_ms));
}
int sys_fcntl(void *, int fd, int command, long value) {
    return from_errno(::fcntl(fd, command, value));
}
int sys_mmap(void *, std::size_t length, int protection, int flags, int fd, std::uint64_t offset,
             void **address) {
    void *p = ::mmap(nullptr, length, protection, flags, fd, off_t(offset));
    if (p == MAP_FAILED) return -errno;
    *address = p;
    return 0;
}
int sys_munmap(void *, void *address, std::size_t length) {
    return from_errno(::munmap(address, length));
}
int sys_madvise(void *, void *address, std::size_t length, int advice) {
    return from_errno(::madvise(address, length, advice));
}
std::int64_t sys_getdents(void *, int fd, void *buffer, std::size_t size) {
    return from_errno(std::int64_t(::syscall(SYS_getdents64, fd, buffer, size)));
}
std::int64_t sys_readlink(void *, const char *path, char *buffer, std::size_t size) {
    return from_errno(std::int64_t(::readlink(path, buffer, size)));
}
int sys_access(void *, const char *path, int mode) {
    return from_errno(::access(path, mode));
}

int sys_capabilities(void *, std::uint64_t *effective) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
    if (::syscall(SYS_capget, &header, data)) return -errno;
    *effective = std::uint64_t(data[1].effective) << 32 | data[0].effective;
    return 0;
}
std::int64_t sys_clock(void *) {
    timespec t{};
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return std::int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
}
void *sys_allocate(void *, std::size_t size) {
    return std::malloc(size);
}
void sys_release(void *, void *memory) {
    std::free(memory);
}

constexpr kdevx_sys system_table{
    sizeof(kdevx_sys), nullptr,    sys_open,         sys_close,  sys_ioctl,    sys_read,
    sys_poll,          sys_fcntl,  sys_mmap,         sys_munmap, sys_madvise,  sys_getdents,
    sys_readlink,      sys_access, sys_capabilities, sys_clock,  sys_allocate, sys_release,
};

template <class F>
void fill(F &entry, F standard) {
    if (!entry) entry = standard;
}

} // namespace

result<sys> sys::make(const kdevx_sys *overrides) noexcept {
    result<kdevx_sys> given = read_options(overrides, "sys");
    if (!given) return given.failure();
    sys s;
    s.t_ = *given;
    fill(s.t_.open, system_table.open);
    fill(s.t_.close, system_table.close);
    fill(s.t_.ioctl, system_table.ioctl);
    fill(s.t_.read, system_table.read);
    fill(s.t_.poll, system_table.poll);
    fill(s.t_.fcntl, system_table.fcntl);
    fill(s.t_.mmap, system_table.mmap);
    fill(s.t_.munmap, system_table.munmap);
    fill(s.t_.madvise, system_table.madvise);
    fill(s.t_.getdents, system_table.getdents);
    fill(s.t_.readlink, system_table.readlink);
    fill(s.t_.access, system_table.access);
    fill(s.t_.capabilities, system_table.capabilities);
    fill(s.t_.clock, system_table.clock);
    // Memory that one side allocated must go back to the same side.
    if (!s.t_.allocate || !s.t_.release) {
        s.t_.allocate = sys_allocate;
        s.t_.release = sys_release;
    }
    return s;
}

} // namespace kdevx::uverbs
