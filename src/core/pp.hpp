// SPDX-License-Identifier: MIT
// Entries of the device's table of rates.
#pragma once

#include <kdevx/pp.h>

#include "core/pin.hpp"
#include "uverbs/request.hpp"

namespace kdevx::core {

struct pp {
    using handle_type = kdevx_pp;
    static const core::noun noun;

    std::uint16_t index;
};

result<kdevx_pp *> alloc_pp(context &c, uverbs::const_bytes rate, std::uint32_t flags) noexcept;

} // namespace kdevx::core
