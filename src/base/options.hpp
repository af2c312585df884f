// SPDX-License-Identifier: MIT
// Structs that begin with their size, so that a program and a library of different ages agree.
#pragma once

#include <cstddef>
#include <cstring>

#include "base/failure.hpp"

namespace kdevx {

// A copy of what the caller gave, zero where he gave nothing. What a newer caller has beyond ours
// must be zero: it asks for something this library does not know.
template <class Options>
result<Options> read_options(const Options *given, const char *argument) noexcept {
    Options mine{};
    mine.size = sizeof mine;
    if (!given) return mine;
    std::size_t size = given->size;
    if (size < sizeof size) return invalid(argument, size, sizeof size);
    const unsigned char *bytes = reinterpret_cast<const unsigned char *>(given);
    for (std::size_t i = sizeof mine; i < size; ++i)
        if (bytes[i]) return fail(KDEVX_CAUSE_INVALID, E2BIG, argument, size, sizeof mine);
    std::memcpy(&mine, given, size < sizeof mine ? size : sizeof mine);
    mine.size = sizeof mine;
    return mine;
}

// The other direction: as much as there is room for; `least` is the end of the first field that
// every caller wants. The caller's size stays, so that he sees how much of it is his.
template <class Answer>
result<void> write_answer(const Answer &mine, Answer *given, std::size_t least,
                          const char *argument) noexcept {
    if (!given) return invalid(argument);
    std::size_t size = given->size;
    if (size < least) return invalid(argument, size, least);
    std::memcpy(given, &mine, size < sizeof mine ? size : sizeof mine);
    if (size > sizeof mine)
        std::memset(reinterpret_cast<char *>(given) + sizeof mine, 0, size - sizeof mine);
    given->size = size < sizeof mine ? size : sizeof mine;
    return {};
}

} // namespace kdevx
