// SPDX-License-Identifier: MIT
// Commands to the firmware with the library's failures in the tool's terms.
#pragma once

#include "trouble.hpp"

#include "kdevx/object.h"

#include <cstddef>
#include <span>

namespace kdevx::tool {

// False: `why` says what happened; `out` means something only if why.outbox_valid.
inline bool general_command(kdevx_context *c, std::span<const std::byte> in,
                            std::span<std::byte> out, kdevx_failure &why) {
    why = {};
    return kdevx_general_cmd(c, in.data(), in.size(), out.data(), out.size(), &why) == 0;
}

} // namespace kdevx::tool
