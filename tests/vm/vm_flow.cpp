// SPDX-License-Identifier: MIT
// Flows in the kernel's tables with destinations, counters and actions of DEVX's making: the
// Ethernet port's.
#include "verbs.hpp"

#include <kdevx/prm/caps.hpp>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

using matcher_ptr = std::unique_ptr<kdevx_flow_matcher, ending<kdevx_flow_matcher_destroy>>;
using flow_ptr = std::unique_ptr<kdevx_flow, ending<kdevx_flow_destroy>>;
using action_ptr = std::unique_ptr<kdevx_flow_action, ending<kdevx_flow_action_destroy>>;
using anchor_ptr = std::unique_ptr<kdevx_steering_anchor, ending<kdevx_steering_anchor_destroy>>;

// Of a table of DEVX's: the driver has given the lower ones to its own.
constexpr std::uint64_t behind_the_kernels = 64;
constexpr std::uint8_t outer_headers = 1;
constexpr std::uint64_t rdma_rx = 7; // a table_type that mlx5_ifc.h has no name for

// Packets to a MAC address.
struct match {
    box mask{prm::fte_match_param}, value{prm::fte_match_param};

    explicit match(std::uint16_t last_bytes = 0x4711) {
        mask.set("outer_headers.dmac_15_0", 0xffff);
        value.set("outer_headers.dmac_15_0", last_bytes);
    }
};

