// SPDX-License-Identifier: MIT
// Pages of the device for virtio doorbells, and dmabufs of the device's pages.
#pragma once

#include <kdevx/var.h>

#include "core/pin.hpp"

namespace kdevx::core {

struct var {
    using handle_type = kdevx_var;
    static const core::noun noun;

    std::uint32_t page_id, length;
    std::uint64_t mmap_off;
};

result<kdevx_var *> alloc_var(context &c, std::uint32_t flags) noexcept;

// Of a page that can be mapped at this offset of the file.
result<int> export_page(const uverbs::file &f, std::uint64_t mmap_off) noexcept;

} // namespace kdevx::core
