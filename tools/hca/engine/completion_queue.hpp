// SPDX-License-Identifier: MIT
// Completion queues: rings of CQEs, with a doorbell record that says how far the consumer is and
// what it has armed.
#pragma once

#include "memory/guest_memory.hpp"
#include "memory/page_list.hpp"

#include <cstdint>
#include <span>

namespace kdevx::hca::engine {

inline constexpr std::size_t cqe_size = 64;

class completion_queue {
public:
    struct config {
        std::uint32_t number = 0;
        memory::buffer ring;
        memory::buffer record; // doorbell record
        unsigned log_size = 0;
        unsigned stride = cqe_size; // 128: the CQE is the second half
        std::uint8_t eq = 0;
        std::uint32_t uar = 0;
        bool ignore_overrun = false;
        bool collapsed = false; // every CQE goes to slot 0
        std::uint32_t owner = 0;
    };
    explicit completion_queue(config c) : config_(std::move(c)) {}

    const config &settings() const { return config_; }
    config &settings() { return config_; }
    std::uint32_t producer() const { return producer_; }
    bool broken() const { return broken_; }

    // A queue that was overrun or out of reach once is broken for good.
    enum class posted { ok, overrun, unreachable, broken };
    // Puts a CQE in its slot, and up to 64 bytes of data before it where slots are so large.
    // `owner` of it is set here.
    posted post(memory::guest_memory &memory, std::span<std::byte, cqe_size> cqe,
                std::span<const std::byte> before, bool solicited);

    // What the consumer wrote to its CQ doorbell. Whether to send an event at once.
    bool arm(unsigned sequence, bool solicited_only, std::uint32_t consumer);
    // Whether the CQE just posted is what the consumer has armed for; it is disarmed then.
    bool fire(bool solicited);
    std::uint32_t consumer(memory::guest_memory &memory) const;
    unsigned armed() const { return armed_ ? armed_solicited_only_ ? 1 : 2 : 0; }

private:
    config config_;
    std::uint32_t producer_ = 0; // 24 bits of it are known outside
    std::uint32_t after_last_solicited_ = 0;
    unsigned fired_sequence_ = no_sequence, armed_sequence_ = no_sequence;
    bool armed_ = false, armed_solicited_only_ = false, broken_ = false;

    static constexpr unsigned no_sequence = 4; // sequence numbers have two bits
};

} // namespace kdevx::hca::engine
