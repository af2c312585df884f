// SPDX-License-Identifier: MIT
// Verbs objects through DEVX: which numbers are filled in and which are refused, and what becomes
// of a queue pair's state when both ways are used.
#include "qp_states.hpp"

using namespace kdevx;
using namespace kdevx::vm;

namespace {

// Refused by the library, by the name of the field, with both values.
void check_mismatch(const outcome &got, const char *field, std::uint64_t said, std::uint64_t is) {
    CHECK(got == invalid);
    CHECK(std::string(got.why.step) == field);
    CHECK(got.why.detail[0] == said);
    CHECK(got.why.detail[1] == is);
}

exchange transition(const char *command) {
    exchange x(command);
    if (x.in.has("qpc.pm_state"))
        x.set("qpc.pm_state", prm::value_of<prm::qpc_pm_states, "MIGRATED">);
    return x;
}
exchange rst2init() {
    exchange x = transition("RST2INIT_QP");
    return x.set("qpc.primary_address_path.vhca_port_num", 1);
}
exchange init2rtr(std::uint32_t to) {
    exchange x = transition("INIT2RTR_QP");
    x.set("qpc.mtu", prm::value_of<prm::qpc_mtus, "4K_BYTES">).set("qpc.log_msg_max", 30);
    x.set("qpc.remote_qpn", to).set("qpc.primary_address_path.rlid", 1);
    return x.set("qpc.primary_address_path.vhca_port_num", 1);
}

outcome devx_modify(const qp_ptr &qp, exchange x) {
    return devx(kdevx_qp_devx_modify, qp.get(), x);
}

constexpr expectation no_uid = failed(EINVAL, KDEVX_CAUSE_NO_DEVX_UID);

template <class F, class T>
void check_no_uid(F function, T *of, const char *command) {
    CAPTURE(command);
    exchange x(command);
    CHECK(devx(function, of, x) == no_uid);
}

outcome by_handle(verbs &v, std::uint32_t handle, exchange &x) {
    x.out.fill(std::byte(0x5a));
    return call(kdevx_handle_query, v.context.get(), handle, static_cast<const void *>(x.in.data()),
                x.in.size(), static_cast<void *>(x.out.data()), x.out.size());
}

} // namespace

TEST_CASE("numbers that are filled in, and numbers that are wrong", "[verbs][devx]") {
    verbs v;
    srq_ptr srq = v.make_srq(v.srq_of());
    qp_ptr qp = v.make_qp(v.qp_of(KDEVX_QP_RC));
    const std::uint32_t cqn = info_of(v.cq).cqn, srqn = info_of(srq).srqn, qpn = info_of(qp).qpn;

    exchange cq("QUERY_CQ"), rmp("QUERY_RMP"), q("QUERY_QP");
    CHECK(devx(kdevx_cq_devx_query, v.cq.get(), cq) == ok);
    CHECK(cq.in.get("cqn") == 0); // the caller's inbox is as it was
    CHECK(devx(kdevx_cq_devx_query, v.cq.get(), cq.set("cqn", cqn)) == ok);
    check_mismatch(devx(kdevx_cq_devx_query, v.cq.get(), cq.set("cqn", cqn ^ 5)), "cqn", cqn ^ 5,
                   cqn);
    check_mismatch(devx(kdevx_srq_devx_query, srq.get(), rmp.set("rmpn", srqn + 1)), "rmpn",
                   srqn + 1, srqn);
    check_mismatch(devx(kdevx_qp_devx_query, qp.get(), q.set("qpn", 1)), "qpn", 1, qpn);
    // Of the other class, or not of such an object at all.
    check_mismatch(devx(kdevx_cq_devx_query, v.cq.get(), q), "opcode", opcode("QUERY_QP"),
                   opcode("CREATE_CQ"));
    check_mismatch(devx(kdevx_cq_devx_modify, v.cq.get(), cq), "opcode", opcode("QUERY_CQ"),
                   opcode("CREATE_CQ"));
}

TEST_CASE("no inbox: the object's own query", "[verbs][devx]") {
    verbs v;
    exchange x("QUERY_CQ");
    const void *const none = nullptr;
    REQUIRE(call(kdevx_cq_devx_query, v.cq.get(), none, std::size_t(0),
                 static_cast<void *>(x.out.data()), x.out.size()) == ok);
    CHECK(x.get("cq_context.log_cq_size") == 4);
    CHECK(call(kdevx_cq_devx_modify, v.cq.get(), none, std::size_t(0),
               static_cast<void *>(x.out.data()), x.out.size()) == invalid);
    // The outbox is what commands want, not less.
    CHECK(call(kdevx_cq_devx_query, v.cq.get(), none, std::size_t(0),
               static_cast<void *>(x.out.data()), std::size_t(15)) == invalid);
    CHECK(call(kdevx_cq_devx_query, v.cq.get(), none, std::size_t(0),
               static_cast<void *>(x.out.data()),
               std::size_t(16)) == refused(because::outbox_too_short));
}

