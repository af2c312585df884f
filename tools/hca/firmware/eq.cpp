// SPDX-License-Identifier: MIT
#include "kdevx/prm/eq.hpp"
#include "firmware/queue_memory.hpp"
#include "firmware/queues.hpp"

namespace kdevx::hca::firmware {
namespace {

struct eq_parts : extension {
    engine::event_queue::config config;
};

} // namespace

syndrome check_eq(state &s, command &c, object &o) {
    const auto in = c.inbox<prm::create_eq_in>();
    const auto log_size = unsigned(in.get<"eq_context_entry.log_eq_size">());
    const auto vector = unsigned(in.get<"eq_context_entry.intr">());
    if (log_size > s.caps.general("log_max_eq_sz"))
        return c.refuse(syndrome::queue_size, "log_eq_size {}", log_size);
    if (vector >= s.opt.vectors) return c.refuse(syndrome::no_such_vector, "{}", vector);
    auto parts = std::make_unique<eq_parts>();
    auto &e = parts->config;
    e.log_size = log_size;
    e.vector = vector;
    e.uar = std::uint32_t(in.get<"eq_context_entry.uar_page">());
    for (std::uint32_t i = 0; i < e.events.size(); ++i)
        e.events[i] = in.get<"event_bitmask">(i);
    const ring_place where{
        .list = prm::create_eq_in.size,
        .log_page_size = unsigned(in.get<"eq_context_entry.log_page_size">()),
        .page_offset = in.get<"eq_context_entry.page_offset">(),
        .length = engine::eqe_size << log_size,
        .written = true,
    };
    o.own = std::move(parts);
    return place_ring(s, c, o, where, static_cast<eq_parts &>(*o.own).config.ring);
}

void start_eq(state &s, command &c, object &o) {
    auto &config = static_cast<eq_parts &>(*o.own).config;
    config.number = std::uint8_t(o.id);
    c.note("EQ {} vector {} events {:#x}", o.id, config.vector, config.events[0]);
    s.engine.create_eq(config);
}

void query_eq_counters(state &s, command &c, object &o) {
    const engine::event_queue *eq = s.engine.find_eq(std::uint8_t(o.id));
    c.outbox<prm::query_eq_out>()
        .set<"eq_context_entry.consumer_counter">(eq->consumer() & 0xffffff)
        .set<"eq_context_entry.producer_counter">(eq->producer() & 0xffffff);
}

syndrome stop_eq(state &s, command &, object &o) {
    s.engine.destroy_eq(std::uint8_t(o.id));
    return syndrome::none;
}

} // namespace kdevx::hca::firmware
