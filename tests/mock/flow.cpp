// SPDX-License-Identifier: MIT
// Matchers, flows, actions, anchors.
#include "verbs.hpp"

using namespace kdevx;
using mock::bytes;
using mock::sized;

namespace {

struct steering : mock::verbs {
    kdevx_flow_matcher *matcher = nullptr;
    kdevx_object *table = nullptr, *counter = nullptr;
    kdevx_flow_action *header = nullptr, *reformat = nullptr;
    kdevx_qp *qp = nullptr;
    bytes mask = mock::random_bytes(64), value = mock::random_bytes(64), out = bytes(16);

    steering() {
        auto mo = sized<kdevx_flow_matcher_options>();
        mo.mask = mask.data();
        mo.mask_size = 64;
        REQUIRE(kdevx_flow_matcher_create(c, &mo, &matcher, &why) == 0);
        bytes in = mock::random_bytes(32);
        for (kdevx_object **o : {&table, &counter})
            REQUIRE(kdevx_object_create(c, in.data(), 32, out.data(), 16, o, &why) == 0);
        REQUIRE(kdevx_modify_header_create(c, mask.data(), 16, KDEVX_FT_NIC_RX, &header, &why) ==
                0);
        REQUIRE(kdevx_packet_reformat_create(c, KDEVX_REFORMAT_L2_TO_L2_TUNNEL, KDEVX_FT_NIC_TX,
                                             mask.data(), 50, &reformat, &why) == 0);
        auto qo = sized<kdevx_qp_options>();
        qo.type = KDEVX_QP_RAW_PACKET;
        qo.send_cq = qo.recv_cq = cq;
        qo.max_recv_wr = 4;
        REQUIRE(kdevx_qp_create(pd, &qo, &qp, &why) == 0);
    }
    ~steering() {
        CHECK(kdevx_qp_destroy(qp, &why) == 0);
        CHECK(kdevx_flow_action_destroy(header, &why) == 0);
        CHECK(kdevx_flow_action_destroy(reformat, &why) == 0);
        for (kdevx_object *o : {table, counter})
            CHECK(kdevx_object_destroy(o, &why) == 0);
        CHECK(kdevx_flow_matcher_destroy(matcher, &why) == 0);
    }
    kdevx_flow_options options() {
        auto o = sized<kdevx_flow_options>();
        o.match_value = value.data();
        o.match_value_size = 64;
        return o;
    }
    std::uint32_t handle(kdevx_object *o) { return info(o, kdevx_object_get_info).handle; }
};

} // namespace

TEST_CASE("a matcher: priority with NORMAL only, optional parts only when given") {
    mock::verbs v;
    for (std::size_t n : {1, 8, 9, 640})
        for (std::uint32_t type = 0; type < 4; ++type) {
            bytes mask = mock::random_bytes(n);
            auto o = sized<kdevx_flow_matcher_options>();
            o.mask = mask.data();
            o.mask_size = n;
            o.type = type;
            o.priority = type ? 0 : 0x1234;
            o.criteria = 0x1f;
            o.flags = type == 1 ? KDEVX_FLOW_EGRESS : 0;
            o.has_ft_type = type == 2;
            o.ft_type = KDEVX_FT_RDMA_TX;
            o.ib_port = type == 3 ? 1 : 0;
            kdevx_flow_matcher *m = nullptr;
            std::uint8_t element = 0xff;
            std::map<std::uint16_t, bytes> sent;
            v.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
                if (h->method_id != kabi::flow_matcher::create.id) return 1;
                for (unsigned i = 0; i < h->num_attrs; ++i) {
                    sent[h->attrs[i].attr_id] = mock::carried(h->attrs[i], kabi::ptr_in);
                    if (h->attrs[i].attr_id == 0x1002)
                        element = h->attrs[i].attr_data.enum_data.elem_id;
                }
                return 1;
            };
            REQUIRE(kdevx_flow_matcher_create(v.c, &o, &m, &v.why) == 0);
            v.k.on_ioctl = nullptr;
            CHECK(sent[0x1001] == mask);
            CHECK(element == type);
            CHECK(sent[0x1002] == (type ? bytes() : mock::as_bytes(std::uint16_t(0x1234))));
            CHECK(sent[0x1003] == mock::as_bytes(std::uint8_t(0x1f)));
            CHECK(sent.count(0x1004) == (type == 1));
            CHECK(sent.count(0x1005) == (type == 2));
            CHECK(sent.count(0x1006) == (type == 3));
            CHECK(kdevx_flow_matcher_destroy(m, &v.why) == 0);
        }
    kdevx_flow_matcher *m = nullptr;
    bytes mask = mock::random_bytes(641);
    auto bad = [&](const char *step, auto change) {
        auto o = sized<kdevx_flow_matcher_options>();
        o.mask = mask.data();
        o.mask_size = 64;
        change(o);
        v.invalid(step, [&] { return kdevx_flow_matcher_create(v.c, &o, &m, &v.why); });
    };
    bad("type", [](auto &o) { o.type = 4; });
    bad("priority", [](auto &o) { o.type = 1, o.priority = 1; });
    bad("has_ft_type", [](auto &o) { o.has_ft_type = 2; });
    bad("ft_type", [](auto &o) { o.has_ft_type = 1, o.ft_type = 7; });
    bad("MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK", [](auto &o) { o.mask_size = 0; });
    bad("MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK", [](auto &o) { o.mask_size = 641; });
    bad("MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK", [](auto &o) { o.mask = nullptr; });
}

