// SPDX-License-Identifier: MIT
// Receive work queues and indirection tables: the Ethernet port's.
#include "verbs.hpp"

#include <sys/resource.h>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

outcome modify(const wq_ptr &wq, kdevx_wq_attr attr, std::uint32_t mask) {
    return call(kdevx_wq_modify, wq.get(), &attr, mask);
}
outcome set_state(const wq_ptr &wq, kdevx_wq_state state) {
    kdevx_wq_attr attr{};
    attr.state = state;
    return modify(wq, attr, KDEVX_WQ_STATE);
}
exchange look_at(const wq_ptr &wq) {
    return look("QUERY_RQ", kdevx_wq_devx_query, wq.get());
}

} // namespace

TEST_CASE("InfiniBand ports have no receive work queues", "[verbs][wq]") {
    verbs v;
    const auto o = v.wq_of();
    CHECK(refusal_of<wq_ptr>(kdevx_wq_create, v.pd.get(), &o) ==
          failed(EPROTONOSUPPORT, KDEVX_CAUSE_NOT_SUPPORTED));
}

TEST_CASE("a WQ is an RQ", "[verbs][wq][eth]") {
    verbs v;
    auto o = v.wq_of(100);
    o.max_sge = 4;
    o.user_index = 0x4242;
    wq_ptr wq = v.make_wq(o);
    const auto info = info_of(wq);
    CHECK(info.wqe_count == 128);
    CHECK(info.wqe_shift == 6);
    const exchange seen = look_at(wq);
    CHECK(seen.get("rq_context.wq.log_wq_sz") == 7);
    CHECK(seen.get("rq_context.wq.log_wq_stride") == 6);
    CHECK(seen.get("rq_context.cqn") == info_of(v.cq).cqn);
    CHECK(seen.get("rq_context.user_index") == 0x4242);
    CHECK(seen.get("rq_context.state") == prm::value_of<prm::rqc_states, "RST">);
    CHECK(call(kdevx_cq_destroy, v.cq.get()) == held_by{KDEVX_KIND_WQ, info.handle});
    CHECK(call(kdevx_pd_dealloc, v.pd.get()) == held_by{KDEVX_KIND_WQ, info.handle});
}

TEST_CASE("the states of a WQ, the verbs way and by DEVX", "[verbs][wq][eth]") {
    verbs v;
    wq_ptr wq = v.make_wq(v.wq_of());
    REQUIRE(set_state(wq, KDEVX_WQS_RDY) == ok);
    CHECK(look_at(wq).get("rq_context.state") == prm::value_of<prm::rqc_states, "RDY">);
    REQUIRE(set_state(wq, KDEVX_WQS_ERR) == ok);
    CHECK(look_at(wq).get("rq_context.state") == prm::value_of<prm::rqc_states, "ERR">);
    REQUIRE(set_state(wq, KDEVX_WQS_RESET) == ok);
    exchange x("MODIFY_RQ");
    x.set("rq_state", prm::value_of<prm::rqc_states, "RST">);
    x.set("ctx.state", prm::value_of<prm::rqc_states, "RDY">);
    REQUIRE(devx(kdevx_wq_devx_modify, wq.get(), x) == ok);
    // The kernel believes that it is in RESET still, and asks for what the device refuses.
    CHECK(set_state(wq, KDEVX_WQS_RDY) == invalid);
    kdevx_wq_attr attr{};
    attr.cur_state = KDEVX_WQS_RDY;
    attr.state = KDEVX_WQS_ERR;
    CHECK(modify(wq, attr, KDEVX_WQ_STATE | KDEVX_WQ_CUR_STATE) == ok);
}

TEST_CASE("locked memory of a WQ is limited", "[verbs][wq][eth]") {
    const std::string node = under_test().node;
    CHECK(as_nobody([&] {
              kdevx_context *c = nullptr;
              kdevx_pd *pd = nullptr;
              kdevx_cq *cq = nullptr;
              const auto of_cq = cq_of(15);
              if (kdevx_context_open_path(node.c_str(), nullptr, &c, nullptr)) return 1;
              if (kdevx_pd_alloc(c, &pd, nullptr)) return 2;
              if (kdevx_cq_create(c, &of_cq, &cq, nullptr)) return 3;
              auto o = sized<kdevx_wq_options>();
              o.max_wr = 4096; // of 16 bytes
              o.max_sge = 1;
              o.cq = cq;
              int wrong = 0;
              const auto check = [&](rlim_t now, int err, unsigned cause) {
                  const rlimit r{now, 1 << 20};
                  if (setrlimit(RLIMIT_MEMLOCK, &r)) return void(wrong += 100);
                  kdevx_wq *wq = nullptr;
                  kdevx_failure why{};
                  wrong += kdevx_wq_create(pd, &o, &wq, &why) != err || why.cause != cause;
                  wrong += (wq != nullptr) != (err == 0);
              };
              check(32 << 10, -ENOMEM, KDEVX_CAUSE_LIMIT);
              check(0, -EPERM, KDEVX_CAUSE_NO_PERMISSION);
              check(1 << 20, 0, KDEVX_CAUSE_NONE); // nothing was left pinned
              return wrong;
          }) == 0);
}

