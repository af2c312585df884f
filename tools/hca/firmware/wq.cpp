// SPDX-License-Identifier: MIT
// Raw send and receive queues: SQ and RQ.
#include "firmware/wq.hpp"

#include "firmware/field_copy.hpp"
#include "firmware/queue_memory.hpp"
#include "firmware/queues.hpp"
#include "kdevx/prm/wq.hpp"

namespace kdevx::hca::firmware {
namespace {

struct wq_parts : extension {
    engine::queue_pair qp;
};

constexpr std::uint64_t rst = prm::value_of<prm::sqc_states, "RST">;
constexpr std::uint64_t rdy = prm::value_of<prm::sqc_states, "RDY">;
constexpr std::uint64_t err = prm::value_of<prm::sqc_states, "ERR">;
static_assert(rst == prm::value_of<prm::rqc_states, "RST"> &&
              rdy == prm::value_of<prm::rqc_states, "RDY"> &&
              err == prm::value_of<prm::rqc_states, "ERR">);

using engine::event_of_rq, engine::event_of_sq;

// The engine runs an SQ or RQ as a queue pair of which one half is missing.
constexpr std::uint8_t engine_state(std::uint64_t state) {
    return state == rdy   ? engine::qp_state<"RTS">
           : state == err ? engine::qp_state<"ERR">
                          : engine::qp_state<"RST">;
}
constexpr std::uint64_t wq_state(std::uint8_t engine_state) {
    return engine_state == engine::qp_state<"RTS">   ? rdy
           : engine_state == engine::qp_state<"ERR"> ? err
                                                     : rst;
}

engine::queue_pair &parts_of(object &o) {
    return static_cast<wq_parts &>(*o.own).qp;
}

} // namespace

syndrome place_wq(state &s, command &c, object &o, std::size_t at, engine::work_queue &wq) {
    const prm::view<prm::wq> in(std::span<const std::byte>(c.in).subspan(at));
    wq.exists = true;
    wq.log_size = unsigned(in.get<"log_wq_sz">());
    wq.log_stride = unsigned(in.get<"log_wq_stride">());
    constexpr unsigned most_log_size = 20, most_log_stride = 13; // nobody's queue has 8 GiB
    if (wq.log_size > std::max<std::uint64_t>(s.caps.general("log_max_wq_sz"),
                                              s.caps.general("log_max_srq_sz")) ||
        wq.log_size > most_log_size || wq.log_stride > most_log_stride)
        return c.refuse(syndrome::queue_size, "2^{} entries of 2^{} bytes", wq.log_size,
                        wq.log_stride);
    const auto pd = std::uint32_t(in.get<"pd">());
    // The driver's write-combining test needs no protection domain: its SQ carries NOPs only.
    const bool none_needed = pd == 0 && is_driver(c.uid);
    syndrome why = none_needed ? syndrome::none : use_object(s, c, o, kind::pd, pd);
    if (why == syndrome::none)
        why = place_ring(s, c, o,
                         {.in_umem = in.get<"wq_umem_valid">() != 0,
                          .umem = std::uint32_t(in.get<"wq_umem_id">()),
                          .umem_offset = in.get<"wq_umem_offset">(),
                          .list = at + prm::wq.size,
                          .log_page_size = unsigned(in.get<"log_wq_pg_sz">()),
                          .page_offset = in.get<"page_offset">(),
                          .length = wq.bytes()},
                         wq.ring);
    if (why != syndrome::none) return why;
    return place_record(s, c, o,
                        {.in_umem = in.get<"dbr_umem_valid">() != 0,
                         .umem = std::uint32_t(in.get<"dbr_umem_id">()),
                         .address = in.get<"dbr_addr">()},
                        wq.record);
}

// ---- SQ
// -------------------------------------------------------------------------------------------

syndrome check_sq(state &s, command &c, object &o) {
    constexpr auto at = prm::place_of<prm::create_sq_in, "ctx.wq">.row.offset;
    const auto in = c.inbox<prm::create_sq_in>();
    o.own = std::make_unique<wq_parts>();
    engine::queue_pair &qp = parts_of(o);
    qp.type = engine::service<"RAW_DATAGRAM">;
    qp.user_index = std::uint32_t(in.get<"ctx.user_index">());
    qp.uar = std::uint32_t(in.get<"ctx.wq.uar_page">());
    qp.send.cq = std::uint32_t(in.get<"ctx.cqn">());
    qp.event_queue_type = event_of_sq;
    qp.is_master = in.get<"ctx.cd_master">();
    qp.send_is_managed = in.get<"ctx.wq.cd_slave">();
    if (in.get<"ctx.state">() != rst) return c.refuse(syndrome::bad_parameter, "state is not RST");
    if (in.get<"ctx.hairpin">()) return syndrome::none; // its ring is the device's own
    return place_wq(s, c, o, at, qp.send);
}

void start_sq(state &s, command &c, object &o) {
    parts_of(o).number = o.id;
    parts_of(o).owner = o.uid;
    c.note("SQ {:#x}", o.id);
    s.engine.create_qp(std::move(parts_of(o)));
}

void query_sq_state(state &s, command &c, object &o) {
    c.outbox<prm::query_sq_out>().set<"sq_context.state">(wq_state(s.engine.find_qp(o.id)->state));
}

// ---- RQ
// -------------------------------------------------------------------------------------------

syndrome check_rq(state &s, command &c, object &o) {
    constexpr auto at = prm::place_of<prm::create_rq_in, "ctx.wq">.row.offset;
    const auto in = c.inbox<prm::create_rq_in>();
    o.own = std::make_unique<wq_parts>();
    engine::queue_pair &qp = parts_of(o);
    qp.type = engine::service<"RAW_DATAGRAM">;
    qp.user_index = std::uint32_t(in.get<"ctx.user_index">());
    qp.receive.cq = std::uint32_t(in.get<"ctx.cqn">());
    qp.event_queue_type = event_of_rq;
    if (in.get<"ctx.state">() != rst) return c.refuse(syndrome::bad_parameter, "state is not RST");
    if (in.get<"ctx.hairpin">()) return syndrome::none;
    if (in.get<"ctx.mem_rq_type">() == prm::value_of<prm::rqc_mem_rq_types, "MEMORY_RQ_RMP">)
        return use_object(s, c, o, kind::rmp, std::uint32_t(in.get<"ctx.rmpn">()));
    return place_wq(s, c, o, at, qp.receive);
}

void start_rq(state &s, command &c, object &o) {
    parts_of(o).number = o.id;
    parts_of(o).owner = o.uid;
    c.note("RQ {:#x}", o.id);
    s.engine.create_qp(std::move(parts_of(o)));
}

void query_rq_state(state &s, command &c, object &o) {
    c.outbox<prm::query_rq_out>().set<"rq_context.state">(wq_state(s.engine.find_qp(o.id)->state));
}

// ---- both
// -----------------------------------------------------------------------------------------

namespace {

// RST to RDY, RDY to itself, anything to ERR, and back to RST. `believed` is what the sender says
// the state is.
syndrome change_state(state &s, command &c, object &o, std::uint64_t believed,
                      std::uint64_t wanted) {
    const std::uint64_t now = wq_state(s.engine.find_qp(o.id)->state);
    const bool allowed =
        wanted == now || wanted == err || (now == rst && wanted == rdy) || wanted == rst;
    if (believed != now || !allowed)
        return c.refuse(syndrome::wrong_object_state, "{} {:#x} is in {}, not {} to {}",
                        o.type->noun, o.id, now, believed, wanted);
    if (wanted != now) s.engine.set_qp_state(o.id, engine_state(wanted));
    return syndrome::none;
}

} // namespace

syndrome change_sq(state &s, command &c, object &o) {
    const auto in = c.inbox<prm::modify_sq_in>();
    return change_state(s, c, o, in.get<"sq_state">(), in.get<"ctx.state">());
}

syndrome change_rq(state &s, command &c, object &o) {
    const auto in = c.inbox<prm::modify_rq_in>();
    return change_state(s, c, o, in.get<"rq_state">(), in.get<"ctx.state">());
}

syndrome stop_wq(state &s, command &, object &o) {
    s.engine.destroy_qp(o.id);
    return syndrome::none;
}

} // namespace kdevx::hca::firmware
