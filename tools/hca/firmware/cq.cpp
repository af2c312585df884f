// SPDX-License-Identifier: MIT
#include "kdevx/prm/cq.hpp"
#include "firmware/field_copy.hpp"
#include "firmware/queue_memory.hpp"
#include "firmware/queues.hpp"

#include <algorithm>

namespace kdevx::hca::firmware {
namespace {

struct cq_parts : extension {
    engine::completion_queue::config config;
};

ring_place ring_in(const command &c, unsigned log_size, unsigned stride) {
    const auto in = c.inbox<prm::create_cq_in>(); // MODIFY_CQ has the same fields there
    return {
        .in_umem = in.get<"cq_umem_valid">() != 0,
        .umem = std::uint32_t(in.get<"cq_umem_id">()),
        .umem_offset = in.get<"cq_umem_offset">(),
        .list = prm::create_cq_in.size,
        .log_page_size = unsigned(in.get<"cq_context.log_page_size">()),
        .page_offset = in.get<"cq_context.page_offset">(),
        .length = std::uint64_t(stride) << log_size,
        .written = true,
    };
}

unsigned stride_of(std::uint64_t cqe_sz) {
    return cqe_sz ? 128 : 64;
}

syndrome check_size(state &s, command &c, unsigned log_size) {
    if (log_size > s.caps.general("log_max_cq_sz"))
        return c.refuse(syndrome::queue_size, "log_cq_size {}", log_size);
    return syndrome::none;
}

} // namespace

syndrome check_cq(state &s, command &c, object &o) {
    constexpr std::uint32_t eqn_mask = 0xff;
    const auto in = c.inbox<prm::create_cq_in>();
    auto parts = std::make_unique<cq_parts>();
    auto &q = parts->config;
    o.own = std::move(parts);
    q.log_size = unsigned(in.get<"cq_context.log_cq_size">());
    q.stride = stride_of(in.get<"cq_context.cqe_sz">());
    q.eq = std::uint8_t(in.get<"cq_context.c_eqn_or_apu_element">() & eqn_mask);
    q.uar = std::uint32_t(in.get<"cq_context.uar_page">());
    q.ignore_overrun = in.get<"cq_context.oi">();
    q.collapsed = in.get<"cq_context.cc">();
    syndrome why = check_size(s, c, q.log_size);
    if (why == syndrome::none && !in.get<"cq_context.apu_cq">())
        why = use_object(s, c, o, kind::eq, q.eq);
    if (why == syndrome::none) why = place_ring(s, c, o, ring_in(c, q.log_size, q.stride), q.ring);
    if (why != syndrome::none) return why;
    return place_record(s, c, o,
                        {.in_umem = in.get<"cq_context.dbr_umem_valid">() != 0,
                         .umem = std::uint32_t(in.get<"cq_context.dbr_umem_id">()),
                         .address = in.get<"cq_context.dbr_addr">()},
                        q.record);
}

void start_cq(state &s, command &c, object &o) {
    auto &config = static_cast<cq_parts &>(*o.own).config;
    config.number = o.id;
    config.owner = o.uid;
    c.note("CQ {:#x} EQ {} 2^{} entries", o.id, config.eq, config.log_size);
    s.engine.create_cq(config);
}

void query_cq_counters(state &s, command &c, object &o) {
    using prm::value_of;
    const auto &cq = *s.engine.find_cq(o.id);
    constexpr std::uint32_t mask = 0xffffff;
    constexpr std::uint64_t states[] = {
        value_of<prm::cqc_states, "FIRED">,
        value_of<prm::cqc_states, "SOLICITED_NOTIFICATION_REQUEST_ARMED">,
        value_of<prm::cqc_states, "NOTIFICATION_REQUEST_ARMED">,
    };
    c.outbox<prm::query_cq_out>()
        .set<"cq_context.producer_counter">(cq.producer() & mask)
        .set<"cq_context.consumer_counter">(s.engine.consumer_of(cq))
        .set<"cq_context.st">(states[cq.armed()])
        .set<"cq_context.status">(cq.broken() ? value_of<prm::cqc_statuses, "CQ_OVERFLOW"> : 0);
}

syndrome stop_cq(state &s, command &, object &o) {
    s.engine.destroy_cq(o.id);
    return syndrome::none;
}

namespace {

struct modify_row {
    std::uint64_t bit;
    std::string_view field;
};
template <prm::fixed_string Name>
constexpr std::uint64_t field_bit = prm::value_of<prm::modify_cq_fields, Name>;
// clang-format off
constexpr modify_row modify_rows[] = {
    {field_bit<"CQ_PERIOD">,    "cq_period"},
    {field_bit<"CQ_MAX_COUNT">, "cq_max_count"},
    {field_bit<"OI">,           "oi"},
    {field_bit<"C_EQN">,        "c_eqn_or_apu_element"},
};
// clang-format on

// The CQ lets go of its EQ and takes the new one.
syndrome change_eq(state &s, command &c, object &cq, std::uint8_t number) {
    object *eq = nullptr;
    syndrome why = find_object(s, c, kind::eq, number, false, eq);
    if (why != syndrome::none) return why;
    auto old = std::ranges::find_if(cq.uses, [](object *u) { return u->type->what == kind::eq; });
    if (old != cq.uses.end()) {
        --(*old)->users;
        *old = eq;
        ++eq->users;
    }
    s.engine.find_cq(cq.id)->settings().eq = number;
    return syndrome::none;
}

syndrome modify_fields(state &s, command &c, object &cq) {
    const auto in = c.inbox<prm::modify_cq_in>();
    const auto mask = in.get<"modify_field_select_resize_field_select">();
    std::uint64_t known = 0;
    for (const modify_row &row : modify_rows)
        known |= row.bit;
    if (mask & ~known) return c.refuse(syndrome::unknown_modify_bit, "{:#x}", mask & ~known);
    if (mask & field_bit<"C_EQN">) {
        const auto eqn = std::uint8_t(in.get<"cq_context.c_eqn_or_apu_element">());
        if (syndrome why = change_eq(s, c, cq, eqn); why != syndrome::none) return why;
    }
    if (mask & field_bit<"OI">)
        s.engine.find_cq(cq.id)->settings().ignore_overrun = in.get<"cq_context.oi">();
    constexpr auto at = prm::place_of<prm::modify_cq_in, "cq_context">.row.offset;
    for (const modify_row &row : modify_rows)
        if (mask & row.bit)
            copy_field(prm::find_place(prm::cqc, row.field),
                       std::span<const std::byte>(c.in).subspan(at), cq.context);
    return syndrome::none;
}

syndrome resize(state &s, command &c, object &cq) {
    const auto in = c.inbox<prm::modify_cq_in>();
    const auto log_size = unsigned(in.get<"cq_context.log_cq_size">());
    auto &running = *s.engine.find_cq(cq.id);
    auto &q = running.settings();
    const auto cqe_sz = in.get<"cq_context.cqe_sz">();
    const unsigned stride = stride_of(cqe_sz);
    if (syndrome why = check_size(s, c, log_size); why != syndrome::none) return why;
    if (running.broken()) return c.refuse(syndrome::cq_overflown, "CQ {:#x}", cq.id);
    const std::uint32_t outstanding =
        (running.producer() - s.engine.consumer_of(running)) & 0xffffff;
    // The CQE that says so takes a place in the old ring.
    const unsigned room = q.ignore_overrun ? log_size : std::min(log_size, q.log_size);
    if (outstanding >= 1u << room)
        return c.refuse(syndrome::cq_smaller_than_full, "{} in 2^{}", outstanding, room);
    object fresh{cq.type};
    memory::buffer ring;
    syndrome why = place_ring(s, c, fresh, ring_in(c, log_size, stride), ring);
    if (why != syndrome::none) return why;
    s.objects.replace_memory(cq, fresh, q.ring.pages.get());
    s.engine.resize_cq(cq.id, std::move(ring), log_size, stride);
    prm::editor<prm::cqc>(cq.context).set<"log_cq_size">(log_size).set<"cqe_sz">(cqe_sz);
    return syndrome::none;
}

} // namespace

syndrome modify_cq(state &s, command &c) {
    object *cq = nullptr;
    const auto n = std::uint32_t(c.inbox<prm::modify_cq_in>().get<"cqn">());
    syndrome why = find_object(s, c, kind::cq, n, true, cq);
    if (why != syndrome::none) return why;
    c.note("CQ {:#x}", n);
    if (c.op_mod == prm::value_of<prm::modify_cq_ops, "MODIFY_CQ">) return modify_fields(s, c, *cq);
    if (c.op_mod == prm::value_of<prm::modify_cq_ops, "RESIZE_CQ">) return resize(s, c, *cq);
    return c.refuse(syndrome::unknown_op_mod, "{:#x}", c.op_mod);
}

} // namespace kdevx::hca::firmware
