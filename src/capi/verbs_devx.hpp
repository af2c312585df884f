// SPDX-License-Identifier: MIT
// Query and modify by DEVX, the same for each kind of verbs object.
#pragma once

#include "capi/calls.hpp"
#include "core/verbs_devx.hpp"

namespace kdevx::capi {

template <class Body>
int devx_query(const typename Body::handle_type *p, uverbs::const_bytes in, uverbs::bytes out,
               kdevx_failure *why) noexcept {
    return with<Body>(p, why,
                      [=](auto &o) { return core::devx_query(core::verbs_handle_of(o), in, out); });
}
template <class Body>
int devx_modify(const typename Body::handle_type *p, uverbs::const_bytes in, uverbs::bytes out,
                kdevx_failure *why) noexcept {
    return with<Body>(
        p, why, [=](auto &o) { return core::devx_modify(core::verbs_handle_of(o), in, out); });
}

} // namespace kdevx::capi
