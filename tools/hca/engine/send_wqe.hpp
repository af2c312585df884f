// SPDX-License-Identifier: MIT
// A send WQE, parsed: control segment, transport, operation, data.
#pragma once

#include "engine/cqe_errors.hpp"
#include "engine/data_list.hpp"
#include "engine/packet.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace kdevx::hca::engine {

// What an opcode means and who may do it.
struct operation {
    std::uint8_t opcode;
    action does;
    unsigned services; // bit n: queues of type n (qpc.st)
    bool immediate = false;
    bool invalidates = false;
};
// Null: no operation of this engine.
const operation *find_operation(std::uint8_t opcode);

struct send_wqe {
    std::uint16_t counter = 0;
    std::uint8_t opcode = 0, opc_mod = 0, completion = 0;
    bool solicited = false;
    std::uint32_t general_id = 0; // immediate, key to invalidate, key of a UMR
    const operation *op = nullptr;

    std::uint32_t xrc_srq = 0; // XRC

    std::uint32_t remote_qpn = 0, q_key = 0; // UD
    address to;

    std::uint64_t remote_address = 0; // RDMA and atomics
    std::uint32_t remote_key = 0;
    operands arguments{};
    std::uint8_t operand_size = 0;

    data_list data;
    std::vector<std::byte> body; // what stands behind the control segment of the other operations
};

// Fills `to` from the bytes of a WQE on a queue of type `service`. Null: done; else what is wrong
// with it. What the control segment says is there in any case.
const cqe_error *parse(std::span<const std::byte> wqe, std::uint8_t service, send_wqe &to);

} // namespace kdevx::hca::engine
