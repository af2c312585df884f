// SPDX-License-Identifier: MIT
// What the firmware knows: capabilities, objects, ports, pages. Command handlers are free functions
// over it; queues that run live in the engine, which the handlers tell what to do.
#pragma once

#include "engine/engine.hpp"
#include "firmware/capabilities.hpp"
#include "firmware/device_memory.hpp"
#include "firmware/object.hpp"
#include "firmware/packet_pacing.hpp"
#include "log.hpp"
#include "memory/guest_memory.hpp"
#include "options.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace kdevx::hca::firmware {

enum class phase : std::uint8_t { off, enabled, initialized };

// Pages of the guest that the driver lends the firmware. Nothing is kept in them, but they are
// counted, asked for and given back as the driver expects.
struct page_pool {
    static constexpr std::uint32_t boot_pages = 4, init_pages = 8;
    static constexpr std::size_t most = 1u << 20;
    std::vector<std::uint64_t> given;
};

enum class port_link : std::uint8_t { down = 1, init = 2, armed = 3, active = 4 };

struct port {
    port_link link = port_link::active;
    std::uint16_t lid = 0;
    std::uint64_t guid = 0;
    std::uint16_t mtu = 4096;
};

class state {
public:
    state(const options &o, memory::guest_memory &m, engine::engine &e, logger &l);

    const options &opt;
    memory::guest_memory &memory;
    engine::engine &engine;
    logger &log;

    capabilities caps;
    object_table objects;
    std::map<std::string, object *> keyed; // those that have no id (keyed_object.cpp)
    phase at = phase::off;
    std::uint16_t issi = 0;
    page_pool pages;
    device_memory memic;
    std::array<pacing_rate, rate_table_size> rates;
    std::vector<port> ports; // ports[0] is port 1
    std::array<std::byte, 64> node_description{};
    std::vector<std::byte> nic_vport; // nic_vport_context

    // As after power-on: no object, no port state of a driver.
    void reset();

private:
    std::vector<engine::port_address> port_addresses() const;
};

} // namespace kdevx::hca::firmware
