// SPDX-License-Identifier: MIT
#include "firmware/device_memory.hpp"

#include "firmware/state.hpp"
#include "kdevx/prm/caps.hpp"
#include "kdevx/prm/mkey.hpp"

#include <algorithm>

namespace kdevx::hca::firmware {

void device_memory::read(std::uint64_t bar_offset, std::span<std::byte> to) const {
    std::ranges::copy(std::span(bytes_).subspan(bar_offset - window, to.size()), to.begin());
}

void device_memory::write(std::uint64_t bar_offset, std::span<const std::byte> from) {
    std::ranges::copy(from, bytes_.begin() + std::ptrdiff_t(bar_offset - window));
}

bool device_memory::take(std::uint64_t start, std::uint64_t size) {
    auto next = taken_.upper_bound(start);
    if (next != taken_.end() && next->first < start + size) return false;
    if (next != taken_.begin())
        if (auto before = std::prev(next); before->first + before->second > start) return false;
    taken_[start] = size;
    return true;
}

// Nobody is to find in it what was another's.
bool device_memory::give_back(std::uint64_t start, std::uint64_t size) {
    auto found = taken_.find(start);
    if (found == taken_.end() || found->second != size) return false;
    taken_.erase(found);
    std::ranges::fill(std::span(bytes_).subspan(start - window, size), std::byte(0));
    return true;
}

bool device_memory::is_taken(std::uint64_t start, std::uint64_t size) const {
    auto next = taken_.upper_bound(start);
    if (next == taken_.begin()) return false;
    const auto &[first, length] = *std::prev(next);
    return size <= length && start - first <= length - size;
}

void device_memory::clear() {
    taken_.clear();
    std::ranges::fill(bytes_, std::byte(0));
}

// The driver names the pages, and the memory begins where they do.
syndrome alloc_memic(state &s, command &c) {
    const auto in = c.inbox<prm::alloc_memic_in>();
    const std::uint64_t start = in.get<"range_start_addr">(), room = in.get<"range_size">(),
                        size = in.get<"memic_size">();
    const auto shift = unsigned(in.get<"log_memic_addr_alignment">());
    if (size == 0 || size % device_memory::unit || size > room)
        return c.refuse(syndrome::memic_size, "{} bytes in {}", size, room);
    if (room > device_memory::window_size || !device_memory::covers(start, room))
        return c.refuse(syndrome::memic_bounds, "{} bytes at {:#x}", room, start);
    if (shift > s.caps.get(prm::cap<"DEV_MEM">, "log_max_memic_addr_alignment") ||
        start & ((device_memory::unit << shift) - 1))
        return c.refuse(syndrome::page_not_aligned, "{:#x} to 2^{} units", start, shift);
    if (!s.memic.take(start, size)) return c.refuse(syndrome::memic_taken, "{:#x}", start);
    c.note("{} bytes at {:#x}", size, start);
    c.outbox<prm::alloc_memic_out>().set<"memic_start_addr">(start);
    return syndrome::none;
}

syndrome dealloc_memic(state &s, command &c) {
    const auto in = c.inbox<prm::dealloc_memic_in>();
    const std::uint64_t start = in.get<"memic_start_addr">(), size = in.get<"memic_size">();
    if (!s.memic.give_back(start, size))
        return c.refuse(syndrome::memic_bounds, "{} bytes at {:#x}", size, start);
    c.note("{} bytes at {:#x}", size, start);
    return syndrome::none;
}

} // namespace kdevx::hca::firmware
