// SPDX-License-Identifier: MIT
#include "core/ring.hpp"

namespace kdevx::core {

failure failed(rings::error e) noexcept {
    const char *name = rings::name(e).data();
    if (e == rings::error::queue_full) return no_memory(name);
    return invalid(name);
}

} // namespace kdevx::core
