// SPDX-License-Identifier: MIT
// Another HCA, as the engine sees it.
#pragma once

#include "engine/packet.hpp"

#include <cstdint>

namespace kdevx::hca::engine {

struct peer {
    virtual ~peer() = default;
    virtual bool has(std::uint16_t lid) const = 0;
    // The answer comes to engine::answered() with the same ticket; with ticket 0 there is none.
    virtual void request(const packet &p, std::uint64_t ticket) = 0;
};

} // namespace kdevx::hca::engine
