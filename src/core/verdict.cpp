// SPDX-License-Identifier: MIT
#include "core/verdict.hpp"

#include "core/registry.hpp"

namespace kdevx::core {

namespace {

// What of the registry is wanted here: the queries whose answers have such a field.
constexpr bool has_true_answer(const prm::command &c) {
    return c.devx && c.cls == prm::query && !c.true_answer.path.empty();
}
// Where that field ends: beyond the end of a shorter outbox it cannot witness anything.
struct witness {
    std::uint16_t opcode = 0, end = 0;
};
constexpr witness witness_of(const prm::command &c) {
    prm::field f = prm::find_place(*c.out, c.true_answer.path).row;
    return {c.opcode, std::uint16_t(f.offset + f.word_bits() / 8)};
}
constexpr auto witnesses = rows_of_registry<witness, has_true_answer, witness_of>();

bool all_zero(std::span<const std::byte> b) {
    for (std::byte x : b)
        if (x != std::byte{0}) return false;
    return true;
}

bool has_witness(std::uint16_t opcode, std::size_t size) {
    for (const witness &w : witnesses)
        if (w.opcode == opcode) return w.end <= size;
    return false;
}

} // namespace

kdevx_verdict judge(std::uint16_t opcode, std::span<const std::byte> outbox) noexcept {
    if (!outbox.empty() && outbox[0] != std::byte{0}) return KDEVX_VERDICT_REFUSED;
    if (!all_zero(outbox)) return KDEVX_VERDICT_OK;
    return has_witness(opcode, outbox.size()) ? KDEVX_VERDICT_NOT_EXECUTED
                                              : KDEVX_VERDICT_UNVERIFIED;
}

} // namespace kdevx::core
