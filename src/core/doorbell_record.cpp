// SPDX-License-Identifier: MIT
#include "core/doorbell_record.hpp"

#include <cstring>
#include <new>

#include <sys/mman.h>

#include "base/page.hpp"

namespace kdevx::core {

void *map_pages(const uverbs::sys &s, std::size_t size) noexcept {
    void *p = nullptr;
    int err =
        s.mmap(whole_pages(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0, &p);
    return err ? nullptr : p;
}

void unmap_pages(const uverbs::sys &s, void *pages, std::size_t size) noexcept {
    s.munmap(pages, whole_pages(size));
}

doorbell_records::~doorbell_records() {
    while (pages_) {
        link *next = pages_->next;
        unmap_pages(sys_, pages_, cpu_page());
        pages_ = next;
    }
}

bool doorbell_records::grow() noexcept {
    void *page = map_pages(sys_, cpu_page());
    if (!page) return false;
    pages_ = new (page) link{pages_};
    for (std::size_t at = cpu_page() - line; at; at -= line)
        free_ = new (static_cast<std::byte *>(page) + at) link{free_};
    return true;
}

void *doorbell_records::take() noexcept {
    locked l(lock_);
    if (!free_ && !grow()) return nullptr;
    link *record = free_;
    free_ = record->next;
    std::memset(static_cast<void *>(record), 0, line);
    return record;
}

void doorbell_records::give_back(void *record) noexcept {
    locked l(lock_);
    free_ = new (record) link{free_};
}

} // namespace kdevx::core
