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
    memic.clear();
    rates.fill({});
    ports.clear();
    for (unsigned n = 1; n <= opt.ports; ++n)
        ports.push_back({.lid = std::uint16_t(opt.lid + n - 1), .guid = opt.guid + n});
    engine.set_ports(port_addresses());
    engine.set_blueflame(opt.blueflame);
    constexpr std::string_view description = "kdevx-hca";
    node_description.fill(std::byte(0));
    std::ranges::copy(std::as_bytes(std::span(description)), node_description.begin());
    nic_vport = initial_nic_vport_context(opt);
}

// An Ethernet port has no LID, and nobody finds it.
std::vector<engine::port_address> state::port_addresses() const {
    constexpr std::uint64_t link_local = 0xfe80000000000000;
    std::vector<engine::port_address> all;
    for (const port &p : ports) {
        engine::port_address &a = all.emplace_back();
        if (opt.infiniband) a.lid = p.lid;
        prm::store_be(a.id.data(), link_local);
        prm::store_be(a.id.data() + 8, p.guid);
    }
    return all;
}

} // namespace kdevx::hca::firmware