TEST_CASE("WQs that contradict themselves", "[verbs][wq][eth]") {
    verbs v;
    const auto refusal_of_wq = [&](const kdevx_wq_options &o) {
        return refusal_of<wq_ptr>(kdevx_wq_create, v.pd.get(), &o);
    };
    CHECK(refusal_of_wq(v.wq_of(0)) == invalid);
    CHECK(refusal_of_wq(v.wq_of(1 << 20)) == invalid);
    auto o = v.wq_of();
    o.cq = nullptr;
    CHECK(refusal_of_wq(o) == invalid);
    o = v.wq_of();
    o.rq_wqe_count = 24;
    o.rq_wqe_shift = 6;
    CHECK(refusal_of_wq(o) == invalid);
    o = v.wq_of();
    o.flags = KDEVX_WQ_SCATTER_FCS;
    CHECK(refusal_of_wq(o) == failed(EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED));
    o = v.wq_of();
    o.striding = 1;
    o.single_stride_log_num_of_bytes = 6;
    o.single_wqe_log_num_of_strides = 9;
    CHECK(refusal_of_wq(o) == failed(EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED));
}

TEST_CASE("an indirection table is an RQT", "[verbs][wq][eth]") {
    verbs v;
    wq_ptr one = v.make_wq(v.wq_of()), two = v.make_wq(v.wq_of());
    for (const auto &wq : {&one, &two})
        REQUIRE(set_state(*wq, KDEVX_WQS_RDY) == ok);
    ind_table_ptr table = v.make_table({one.get(), two.get(), two.get(), one.get()});
    CHECK(info_of(table).log_size == 2);

    exchange x("QUERY_RQT", 0, 16);
    REQUIRE(devx(kdevx_ind_table_devx_query, table.get(), x) == ok);
    CHECK(x.get("rqt_context.rqt_actual_size") == 4);
    CHECK(x.get("rqt_context.rq_num[0].rq_num") == info_of(one).rqn);
    CHECK(x.get("rqt_context.rq_num[1].rq_num") == info_of(two).rqn);
    CHECK(x.get("rqt_context.rq_num[3].rq_num") == info_of(one).rqn);
    CHECK(call(kdevx_wq_destroy, two.get()) ==
          held_by{KDEVX_KIND_IND_TABLE, info_of(table).handle});

    exchange change("MODIFY_RQT", 4);
    change.set("bitmask.rqn_list", 1).set("ctx.rqt_actual_size", 1);
    change.set("ctx.rq_num[0].rq_num", info_of(two).rqn);
    REQUIRE(devx(kdevx_ind_table_devx_modify, table.get(), change) == ok);
    REQUIRE(devx(kdevx_ind_table_devx_query, table.get(), x) == ok);
    CHECK(x.get("rqt_context.rqt_actual_size") == 1);
    CHECK(x.get("rqt_context.rq_num[0].rq_num") == info_of(two).rqn);
}

TEST_CASE("indirection tables that contradict themselves", "[verbs][wq][eth]") {
    verbs v, other;
    wq_ptr wq = v.make_wq(v.wq_of()), foreign = other.make_wq(other.wq_of());
    const auto refusal_of_table = [&](std::uint32_t log_size, kdevx_wq *const *wqs) {
        return refusal_of<ind_table_ptr>(kdevx_ind_table_create, v.context.get(), log_size, wqs);
    };
    std::vector<kdevx_wq *> wqs(1u << 12, wq.get());
    CHECK(refusal_of_table(12, wqs.data()) == invalid); // log_max_rqt_size is 11
    CHECK(refusal_of_table(13, wqs.data()) == invalid);
    CHECK(refusal_of_table(0, nullptr) == invalid);
    wqs[1] = nullptr;
    CHECK(refusal_of_table(1, wqs.data()) == invalid);
    wqs[1] = foreign.get();
    CHECK(refusal_of_table(1, wqs.data()) == invalid);
    wqs[1] = wq.get();
    ind_table_ptr biggest = make<ind_table_ptr>(kdevx_ind_table_create, v.context.get(), 11u,
                                                static_cast<kdevx_wq *const *>(wqs.data()));
}
