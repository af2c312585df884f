// SPDX-License-Identifier: MIT
// Addresses as objects.
#pragma once

#include <kdevx/ah.h>

#include "core/pd.hpp"

namespace kdevx::core {

struct ah {
    using handle_type = kdevx_ah;
    static const core::noun noun;

    const slot *pd;
    bool has_dmac;
    std::uint8_t dmac[6];
};

result<kdevx_ah *> create_ah(const pin<pd> &domain, const kdevx_address &a) noexcept;

} // namespace kdevx::core
