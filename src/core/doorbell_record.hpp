// SPDX-License-Identifier: MIT
// Doorbell records: two big-endian counters that the device reads, receive first, then send. Each
// has a cache line of its own, and many share a page, because the kernel pins whole pages.
#pragma once

#include <cstddef>

#include "base/mutex.hpp"
#include "uverbs/sys.hpp"

namespace kdevx::core {

class doorbell_records {
    static constexpr std::size_t line = 64;
    // What a free line holds; the first line of each page links the pages.
    struct link {
        link *next;
    };

    const uverbs::sys &sys_;
    mutex lock_;
    link *free_ = nullptr, *pages_ = nullptr;

    bool grow() noexcept;

public:
    explicit doorbell_records(const uverbs::sys &s) noexcept : sys_(s) {}
    doorbell_records(const doorbell_records &) = delete;
    ~doorbell_records();

    // Zeroed; NULL without memory. Pages stay until the context ends.
    void *take() noexcept;
    void give_back(void *record) noexcept;
};

// Whole pages of zeros, for what is pinned. NULL without memory.
void *map_pages(const uverbs::sys &s, std::size_t size) noexcept;
void unmap_pages(const uverbs::sys &s, void *pages, std::size_t size) noexcept;

} // namespace kdevx::core