TEST_CASE("a flow with everything: exact bytes, and all that it holds") {
    steering v;
    auto o = v.options();
    o.dest_object = v.table;
    o.has_tag = 1;
    o.tag = KDEVX_MAX_FLOW_TAG;
    o.action_count = 2;
    o.actions[0] = v.header;
    o.actions[1] = v.reformat;
    o.counter = v.counter;
    o.counter_offset = 9;
    auto &made = v.k.handles;
    std::uint32_t actions[2], n = 0;
    for (std::uint32_t h : made[kabi::flow_action::object.id])
        actions[n++] = h;
    REQUIRE(n == 2);
    kdevx_flow *flow = nullptr;
    mock::script s(v.k);
    s.expect(kabi::flow::create)
        .makes("MLX5_IB_ATTR_CREATE_FLOW_HANDLE", 3)
        .in("MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE", v.value)
        .handle("MLX5_IB_ATTR_CREATE_FLOW_DEST_DEVX", v.handle(v.table))
        .handle("MLX5_IB_ATTR_CREATE_FLOW_MATCHER", *made[kabi::flow_matcher::object.id].begin())
        .in("MLX5_IB_ATTR_CREATE_FLOW_ARR_FLOW_ACTIONS", mock::as_bytes(actions))
        .in_value("MLX5_IB_ATTR_CREATE_FLOW_TAG", std::uint32_t(KDEVX_MAX_FLOW_TAG))
        .in_value("MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX", v.handle(v.counter))
        .in_value("MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX_OFFSET", std::uint32_t(9));
    REQUIRE(kdevx_flow_create(v.matcher, &o, &flow, &v.why) == 0);
    s.expect(kabi::flow_matcher::destroy)
        .handle("MLX5_IB_ATTR_FLOW_MATCHER_DESTROY_HANDLE",
                *made[kabi::flow_matcher::object.id].begin())
        .fails(EBUSY);
    CHECK(kdevx_flow_matcher_destroy(v.matcher, &v.why) == -EBUSY);
    CHECK(v.why.detail[0] == KDEVX_KIND_FLOW);
    CHECK(v.why.detail[1] == 3);
    s.expect(kabi::devx_obj::destroy)
        .handle("MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE", v.handle(v.counter))
        .fails(EBUSY);
    CHECK(kdevx_object_destroy(v.counter, &v.why) == -EBUSY);
    CHECK(v.why.detail[0] == KDEVX_KIND_FLOW);
    s.expect(kabi::flow_action::destroy)
        .handle("UVERBS_ATTR_DESTROY_FLOW_ACTION_HANDLE", actions[0])
        .fails(EBUSY);
    CHECK(kdevx_flow_action_destroy(v.header, &v.why) == -EBUSY);
    CHECK(v.why.detail[0] == KDEVX_KIND_FLOW);
    s.expect(kabi::flow::destroy).handle("MLX5_IB_ATTR_DESTROY_FLOW_HANDLE", 3);
    CHECK(kdevx_flow_destroy(flow, &v.why) == 0);
    CHECK(s.differences() == "");
}

