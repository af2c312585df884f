// SPDX-License-Identifier: MIT
// A queue pair as the data path sees it: its two rings, the state it is believed to be in, and the
// counters by which a master enables it.
#pragma once

#include "kdevx/prm/qp.hpp"
#include "wq/receive_ring.hpp"
#include "wq/send_ring.hpp"
#include "wq/shared_ring.hpp"

namespace kdevx::wq {

// qpc.state, or unknown: somebody else may have moved the QP, then everything is allowed.
inline constexpr std::uint8_t unknown_state = 0xff;

struct queue_pair {
    send_ring sq;
    receive_ring rq;
    shared_ring *srq = nullptr; // in place of rq
    std::uint8_t state = std::uint8_t(prm::value_of<prm::qpc_states, "RST">);

    // What completions name it by; the layer above may have a name of its own.
    queue_pair *shown = this;

    group_counter send_enables;
    group_counter receive_enables;

    // post_task's list of queues to ring.
    queue_pair *next_to_ring = nullptr;
    bool to_ring = false;

    // ERR and the states after RTS take requests too: they are flushed, or sent later.
    bool can_send() const noexcept { return state >= prm::value_of<prm::qpc_states, "RTS">; }
    bool can_post_receives() const noexcept {
        return state != prm::value_of<prm::qpc_states, "RST">;
    }
    bool can_receive() const noexcept { return state >= prm::value_of<prm::qpc_states, "RTR">; }

    // Whether there is a queue to post to, and the QP is in a state for it.
    error check_send() const noexcept {
        return can_send() ? error::none : error::wrong_state; // the ring knows if it is none
    }
    error check_receive() const noexcept {
        return !can_post_receives() ? error::wrong_state
               : srq || !rq.ready() ? error::no_such_queue
                                    : error::none;
    }

    // What a transition to RST does to the queues.
    void reset() noexcept {
        if (sq.ready()) sq.reset();
        if (rq.ready()) rq.reset();
        send_enables = receive_enables = {};
        state = std::uint8_t(prm::value_of<prm::qpc_states, "RST">);
    }
};

// Post a list and ring once. The first request that is refused is returned in `bad`; those before
// it are posted and rung, those after it are not looked at.
error post_sends(queue_pair &qp, const send_request *list, const send_request **bad) noexcept;
error post_receives(queue_pair &qp, const receive_request *list,
                    const receive_request **bad) noexcept;
error post_receives(shared_ring &srq, const receive_request *list,
                    const receive_request **bad) noexcept;

} // namespace kdevx::wq
