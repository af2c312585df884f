// SPDX-License-Identifier: MIT
// The command queue: takes commands out of the guest's slots and mailboxes, and puts the answers
// there. It knows nothing of what commands mean.
#pragma once

#include "firmware/command.hpp"
#include "log.hpp"
#include "memory/guest_memory.hpp"

#include <array>
#include <chrono>
#include <functional>
#include <optional>

namespace kdevx::hca::firmware {

inline constexpr unsigned command_slots = 32;
// The driver's own limit is far below; a umem of 8 GiB in pages of 4 KiB needs 16 MiB of inbox.
inline constexpr std::uint32_t max_command_length = 16u << 20;

// What the entry itself says about its delivery (not about the command).
enum class delivery : std::uint8_t {
    ok = 0x0,
    token = 0x2,
    block_number = 0x3,
    output_pointer = 0x4,
    input_pointer = 0x5,
    firmware_error = 0x6,
    input_length = 0x7,
    output_length = 0x8,
    descriptor = 0x10,
};

// When the answer to a command goes back.
struct answer_time {
    bool never = false;
    bool by_event = false; // tell the driver; else it polls the entry
    std::chrono::milliseconds delay{0};
};

class cmd_queue {
public:
    struct callbacks {
        // Fills the outbox; says when to answer.
        std::function<answer_time(command &c, unsigned slot)> execute;
        std::function<void(std::chrono::milliseconds, std::function<void()>)> later;
        std::function<void(std::uint32_t slots)> completed; // tell the driver by event
    };
    cmd_queue(memory::guest_memory &memory, logger &log, callbacks c)
        : memory_(memory), log_(log), callbacks_(std::move(c)) {}

    void doorbell(std::uint64_t queue, std::uint32_t slots);
    // Gives the slots of commands that were never to be answered back to the driver. Their mailboxes
    // are not touched: the driver has given up waiting, and they may be something else by now.
    void end_hung();
    // Forgets the commands under way: none of them is answered any more.
    void reset();

private:
    struct entry {
        std::uint64_t address;
        std::uint64_t in_mailbox, out_mailbox;
        std::uint32_t in_length, out_length;
        std::array<std::byte, 16> inline_in;
        std::uint8_t type, token;
        bool owned_by_hca;
    };
    struct slot {
        bool busy = false; // its answer is still to come
        bool hangs = false;
        bool by_event = false;
        entry e;
        command c;
    };
    memory::guest_memory &memory_;
    logger &log_;
    callbacks callbacks_;
    std::array<slot, command_slots> slots_;
    std::uint64_t generation_ = 0; // of resets

    void start(std::uint64_t queue, unsigned n);
    std::optional<entry> fetch(std::uint64_t address) const;
    static delivery check(const entry &e);
    delivery read_mailboxes(const entry &e, std::span<std::byte> to) const;
    delivery write_mailboxes(const entry &e, std::span<const std::byte> from);
    std::optional<std::uint64_t> next_mailbox(std::uint64_t block) const;
    void finish(unsigned n);
    void complete(unsigned n, delivery d);
};

} // namespace kdevx::hca::firmware
