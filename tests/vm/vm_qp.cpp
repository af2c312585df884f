// SPDX-License-Identifier: MIT
// The states of a QP: each transition that DEVX has, from where it may start and from where not.
#include "bench.hpp"

#include <algorithm>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

template <prm::fixed_string Name>
constexpr std::uint64_t state = prm::value_of<prm::qpc_states, Name>;

struct transition {
    const char *command;
    std::vector<std::uint64_t> from; // empty: from any
    std::uint64_t to;
};
// SQERR2RTS is for a QP whose send queue failed, which none does here: it is refused everywhere.
const transition transitions[] = {
    {"RST2INIT_QP", {state<"RST">}, state<"INIT">},   {"INIT2INIT_QP", {state<"INIT">}, state<"INIT">},
    {"INIT2RTR_QP", {state<"INIT">}, state<"RTR">},   {"RTR2RTS_QP", {state<"RTR">}, state<"RTS">},
    {"RTS2RTS_QP", {state<"RTS">}, state<"RTS">},     {"SQERR2RTS_QP", {state<"SQER">}, state<"RTS">},
    {"2ERR_QP", {}, state<"ERR">},                    {"2RST_QP", {}, state<"RST">},
};

class qp {
    bench bench_;
    object_ptr object_ = bench_.create(bench_.qp());
    std::uint64_t number_ = info_of(object_.get()).device_id & 0xffffff;

public:
    exchange about(const char *command) const {
        exchange x(command);
        return x.set("qpn", number_);
    }
    outcome go(exchange x) { return modify(object_.get(), x); }
    outcome go(const char *command) { return go(about(command)); }
    exchange look() {
        exchange x = about("QUERY_QP");
        REQUIRE(query(object_.get(), x) == ok);
        return x;
    }
    std::uint64_t state() { return look().get("qpc.state"); }

    // By the shortest way.
    void bring_to(std::uint64_t wanted) {
        REQUIRE(go("2RST_QP") == ok);
        if (wanted == vm_state<"ERR">) REQUIRE(go("2ERR_QP") == ok);
        const char *way[] = {"RST2INIT_QP", "INIT2RTR_QP", "RTR2RTS_QP"};
        for (std::uint64_t at = 0; at < wanted && wanted <= vm_state<"RTS">; ++at)
            REQUIRE(go(way[at]) == ok);
        REQUIRE(state() == wanted);
    }
    template <prm::fixed_string Name>
    static constexpr std::uint64_t vm_state = prm::value_of<prm::qpc_states, Name>;
};

bool may_start(const transition &t, std::uint64_t from) {
    return t.from.empty() || std::ranges::find(t.from, from) != t.from.end();
}

} // namespace

TEST_CASE("each transition, from each state that a program can reach", "[qp]") {
    qp q;
    for (std::uint64_t from : {state<"RST">, state<"INIT">, state<"RTR">, state<"RTS">, state<"ERR">})
        for (const transition &t : transitions) {
            q.bring_to(from);
            CAPTURE(std::string(prm::qpc_states.name_of(std::uint32_t(from))), t.command);
            if (may_start(t, from)) {
                CHECK(q.go(t.command) == ok);
                CHECK(q.state() == t.to);
            } else {
                CHECK(q.go(t.command) == refused(because::qp_wrong_state));
                CHECK(q.state() == from);
            }
        }
}

