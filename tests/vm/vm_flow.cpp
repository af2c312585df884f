// SPDX-License-Identifier: MIT
// Flows in the kernel's tables with destinations, counters and actions of DEVX's making: the
// Ethernet port's.
#include "verbs.hpp"

using namespace kdevx;
using namespace kdevx::vm;

namespace {

using matcher_ptr = std::unique_ptr<kdevx_flow_matcher, ending<kdevx_flow_matcher_destroy>>;
using flow_ptr = std::unique_ptr<kdevx_flow, ending<kdevx_flow_destroy>>;
using action_ptr = std::unique_ptr<kdevx_flow_action, ending<kdevx_flow_action_destroy>>;
using anchor_ptr = std::unique_ptr<kdevx_steering_anchor, ending<kdevx_steering_anchor_destroy>>;

const expectation invalid = failed(EINVAL, KDEVX_CAUSE_INVALID);
constexpr std::uint8_t outer_headers = 1;

// Packets to a MAC address.
struct match {
    box mask{prm::fte_match_param}, value{prm::fte_match_param};

    explicit match(std::uint16_t last_bytes = 0x4711) {
        mask.set("outer_headers.dmac_15_0", 0xffff);
        value.set("outer_headers.dmac_15_0", last_bytes);
    }
};

kdevx_flow_matcher_options matcher_of(const match &m) {
    auto o = sized<kdevx_flow_matcher_options>();
    o.mask = m.mask.data();
    o.mask_size = m.mask.size();
    o.criteria = outer_headers;
    return o;
}
kdevx_flow_options flow_of(const match &m) {
    auto o = sized<kdevx_flow_options>();
    o.match_value = m.value.data();
    o.match_value_size = m.value.size();
    return o;
}
outcome create(const matcher_ptr &matcher, const kdevx_flow_options &o, flow_ptr &made) {
    return attempt(made, kdevx_flow_create, matcher.get(), &o);
}

struct table : bench {
    match which;
    matcher_ptr matcher = make_matcher(matcher_of(which));

    matcher_ptr make_matcher(const kdevx_flow_matcher_options &o) {
        return make<matcher_ptr>(kdevx_flow_matcher_create, context(), &o);
    }
    flow_ptr make_flow(const kdevx_flow_options &o) {
        flow_ptr made;
        REQUIRE(attempt(made, kdevx_flow_create, matcher.get(), &o) == ok);
        return made;
    }
    object_ptr tir() {
        exchange x("CREATE_TIR");
        x.set("ctx.disp_type", prm::value_of<prm::tirc_disp_types, "DIRECT">);
        x.set("ctx.inline_rqn", (*this)[resource::rqn]);
        x.set("ctx.transport_domain", (*this)[resource::transport_domain]);
        return bench::create(x);
    }
    object_ptr counter() { return bench::create(exchange("ALLOC_FLOW_COUNTER")); }
};

// PRM set_action_in: the first four bytes of the source address.
constexpr std::uint8_t set_smac[8] = {0x10, 0x01, 0x00, 0x00, 0x11, 0x22, 0x33, 0x44};

} // namespace

TEST_CASE("a flow to a TIR made by DEVX, with a tag and a counter", "[flow][eth]") {
    table t;
    object_ptr tir = t.tir(), counter = t.counter();
    auto o = flow_of(t.which);
    o.dest_object = tir.get();
    o.counter = counter.get();
    o.has_tag = 1;
    o.tag = 0x123456;
    flow_ptr flow = t.make_flow(o);
    // Each of them stays as long as the flow does, and the library knows why.
    CHECK(call(kdevx_flow_matcher_destroy, t.matcher.get()).why.detail[0] == KDEVX_KIND_FLOW);
    CHECK(call(kdevx_object_destroy, tir.get()).why.detail[0] == KDEVX_KIND_FLOW);
    CHECK(call(kdevx_object_destroy, counter.get()).err == EBUSY);
    exchange x("QUERY_FLOW_COUNTER", 0, 16);
    x.set("flow_counter_id", info_of(counter.get()).device_id);
    CHECK(query(counter.get(), x) == ok);
    flow.reset();
    tir.reset();
    counter.reset();
}

TEST_CASE("a flow to a queue pair", "[flow][eth]") {
    match which;
    verbs v;
    qp_ptr qp = v.make_qp(v.qp_of(KDEVX_QP_RAW_PACKET));
    const auto with = matcher_of(which);
    matcher_ptr matcher = make<matcher_ptr>(kdevx_flow_matcher_create, v.context.get(), &with);
    auto o = flow_of(which);
    o.dest_qp = qp.get();
    flow_ptr flow;
    REQUIRE(create(matcher, o, flow) == ok);
    CHECK(call(kdevx_qp_destroy, qp.get()).why.detail[0] == KDEVX_KIND_FLOW);
}

