// SPDX-License-Identifier: MIT
// Where the objects of a context live. Slots are memory that stays the context's for its whole
// life, so a pointer to a destroyed object can be looked at and told apart: the public pointer
// carries the generation of the slot it was made for in the bits that the slots' alignment leaves
// free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "base/failure.hpp"
#include "base/gate.hpp"
#include "base/memory.hpp"
#include "base/mutex.hpp"

namespace kdevx::core {

class context;
struct slot;

// What a kind of object must be able to do. One constexpr instance per noun.
struct noun {
    kdevx_kind kind;
    const char *name; // of the argument, in failures: "object"
    // Asks the kernel to destroy it. On failure everything is as before.
    result<void> (*end)(slot &) noexcept;
    // Gives back what is not the kernel's, after end() or when the context is closed.
    void (*drop)(slot &) noexcept;
    // Whether the first one needs the second one. NULL: it never does.
    bool (*uses)(const slot &, const slot &) noexcept;
    // Set where the kernel would let it go under those who use it: these are counted, and the
    // kernel is not asked while there are any.
    bool (*in_use)(const slot &) noexcept = nullptr;
};

// A body stands behind it, and may have 64-bit atomics, which want this of 32-bit machines too.
struct alignas(8) slot {
    static constexpr std::size_t unit = 64;

    kdevx::gate gate;
    std::uint32_t handle = 0; // the kernel's
    const core::noun *noun = nullptr;
    core::context *context = nullptr;
    slot *next = nullptr, *previous = nullptr; // of the live ones, or of the free ones (next)

    template <class Body>
    Body &body() noexcept {
        return *std::launder(reinterpret_cast<Body *>(this + 1));
    }
    template <class Body>
    const Body &body() const noexcept {
        return *std::launder(reinterpret_cast<const Body *>(this + 1));
    }
};
static_assert(sizeof(slot) == 40 || sizeof(void *) == 4);

// The slots of one context, by size, and the list of the live ones, youngest first.
class slots {
    static constexpr std::size_t sizes = 4, slots_per_chunk = 63;
    struct chunk {
        chunk *next;
    };
    struct queue {
        slot *head = nullptr, *tail = nullptr;
    };

    mutable mutex lock_;
    memory from_;
    chunk *chunks_ = nullptr;
    queue free_[sizes];
    slot *live_ = nullptr;

    bool grow(std::size_t size_index) noexcept;
    void push_free(slot &s, std::size_t size_index) noexcept;

public:
    explicit slots(const memory &from) noexcept : from_(from) {}
    slots(const slots &) = delete;
    ~slots();

    // A slot with room for a body; NULL without memory.
    slot *take(std::size_t body_size) noexcept;
    void give_back(slot &s, std::size_t body_size) noexcept;
    // Between these two it is one of the live ones.
    void enlist(slot &s) noexcept;
    void unlist(slot &s) noexcept;

    // Asks the kernel to destroy all live ones, the youngest first. They stay where they are.
    void end_all() noexcept;
    // Somebody live who uses `s`, if any says so.
    const slot *holder_of(const slot &s) const noexcept;
};

// The public pointer of a slot, and back.
inline void *to_public(slot &s) noexcept {
    return reinterpret_cast<void *>(reinterpret_cast<std::uintptr_t>(&s) | s.gate.generation());
}
inline slot *slot_of(const void *p) noexcept {
    return reinterpret_cast<slot *>(reinterpret_cast<std::uintptr_t>(p) & ~(slot::unit - 1));
}
inline unsigned generation_of(const void *p) noexcept {
    return unsigned(reinterpret_cast<std::uintptr_t>(p) & (slot::unit - 1));
}
static_assert(gate::generations == slot::unit, "a generation must fit the free bits of a pointer");

} // namespace kdevx::core
