// SPDX-License-Identifier: MIT
#include "firmware/state.hpp"

#include "firmware/vport.hpp"

#include <algorithm>
#include <string_view>

namespace kdevx::hca::firmware {

state::state(const options &o, memory::guest_memory &m, engine::engine &e, logger &l)
    : opt(o), memory(m), engine(e), log(l), caps(o) {
    reset();
}

void state::reset() {
    engine.reset();
    objects.clear();
    keyed.clear();
    caps.reset();
    at = phase::off;
    issi = 0;
    pages.given.clear();
    ports.clear();
    for (unsigned n = 1; n <= opt.ports; ++n)
        ports.push_back({.lid = std::uint16_t(opt.lid + n - 1), .guid = opt.guid + n});
    constexpr std::string_view description = "kdevx-hca";
    node_description.fill(std::byte(0));
    std::ranges::copy(std::as_bytes(std::span(description)), node_description.begin());
    nic_vport = initial_nic_vport_context(opt);
}

} // namespace kdevx::hca::firmware