TEST_CASE("flows and matchers that contradict themselves", "[flow][eth]") {
    table t, other;
    object_ptr tir = t.tir(), foreign = other.tir(), cq = t.bench::create(t.cq());
    flow_ptr none;
    auto o = flow_of(t.which);
    o.dest_object = foreign.get();
    CHECK(create(t.matcher, o, none) == invalid);
    o.dest_object = cq.get();
    CHECK(create(t.matcher, o, none) == invalid);
    o.dest_object = tir.get();
    o.flags = KDEVX_FLOW_DROP;
    CHECK(create(t.matcher, o, none) == invalid);
    o.flags = 0;
    o.has_tag = 1;
    o.tag = KDEVX_MAX_FLOW_TAG + 1;
    CHECK(create(t.matcher, o, none) == invalid);
    o = flow_of(t.which);
    o.dest_object = tir.get();
    o.counter = cq.get();
    CHECK(create(t.matcher, o, none) == invalid);
    o.counter = nullptr;
    CHECK(create(t.matcher, o, none) == ok); // as it should have been

    auto m = matcher_of(t.which);
    m.mask_size = 0;
    CHECK(refusal_of<matcher_ptr>(kdevx_flow_matcher_create, t.context(), &m) == invalid);
    m.mask_size = 641;
    CHECK(refusal_of<matcher_ptr>(kdevx_flow_matcher_create, t.context(), &m) == invalid);
    m = matcher_of(t.which);
    m.type = 9;
    CHECK(refusal_of<matcher_ptr>(kdevx_flow_matcher_create, t.context(), &m) == invalid);
}

TEST_CASE("header changes and encapsulation", "[flow][eth]") {
    table t;
    const auto change = [&](const void *bytes, std::size_t size, action_ptr &made) {
        return attempt(made, kdevx_modify_header_create, t.context(), bytes, size,
                       std::uint32_t(KDEVX_FT_NIC_RX));
    };
    action_ptr none, header, encapsulate;
    REQUIRE(change(set_smac, sizeof set_smac, header) == ok);
    CHECK(change(set_smac, 7, none) == invalid);
    CHECK(change(set_smac, 0, none) == invalid);

    const std::array<std::uint8_t, 50> vxlan{};
    const auto reformat = [&](std::uint32_t type, std::uint32_t table_type, std::size_t size,
                              action_ptr &made) {
        return attempt(made, kdevx_packet_reformat_create, t.context(), type, table_type,
                       static_cast<const void *>(size ? vxlan.data() : nullptr), size);
    };
    REQUIRE(reformat(KDEVX_REFORMAT_L2_TO_L3_TUNNEL, KDEVX_FT_NIC_TX, vxlan.size(), encapsulate) ==
            ok);
    // encap_general_header
    CHECK(reformat(KDEVX_REFORMAT_L2_TO_L2_TUNNEL, KDEVX_FT_NIC_TX, vxlan.size(), none) ==
          failed(EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED));
    CHECK(reformat(KDEVX_REFORMAT_L2_TUNNEL_TO_L2, KDEVX_FT_NIC_RX, 0, none) == ok);
    CHECK(reformat(KDEVX_REFORMAT_L2_TO_L2_TUNNEL, KDEVX_FT_NIC_RX, vxlan.size(), none).err != 0);

    object_ptr tir = t.tir();
    auto o = flow_of(t.which);
    o.dest_object = tir.get();
    o.actions[0] = header.get();
    o.action_count = 1;
    flow_ptr flow = t.make_flow(o);
    CHECK(call(kdevx_flow_action_destroy, header.get()).why.detail[0] == KDEVX_KIND_FLOW);
    flow.reset();
    header.reset();
}

TEST_CASE("a device without RDMA's own tables has no door to the kernel's", "[flow][eth]") {
    context_ptr c = open_context();
    CHECK(refusal_of<anchor_ptr>(kdevx_steering_anchor_create, c.get(),
                                 std::uint32_t(KDEVX_FT_NIC_RX), std::uint16_t(0)) ==
          failed(EPROTONOSUPPORT, KDEVX_CAUSE_NOT_SUPPORTED));
}

TEST_CASE("without CAP_NET_RAW there are no flows", "[flow][eth]") {
    const std::string node = under_test().node;
    CHECK(as_nobody([&] {
              kdevx_context *c = nullptr;
              kdevx_flow_matcher *matcher = nullptr;
              if (kdevx_context_open_path(node.c_str(), nullptr, &c, nullptr)) return 1;
              const match which;
              const auto o = matcher_of(which);
              kdevx_failure why{};
              kdevx_flow *flow = nullptr;
              auto drop = flow_of(which);
              drop.flags = KDEVX_FLOW_DROP;
              if (kdevx_flow_matcher_create(c, &o, &matcher, &why) == 0 &&
                  kdevx_flow_create(matcher, &drop, &flow, &why) != -EPERM)
                  return 4;
              return why.cause == KDEVX_CAUSE_NO_PERMISSION ? 0 : 5;
          }) == 0);
}
