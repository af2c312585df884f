// SPDX-License-Identifier: MIT
// Typed commands against inboxes that were worked out with the kernel's own macros (inbox.txt).
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <kdevx/typed/all.hpp>

#include "../unit/catch.hpp"

using namespace kdevx;
using namespace kdevx::typed;

namespace {

using bytes = std::vector<unsigned char>;

// "010: 00045d00 ffffff42" into its place.
void read_line(const std::string &line, bytes &to) {
    std::size_t at = std::stoul(line, nullptr, 16);
    std::string digits;
    for (char c : line.substr(line.find(':') + 1))
        if (c != ' ') digits += c;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        to.at(at++) = static_cast<unsigned char>(std::stoul(digits.substr(i, 2), nullptr, 16));
}

std::map<std::string, bytes> read_all() {
    std::ifstream in(KDEVX_GOLDEN_DIR "/inbox.txt");
    REQUIRE(in);
    std::map<std::string, bytes> all;
    std::string line, name;
    while (std::getline(in, line)) {
        if (line.empty() || line[0] == '#') continue;
        if (line[0] != '[') {
            read_line(line, all.at(name));
            continue;
        }
        name = line.substr(1, line.find(']') - 1);
        all[name] = bytes(std::stoul(line.substr(line.find(']') + 1)));
    }
    return all;
}

std::string text(const bytes &b) {
    std::ostringstream s;
    char two[4];
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (i % 16 == 0) s << "\n" << std::hex << i << ":";
        std::snprintf(two, sizeof two, "%s%02x", i % 4 ? "" : " ", b[i]);
        s << two;
    }
    return s.str();
}

// Each entry is asked for once, and none is left over.
class golden {
    std::map<std::string, bytes> all_ = read_all();

public:
    template <class Command>
    void check(const std::string &name, const Command &in) {
        INFO(name);
        CHECK(in.valid());
        auto expected = all_.find(name);
        REQUIRE(expected != all_.end());
        bytes got;
        for (std::byte b : in.bytes())
            got.push_back(static_cast<unsigned char>(b));
        CHECK(text(got) == text(expected->second));
        all_.erase(expected);
    }
    ~golden() {
        for (const auto &[name, b] : all_)
            CHECK(name == "checked");
    }
};

constexpr queue_umems at(std::uint32_t log_page_size, std::uint64_t buffer, std::uint64_t dbrec) {
    return {0x31, 0x32, buffer, dbrec, log_page_size};
}
constexpr ring cyclic{0x21, 8, 6, false, at(14, 0x8000, 0x40)};

void check_memory(golden &g) {
    g.check("alloc_pd_in", alloc_pd());
    g.check("alloc_xrcd_in", alloc_xrcd());
    g.check("alloc_transport_domain_in", alloc_transport_domain());
    g.check("query_hca_cap_in", query_hca_cap(prm::cap<"GENERAL_2">));
    mkey_options m;
    m.pd = 0xabcdef;
    m.mkey_7_0 = 0x42;
    m.start_addr = 0x7f0012345678;
    m.len = 0x20010;
    m.access = {true, true, false, true, true, true};
    m.umem_id = 0x11223344;
    m.umem_offset = 0x5678;
    m.log_page_size = 16;
    g.check("create_mkey_in", create_mkey(m));
    indirect_mkey_options i;
    i.pd = 0x10;
    i.mkey_7_0 = 0x99;
    i.len = 0x3000;
    i.access = {true, false, true, false, false, false};
    i.umr_en = true;
    g.check("create_mkey_in klm", create_indirect_mkey<3>(i, {{{0x1000, 0x100, 0xaabb00000000},
                                                               {0x1000, 0x201, 0xaabb00001000},
                                                               {0x1000, 0x302, 0xaabb00002000}}}));
    i = {};
    i.pd = 0x10;
    i.mkey_7_0 = 1;
    i.len = 0x4000;
    i.ksm = true;
    i.log_entry_size = 12;
    i.qpn = 0x123456;
    g.check("create_mkey_in ksm",
            create_indirect_mkey<4>(
                i, {{{7, 0x500, 0}, {7, 0x501, 0x1000}, {7, 0x502, 0x2000}, {7, 0x503, 0x3000}}}));
    g.check("query_mkey_in", query_mkey(0x123456));
    g.check("create_psv_in", create_psv(0x77));
}