TEST_CASE("a flow to a QP; one that drops; offset and tag 0 are as good as others") {
    steering v;
    auto o = v.options();
    o.dest_qp = v.qp;
    o.has_tag = 1;
    o.counter = v.counter;
    kdevx_flow *flow = nullptr;
    {
        mock::script s(v.k);
        s.expect(kabi::flow::create)
            .makes("MLX5_IB_ATTR_CREATE_FLOW_HANDLE", 4)
            .in("MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE", v.value)
            .handle("MLX5_IB_ATTR_CREATE_FLOW_DEST_QP", v.info(v.qp, kdevx_qp_get_info).handle)
            .handle("MLX5_IB_ATTR_CREATE_FLOW_MATCHER", 0)
            .in_value("MLX5_IB_ATTR_CREATE_FLOW_TAG", std::uint32_t(0))
            .in_value("MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX", v.handle(v.counter));
        REQUIRE(kdevx_flow_create(v.matcher, &o, &flow, &v.why) == 0);
        s.expect(kabi::flow::destroy).handle("MLX5_IB_ATTR_DESTROY_FLOW_HANDLE", 4);
        CHECK(kdevx_flow_destroy(flow, &v.why) == 0);
        CHECK(s.differences() == "");
    }
    for (std::uint32_t flag : {KDEVX_FLOW_DEFAULT_MISS, KDEVX_FLOW_DROP}) {
        auto d = v.options();
        d.flags = flag;
        mock::script s(v.k);
        s.expect(kabi::flow::create)
            .makes("MLX5_IB_ATTR_CREATE_FLOW_HANDLE", 4)
            .in("MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE", v.value)
            .handle("MLX5_IB_ATTR_CREATE_FLOW_MATCHER", 0)
            .flags("MLX5_IB_ATTR_CREATE_FLOW_FLAGS", flag);
        REQUIRE(kdevx_flow_create(v.matcher, &d, &flow, &v.why) == 0);
        s.expect(kabi::flow::destroy).handle("MLX5_IB_ATTR_DESTROY_FLOW_HANDLE", 4);
        CHECK(kdevx_flow_destroy(flow, &v.why) == 0);
        CHECK(s.differences() == "");
    }
}

TEST_CASE("flows that cannot be") {
    steering v;
    kdevx_flow *flow = nullptr;
    auto good = v.options(); // memory for slots is not counted as a leak
    REQUIRE(kdevx_flow_create(v.matcher, &good, &flow, &v.why) == 0);
    CHECK(kdevx_flow_destroy(flow, &v.why) == 0);
    auto bad = [&](const char *step, auto change) {
        auto o = v.options();
        change(o);
        v.invalid(step, [&] { return kdevx_flow_create(v.matcher, &o, &flow, &v.why); });
    };
    bad("flags", [](auto &o) { o.flags = 3; });
    bad("flags", [](auto &o) { o.flags = 4; });
    bad("dest_object", [&](auto &o) { o.dest_qp = v.qp, o.dest_object = v.table; });
    bad("has_tag", [](auto &o) { o.has_tag = 2; });
    bad("tag", [](auto &o) { o.has_tag = 1, o.tag = 1 << 24; });
    bad("action_count", [](auto &o) { o.action_count = 3; });
    bad("actions", [](auto &o) { o.action_count = 1; });
    bad("counter_offset", [](auto &o) { o.counter_offset = 1; });
    bad("MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE", [](auto &o) { o.match_value_size = 641; });
    bad("MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE", [](auto &o) { o.match_value = nullptr; });
    steering other;
    bad("dest_qp", [&](auto &o) { o.dest_qp = other.qp; });
    bad("counter", [&](auto &o) { o.counter = other.counter; });
    bad("actions", [&](auto &o) { o.action_count = 1, o.actions[0] = other.header; });
    v.invalid("matcher", [&] { return kdevx_flow_create(nullptr, nullptr, &flow, &v.why); });
}

