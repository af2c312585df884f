// SPDX-License-Identifier: MIT
// Queue pairs as the engine sees them: two work queues, their completion queues, a state, and how
// far each half is with the message it is at.
#pragma once

#include "engine/blueflame.hpp"
#include "engine/receive_queue.hpp"
#include "engine/send_wqe.hpp"
#include "engine/work_queue.hpp"
#include "kdevx/prm/qp.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace kdevx::hca::engine {

template <prm::fixed_string Name>
inline constexpr std::uint8_t qp_state = std::uint8_t(prm::value_of<prm::qpc_states, Name>);
template <prm::fixed_string Name>
inline constexpr std::uint8_t service = std::uint8_t(prm::value_of<prm::qpc_service_types, Name>);

// What the transitions set.
struct connection {
    std::uint32_t remote_qpn = 0;
    address to;
    unsigned port = 1;
    unsigned mtu = 256;
    unsigned log_msg_max = 0;
    bool read_allowed = false, write_allowed = false, atomic_allowed = false; // to the other side
    bool atomics_in_host_order = false;
    std::uint8_t min_rnr_nak = 0, rnr_retry = 0, retry_count = 0, ack_timeout = 0;
    std::uint32_t q_key = 0;
};

// One message at a time is on its way: the next WQE begins when this one has its answer. So fences,
// the depth of reads and atomics, and their being done once, come by themselves.
struct sending {
    std::optional<send_wqe> wqe; // that is executed now
    std::uint64_t done = 0;      // bytes of it that have arrived
    std::uint32_t psn = 0;
    std::uint32_t piece = 0, piece_psns = 0; // that is on its way
    unsigned retries_left = 0, rnr_retries_left = 0;
    std::uint64_t ticket = 0;       // not 0: waits for the timer, CQ or answer that has the ticket
    std::uint16_t enabled = 0;      // of a managed queue: how far it may go
    std::vector<std::byte> for_cqe; // response that goes into the CQE
    // The WQE that came with its doorbell counts instead of the one in the ring.
    std::optional<std::uint16_t> blueflame_at;
    std::array<std::byte, blueflame_size> blueflame{};
};

struct receiving {
    std::uint32_t psn = 0;
    std::optional<receive_wqe> wqe; // of the message that is arriving
    std::uint64_t done = 0;
    bool established = false;  // something has come in since RTR
    std::uint16_t enabled = 0; // of a managed queue
};

struct queue_pair {
    std::uint32_t number = 0;
    std::uint8_t type = 0; // qpc.st
    std::uint8_t state = qp_state<"RST">;
    std::uint8_t event_queue_type = event_of_qp;
    std::uint32_t user_index = 0;
    std::uint32_t uar = 0;
    std::uint32_t pd = 0;
    std::uint32_t owner = 0; // whose queues and CQs its WQEs may name
    bool reserved_lkey = false;
    std::uint8_t scatter_responses = 0, scatter_receives = 0; // cs_req, cs_res
    bool is_master = false, send_is_managed = false, receive_is_managed = false;
    bool uses_shared_queue = false;
    std::uint32_t shared_queue = 0;
    std::uint32_t xrc_domain = 0;
    work_queue send, receive;
    connection path;
    struct sending sending;
    struct receiving receiving;
    bool scheduled = false; // stands in the run queue

    // QPs that carry management datagrams. With no subnet manager and no wire nobody answers: a
    // send is done when it is taken.
    bool is_management() const { return type == service<"QP0"> || type == service<"QP1">; }
    bool is_reliable() const { return type == service<"RC"> || type == service<"XRC">; }
    bool is_connected() const { return is_reliable() || type == service<"UC">; }
};

} // namespace kdevx::hca::engine
