// SPDX-License-Identifier: MIT
// Pages of the device to ring doorbells in.
#pragma once

#include <atomic>
#include <span>

#include <kdevx/uar.h>

#include "core/pin.hpp"

namespace kdevx::core {

struct uar {
    using handle_type = kdevx_uar;
    static const core::noun noun;

    uar_page page;
    kdevx_uar_type type;
    bool counted;                     // it is among the users of the shared page
    bool last;                        // the mapping is its to undo
    std::atomic<std::uint32_t> users; // queues
};

// One of the first type of the list that is granted.
result<kdevx_uar *> alloc_uar(context &c, std::span<const std::uint32_t> types) noexcept;

// A page of a file, mapped; type is the kernel's. The mapping is the caller's to undo.
result<uar_page> alloc_page(const uverbs::file &f, std::uint64_t kernel_type) noexcept;
result<void> destroy_page(const uverbs::file &f, const uar_page &p) noexcept;

// The page that queues ring in if their maker names none: it counts its users.
result<uar_page> share_page(context &c) noexcept;
void unshare_page(context &c) noexcept;

} // namespace kdevx::core
