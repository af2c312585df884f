// SPDX-License-Identifier: MIT
// Queue pairs as the engine sees them: two work queues, their completion queues, a state.
#pragma once

#include "engine/work_queue.hpp"
#include "kdevx/prm/qp.hpp"

#include <cstdint>

namespace kdevx::hca::engine {

template <prm::fixed_string Name>
inline constexpr std::uint8_t qp_state = std::uint8_t(prm::value_of<prm::qpc_states, Name>);
template <prm::fixed_string Name>
inline constexpr std::uint8_t service = std::uint8_t(prm::value_of<prm::qpc_service_types, Name>);

struct queue_pair {
    std::uint32_t number = 0;
    std::uint8_t type = 0; // qpc.st
    std::uint8_t state = qp_state<"RST">;
    std::uint32_t user_index = 0;
    std::uint32_t uar = 0;
    std::uint32_t pd = 0;
    work_queue send, receive;
    bool scheduled = false; // stands in the run queue

    // QPs that carry management datagrams. With no subnet manager and no wire nobody answers: a
    // send is done when it is taken.
    bool is_management() const { return type == service<"QP0"> || type == service<"QP1">; }
};

} // namespace kdevx::hca::engine
