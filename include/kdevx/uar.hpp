// SPDX-License-Identifier: MIT
#pragma once

#include <kdevx/handle.hpp>
#include <kdevx/uar.h>

namespace kdevx {

class uar : public unique_handle<kdevx_uar, kdevx_uar_free> {
public:
    using unique_handle::unique_handle;

    result<kdevx_uar_info> info() const noexcept {
        kdevx_uar_info i{};
        kdevx_failure why{};
        i.size = sizeof i;
        if (kdevx_uar_get_info(get(), &i, &why)) return why;
        return i;
    }
};

} // namespace kdevx
