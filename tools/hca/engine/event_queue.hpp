// SPDX-License-Identifier: MIT
// Event queues: rings in guest memory that the HCA writes and an interrupt points at.
#pragma once

#include "memory/guest_memory.hpp"
#include "memory/page_list.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <span>

namespace kdevx::hca::engine {

inline constexpr std::size_t eqe_size = 64;
inline constexpr std::size_t event_data_size = 28;

class event_queue {
public:
    struct config {
        std::uint8_t number;
        memory::buffer ring;
        unsigned log_size;
        unsigned vector;
        std::uint32_t uar;                   // the page that its doorbells are in
        std::array<std::uint64_t, 4> events; // bitmask of the event types that go here
    };
    explicit event_queue(config c) : config_(std::move(c)) {}

    bool takes(std::uint8_t type) const { return config_.events[type / 64] >> type % 64 & 1; }
    unsigned vector() const { return config_.vector; }
    std::uint8_t number() const { return config_.number; }
    std::uint32_t uar() const { return config_.uar; }

    // False: the ring is full or cannot be written, and the event is lost.
    bool post(memory::guest_memory &memory, std::uint8_t type, std::uint8_t subtype,
              std::span<const std::byte> data);
    // The driver has consumed everything before this counter (24 bits of it).
    void consumed(std::uint32_t counter);

    std::uint32_t producer() const { return producer_; }
    std::uint32_t consumer() const { return consumer_; }

private:
    config config_;
    std::uint32_t producer_ = 0, consumer_ = 0; // free running
};

} // namespace kdevx::hca::engine
