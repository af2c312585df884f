// SPDX-License-Identifier: MIT
// The memory of a ring: its data and the arrays that go with it, in one block.
#pragma once

#include <span>

#include "core/ring.hpp"

namespace kdevx::core {

inline constexpr std::size_t cache_line = 64;

constexpr std::size_t whole_lines(std::size_t bytes) {
    return (bytes + cache_line - 1) / cache_line * cache_line;
}
inline std::byte *line_at(void *p) {
    return reinterpret_cast<std::byte *>(whole_lines(reinterpret_cast<std::uintptr_t>(p)));
}

inline std::span<std::byte> bytes_at(void *p, std::uint64_t size) {
    return {static_cast<std::byte *>(p), std::size_t(p ? size : 0)};
}

// A ring that others complete to, or receive from, stays.
template <class Body>
result<void> end_unless_used(slot &s) noexcept {
    if (s.body<Body>().users.load()) return fail(KDEVX_CAUSE_BUSY, EBUSY, Body::noun.name);
    return {};
}

template <class T>
std::span<T> carve(std::byte *&at, std::size_t count) noexcept {
    T *first = reinterpret_cast<T *>(at);
    for (std::size_t i = 0; i < count; ++i)
        new (first + i) T{};
    at += whole_lines(count * sizeof(T));
    return {first, count};
}

// An array that is wanted, and where to note it.
template <class T>
struct array {
    std::size_t count;
    std::span<T> &at;
};

// False without memory.
template <class Data, class... T>
bool allocate(const memory &from, ring_body<Data> &body, array<T>... arrays) noexcept {
    const std::size_t size = cache_line + whole_lines(sizeof(Data)) +
                             (std::size_t(0) + ... + whole_lines(arrays.count * sizeof(T)));
    body.block = from.allocate(from.arg, size);
    if (!body.block) return false;
    std::byte *at = line_at(body.block);
    body.data = new (at) Data;
    at += whole_lines(sizeof(Data));
    ((arrays.at = carve<T>(at, arrays.count)), ...);
    return true;
}

template <class Data>
void release(const memory &from, ring_body<Data> &body) noexcept {
    if (!body.block) return;
    body.data->~Data();
    from.release(from.arg, std::exchange(body.block, nullptr));
    body.data = nullptr;
}

// A ring in the making, which gives its memory back unless it is published.
template <class Body>
class [[nodiscard]] ring_draft {
    context &c_;
    draft<Body> d_;
    bool kept_ = false;

public:
    explicit ring_draft(context &c) noexcept : c_(c), d_(c) {}
    ring_draft(const ring_draft &) = delete;
    ~ring_draft() {
        if (d_ && !kept_) release(c_.sys().memory(), *d_);
    }
    explicit operator bool() const noexcept { return bool(d_); }
    Body *operator->() const noexcept { return d_.operator->(); }
    Body &operator*() const noexcept { return *d_; }
    core::slot &at() const noexcept { return d_.at(); }
    typename Body::handle_type *publish() noexcept {
        kept_ = true;
        return d_.publish();
    }
};

} // namespace kdevx::core
