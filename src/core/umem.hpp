// SPDX-License-Identifier: MIT
// Memory under a umem id.
#pragma once

#include <kdevx/umem.h>

#include "core/pin.hpp"

namespace kdevx::core {

struct umem {
    using handle_type = kdevx_umem;
    static const core::noun noun;

    std::uint64_t address; // of memory; 0 for a dmabuf
    std::uint64_t length;
    std::uint32_t id;
    std::uint8_t log_bound;
    bool exact, dontfork;
};

// The page size the kernel will not exceed for such a umem, and whether it can be no other. 0: none
// of the bitmap can be.
struct page_size {
    std::uint64_t bound;
    bool exact;
};
page_size page_size_of(std::uint64_t length, std::uint64_t pgsz_bitmap,
                       std::uint64_t cpu_page) noexcept;

result<kdevx_umem *> reg_memory(context &c, void *address, std::size_t length,
                                const kdevx_umem_options *options) noexcept;
result<kdevx_umem *> reg_dmabuf(context &c, int fd, std::uint64_t offset, std::uint64_t length,
                                const kdevx_umem_options *options) noexcept;

} // namespace kdevx::core
