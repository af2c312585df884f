// SPDX-License-Identifier: MIT
// What DEVX contexts may subscribe to: with an object, and without. The driver takes an event that
// stands in both lists for an unaffiliated one.
#pragma once

#include "kdevx/prm/event.hpp"

namespace kdevx::hca::engine {

// Types fill a byte of the event queue entry.
template <prm::fixed_string Name>
inline constexpr std::uint8_t event = std::uint8_t(prm::event<Name>);

// The kernel's MLX5_EVENT_QUEUE_TYPE_*: what kind of queue the number in an event is of.
inline constexpr std::uint8_t event_of_qp = 0, event_of_rq = 1, event_of_sq = 2;

inline constexpr std::uint8_t affiliated_events[] = {
    event<"COMP">,
    event<"PATH_MIG">,
    event<"COMM_EST">,
    event<"SQ_DRAINED">,
    event<"CQ_ERROR">,
    event<"WQ_CATAS_ERROR">,
    event<"PATH_MIG_FAILED">,
    event<"WQ_INVAL_REQ_ERROR">,
    event<"WQ_ACCESS_ERROR">,
    event<"SRQ_CATAS_ERROR">,
    event<"SRQ_LAST_WQE">,
    event<"SRQ_RQ_LIMIT">,
    event<"XRQ_ERROR">,
    event<"DCT_DRAINED">,
    event<"DCT_KEY_VIOLATION">,
    event<"OBJECT_CHANGE">,
};
inline constexpr std::uint8_t unaffiliated_events[] = {
    event<"PORT_CHANGE">,
    event<"GENERAL_EVENT">,
};

} // namespace kdevx::hca::engine
