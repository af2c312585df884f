// SPDX-License-Identifier: MIT
// The queues that run. The firmware makes and unmakes them; doorbells wake them; what they have to
// say goes out as CQEs, event queue entries and interrupts.
#pragma once

#include "engine/blueflame.hpp"
#include "engine/completion.hpp"
#include "engine/completion_queue.hpp"
#include "engine/event_queue.hpp"
#include "engine/events.hpp"
#include "engine/packet.hpp"
#include "engine/peer.hpp"
#include "engine/queue_pair.hpp"
#include "engine/receive_queue.hpp"
#include "engine/reserved_keys.hpp"
#include "log.hpp"
#include "loop.hpp"
#include "memory/guest_memory.hpp"
#include "memory/mkey.hpp"

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

namespace kdevx::hca::engine {

// WQEs of one queue, or pieces of long messages, before it is another one's turn.
inline constexpr unsigned steps_per_turn = 16;

struct wiring {
    memory::guest_memory &memory;
    loop &timers;
    logger &log;
    std::function<void(unsigned vector)> interrupt;
};

// How the ports are known to others.
struct port_address {
    std::uint16_t lid = 0; // 0: none, the port is not InfiniBand
    gid id{};
};

// The first four bytes of a doorbell that is written in two halves.
struct half_doorbell {
    std::uint32_t offset = 0;
    std::array<std::byte, 4> bytes{};
};

class engine {
public:
    explicit engine(wiring w) : wires_(std::move(w)) { reset(); }

    memory::mkey_table keys;

    void reset();
    // A write into a UAR page.
    void doorbell(std::uint32_t page, std::uint32_t offset, std::span<const std::byte> data);
    // Lets queues that have work take a turn; whether there is more to do.
    bool run();

    // ---- event queues
    void create_eq(event_queue::config c);
    void destroy_eq(std::uint8_t number) { eqs_.erase(number); }
    const event_queue *find_eq(std::uint8_t number) const;
    // Puts an event on the queue that takes its type. False: there is none, or it is full.
    bool raise(std::uint8_t type, std::uint8_t subtype, std::span<const std::byte> data);
    bool takes(std::uint8_t type) const;

    // ---- completion queues
    void create_cq(completion_queue::config c);
    void destroy_cq(std::uint32_t number);
    // Says so in the old ring, and goes on in the new one.
    void resize_cq(std::uint32_t number, memory::buffer ring, unsigned log_size, unsigned stride);
    completion_queue *find_cq(std::uint32_t number);
    std::uint32_t consumer_of(const completion_queue &cq) { return cq.consumer(wires_.memory); }
    // Fault injection: this many of the next completions of the CQ are lost.
    void drop_completions(std::uint32_t cq, unsigned n) { dropped_[cq] += n; }

    // ---- shared receive queues
    void create_srq(shared_receive_queue q) { srqs_.insert_or_assign(q.number, std::move(q)); }
    void destroy_srq(std::uint32_t number) { srqs_.erase(number); }
    shared_receive_queue *find_srq(std::uint32_t number);
    // An event as soon as fewer than `limit` receives are left.
    void arm_srq(std::uint32_t number, std::uint32_t limit);

    // ---- queue pairs
    void create_qp(queue_pair qp);
    void destroy_qp(std::uint32_t number) { qps_.erase(number); }
    queue_pair *find_qp(std::uint32_t number);
    // Into ERR: what is posted is flushed. Into RST: it is forgotten. Into SQD: no send begins any
    // more, and an event tells when the last one has ended.
    void set_qp_state(std::uint32_t number, std::uint8_t state);
    // What the doorbell record says.
    std::uint16_t posted_sends(const queue_pair &qp);
    std::uint16_t posted_receives(const queue_pair &qp);

    // Whether doorbells may carry their WQE.
    void set_blueflame(bool on) { has_blueflame_ = on; }

    // ---- where messages go
    void set_ports(std::vector<port_address> ports) { ports_ = std::move(ports); }
    // The HCA at the other end of the cable, if there is one.
    void set_peer(peer *other) { peer_ = other; }
    // What a request does here.
    answer respond(const packet &p);
    // The peer's answer to a request of that ticket.
    void answered(std::uint32_t qpn, std::uint64_t ticket, const answer &a);

private:
    wiring wires_;
    std::map<std::uint8_t, event_queue> eqs_;
    std::unordered_map<std::uint32_t, completion_queue> cqs_;
    std::unordered_map<std::uint32_t, queue_pair> qps_;
    std::unordered_map<std::uint32_t, shared_receive_queue> srqs_;
    std::unordered_map<std::uint32_t, unsigned> dropped_;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> waiting_; // QPs, by CQ
    std::vector<port_address> ports_;
    peer *peer_ = nullptr;
    std::deque<std::uint32_t> run_queue_;
    std::uint64_t tickets_ = 0;
    bool has_blueflame_ = false;
    blueflame_write gathered_;
    std::unordered_map<std::uint32_t, half_doorbell> halves_; // by page