TEST_CASE("what a transition is given is what a query shows", "[qp]") {
    qp q;
    exchange init = q.about("RST2INIT_QP");
    init.set("qpc.primary_address_path.vhca_port_num", 1).set("qpc.rwe", 1).set("qpc.rre", 1);
    init.set("qpc.pm_state", prm::value_of<prm::qpc_pm_states, "MIGRATED">);
    REQUIRE(q.go(init) == ok);
    const exchange in_init = q.look();
    CHECK(in_init.get("qpc.primary_address_path.vhca_port_num") == 1);
    CHECK(in_init.get("qpc.rwe") == 1);
    CHECK(in_init.get("qpc.rre") == 1);
    CHECK(in_init.get("qpc.rae") == 0);

    exchange rtr = q.about("INIT2RTR_QP");
    rtr.set("qpc.mtu", prm::value_of<prm::qpc_mtus, "1K_BYTES">).set("qpc.log_msg_max", 30);
    rtr.set("qpc.remote_qpn", 0x123456).set("qpc.next_rcv_psn", 0x654321);
    rtr.set("qpc.log_rra_max", 2).set("qpc.min_rnr_nak", 12);
    rtr.set("qpc.primary_address_path.rlid", 1).set("qpc.primary_address_path.vhca_port_num", 1);
    REQUIRE(q.go(rtr) == ok);
    const exchange in_rtr = q.look();
    CHECK(in_rtr.get("qpc.remote_qpn") == 0x123456);
    CHECK(in_rtr.get("qpc.next_rcv_psn") == 0x654321);
    CHECK(in_rtr.get("qpc.mtu") == prm::value_of<prm::qpc_mtus, "1K_BYTES">);
    CHECK(in_rtr.get("qpc.primary_address_path.rlid") == 1);
    CHECK(in_rtr.get("qpc.rwe") == 1); // from before

    exchange rts = q.about("RTR2RTS_QP");
    rts.set("qpc.next_send_psn", 0xabcdef).set("qpc.retry_count", 7).set("qpc.rnr_retry", 6);
    rts.set("qpc.log_sra_max", 1).set("qpc.primary_address_path.ack_timeout", 14);
    REQUIRE(q.go(rts) == ok);
    const exchange in_rts = q.look();
    CHECK(in_rts.get("qpc.next_send_psn") == 0xabcdef);
    CHECK(in_rts.get("qpc.retry_count") == 7);
    CHECK(in_rts.get("qpc.rnr_retry") == 6);
    CHECK(in_rts.get("qpc.primary_address_path.ack_timeout") == 14);
    CHECK(in_rts.get("qpc.remote_qpn") == 0x123456);
}

TEST_CASE("optional parameters change what their bit names, and nothing else", "[qp]") {
    constexpr std::uint64_t min_rnr_nak_bit = 1 << 6;
    qp q;
    q.bring_to(state<"RTS">);
    exchange x = q.about("RTS2RTS_QP");
    x.set("opt_param_mask", min_rnr_nak_bit).set("qpc.min_rnr_nak", 21).set("qpc.rnr_retry", 3);
    REQUIRE(q.go(x) == ok);
    CHECK(q.look().get("qpc.min_rnr_nak") == 21);
    CHECK(q.look().get("qpc.rnr_retry") == 0);
    exchange unknown = q.about("RTS2RTS_QP");
    CHECK(q.go(unknown.set("opt_param_mask", 1u << 31)) == refused(because::qp_opt_param));
}

TEST_CASE("transitions that the kernel does not let through", "[qp]") {
    qp q;
    q.bring_to(state<"RTS">);
    exchange drain = q.about("RTS2RTS_QP");
    constexpr std::uint16_t rts2sqd = 0x508; // of the first drivers; mlx5_ifc.h has it no more
    for (std::uint16_t number : {rts2sqd, opcode("SQD_RTS_QP")}) {
        drain.in.set("opcode", number);
        CHECK(q.go(drain) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    }
    CHECK(q.state() == state<"RTS">);
}

TEST_CASE("every service that a program may have", "[qp]") {
    bench b;
    for (const char *service : {"RC", "UC", "UD", "DCI"}) {
        CAPTURE(service);
        object_ptr o = b.create(b.qp(service));
        exchange x("QUERY_QP");
        x.set("qpn", info_of(o.get()).device_id & 0xffffff);
        REQUIRE(query(o.get(), x) == ok);
        CHECK(x.get("qpc.st") == prm::qpc_service_types.find(service)->number);
        CHECK(x.get("qpc.user_index") == 0x4b4b4b);
    }
    exchange nonsense = b.qp();
    object_ptr none;
    CHECK(create(b.context(), nonsense.set("qpc.st", 0x7f), none) ==
          refused(because::qp_wrong_type));
    exchange on_rmp = b.qp();
    on_rmp.set("qpc.rq_type", 1).set("qpc.srqn_rmpn_xrqn", b[resource::rmpn]);
    object_ptr shared = b.create(on_rmp);
    CHECK(call(kdevx_object_destroy, b.holder(resource::rmpn)) == failed(EBUSY, KDEVX_CAUSE_BUSY));
}
