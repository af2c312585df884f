// SPDX-License-Identifier: MIT
#include "memory/guest_memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>

namespace kdevx::hca::memory {
namespace {

// A shorter file would map and then kill this process at the first access behind its end.
bool file_covers(int fd, std::uint64_t offset, std::uint64_t size) {
    struct stat st;
    if (::fstat(fd, &st) != 0 || st.st_size < 0) return false;
    if (!S_ISREG(st.st_mode)) return true; // a device, such as hugetlb's: its driver checks
    std::uint64_t file = std::uint64_t(st.st_size);
    return offset <= file && size <= file - offset;
}

} // namespace

void guest_memory::release(const range &r) {
    if (r.host) ::munmap(r.host, r.size);
}

bool guest_memory::overlaps(std::uint64_t address, std::uint64_t size) const {
    auto next = ranges_.lower_bound(address);
    if (next != ranges_.end() && next->first - address < size) return true;
    if (next == ranges_.begin()) return false;
    auto before = std::prev(next);
    return address - before->first < before->second.size;
}

int guest_memory::map(std::uint64_t address, std::uint64_t size, bool writable, unique_fd fd,
                      std::uint64_t offset) {
    if (size == 0 || address + size - 1 < address) return EINVAL;
    if (overlaps(address, size)) return EEXIST;
    if (ranges_.size() >= max_ranges) return ENOSPC;
    range r{size, nullptr, writable};
    if (fd) {
        if (!file_covers(fd.get(), offset, size)) return EINVAL;
        int protection = PROT_READ | (writable ? PROT_WRITE : 0);
        void *host = ::mmap(nullptr, size, protection, MAP_SHARED, fd.get(), off_t(offset));
        if (host == MAP_FAILED) return errno;
        r.host = static_cast<std::byte *>(host);
    }
    ranges_.emplace(address, r);
    return 0;
}

int guest_memory::unmap(std::uint64_t address, std::uint64_t size) {
    if (size == 0 || address + size - 1 < address) return EINVAL;
    const std::uint64_t last = address + size - 1;
    auto first = ranges_.lower_bound(address), end = ranges_.upper_bound(last);
    if (first != ranges_.begin()) {
        auto before = std::prev(first);
        if (address - before->first < before->second.size) return EINVAL;
    }
    if (first == end) return ENOENT;
    auto final = std::prev(end);
    if (final->second.size - 1 > last - final->first) return EINVAL;
    std::for_each(first, end, [](const auto &entry) { release(entry.second); });
    ranges_.erase(first, end);
    return 0;
}

void guest_memory::unmap_all() {
    for (const auto &[address, r] : ranges_)
        release(r);
    ranges_.clear();
}

const guest_memory::range *guest_memory::find(std::uint64_t address, std::uint64_t &offset) const {
    auto after = ranges_.upper_bound(address);
    if (after == ranges_.begin()) return nullptr;
    auto found = std::prev(after);
    offset = address - found->first;
    bool inside = offset < found->second.size && found->second.host;
    return inside ? &found->second : nullptr;
}

std::span<const std::byte> guest_memory::readable(std::uint64_t address,
                                                  std::uint64_t length) const {
    std::uint64_t offset = 0;
    const range *r = find(address, offset);
    if (!r) return {};
    return {r->host + offset, std::size_t(std::min(length, r->size - offset))};
}

std::span<std::byte> guest_memory::writable(std::uint64_t address, std::uint64_t length) {
    std::uint64_t offset = 0;
    const range *r = find(address, offset);
    if (!r || !r->writable) return {};
    return {r->host + offset, std::size_t(std::min(length, r->size - offset))};
}

bool guest_memory::read(std::uint64_t address, std::span<std::byte> to) const {
    while (!to.empty()) {
        auto from = readable(address, to.size());
        if (from.empty()) return false;
        std::memcpy(to.data(), from.data(), from.size());
        to = to.subspan(from.size());
        address += from.size();
    }
    return true;
}

bool guest_memory::write(std::uint64_t address, std::span<const std::byte> from) {
    while (!from.empty()) {
        auto to = writable(address, from.size());
        if (to.empty()) return false;
        std::memcpy(to.data(), from.data(), to.size());
        from = from.subspan(to.size());
        address += to.size();
    }
    return true;
}

} // namespace kdevx::hca::memory
