// SPDX-License-Identifier: MIT
// Protection domains and XRC domains.
#pragma once

#include <kdevx/pd.h>

#include "core/pin.hpp"

namespace kdevx::core {

struct pd {
    using handle_type = kdevx_pd;
    static const core::noun noun;

    std::uint32_t pdn;
};

struct xrcd {
    using handle_type = kdevx_xrcd;
    static const core::noun noun;
};

result<kdevx_pd *> alloc_pd(context &c) noexcept;

// fd -1: nobody else's.
result<kdevx_xrcd *> open_xrcd(context &c, int fd, std::uint32_t oflags) noexcept;

} // namespace kdevx::core
