// SPDX-License-Identifier: MIT
#include "firmware/device_memory.hpp"

#include "firmware/state.hpp"
#include "kdevx/prm/caps.hpp"
#include "kdevx/prm/mkey.hpp"

#include <algorithm>
#include <bit>

namespace kdevx::hca::firmware {
namespace {

constexpr auto increment = std::uint8_t(prm::value_of<prm::memic_operations, "INCREMENT">),
               test_and_set = std::uint8_t(prm::value_of<prm::memic_operations, "TEST_AND_SET">);

constexpr std::uint32_t sizes_of(std::uint8_t operation) {
    return operation == increment ? device_memory::increment_sizes
                                  : device_memory::test_and_set_sizes;
}

// The most significant byte comes first, as ConnectX-7 has it.
void add(std::span<std::byte> to, std::span<const std::byte> what) {
    unsigned sum = 0;
    for (std::size_t i = to.size(); i--; sum >>= 8) {
        sum += unsigned(to[i]) + unsigned(what[i]);
        to[i] = std::byte(sum);
    }
}

} // namespace

std::span<std::byte> device_memory::at(std::uint64_t start, std::size_t size) {
    return std::span(bytes_).subspan(start - window, size);
}

// The bytes that an access in the window of an operation is about.
std::span<std::byte> device_memory::operand(std::uint8_t operation, std::uint64_t bar_offset,
                                            std::size_t size) {
    const std::uint64_t start = bar_offset - window_of(operation) + window;
    if (!std::has_single_bit(size) || !(sizes_of(operation) & size) || start % size) return {};
    const auto *found = part_of(start, size);
    return found && found->second.operations & 1u << operation ? at(start, size)
                                                               : std::span<std::byte>();
}

void device_memory::read(std::uint64_t bar_offset, std::span<std::byte> to) {
    if (bar_offset >= window) std::ranges::copy(at(bar_offset, to.size()), to.begin());
    if (bar_offset >= window_of(increment)) return; // done, or an operation of stores
    const std::span<std::byte> bytes = operand(test_and_set, bar_offset, to.size());
    std::ranges::copy(bytes, to.begin());
    std::ranges::fill(bytes, std::byte(1));
}

void device_memory::write(std::uint64_t bar_offset, std::span<const std::byte> from) {
    if (bar_offset >= window)
        std::ranges::copy(from, at(bar_offset, from.size()).begin());
    else if (bar_offset >= window_of(increment))
        add(operand(increment, bar_offset, from.size()), from);
}

bool device_memory::take(std::uint64_t start, std::uint64_t size) {
    auto next = taken_.upper_bound(start);
    if (next != taken_.end() && next->first < start + size) return false;
    if (next != taken_.begin())
        if (auto before = std::prev(next); before->first + before->second.size > start)
            return false;
    taken_[start] = {size};
    return true;
}

// Nobody is to find in it what was another's.
bool device_memory::give_back(std::uint64_t start, std::uint64_t size) {
    auto found = taken_.find(start);
    if (found == taken_.end() || found->second.size != size) return false;
    taken_.erase(found);
    std::ranges::fill(at(start, size), std::byte(0));
    return true;
}

const std::pair<const std::uint64_t, device_memory::part> *
device_memory::part_of(std::uint64_t start, std::uint64_t size) const {
    auto next = taken_.upper_bound(start);
    if (next == taken_.begin()) return nullptr;
    const auto &found = *std::prev(next);
    const auto &[first, whole] = found;
    return size <= whole.size && start - first <= whole.size - size ? &found : nullptr;
}

bool device_memory::is_taken(std::uint64_t start, std::uint64_t size) const {
    return part_of(start, size) != nullptr;
}

std::uint32_t *device_memory::operations_of(std::uint64_t start) {
    auto found = taken_.find(start);
    return found == taken_.end() ? nullptr : &found->second.operations;
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
    if (start < device_memory::window || !device_memory::covers(start, room))
        return c.refuse(syndrome::memic_bounds, "{} bytes at {:#x}", room, start);
    if (shift > s.caps.get(prm::cap<"DEV_MEM">, "log_max_memic_addr_alignment") ||
        start & ((device_memory::unit << shift) - 1))
        return c.refuse(syndrome::page_not_aligned, "{:#x} to 2^{} units", start, shift);
    if (!s.memic.take(start, size)) return c.refuse(syndrome::memic_taken, "{:#x}", start);
    c.note("{} bytes at {:#x}", size, start);
    c.outbox<prm::alloc_memic_out>().set<"memic_start_addr">(start);
    return syndrome::none;
}

// An operation of a memory is asked for once, until it is given back; it goes with the memory.
syndrome modify_memic(state &s, command &c) {
    const auto in = c.inbox<prm::modify_memic_in>();
    const std::uint64_t start = in.get<"memic_start_addr">();
    const auto operation = std::uint8_t(in.get<"memic_operation_type">());
    const bool wanted = c.op_mod == prm::value_of<prm::memic_ops, "ALLOC">;
    if (!wanted && c.op_mod != prm::value_of<prm::memic_ops, "DEALLOC">)
        return c.refuse(syndrome::unknown_op_mod, "{:#x}", c.op_mod);
    if (operation >= 32 || !(device_memory::operations & 1u << operation))
        return c.refuse(syndrome::memic_operation, "{}", operation);
    std::uint32_t *there = s.memic.operations_of(start);
    if (!there) return c.refuse(syndrome::memic_bounds, "at {:#x}", start);
    if (bool(*there & 1u << operation) == wanted)
        return c.refuse(syndrome::memic_operation_state, "{} of {:#x}", operation, start);
    *there ^= 1u << operation;
    c.note("{} {} of {:#x}", wanted ? "has" : "no", prm::memic_operations.name_of(operation),
           start);
    c.outbox<prm::modify_memic_out>().set<"memic_operation_addr">(
        wanted ? device_memory::window_of(operation) + start - device_memory::window : 0);
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
