// SPDX-License-Identifier: MIT
// Firmware objects that were made by a command.
#pragma once

#include <kdevx/object.h>

#include "core/command.hpp"
#include "core/pin.hpp"

namespace kdevx::core {

struct object {
    using handle_type = kdevx_object;
    static const core::noun noun;

    std::uint16_t opcode = 0, obj_type = 0;
    std::uint32_t device_id = 0;
};

result<kdevx_object *> create_object(context &c, uverbs::const_bytes in,
                                     uverbs::bytes out) noexcept;

// These two take the handle of anything the kernel can match with the inbox, verbs objects too.
result<void> query(const uverbs::file &f, std::uint32_t handle, uverbs::const_bytes in,
                   uverbs::bytes out) noexcept;
result<void> modify(const uverbs::file &f, std::uint32_t handle, uverbs::const_bytes in,
                    uverbs::bytes out) noexcept;

} // namespace kdevx::core
