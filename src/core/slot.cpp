// SPDX-License-Identifier: MIT
#include "core/slot.hpp"

namespace kdevx::core {

namespace {

constexpr std::size_t units(std::size_t body_size) {
    return (sizeof(slot) + body_size + slot::unit - 1) / slot::unit;
}

} // namespace

slots::~slots() {
    while (chunks_) {
        chunk *next = chunks_->next;
        from_.release(from_.arg, chunks_);
        chunks_ = next;
    }
}

// Freed slots go to the end and are taken from the front: a slot is used again as late as possible.
void slots::push_free(slot &s, std::size_t size_index) noexcept {
    queue &q = free_[size_index];
    s.next = nullptr;
    (q.tail ? q.tail->next : q.head) = &s;
    q.tail = &s;
}

bool slots::grow(std::size_t size_index) noexcept {
    std::size_t size = (size_index + 1) * slot::unit;
    // One more unit than needed: room for the chunk's own link and for aligning the slots.
    void *block = from_.allocate(from_.arg, sizeof(chunk) + slot::unit + slots_per_chunk * size);
    if (!block) return false;
    chunks_ = new (block) chunk{chunks_};
    std::uintptr_t at = reinterpret_cast<std::uintptr_t>(chunks_ + 1);
    at = (at + slot::unit - 1) & ~std::uintptr_t(slot::unit - 1);
    for (std::size_t i = 0; i < slots_per_chunk; ++i)
        push_free(*new (reinterpret_cast<void *>(at + i * size)) slot, size_index);
    return true;
}

slot *slots::take(std::size_t body_size) noexcept {
    std::size_t size_index = units(body_size) - 1;
    if (size_index >= sizes) return nullptr;
    locked l(lock_);
    queue &q = free_[size_index];
    if (!q.head && !grow(size_index)) return nullptr;
    slot *s = q.head;
    q.head = s->next;
    if (!q.head) q.tail = nullptr;
    return s;
}

void slots::give_back(slot &s, std::size_t body_size) noexcept {
    locked l(lock_);
    push_free(s, units(body_size) - 1);
}

void slots::enlist(slot &s) noexcept {
    locked l(lock_);
    s.previous = nullptr;
    s.next = live_;
    if (live_) live_->previous = &s;
    live_ = &s;
}

void slots::unlist(slot &s) noexcept {
    locked l(lock_);
    (s.previous ? s.previous->next : live_) = s.next;
    if (s.next) s.next->previous = s.previous;
}

// With the lock held: somebody who destroys one of them at this time waits in unlist().
void slots::end_all() noexcept {
    locked l(lock_);
    for (slot *s = live_; s; s = s->next)
        (void)s->noun->end(*s);
}

const slot *slots::holder_of(const slot &s) const noexcept {
    locked l(lock_);
    for (const slot *h = live_; h; h = h->next)
        if (h->noun->uses && h->noun->uses(*h, s)) return h;
    return nullptr;
}

} // namespace kdevx::core