    // ---- engine.cpp
    void take_half(std::uint32_t page, std::uint32_t offset, std::span<const std::byte> data);
    bool post(event_queue &eq, std::uint8_t type, std::uint8_t subtype,
              std::span<const std::byte> data);
    void eq_doorbell(std::uint32_t page, std::span<const std::byte> data);
    void raise_qp_event(const queue_pair &qp, std::uint8_t type);

    // ---- completion.cpp
    void complete(const completion &what);
    // How many bytes of payload a CQE there can hold, by cs_req or cs_res of the queue pair.
    std::size_t room_in_cqe(std::uint32_t cq, std::uint8_t scatter);
    void overrun(completion_queue &cq, std::uint8_t syndrome);
    void signal(completion_queue &cq);
    void cq_doorbell(std::uint32_t page, std::span<const std::byte> data);

    // ---- blueflame.cpp
    void blueflame(std::uint32_t page, std::uint32_t offset, std::span<const std::byte> data);
    void ring_gathered();

    // ---- send_queue.cpp: doorbells, the run queue, fetching WQEs
    queue_pair *send_doorbell(std::uint32_t page, std::span<const std::byte> data);
    void schedule(queue_pair &qp);
    bool turn(queue_pair &qp);
    bool step(queue_pair &qp);
    bool take_send(queue_pair &qp);
    std::uint16_t send_limit(const queue_pair &qp);
    bool fetch(queue_pair &qp, std::uint16_t at, std::vector<std::byte> &wqe);
    void fail(queue_pair &qp, std::uint8_t event);
    void park(queue_pair &qp, std::chrono::nanoseconds time);

    // ---- queue_pair.cpp
    accessor memory_of(const queue_pair &qp) const;
    void forget(queue_pair &qp);
    void flush(queue_pair &qp);
    bool flush_receives(queue_pair &qp);
    void flush_later(std::uint32_t number, std::chrono::milliseconds delay);
    std::uint16_t receives_left(const queue_pair &qp);

    // ---- requester.cpp: what a send WQE does
    void start(queue_pair &qp, std::uint16_t at, std::span<const std::byte> wqe);
    const cqe_error *check_message(const queue_pair &qp) const;
    void proceed(queue_pair &qp);
    void send_piece(queue_pair &qp);
    packet next_packet(const queue_pair &qp) const;
    const cqe_error *fill(queue_pair &qp, packet &p);
    void transmit(queue_pair &qp, packet p);
    bool is_here(const address &to) const;
    void take_answer(queue_pair &qp, const answer &a);
    void piece_done(queue_pair &qp, const std::vector<std::byte> &response);
    bool take_response(queue_pair &qp, const std::vector<std::byte> &response);
    void wait_until_ready(queue_pair &qp, std::uint8_t rnr_timer);
    void try_again(queue_pair &qp);
    void finish_send(queue_pair &qp, const cqe_error *error = nullptr);

    // ---- cross_channel.cpp: queues that wait for completions, and enable others
    void wait(queue_pair &qp);
    void wait_for_cq(queue_pair &qp);
    void wait_for_data(queue_pair &qp);
    void wake_waiting(std::uint32_t cq);
    const cqe_error *enable_sends(queue_pair &master);
    const cqe_error *enable_receives(queue_pair &master);

    // ---- umr.cpp: keys that WQEs change
    const cqe_error *change_key(queue_pair &qp);
    bool invalidate_key(const queue_pair &qp, std::uint32_t key);

    // ---- receive_queue.cpp
    bool take_receive(queue_pair &qp, std::uint32_t xrc_srq);
    bool take_own_receive(queue_pair &qp);
    bool take_shared_receive(queue_pair &qp, std::uint32_t number);
    bool read_receive(const work_queue &q, std::uint16_t index, std::vector<std::byte> &wqe);
    std::uint16_t posted_receives(const shared_receive_queue &q);
    void check_limit(shared_receive_queue &q);

    // ---- responder.cpp: what a request does
    bool is_for(const queue_pair &qp, const packet &p) const;
    answer perform(queue_pair &qp, const packet &p);
    answer take_send_piece(queue_pair &qp, const packet &p);
    answer take_datagram(queue_pair &qp, const packet &p);
    answer take_write(queue_pair &qp, const packet &p);
    answer give_read(queue_pair &qp, const packet &p);
    answer do_atomic(queue_pair &qp, const packet &p);
    answer refuse(queue_pair &qp, verdict why);
    answer fail_receive(queue_pair &qp, const cqe_error &error);
    void finish_receive(queue_pair &qp, const packet &p, std::span<const std::byte> for_cqe);
};

} // namespace kdevx::hca::engine