kdevx_flow_matcher_options matcher_of(const match &m,
                                      kdevx_flow_table_type type = KDEVX_FT_NIC_RX) {
    auto o = sized<kdevx_flow_matcher_options>();
    o.mask = m.mask.data();
    o.mask_size = m.mask.size();
    o.criteria = outer_headers;
    o.has_ft_type = 1;
    o.ft_type = type;
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
    static constexpr std::uint32_t bulk_size = 128;
    object_ptr bulk() {
        exchange x("ALLOC_FLOW_COUNTER");
        x.set("flow_counter_bulk", 1); // of 128
        return bench::create(x);
    }
    // One of DEVX's own, where packets of the kernel's tables may go.
    object_ptr own(std::uint64_t level,
                   std::uint64_t type = prm::value_of<prm::flow_table_types, "NIC_RX">) {
        exchange x("CREATE_FLOW_TABLE");
        x.set("table_type", type);
        x.set("flow_table_context.level", level);
        x.set("flow_table_context.log_size", 4);
        return bench::create(x);
    }
    object_ptr group(const object_ptr &own) {
        exchange x("CREATE_FLOW_GROUP");
        x.set("table_id", info_of(own.get()).device_id).set("end_flow_index", 7);
        return bench::create(x);
    }
    // To another table, of whatever level.
    object_ptr entry(const object_ptr &own, const object_ptr &group, std::uint32_t to) {
        exchange x("SET_FLOW_TABLE_ENTRY", prm::dest_format_struct.size);
        x.set("table_id", info_of(own.get()).device_id).set("ignore_flow_level", 1);
        x.set("flow_context.group_id", info_of(group.get()).device_id);
        x.set("flow_context.action", prm::value_of<prm::flow_actions, "FWD_DEST">);
        x.set("flow_context.destination_list_size", 1);
        const auto list = x.in.span().subspan(prm::set_fte_in.size);
        prm::editor<prm::dest_format_struct>(list)
            .set<"destination_type", prm::value_of<prm::flow_destination_types, "FLOW_TABLE">>()
            .set<"destination_id">(to);
        return bench::create(x);
    }
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

// The kernel makes the command that destroys a table when the table is made. Before 7.2 it left the
// e-switch's owner out: the firmware refuses such a command, for as long as the kernel lives.
TEST_CASE("a table that is named with its e-switch's owner", "[flow][eth]") {
    table t;
    exchange x("CREATE_FLOW_TABLE");
    x.set("table_type", prm::value_of<prm::flow_table_types, "NIC_RX">);
    x.set("flow_table_context.log_size", 4);
    x.set("other_eswitch", 1).set("eswitch_owner_vhca_id", 0x7777);
    object_ptr none;
    CHECK(create(t.context(), x, none) == refused(because::no_such_eswitch));
    if (kernel() < version{7, 2}) return;
    exchange caps("QUERY_HCA_CAP");
    REQUIRE(general(t.context(), caps.set("op_mod", 1)) == ok); // the general ones, current
    const prm::view<prm::cmd_hca_cap> page(caps.out.span().subspan(0x10));
    object_ptr made = t.bench::create(x.set("eswitch_owner_vhca_id", page.get<"vhca_id">()));
    CHECK(call(kdevx_object_destroy, made.release()) == ok);
}

TEST_CASE("a flow to a table made by DEVX, with a counter out of a bulk", "[flow][eth]") {
    table t;
    object_ptr own = t.own(behind_the_kernels), counter = t.bulk();
    auto o = flow_of(t.which);
    o.dest_object = own.get();
    o.counter = counter.get();
    o.counter_offset = t.bulk_size - 1;
    flow_ptr flow = t.make_flow(o), none;
    CHECK(call(kdevx_object_destroy, own.get()).why.detail[0] == KDEVX_KIND_FLOW);
    CHECK(call(kdevx_object_destroy, counter.get()).why.detail[0] == KDEVX_KIND_FLOW);
    o.counter_offset = t.bulk_size;
    CHECK(create(t.matcher, o, none) == invalid);
    // Packets go forward only: the device wants a table of a higher level.
    o.counter_offset = 0;
    object_ptr in_front = t.own(1);
    o.dest_object = in_front.get();
    CHECK(create(t.matcher, o, none) == invalid);
}

TEST_CASE("packets that are dropped, and packets that go on to the next table", "[flow][eth]") {
    table t;
    object_ptr counter = t.counter();
    auto o = flow_of(t.which);
    o.counter = counter.get();
    for (const auto flag : {KDEVX_FLOW_DROP, KDEVX_FLOW_DEFAULT_MISS}) {
        CAPTURE(flag);
        o.flags = flag;
        t.make_flow(o);
    }
    flow_ptr none;
    o.flags = KDEVX_FLOW_DROP | KDEVX_FLOW_DEFAULT_MISS;
    CHECK(create(t.matcher, o, none) == invalid);
    o.flags = 0; // counted, and then?
    CHECK(create(t.matcher, o, none) == invalid);
}

TEST_CASE("flows of packets that are sent", "[flow][eth]") {
    table t;
    const matcher_ptr sent = t.make_matcher(matcher_of(t.which, KDEVX_FT_NIC_TX));
    object_ptr tir = t.tir();
    flow_ptr made, second;
    auto o = flow_of(t.which);
    CHECK(create(sent, o, made) == ok); // to the wire
    CHECK(create(sent, o, second) == ok);
    second.reset();
    o.flags = KDEVX_FLOW_DROP; // of the same packets
    CHECK(create(sent, o, second) == failed(EEXIST, KDEVX_CAUSE_OTHER));
    made.reset();
    CHECK(create(sent, o, made) == ok);
    made.reset();
    o.flags = KDEVX_FLOW_DEFAULT_MISS;
    CHECK(create(sent, o, made) == not_supported);
    o.flags = 0;
    o.dest_object = tir.get();
    CHECK(create(sent, o, made) == invalid);
}

TEST_CASE("flows of RDMA's packets that are received", "[flow][eth]") {
    table t;
    const matcher_ptr matcher = t.make_matcher(matcher_of(t.which, KDEVX_FT_RDMA_RX));
    object_ptr own = t.own(behind_the_kernels, rdma_rx), tir = t.tir(), counter = t.counter();
    flow_ptr made, none;
    auto o = flow_of(t.which);
    o.dest_object = own.get();
    o.counter = counter.get();
    REQUIRE(create(matcher, o, made) == ok);
    CHECK(call(kdevx_object_destroy, own.get()).err != 0);
    made.reset();
    o.counter = nullptr;
    o.dest_object = tir.get(); // of tables alone
    CHECK(create(matcher, o, none) == invalid);
    o.dest_object = nullptr;
    CHECK(create(matcher, o, none) == invalid);
    o.flags = KDEVX_FLOW_DROP;
    CHECK(create(matcher, o, none) == invalid);
}

TEST_CASE("flows of RDMA's packets that are sent", "[flow][eth]") {
    table t;
    const matcher_ptr matcher = t.make_matcher(matcher_of(t.which, KDEVX_FT_RDMA_TX));
    object_ptr tir = t.tir(), counter = t.counter();
    flow_ptr made, none;
    auto o = flow_of(t.which);
    o.counter = counter.get();
    REQUIRE(create(matcher, o, made) == ok); // to the wire
    made.reset();
    o.flags = KDEVX_FLOW_DROP;
    CHECK(create(matcher, o, made) == ok);
    o.flags = 0;
    o.dest_object = tir.get();
    CHECK(create(matcher, o, none) == invalid);
}

TEST_CASE("flows in tables that this device does not have", "[flow][eth]") {
    table t;
    object_ptr own = t.own(behind_the_kernels);
    auto o = flow_of(t.which);
    o.dest_object = own.get();
    // No e-switch, and no transport domains before 7.2.
    const auto has_matcher = [&](kdevx_flow_table_type type) {
        const auto m = matcher_of(t.which, type);
        return refusal_of<matcher_ptr>(kdevx_flow_matcher_create, t.context(), &m);
    };
    CHECK(has_matcher(KDEVX_FT_FDB) == invalid);
    for (const auto type : {KDEVX_FT_RDMA_TRANSPORT_RX, KDEVX_FT_RDMA_TRANSPORT_TX}) {
        CAPTURE(type);
        if (kernel() < version{7, 2}) {
            CHECK(has_matcher(type) == invalid);
            continue;
        }
        const matcher_ptr matcher = t.make_matcher(matcher_of(t.which, type));
        flow_ptr none;
        CHECK(create(matcher, o, none) == invalid); // of no port
    }
}

TEST_CASE("an InfiniBand port has no tables for flows", "[flow]") {
    const match which;
    verbs v;
    const auto with = matcher_of(which);
    matcher_ptr matcher = make<matcher_ptr>(kdevx_flow_matcher_create, v.context.get(), &with);
    auto o = flow_of(which);
    o.flags = KDEVX_FLOW_DROP;
    flow_ptr none;
    CHECK(create(matcher, o, none) == not_supported);
    // Nor may the driver's tables be lent there.
    CHECK(refusal_of<anchor_ptr>(kdevx_steering_anchor_create, v.context.get(),
                                 std::uint32_t(KDEVX_FT_NIC_RX), std::uint16_t(0)) ==
          failed(EPROTONOSUPPORT, KDEVX_CAUSE_NOT_SUPPORTED));
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
          not_supported);
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

TEST_CASE("a door from DEVX's tables back to the kernel's", "[flow][eth]") {
    table t;
    const auto anchor = [&](kdevx_flow_table_type type, std::uint16_t priority, anchor_ptr &made) {
        return attempt(made, kdevx_steering_anchor_create, t.context(), std::uint32_t(type),
                       priority);
    };
    anchor_ptr door, same, other, none;
    REQUIRE(anchor(KDEVX_FT_NIC_RX, 0, door) == ok);
    REQUIRE(anchor(KDEVX_FT_NIC_RX, 0, same) == ok);
    REQUIRE(anchor(KDEVX_FT_NIC_RX, 1, other) == ok);
    const std::int64_t id = kdevx_steering_anchor_table(door.get());
    CHECK(id > 0);
    CHECK(kdevx_steering_anchor_table(same.get()) == id);
    CHECK(kdevx_steering_anchor_table(other.get()) != id);
    object_ptr own = t.own(0), group = t.group(own), entry = t.entry(own, group, std::uint32_t(id));
    // The device keeps the table: it is the driver's, and stays without the doors.
    door.reset();
    same.reset();
    entry.reset();

    // Of the kind of rules that this takes no kernel makes one in the tables of RDMA's packets, and
    // 6.1 none in those of packets that are sent.
    CHECK(anchor(KDEVX_FT_NIC_TX, 0, none) == (kernel() < version{6, 12} ? invalid : ok));
    none.reset();
    for (const auto type : {KDEVX_FT_RDMA_RX, KDEVX_FT_RDMA_TX})
        CHECK(anchor(type, 0, none) == invalid);
    CHECK(anchor(KDEVX_FT_FDB, 0, none) == not_supported);
    for (const auto type : {KDEVX_FT_RDMA_TRANSPORT_RX, KDEVX_FT_RDMA_TRANSPORT_TX})
        CHECK(anchor(type, 0, none) == invalid);
}

TEST_CASE("without CAP_NET_RAW there are no flows", "[flow][eth]") {
    const std::string node = under_test().node;
    CHECK(as_nobody([&] {
              kdevx_context *c = nullptr;
              kdevx_flow_matcher *matcher = nullptr;
              kdevx_steering_anchor *anchor = nullptr;
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
              if (why.cause != KDEVX_CAUSE_NO_PERMISSION) return 5;
              why = {};
              if (kdevx_steering_anchor_create(c, KDEVX_FT_NIC_RX, 0, &anchor, &why) != -EPERM)
                  return 6;
              return why.cause == KDEVX_CAUSE_NO_PERMISSION ? 0 : 7;
          }) == 0);
}

TEST_CASE("an action by itself needs no CAP_NET_RAW", "[flow][eth]") {
    const std::string node = under_test().node;
    const auto of_nobody = [&](auto create) {
        return as_nobody([&] {
            kdevx_context *c = nullptr;
            kdevx_flow_action *made = nullptr;
            kdevx_failure why{};
            if (kdevx_context_open_path(node.c_str(), nullptr, &c, nullptr)) return 90;
            return create(c, &made, &why) ? 91 : 0;
        });
    };
    CHECK(of_nobody([](kdevx_context *c, kdevx_flow_action **made, kdevx_failure *why) {
              return kdevx_modify_header_create(c, set_smac, sizeof set_smac, KDEVX_FT_NIC_RX, made,
                                                why);
          }) == 0);
    CHECK(of_nobody([](kdevx_context *c, kdevx_flow_action **made, kdevx_failure *why) {
              return kdevx_packet_reformat_create(c, KDEVX_REFORMAT_L2_TUNNEL_TO_L2,
                                                  KDEVX_FT_NIC_RX, nullptr, 0, made, why);
          }) == 0);
}
