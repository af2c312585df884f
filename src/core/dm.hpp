// SPDX-License-Identifier: MIT
// Memory of the device.
#pragma once

#include <kdevx/mr.h>

#include "core/pin.hpp"

namespace kdevx::core {

// One mapping of it, and what the device does with a store there.
struct dm_op {
    void *page;
    std::uint32_t offset;
    std::uint8_t op;
};

struct dm {
    using handle_type = kdevx_dm;
    static const core::noun noun;

    std::uint64_t length, start_offset;
    void *page; // MEMIC
    std::uint16_t page_index;
    std::uint8_t type, op_count;
    dm_op ops[KDEVX_MAX_DM_OPS];
    alignas(8) std::byte lock_space[sizeof(mutex)]; // its life is begun and ended by hand

    mutex &lock() noexcept { return *std::launder(reinterpret_cast<mutex *>(lock_space)); }
};

result<kdevx_dm *> alloc_dm(context &c, std::uint32_t type, std::uint64_t length,
                            std::uint32_t log_align) noexcept;
result<void *> map_op(const pin<dm> &memory, std::uint8_t op) noexcept;
// The same by the kernel's handle, which is asked how long the memory is. The mapping is the
// caller's to undo.
result<void *> map_op(const uverbs::file &f, std::uint32_t handle, std::uint8_t op) noexcept;
void *address_of(const dm &d) noexcept;

} // namespace kdevx::core
