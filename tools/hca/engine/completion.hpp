// SPDX-License-Identifier: MIT
// What a CQE says, before it is one.
#pragma once

#include "engine/cqe_errors.hpp"

#include <cstdint>
#include <span>

namespace kdevx::hca::engine {

struct completion {
    std::uint32_t cq = 0;
    std::uint32_t qpn = 0, user_index = 0;
    std::uint8_t opcode = 0;          // of the CQE
    const cqe_error *error = nullptr; // of an error CQE
    std::uint8_t wqe_opcode = 0;
    std::uint16_t wqe_counter = 0;
    bool solicited = false;
    std::uint32_t byte_count = 0;
    std::uint32_t immediate = 0; // or the key that was invalidated, or the pkey
    // Where a message came from.
    std::uint32_t source_qpn = 0;
    std::uint16_t source_lid = 0;
    std::uint8_t sl = 0;
    bool has_grh = false;
    std::span<const std::byte> data{}; // payload that goes into the CQE
};

} // namespace kdevx::hca::engine
