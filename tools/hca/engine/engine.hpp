// SPDX-License-Identifier: MIT
// The queues that run. The firmware makes and unmakes them; doorbells wake them; what they have to
// say goes out as CQEs, event queue entries and interrupts.
#pragma once

#include "engine/completion_queue.hpp"
#include "engine/event_queue.hpp"
#include "engine/events.hpp"
#include "engine/queue_pair.hpp"
#include "log.hpp"
#include "loop.hpp"
#include "memory/guest_memory.hpp"
#include "memory/mkey.hpp"

#include <deque>
#include <functional>
#include <map>
#include <unordered_map>

namespace kdevx::hca::engine {

// Keys that are there without being made; the driver asks for them with QUERY_SPECIAL_CONTEXTS.
inline constexpr std::uint32_t null_index = 1, reserved_lkey_index = 2, dump_fill_index = 3,
                               terminate_scatter_list_index = 4, repeated_index = 5;
constexpr std::uint32_t reserved_key(std::uint32_t index) {
    return index << 8;
}

// WQEs of one queue that are executed before it is another one's turn.
inline constexpr unsigned wqes_per_turn = 16;

struct wiring {
    memory::guest_memory &memory;
    loop &timers;
    logger &log;
    std::function<void(unsigned vector)> interrupt;
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
    void destroy_cq(std::uint32_t number) { cqs_.erase(number); }
    // Says so in the old ring, and goes on in the new one.
    void resize_cq(std::uint32_t number, memory::buffer ring, unsigned log_size);
    completion_queue *find_cq(std::uint32_t number);
    std::uint32_t consumer_of(const completion_queue &cq) { return cq.consumer(wires_.memory); }
    // Fault injection: this many of the next completions of the CQ are lost.
    void drop_completions(std::uint32_t cq, unsigned n) { dropped_[cq] += n; }

    // ---- queue pairs
    void create_qp(queue_pair qp);
    void destroy_qp(std::uint32_t number) { qps_.erase(number); }
    queue_pair *find_qp(std::uint32_t number);
    // Into ERR: what is posted is flushed. Into RST: it is forgotten.
    void set_qp_state(std::uint32_t number, std::uint8_t state);
    // What the doorbell record says.
    std::uint16_t posted_sends(const queue_pair &qp);
    std::uint16_t posted_receives(const queue_pair &qp);

private:
    wiring wires_;
    std::map<std::uint8_t, event_queue> eqs_;
    std::unordered_map<std::uint32_t, completion_queue> cqs_;
    std::unordered_map<std::uint32_t, queue_pair> qps_;
    std::unordered_map<std::uint32_t, unsigned> dropped_;
    std::deque<std::uint32_t> run_queue_;

    // ---- engine.cpp
    bool post(event_queue &eq, std::uint8_t type, std::uint8_t subtype,
              std::span<const std::byte> data);
    void eq_doorbell(std::uint32_t page, std::span<const std::byte> data);

    // ---- completion.cpp
    struct completion {
        std::uint8_t opcode = 0;   // of the CQE
        std::uint8_t syndrome = 0; // of an error CQE
        std::uint8_t wqe_opcode = 0;
        std::uint16_t wqe_counter = 0;
        bool solicited = false;
    };
    void complete(const queue_pair &qp, const work_queue &wq, const completion &what);
    void overrun(completion_queue &cq, std::uint8_t syndrome);
    void signal(completion_queue &cq);
    void cq_doorbell(std::uint32_t page, std::span<const std::byte> data);

    // ---- send_queue.cpp
    void send_doorbell(std::uint32_t page, std::span<const std::byte> data);
    void schedule(queue_pair &qp);
    bool turn(queue_pair &qp);
    bool take_send(queue_pair &qp, std::uint16_t posted);
    void execute(queue_pair &qp, std::uint16_t at, std::span<const std::byte> control);
    void fail(queue_pair &qp, std::uint8_t event);
    void flush_receives(queue_pair &qp);
};

} // namespace kdevx::hca::engine