TEST_CASE("the kernel itself compares numbers", "[verbs][devx]") {
    verbs v;
    qp_ptr qp = v.make_qp(v.qp_of(KDEVX_QP_RC));
    const auto cq = info_of(v.cq);
    exchange x("QUERY_CQ");
    x.set("cqn", cq.cqn);
    CHECK(by_handle(v, cq.handle, x) == ok);
    CHECK(x.get("cq_context.log_cq_size") == 4);
    CHECK(by_handle(v, info_of(qp).handle, x) == invalid);
    CHECK(by_handle(v, info_of(v.pd).handle, x) == invalid);
    CHECK(by_handle(v, 4711, x) == failed(ENOENT, KDEVX_CAUSE_INVALID));
    x.set("cqn", cq.cqn + 1);
    CHECK(by_handle(v, cq.handle, x) == invalid);
    // ARM_RQ names an RQ to the kernel, so an SRQ is not armed by it.
    srq_ptr srq = v.make_srq(v.srq_of());
    exchange arm("ARM_RQ");
    arm.set("op_mod", prm::value_of<prm::arm_rq_ops, "SRQ">).set("srq_number", info_of(srq).srqn);
    CHECK(call(kdevx_handle_modify, v.context.get(), info_of(srq).handle,
               static_cast<const void *>(arm.in.data()), arm.in.size(),
               static_cast<void *>(arm.out.data()), arm.out.size()) == invalid);
}

TEST_CASE("a verbs queue pair through its states by DEVX", "[verbs][devx]") {
    verbs v;
    qp_ptr qp = v.make_qp(v.qp_of(KDEVX_QP_RC));
    REQUIRE(devx_modify(qp, rst2init()) == ok);
    CHECK(info_of(qp).state == KDEVX_QPS_INIT);
    REQUIRE(devx_modify(qp, transition("INIT2INIT_QP")) == ok);
    CHECK(info_of(qp).state == KDEVX_QPS_INIT);
    REQUIRE(devx_modify(qp, init2rtr(0x777)) == ok);
    CHECK(info_of(qp).state == KDEVX_QPS_RTR);
    REQUIRE(devx_modify(qp, transition("RTR2RTS_QP")) == ok);
    CHECK(info_of(qp).state == KDEVX_QPS_RTS);
    CHECK(look("QUERY_QP", kdevx_qp_devx_query, qp.get()).get("qpc.state") ==
          prm::value_of<prm::qpc_states, "RTS">);

    // The kernel's own state stayed behind, so a step from there is what it does not know...
    CHECK(set_state(qp, KDEVX_QPS_SQD) == invalid);
    // ... until it asks the device, the verbs way.
    const auto attr = attr_of(qp);
    CHECK(attr.qp_state == KDEVX_QPS_RTS);
    CHECK(attr.dest_qp_num == 0x777);
    CHECK(attr.path_mtu == 5);
    CHECK(set_state(qp, KDEVX_QPS_ERR) == ok);
    CHECK(info_of(qp).state == KDEVX_QPS_ERR);
    REQUIRE(devx_modify(qp, transition("2RST_QP")) == ok);
    CHECK(info_of(qp).state == KDEVX_QPS_RESET);
    REQUIRE(devx_modify(qp, rst2init()) == ok); // pooled, and taken again
}

TEST_CASE("a transition that the device refuses comes with what was believed", "[verbs][devx]") {
    verbs v;
    qp_ptr qp = v.make_qp(v.qp_of(KDEVX_QP_RC));
    outcome got = devx_modify(qp, transition("RTR2RTS_QP"));
    CHECK(got == refused(because::qp_wrong_state));
    CHECK(got.why.qp_state_known == 1);
    CHECK(got.why.qp_state == KDEVX_QPS_RESET);
    REQUIRE(devx_modify(qp, rst2init()) == ok);
    got = devx_modify(qp, rst2init());
    CHECK(got == refused(because::qp_wrong_state));
    CHECK(got.why.qp_state == KDEVX_QPS_INIT);
    CHECK(info_of(qp).state == KDEVX_QPS_INIT);
}

TEST_CASE("what one way did, the other one and the library see", "[verbs][devx]") {
    verbs v;
    qp_ptr qp = v.make_qp(v.qp_of(KDEVX_QP_RC));
    REQUIRE(to_init(qp) == ok);
    REQUIRE(devx_modify(qp, init2rtr(0x51)) == ok);
    // The verbs way on from there, with the state that the kernel does not know given to it.
    auto attr = sized<kdevx_qp_attr>();
    attr.cur_qp_state = KDEVX_QPS_RTR;
    attr.qp_state = KDEVX_QPS_RTS;
    attr.timeout = 14;
    attr.retry_cnt = attr.rnr_retry = 7;
    attr.max_rd_atomic = 1;
    CHECK(call(kdevx_qp_modify, qp.get(), static_cast<const kdevx_qp_attr *>(&attr),
               std::uint32_t(KDEVX_QP_STATE | KDEVX_QP_CUR_STATE | KDEVX_QP_TIMEOUT |
                             KDEVX_QP_RETRY_CNT | KDEVX_QP_RNR_RETRY | KDEVX_QP_SQ_PSN |
                             KDEVX_QP_MAX_QP_RD_ATOMIC)) == ok);
    CHECK(look("QUERY_QP", kdevx_qp_devx_query, qp.get()).get("qpc.state") ==
          prm::value_of<prm::qpc_states, "RTS">);
    CHECK(info_of(qp).state == KDEVX_QPS_RTS);
    // Another user of the handle, whom the library does not see; a query tells it.
    exchange x = transition("2ERR_QP");
    x.set("qpn", info_of(qp).qpn);
    REQUIRE(call(kdevx_handle_modify, v.context.get(), info_of(qp).handle,
                 static_cast<const void *>(x.in.data()), x.in.size(),
                 static_cast<void *>(x.out.data()), x.out.size()) == ok);
    CHECK(info_of(qp).state == KDEVX_QPS_RTS);
    look("QUERY_QP", kdevx_qp_devx_query, qp.get());
    CHECK(info_of(qp).state == KDEVX_QPS_ERR);
}

