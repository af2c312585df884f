// SPDX-License-Identifier: MIT
// The lives of all objects that DEVX creates, as a table: what they are made of, how they are looked
// at and changed, and whom they keep alive. vm_objects.cpp plays them.
#pragma once

#include "bench.hpp"

#include <concepts>
#include <optional>
#include <span>
#include <vector>

namespace kdevx::vm {

// A number, or that of something on the bench.
struct amount {
    std::uint64_t number = 0;
    std::optional<resource> from{};

    template <std::integral Number>
    constexpr amount(Number n) : number(std::uint64_t(n)) {}
    constexpr amount(resource r) : from(r) {}
    std::uint64_t on(bench &b) const { return from ? b[*from] : number; }
};
struct setting {
    const char *path;
    amount value;
};

// A command on the object: what it is given besides the object's number, and what a query shows
// afterwards, or why it is refused.
struct step {
    const char *command; // "": none, a look only
    std::vector<setting> given;
    std::vector<setting> shown{};
    const refusal *refused = nullptr;
};

struct life {
    const char *create;
    std::vector<setting> given;
    // The layout within the create command that a query gives back, and where it stands there. Null:
    // there is no query.
    const char *context = nullptr;
    const char *query = nullptr;
    const char *query_context = nullptr;
    std::vector<setting> ask{}; // what the query needs besides the number
    std::vector<step> steps{};
    std::vector<resource> holds{};           // cannot be destroyed while this one lives
    std::optional<setting> spoiled{};        // makes the create fail...
    const refusal *because_of_it = nullptr;  // ... for this reason
    std::size_t more_in = 0;                 // bytes of a trailing list
    std::size_t more_out = 0;
};

std::span<const life> lives();

} // namespace kdevx::vm