TEST_CASE("actions: exact bytes; what is no action") {
    mock::verbs v;
    bytes actions = mock::random_bytes(16), header = mock::random_bytes(50);
    kdevx_flow_action *a = nullptr;
    {
        mock::script s(v.k);
        s.expect(kabi::flow_action::create_modify_header)
            .makes("MLX5_IB_ATTR_CREATE_MODIFY_HEADER_HANDLE", 1)
            .in("MLX5_IB_ATTR_CREATE_MODIFY_HEADER_ACTIONS_PRM", actions)
            .constant("MLX5_IB_ATTR_CREATE_MODIFY_HEADER_FT_TYPE", 2);
        REQUIRE(kdevx_modify_header_create(v.c, actions.data(), 16, KDEVX_FT_FDB, &a, &v.why) == 0);
        s.expect(kabi::flow_action::destroy).handle("UVERBS_ATTR_DESTROY_FLOW_ACTION_HANDLE", 1);
        CHECK(kdevx_flow_action_destroy(a, &v.why) == 0);
        s.expect(kabi::flow_action::create_packet_reformat)
            .makes("MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_HANDLE", 2)
            .constant("MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_TYPE", 3)
            .constant("MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_FT_TYPE", 1)
            .in("MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_DATA_BUF", header);
        REQUIRE(kdevx_packet_reformat_create(v.c, 3, 1, header.data(), 50, &a, &v.why) == 0);
        s.expect(kabi::flow_action::destroy).handle("UVERBS_ATTR_DESTROY_FLOW_ACTION_HANDLE", 2);
        CHECK(kdevx_flow_action_destroy(a, &v.why) == 0);
        s.expect(kabi::flow_action::create_packet_reformat)
            .makes("MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_HANDLE", 2)
            .constant("MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_TYPE", 0)
            .constant("MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_FT_TYPE", 0);
        REQUIRE(kdevx_packet_reformat_create(v.c, 0, 0, nullptr, 0, &a, &v.why) == 0);
        s.expect(kabi::flow_action::destroy).handle("UVERBS_ATTR_DESTROY_FLOW_ACTION_HANDLE", 2);
        CHECK(kdevx_flow_action_destroy(a, &v.why) == 0);
        CHECK(s.differences() == "");
    }
    auto modify = [&](std::size_t n, std::uint32_t ft) {
        return kdevx_modify_header_create(v.c, actions.data(), n, ft, &a, &v.why);
    };
    auto reformat = [&](std::uint32_t type, std::uint32_t ft, std::size_t n) {
        return kdevx_packet_reformat_create(v.c, type, ft, header.data(), n, &a, &v.why);
    };
    v.invalid("size", [&] { return modify(12, 0); });
    v.invalid("ft_type", [&] { return modify(16, 7); });
    v.invalid("MLX5_IB_ATTR_CREATE_MODIFY_HEADER_ACTIONS_PRM", [&] { return modify(0, 0); });
    v.invalid("type", [&] { return reformat(4, 0, 50); });
    v.invalid("ft_type", [&] { return reformat(1, 7, 50); });
    v.invalid("size", [&] { return reformat(1, 0, 0); });
    v.invalid("size", [&] { return reformat(0, 0, 50); });
}

TEST_CASE("an anchor: its table's id comes by a pointer though it is short") {
    mock::verbs v;
    kdevx_steering_anchor *a = nullptr;
    mock::script s(v.k);
    s.expect(kabi::steering_anchor::create)
        .makes("MLX5_IB_ATTR_STEERING_ANCHOR_CREATE_HANDLE", 1)
        .constant("MLX5_IB_ATTR_STEERING_ANCHOR_FT_TYPE", 3)
        .in_value("MLX5_IB_ATTR_STEERING_ANCHOR_PRIORITY", std::uint16_t(5))
        .out_value("MLX5_IB_ATTR_STEERING_ANCHOR_FT_ID", std::uint32_t(0xfeed));
    REQUIRE(kdevx_steering_anchor_create(v.c, KDEVX_FT_RDMA_RX, 5, &a, &v.why) == 0);
    CHECK(kdevx_steering_anchor_table(a) == 0xfeed);
    s.expect(kabi::steering_anchor::destroy)
        .handle("MLX5_IB_ATTR_STEERING_ANCHOR_DESTROY_HANDLE", 1);
    CHECK(kdevx_steering_anchor_destroy(a, &v.why) == 0);
    CHECK(kdevx_steering_anchor_table(a) == -EBADF);
    CHECK(s.differences() == "");
}
