// SPDX-License-Identifier: MIT
// Events that the device raises by itself, because of what its queues do: nothing is injected here
// but work.
#include "events.hpp"
#include "loopback.hpp"
#include "qp_states.hpp"

using namespace kdevx;
using namespace kdevx::vm;

namespace {

constexpr std::uint64_t mine = 0x1234'5678'9abc'def0;

// One that has come, with the number of the queue that it is about.
kdevx_event next_of(const event_channel_ptr &channel, std::string_view type) {
    const kdevx_event e = next(channel);
    CHECK(e.what == KDEVX_EVENT_RAISED);
    CHECK(e.type == prm::event_types.find(type)->number);
    CHECK(e.cookie == mine);
    return e;
}

template <const auto &Data>
prm::view<Data> data_of(const kdevx_event &e) {
    constexpr std::size_t data = 0x20;
    return prm::view<Data>(std::as_bytes(std::span(e.eqe)).subspan(data, Data.size));
}

std::uint32_t number_of(const object_ptr &o) {
    return info_of(o.get()).device_id & 0xffffff;
}

} // namespace

TEST_CASE("a CQ that nobody empties runs over, and tells", "[traffic-events]") {
    loopback l;
    event_channel_ptr channel = make_channel(l.context());
    REQUIRE(subscribe(channel, l.cq.get(), {"CQ_ERROR"}, mine) == ok);
    constexpr unsigned messages = loopback::cqes / 2; // each completes on both sides
    l.receive(messages + 1);
    for (unsigned i = 0; i < messages; ++i)
        l.send();
    CHECK(is_quiet(channel));
    l.send();
    const kdevx_event e = next_of(channel, "CQ_ERROR");
    CHECK(data_of<prm::cq_error>(e).get<"cqn">() == number_of(l.cq));
    CHECK(data_of<prm::cq_error>(e).get<"syndrome">() ==
          prm::value_of<prm::cq_error_syndromes, "CQ_OVERRUN">);
    exchange x("QUERY_CQ");
    REQUIRE(query(l.cq.get(), x.set("cqn", number_of(l.cq))) == ok);
    CHECK(x.get("cq_context.status") == prm::value_of<prm::cqc_statuses, "CQ_OVERFLOW">);
}

TEST_CASE("a completion comes through an event channel, once for each arming", "[traffic-events]") {
    loopback l;
    event_channel_ptr channel = make_channel(l.context());
    REQUIRE(subscribe(channel, l.cq.get(), {"COMP"}, mine) == ok);
    l.receive(3);
    l.send();
    next(l.completions);
    next(l.completions);
    CHECK(is_quiet(channel)); // not armed
    CHECK(kdevx_arm_cq(l.completions.get(), 0) == 0);
    l.send();
    CHECK(data_of<prm::comp_event>(next_of(channel, "COMP")).get<"cq_number">() == number_of(l.cq));
    CHECK(kdevx_acknowledge_cq_event(l.completions.get()) == 0);
    next(l.completions);
    next(l.completions);
    l.send();
    next(l.completions);
    next(l.completions);
    CHECK(is_quiet(channel));
}

TEST_CASE("a shared receive queue that runs low tells, once for each limit", "[traffic-events]") {
    loopback l;
    event_channel_ptr channel = make_channel(l.context());
    REQUIRE(subscribe(channel, l.rmp.get(), {"SRQ_RQ_LIMIT"}, mine) == ok);
    constexpr unsigned posted = 6, limit = 5;
    l.receive(posted);
    exchange arm("MODIFY_RMP");
    arm.set("rmpn", number_of(l.rmp)).set("bitmask.lwm", 1).set("ctx.wq.lwm", limit);
    arm.set("rmp_state", prm::value_of<prm::rmpc_states, "RDY">);
    arm.set("ctx.state", prm::value_of<prm::rmpc_states, "RDY">);
    const auto message = [&] {
        l.send();
        next(l.completions);
        next(l.completions);
    };
    REQUIRE(modify(l.rmp.get(), arm) == ok);
    message(); // the limit is left
    CHECK(is_quiet(channel));
    message();
    const kdevx_event e = next_of(channel, "SRQ_RQ_LIMIT");
    CHECK(data_of<prm::qp_events>(e).get<"qpn_rqn_sqn">() == number_of(l.rmp));
    message();
    CHECK(is_quiet(channel));
    // Where there are fewer already, it is told at once.
    REQUIRE(modify(l.rmp.get(), arm) == ok);
    next_of(channel, "SRQ_RQ_LIMIT");
}

TEST_CASE("a write by a wrong key: the peer is told, and the last of its shared receives",
          "[traffic-events]") {
    loopback l;
    event_channel_ptr channel = make_channel(l.context());
    REQUIRE(subscribe(channel, l.qp.get(), {"WQ_ACCESS_ERROR", "SRQ_LAST_WQE"}, mine) == ok);
    l.write(0xbad'beef);
    const kdevx_event e = next_of(channel, "WQ_ACCESS_ERROR");
    CHECK(data_of<prm::qp_events>(e).get<"qpn_rqn_sqn">() == number_of(l.qp));
    next_of(channel, "SRQ_LAST_WQE");
    // The peer is the queue pair itself, and has failed before the answer comes.
    CHECK(std::string(kdevx_syndrome_name(next(l.completions).syndrome)) == "WR_FLUSH_ERR");
}

TEST_CASE("a completion comes through a completion channel", "[traffic-events][verbs]") {
    verbs v;
    comp_channel_ptr channel = make<comp_channel_ptr>(kdevx_comp_channel_create, v.context.get());
    auto o = cq_of(15);
    o.channel = channel.get();
    o.user_handle = mine;
    cq_ptr cq = v.make_cq(o);
    auto q = v.qp_of(KDEVX_QP_RC);
    q.send_cq = q.recv_cq = cq.get();
    qp_ptr qp = v.make_qp(q);
    REQUIRE(to_init(qp) == ok);
    REQUIRE(to_rtr(qp, info_of(qp).qpn) == ok);
    REQUIRE(to_rts(qp) == ok);
    const cq_ring_ptr completions = make<cq_ring_ptr>(kdevx_cq_ring_create, cq.get());
    auto r = sized<kdevx_qp_ring_options>();
    r.send_cq = r.recv_cq = completions.get();
    const qp_ring_ptr ring = make<qp_ring_ptr>(kdevx_qp_ring_create, qp.get(),
                                               static_cast<const kdevx_qp_ring_options *>(&r));

    for (std::uint64_t id : {1u, 2u}) {
        CHECK(kdevx_arm_cq(completions.get(), 0) == 0);
        kdevx_send_wr w{};
        w.wr_id = id;
        w.op = KDEVX_NOP;
        w.flags = KDEVX_SEND_SIGNALED;
        const kdevx_send_wr *bad = nullptr;
        REQUIRE(call(kdevx_post_send, ring.get(), static_cast<const kdevx_send_wr *>(&w), &bad) ==
                ok);
        std::uint64_t handle = 0;
        REQUIRE(call(kdevx_comp_channel_get, channel.get(), 30'000, &handle) == ok);
        CHECK(handle == mine);
        CHECK(kdevx_acknowledge_cq_event(completions.get()) == 0);
        CHECK(next(completions).wr_id == id);
    }
    std::uint64_t handle = 0;
    CHECK(call(kdevx_comp_channel_get, channel.get(), KDEVX_NO_WAIT, &handle) ==
          failed(EAGAIN, KDEVX_CAUSE_NOTHING_YET));
}