void check_queues(golden &g) {
    cq_options c;
    c.log_size = 10;
    c.uar_page = 0xbeef;
    c.eqn = 7;
    c.at = {0x44, 0x55, 0x1000, 0x240, 16};
    c.cqe_128 = c.overrun_ignored = c.collapsed = true;
    c.period = 0x123;
    c.max_count = 0x4567;
    g.check("create_cq_in", create_cq(c));
    g.check("query_cq_in", query_cq(0xabcdef));
    g.check("modify_cq_in", modify_cq_moderation(0x17, 5, 6));
    sq_options s;
    s.queue = cyclic;
    s.cqn = 0x81;
    s.tisn = 0x71;
    s.uar_page = 0x61;
    s.user_index = 0x654321;
    s.ts_format = 1;
    s.allow_multi_pkt_send_wqe = s.allow_swp = s.cd_master = s.cd_slave_send = true;
    s.min_wqe_inline_mode = 2;
    s.packet_pacing_index = 0x99;
    g.check("create_sq_in", create_sq(s));
    rq_options r;
    r.queue = cyclic;
    r.queue.linked_list = true;
    r.cqn = 0x82;
    r.user_index = 0x13579b;
    r.counter_set_id = 0x12;
    r.ts_format = 2;
    r.scatter_fcs = true;
    g.check("create_rq_in", create_rq(r));
    r = {};
    r.from_rmp = true;
    r.rmpn = 0x909;
    r.cqn = 0x83;
    r.keep_vlan = false;
    g.check("create_rq_in rmp", create_rq(r));
    g.check("create_rmp_in", create_rmp(cyclic));
    g.check("modify_sq_in", modify_sq_state(0x5a, 0, 1));
    g.check("modify_rq_in", modify_rq_state(0x5b, 1, 3));
    g.check("modify_rmp_in", modify_rmp_limit(0x5c, 0x20));
    g.check("query_sq_in", query_sq(1));
    g.check("query_rq_in", query_rq(2));
    g.check("query_rmp_in", query_rmp(3));
    xrc_srq_options x;
    x.pd = 0x71;
    x.xrcd = 0x31;
    x.cqn = 0x41;
    x.user_index = 0x61;
    x.log_size = 9;
    x.log_stride = 6;
    x.lwm = 0x81;
    x.at = {0x51, 0x52, 0x2000, 0x100000080, 13};
    g.check("create_xrc_srq_in", create_xrc_srq(x));
    g.check("query_xrc_srq_in", query_xrc_srq(4));
    g.check("arm_xrc_srq_in", arm_xrc_srq(5, 6));
}

void check_qps(golden &g) {
    qp_options q;
    q.pd = 0x21;
    q.cqn_snd = 0x81;
    q.cqn_rcv = 0x82;
    q.uar_page = 0x61;
    q.user_index = 0x777777;
    q.ts_format = 1;
    q.log_sq_size = 7;
    q.log_rq_size = 6;
    q.log_rq_stride = 6;
    q.at = at(15, 0x10000, 0xc0);
    q.cd_master = q.cd_slave_send = q.cd_slave_receive = true;
    g.check("create_qp_in", create_qp(q));
    q = {};
    q.type = prm::value_of<prm::qpc_service_types, "DCI">;
    q.pd = 0x21;
    q.cqn_snd = q.cqn_rcv = 0x81;
    q.uar_page = 0x61;
    q.has_rq = false;
    q.log_sq_size = 7;
    q.log_dci_streams = 4;
    q.log_dci_errored_streams = 3;
    q.at = at(12, 0, 0);
    g.check("create_qp_in dci", create_qp(q));
    q = {};
    q.type = prm::value_of<prm::qpc_service_types, "XRC">;
    q.pd = 0x21;
    q.cqn_rcv = 0x82;
    q.has_sq = false;
    q.has_srq = true;
    q.srqn = 0x1234;
    q.xrcd = 0x45;
    q.at = at(12, 0, 0);
    g.check("create_qp_in xrc", create_qp(q));
}

