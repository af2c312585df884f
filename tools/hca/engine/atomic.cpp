// SPDX-License-Identifier: MIT
#include "engine/atomic.hpp"

#include "kdevx/prm/wqe.hpp"

#include <bit>

namespace kdevx::hca::engine {
namespace {

using prm::view;
using prm::wqe_op;

std::uint64_t compare_and_swap(std::uint64_t before, std::uint64_t compare,
                               std::uint64_t compare_mask, std::uint64_t swap,
                               std::uint64_t swap_mask) {
    const bool same = ((before ^ compare) & compare_mask) == 0;
    return same ? (before & ~swap_mask) | (swap & swap_mask) : before;
}

// The sum of two numbers that consist of fields: a carry does not cross a bit set in `boundary`,
// which is the highest one of its field.
std::uint64_t add_fields(std::uint64_t a, std::uint64_t b, std::uint64_t boundary) {
    return ((a & ~boundary) + (b & ~boundary)) ^ ((a ^ b) & boundary);
}

std::uint64_t masked_cas(unsigned size, const operands &raw, std::uint64_t before) {
    if (size == 4) {
        const view<prm::wqe_masked_cas_4> v(raw);
        return compare_and_swap(before, v.get<"compare">(), v.get<"compare_mask">(),
                                v.get<"swap">(), v.get<"swap_mask">());
    }
    const view<prm::wqe_masked_cas_8> v(raw);
    return compare_and_swap(before, v.get<"compare">(), v.get<"compare_mask">(), v.get<"swap">(),
                            v.get<"swap_mask">());
}

std::uint64_t masked_add(unsigned size, const operands &raw, std::uint64_t before) {
    if (size == 4) {
        const view<prm::wqe_masked_add_4> v(raw);
        return add_fields(before, v.get<"add">(), v.get<"field_boundary">());
    }
    const view<prm::wqe_masked_add_8> v(raw);
    return add_fields(before, v.get<"add">(), v.get<"field_boundary">());
}

// The byte of an operand that counts 256 to the n.
std::size_t place(std::size_t n, std::size_t size, bool host_order) {
    const bool little = host_order && std::endian::native == std::endian::little;
    return little ? n : size - 1 - n;
}

} // namespace

std::uint64_t apply_atomic(std::uint8_t opcode, unsigned size, const operands &arguments,
                           std::uint64_t before) {
    const view<prm::wqe_atomic> plain(arguments);
    switch (opcode) {
    case wqe_op<"ATOMIC_CS">:
        return before == plain.get<"compare">() ? plain.get<"swap_add">() : before;
    case wqe_op<"ATOMIC_FA">:
        return before + plain.get<"swap_add">();
    case wqe_op<"ATOMIC_MASKED_CS">:
        return masked_cas(size, arguments, before);
    case wqe_op<"ATOMIC_MASKED_FA">:
        return masked_add(size, arguments, before);
    }
    return before;
}

std::uint64_t load_operand(std::span<const std::byte> at, bool host_order) {
    std::uint64_t value = 0;
    for (std::size_t n = 0; n < at.size(); ++n)
        value |= std::uint64_t(at[place(n, at.size(), host_order)]) << 8 * n;
    return value;
}

void store_operand(std::span<std::byte> at, bool host_order, std::uint64_t value) {
    for (std::size_t n = 0; n < at.size(); ++n)
        at[place(n, at.size(), host_order)] = std::byte(value >> 8 * n);
}

} // namespace kdevx::hca::engine
