// SPDX-License-Identifier: MIT
// What goes from one queue pair to another: requests, which carry a message piece by piece, and
// the answers of reliable services. Neither holds anything of the guest's memory but copies.
#pragma once

#include "engine/address.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace kdevx::hca::engine {

// A longer message goes in pieces of this size, so that no queue keeps the others waiting.
inline constexpr std::uint64_t piece_size = 64u << 10;

enum class action : std::uint8_t {
    none, // NOP
    send,
    write,
    read,
    atomic,
    umr,
    wait,
    enable_send,
    enable_receive,
};

using operands = std::array<std::byte, 32>; // of an atomic, as they stand in the WQE

struct packet {
    // ---- the way
    std::uint16_t source_lid = 0, lid = 0;
    std::uint32_t source_qpn = 0, qpn = 0;
    std::uint8_t service = 0; // qpc.st
    std::uint8_t sl = 0;
    bool has_grh = false;
    gid from{}, to{};

    // ---- the message
    action does = action::none;
    bool first = true, last = true; // piece of it
    bool solicited = false, has_immediate = false, invalidates = false;
    std::uint32_t immediate = 0; // or the key to invalidate
    std::uint32_t psn = 0;       // of this piece
    std::uint32_t psns = 1;      // that it takes
    std::uint32_t xrc_srq = 0;
    std::uint32_t q_key = 0;
    std::uint64_t message_length = 0;

    // ---- remote memory: where this piece goes to or comes from
    std::uint64_t address = 0;
    std::uint32_t key = 0;
    std::uint32_t length = 0; // to read
    std::uint8_t atomic = 0, operand_size = 0;
    operands arguments{};

    std::vector<std::byte> payload;
};

enum class verdict : std::uint8_t {
    done,
    not_ready,        // no receive posted: try again after the time that the answer says
    invalid_request,  // nothing that is done here
    remote_access,    // refused by the key
    remote_operation, // a failure of the responder's own
    lost,             // nobody there who answers; the requester learns it by its timer
};

struct answer {
    verdict what = verdict::lost;
    std::uint8_t rnr_timer = 0;
    std::vector<std::byte> payload; // of reads and atomics
};

} // namespace kdevx::hca::engine
