// SPDX-License-Identifier: MIT
// Walks through a send ring in 16-byte units and wraps at its end.
#pragma once

#include <cstddef>
#include <cstring>

namespace kdevx::wq {

struct cursor {
    std::byte *at;
    std::byte *ring, *ring_end;

    void wrap() noexcept {
        if (at == ring_end) at = ring;
    }
    // The next unit, to be written by the caller.
    std::byte *unit() noexcept {
        std::byte *p = at;
        at += 16;
        wrap();
        return p;
    }
    void copy(const std::byte *from, std::size_t size) noexcept {
        std::size_t room = std::size_t(ring_end - at);
        if (size > room) {
            std::memcpy(at, from, room);
            from += room;
            size -= room;
            at = ring;
        }
        if (size == 0) return;
        std::memcpy(at, from, size);
        at += size;
        wrap();
    }
    void zero(std::size_t size) noexcept {
        for (; size > 0; size -= 16)
            std::memset(unit(), 0, 16);
    }
};

} // namespace kdevx::wq