void check_transitions(golden &g) {
    init_options i{0xabc, 2, 7, 0x80010000, {true, true, true, 3}, 5};
    g.check("rst2init_qp_in", rst2init(i));
    g.check("init2init_qp_in", init2init(i));
    rtr_options r;
    r.qpn = 0xabc;
    r.remote_qpn = 0xdef;
    r.ece = 0x10000001;
    r.mtu = prm::value_of<prm::qpc_mtus, "4K_BYTES">;
    r.log_rra_max = 4;
    r.next_rcv_psn = 0x123456;
    r.remote.write = true;
    r.to.ack_timeout = 14;
    r.to.is_global = true;
    r.to.src_addr_index = 3;
    r.to.hop_limit = 64;
    r.to.tclass = 0x20;
    r.to.flow_label = 0x12345;
    for (std::size_t n = 0; n < 16; ++n)
        r.to.rgid[n] = std::byte(0xa0 + n);
    r.to.rlid = 0x1111;
    r.to.mlid = 0x22;
    r.to.sl = 5;
    g.check("init2rtr_qp_in", init2rtr(r));
    r = {};
    r.qpn = 0xabc;
    r.remote_qpn = 0xdef;
    r.remote.read = true;
    r.to.port = 2;
    r.to.is_global = true;
    r.to.hop_limit = 255;
    for (std::size_t n = 0; n < 16; ++n)
        r.to.rgid[n] = std::byte(0x10 + n);
    r.to.is_roce = true;
    for (std::size_t n = 0; n < 6; ++n)
        r.to.rmac[n] = std::byte(1 + n);
    r.to.udp_sport = 0xc000;
    r.to.dscp = 26;
    r.to.eth_prio = 3;
    g.check("init2rtr_qp_in roce", init2rtr(r));
    g.check("rtr2rts_qp_in", rtr2rts({0xabc, 0x654321, 6, 7, 14, 4, 8, 0x20}));
    g.check("rts2rts_qp_in", rts2rts(0xabc));
    g.check("sqerr2rts_qp_in", sqerr2rts(0xabc));
    g.check("qp_2err_in", qp_2err(0xabc));
    g.check("qp_2rst_in", qp_2rst(0xabc));
    g.check("query_qp_in", query_qp(0xabc));
    dct_options d;
    d.user_index = 0x11;
    d.cqn = 0x12;
    d.srqn = 0x13;
    d.pd = 0x14;
    d.tclass = 0x15;
    d.flow_label = 0x16;
    d.dc_access_key = 0x1122334455667788;
    d.mtu = prm::value_of<prm::qpc_mtus, "4K_BYTES">;
    d.pkey_index = 2;
    d.my_addr_index = 3;
    d.hop_limit = 4;
    d.min_rnr_nak = 10;
    d.remote = {true, true, true, 3};
    g.check("create_dct_in", create_dct(d));
    g.check("query_dct_in", query_dct(9));
}

void check_steering(golden &g) {
    g.check("create_tis_in", create_tis(0x1234, 5, 2));
    g.check("query_tis_in", query_tis(6));
    g.check("create_tir_in", create_direct_tir(0x1234, 0x99));
    rss_tir_options t;
    t.transport_domain = 0x1234;
    t.rqtn = 0x98;
    for (std::size_t n = 0; n < 40; ++n)
        t.key[n] = std::byte(0x60 + n);
    t.outer = {true, true, 0xf};
    t.inner = {false, false, 3};
    t.symmetric = t.tunneled_offload = true;
    g.check("create_tir_in rss", create_rss_tir(t));
    g.check("query_tir_in", query_tir(7));
    g.check("create_rqt_in", create_rqt<4>({0x100, 0x101, 0x102, 0x103}));
    g.check("modify_rqt_in", modify_rqt<2>(0x44, {0x200, 0x201}));
    g.check("query_rqt_in", query_rqt(8));
    g.check("alloc_q_counter_in", alloc_q_counter());
    g.check("query_q_counter_in", query_q_counter(0x33, true));
    g.check("alloc_flow_counter_in", alloc_flow_counter());
    g.check("alloc_flow_counter_in bulk", alloc_flow_counter(3));
    g.check("query_flow_counter_in", query_flow_counter(0x80000011));
    g.check("query_flow_counter_in bulk", query_flow_counter<512>(0x11, true));
    flow_table_options f;
    f.type = prm::value_of<prm::flow_table_types, "NIC_TX">;
    f.level = 3;
    f.log_size = 12;
    f.miss_action = prm::value_of<prm::flow_miss_actions, "FWD">;
    f.miss_table = 0x777;
    f.termination = f.reformat_en = f.decap_en = true;
    g.check("create_flow_table_in", create_flow_table(f));
    match mask, value;
    mask.set<"outer_headers.ethertype", 0xffff>();
    mask.set<"outer_headers.dmac_47_16", 0xffffffff>();
    g.check(
        "create_flow_group_in",
        create_flow_group({prm::value_of<prm::flow_table_types, "NIC_RX">, 0x555, 1, 9, 1}, mask));
    value.set<"outer_headers.ethertype", 0x0800>();
    fte_options e;
    e.table_id = 0x555;
    e.group_id = 0x66;
    e.flow_index = 5;
    e.action = prm::value_of<prm::flow_actions, "FWD_DEST"> |
               prm::value_of<prm::flow_actions, "COUNT"> |
               prm::value_of<prm::flow_actions, "MOD_HDR">;
    e.flow_tag = 0x1234;
    e.packet_reformat_id = 0x21;
    e.modify_header_id = 0x22;
    constexpr std::uint32_t tir = prm::value_of<prm::flow_destination_types, "TIR">,
                            table = prm::value_of<prm::flow_destination_types, "FLOW_TABLE">;
    g.check("set_fte_in", set_fte<2, 1>(e, value, {{{tir, 0x31}, {table, 0x32}}}, {0x33}));
}

