// SPDX-License-Identifier: MIT
// Where messages arrive: receive WQEs, of a queue pair's own queue or of one that many share.
#pragma once

#include "engine/data_list.hpp"
#include "engine/events.hpp"
#include "engine/work_queue.hpp"

#include <cstdint>

namespace kdevx::hca::engine {

// A receive WQE, taken.
struct receive_wqe {
    std::uint16_t counter = 0; // or index, of a shared queue
    data_list data;
    std::uint32_t cq = 0;
    std::uint32_t user_index = 0;
    std::uint32_t pd = 0;
    bool reserved_lkey = false;
};

// SRQ, XRC SRQ and RMP are the same to the engine. Their WQEs are a linked list: each begins with
// the index of the one that is to be used after it.
struct shared_receive_queue {
    std::uint32_t number = 0;
    work_queue queue; // `next` counts what was taken; `cq` is an XRC SRQ's
    bool is_linked = true;
    std::uint16_t head = 0; // index of the WQE to take next
    std::uint32_t pd = 0;
    std::uint8_t event_queue_type = event_of_qp; // an SRQ's: it has none of its own
    bool is_xrc = false;
    std::uint32_t xrc_domain = 0;
    std::uint32_t user_index = 0; // of XRC
    bool reserved_lkey = false;
    std::uint32_t limit = 0; // not 0: an event when fewer receives are left
};

} // namespace kdevx::hca::engine