TEST_CASE("a raw packet queue pair must be told which of its parts", "[verbs][devx][eth]") {
    verbs v;
    qp_ptr qp = v.make_qp(v.qp_of(KDEVX_QP_RAW_PACKET));
    const auto info = info_of(qp);
    exchange rq("QUERY_RQ"), q("QUERY_QP");
    CHECK(call(kdevx_qp_devx_query, qp.get(), static_cast<const void *>(nullptr), std::size_t(0),
               static_cast<void *>(rq.out.data()), rq.out.size()) == invalid);
    check_mismatch(devx(kdevx_qp_devx_query, qp.get(), rq.set("rqn", info.sqn)), "rqn", info.sqn,
                   info.rqn);
    CHECK(devx(kdevx_qp_devx_query, qp.get(), q) == invalid);
    exchange tir("MODIFY_TIR");
    tir.set("bitmask.self_lb_en", 1).set("ctx.self_lb_block", 2);
    REQUIRE(devx(kdevx_qp_devx_modify, qp.get(), tir) == ok);
    CHECK(look("QUERY_TIR", kdevx_qp_devx_query, qp.get()).get("tir_context.self_lb_block") == 2);
    exchange tis("MODIFY_TIS");
    tis.set("bitmask.prio", 1).set("ctx.prio", 3);
    REQUIRE(devx(kdevx_qp_devx_modify, qp.get(), tis) == ok);
    CHECK(look("QUERY_TIS", kdevx_qp_devx_query, qp.get()).get("tis_context.prio") == 3);
    exchange sq("MODIFY_SQ");
    sq.set("sq_state", prm::value_of<prm::sqc_states, "RST">);
    sq.set("ctx.state", prm::value_of<prm::sqc_states, "RDY">);
    REQUIRE(devx(kdevx_qp_devx_modify, qp.get(), sq) == ok);
    CHECK(look("QUERY_SQ", kdevx_qp_devx_query, qp.get()).get("sq_context.state") ==
          prm::value_of<prm::sqc_states, "RDY">);
}

TEST_CASE("verbs objects of a context without DEVX are none of DEVX's", "[verbs][devx]") {
    verbs v(KDEVX_DEVX_NEVER);
    srq_ptr srq = v.make_srq(v.srq_of());
    qp_ptr qp = v.make_qp(v.qp_of(KDEVX_QP_RC));
    check_no_uid(kdevx_cq_devx_query, v.cq.get(), "QUERY_CQ");
    check_no_uid(kdevx_cq_devx_modify, v.cq.get(), "MODIFY_CQ");
    check_no_uid(kdevx_srq_devx_query, srq.get(), "QUERY_RMP");
    check_no_uid(kdevx_srq_devx_modify, srq.get(), "MODIFY_RMP");
    check_no_uid(kdevx_qp_devx_query, qp.get(), "QUERY_QP");
    check_no_uid(kdevx_qp_devx_modify, qp.get(), "RST2INIT_QP");
    exchange x("QUERY_QP");
    x.set("qpn", info_of(qp).qpn);
    CHECK(by_handle(v, info_of(qp).handle, x) == no_uid);
    // They are as good as others the verbs way, and the state believed is what it was.
    auto attr = sized<kdevx_qp_attr>();
    CHECK(call(kdevx_qp_query, qp.get(), std::uint32_t(KDEVX_QP_STATE), &attr) == ok);
    CHECK(attr.qp_state == KDEVX_QPS_RESET);
}

TEST_CASE("receive queues of a context without DEVX are none of DEVX's", "[verbs][devx][eth]") {
    verbs v(KDEVX_DEVX_NEVER);
    wq_ptr wq = v.make_wq(v.wq_of());
    ind_table_ptr table = v.make_table({wq.get()});
    check_no_uid(kdevx_wq_devx_query, wq.get(), "QUERY_RQ");
    check_no_uid(kdevx_wq_devx_modify, wq.get(), "MODIFY_RQ");
    check_no_uid(kdevx_ind_table_devx_query, table.get(), "QUERY_RQT");
    check_no_uid(kdevx_ind_table_devx_modify, table.get(), "MODIFY_RQT");
}