void check_objects(golden &g) {
    constexpr std::uint32_t counters = prm::object_type<"VIRTIO_Q_COUNTERS">;
    auto c = create_general<prm::virtio_q_counters>(counters);
    c.set_object<"received_desc">(0x1122334455667788).set_object<"error_cqes">(0x99);
    g.check("create_general", c);
    g.check("modify_general", modify_general<prm::virtio_q_counters>(counters, 0x42));
    g.check("query_general", query_general<prm::virtio_q_counters>(counters, 0x42));
    g.check("reserve_qpns", reserve_qpns(7));
    g.check("create_scheduling_element_in",
            create_scheduling_element({prm::value_of<prm::scheduling_hierarchies, "NIC">,
                                       prm::value_of<prm::scheduling_element_types, "QUEUE_GROUP">,
                                       9, 0x12, 0x13, 0x14}));
}

} // namespace

TEST_CASE("typed commands are what the kernel's macros would have made") {
    golden g;
    check_memory(g);
    check_queues(g);
    check_qps(g);
    check_transitions(g);
    check_steering(g);
    check_objects(g);
}

TEST_CASE("a value that does not fit its field is told by the field's name, the first one") {
    CHECK(query_cq(0x1000000).misfit() == "cqn");
    cq_options c;
    c.uar_page = 1 << 24;
    c.log_size = 32;
    CHECK(create_cq(c).misfit() == "cq_context.log_cq_size");
    c = {};
    c.at.log_page_size = 11; // less than the adapter's page
    CHECK(create_cq(c).misfit() == "cq_context.log_page_size");
    auto general = query_general<prm::virtio_q_counters>(0x10000, 1);
    CHECK(general.misfit() == "obj_type");
    auto object = create_general<prm::virtio_q_counters>(1);
    object.set_object<"error_cqes">(0x100000000);
    CHECK_FALSE(object.valid());
    CHECK(object.misfit() == "error_cqes");
    CHECK(create_rqt<2>({1, 2}).valid());
}

TEST_CASE("a timestamp format: by what the queues have and what is wanted") {
    constexpr auto fr = ts_format_cap::free_running, rt = ts_format_cap::real_time,
                   both = ts_format_cap::both;
    struct {
        ts_format_cap has;
        timestamps wanted;
        int format; // -1: refused
    } rows[] = {
        {fr, timestamps::none, 0},          {rt, timestamps::none, 1},
        {both, timestamps::none, 1},        {fr, timestamps::free_running, 0},
        {rt, timestamps::free_running, -1}, {both, timestamps::free_running, 0},
        {fr, timestamps::real_time, -1},    {rt, timestamps::real_time, 2},
        {both, timestamps::real_time, 2},
    };
    for (auto r : rows) {
        result<std::uint32_t> f = ts_format(r.has, r.wanted);
        CHECK(bool(f) == (r.format >= 0));
        if (f) CHECK(int(*f) == r.format);
        if (!f) CHECK(f.failure().cause == KDEVX_CAUSE_NOT_SUPPORTED);
        result<std::uint32_t> q = qp_ts_format(true, r.has, r.wanted);
        CHECK(bool(q) == bool(f));
        if (q) CHECK(*q == *f);
        result<std::uint32_t> off = qp_ts_format(false, r.has, r.wanted);
        CHECK(bool(off) == (r.wanted != timestamps::real_time));
        if (off) CHECK(*off == 0);
    }
}

TEST_CASE("answers are read by value, at their full width") {
    command<prm::query_flow_counter_in, prm::query_flow_counter_out, 0, 32>::answer a;
    prm::store_be<std::uint64_t>(a.bytes().data() + 32, 0xffffffff00000001);
    prm::store_be<std::uint64_t>(a.bytes().data() + 40, 0x8000000000000000);
    CHECK(traffic_of(a).packets == 0);
    CHECK(traffic_of(a, 1).packets == 0xffffffff00000001);
    CHECK(traffic_of(a, 1).octets == 0x8000000000000000);
    CHECK(traffic_of(a, 2).octets == 0);
}
