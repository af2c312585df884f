// SPDX-License-Identifier: MIT
#pragma once

#include <kdevx/handle.hpp>
#include <kdevx/umem.h>

namespace kdevx {

class umem : public unique_handle<kdevx_umem, kdevx_umem_dereg> {
public:
    using unique_handle::unique_handle;

    result<kdevx_umem_info> info() const noexcept {
        kdevx_umem_info i{};
        kdevx_failure why{};
        i.size = sizeof i;
        if (kdevx_umem_get_info(get(), &i, &why)) return why;
        return i;
    }
};

} // namespace kdevx
