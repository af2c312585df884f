// SPDX-License-Identifier: MIT
// Queue pairs of the verbs kind: every type, its numbers in the device, its states. (Through DEVX:
// vm_verbs_devx.cpp.)
#include "dmabuf.hpp"
#include "qp_states.hpp"

using namespace kdevx;
using namespace kdevx::vm;

namespace {

outcome refusal_of_qp(verbs &v, const kdevx_qp_options &o) {
    return refusal_of<qp_ptr>(kdevx_qp_create, v.pd.get(), &o);
}

kdevx_qp_options rss_of(const ind_table_ptr &table, const std::array<std::uint8_t, 40> &key) {
    auto o = sized<kdevx_qp_options>();
    o.type = KDEVX_QP_RAW_PACKET;
    o.ind_table = table.get();
    o.rss.rx_hash_fields_mask = 3; // both addresses of IPv4
    o.rss.rx_hash_function = 1;
    o.rss.rx_key_len = std::uint8_t(key.size());
    o.rss.rx_hash_key = key.data();
    return o;
}

} // namespace

TEST_CASE("RC, UC and UD queue pairs", "[verbs]") {
    verbs v;
    for (const auto &[type, st] :
         {std::pair(KDEVX_QP_RC, prm::value_of<prm::qpc_service_types, "RC">),
          {KDEVX_QP_UC, prm::value_of<prm::qpc_service_types, "UC">},
          {KDEVX_QP_UD, prm::value_of<prm::qpc_service_types, "UD">}}) {
        CAPTURE(type);
        qp_ptr qp = v.make_qp(v.qp_of(type));
        const auto info = info_of(qp);
        CHECK(info.type == type);
        CHECK(info.ids == KDEVX_QP_HAS_QPN);
        CHECK(info.state == KDEVX_QPS_RESET);
        CHECK(info.rq_wqe_count == 16);
        CHECK(info.sq_offset == 16u << info.rq_wqe_shift);
        CHECK(info.memory.buffer_size == info.sq_offset + info.sq_wqe_count * 64);
        const exchange seen = look("QUERY_QP", kdevx_qp_devx_query, qp.get());
        CHECK(seen.get("qpc.st") == st);
        CHECK(seen.get("qpc.state") == prm::value_of<prm::qpc_states, "RST">);
        CHECK(seen.get("qpc.pd") == info_of(v.pd).pdn);
        CHECK(seen.get("qpc.cqn_snd") == info_of(v.cq).cqn);
        CHECK(seen.get("qpc.cqn_rcv") == info_of(v.cq).cqn);
        CHECK(seen.get("qpc.user_index") == 0x123456);
        CHECK(seen.get("qpc.uar_page") == info.memory.uar_page_id);
        CHECK(1u << seen.get("qpc.log_sq_size") == info.sq_wqe_count);
        CHECK(1u << seen.get("qpc.log_rq_size") == info.rq_wqe_count);
        CHECK(seen.get("qpc.log_rq_stride") + 4 == info.rq_wqe_shift);
        CHECK(call(kdevx_cq_destroy, v.cq.get()) == held_by{KDEVX_KIND_QP, info.handle});
    }
}

TEST_CASE("queues given by their entries, in the caller's memory and page", "[verbs]") {
    verbs v;
    uar_ptr uar = alloc_uar(v.context.get(), KDEVX_UAR_NC_DEDICATED);
    pages ring(16 << 10), record(4096);
    auto o = v.qp_of(KDEVX_QP_RC);
    o.max_send_wr = o.max_recv_wr = 0;
    o.sq_wqe_count = 64;
    o.rq_wqe_count = 32;
    o.rq_wqe_shift = 6;
    o.uar = uar.get();
    o.buffer.kind = o.dbrec.kind = KDEVX_BUFFER_MEMORY;
    o.buffer.address = std::uintptr_t(ring.data());
    o.buffer.length = 32 * 64 + 64 * 64;
    o.dbrec.address = std::uintptr_t(record.data());
    o.dbrec.length = 8;
    {
        qp_ptr qp = v.make_qp(o);
        CHECK(info_of(qp).sq_wqe_count == 64);
        CHECK(info_of(qp).sq_offset == 32 * 64);
        CHECK(info_of(qp).memory.buffer == ring.data());
        const exchange seen = look("QUERY_QP", kdevx_qp_devx_query, qp.get());
        CHECK(seen.get("qpc.uar_page") == info_of(uar.get()).page_id);
        CHECK(seen.get("qpc.log_sq_size") == 6);
        CHECK(call(kdevx_uar_free, uar.get()) == held_by{KDEVX_KIND_QP, info_of(qp).handle});
    }
    --o.buffer.length;
    CHECK(refusal_of_qp(v, o) == invalid);
    o.sq_wqe_count = 63;
    CHECK(refusal_of_qp(v, o) == invalid);
}

TEST_CASE("a queue pair in a dmabuf", "[verbs]") {
    verbs v;
    const dmabuf buffer(64 << 10);
    auto o = v.qp_of(KDEVX_QP_RC);
    o.buffer.kind = KDEVX_BUFFER_DMABUF;
    o.buffer.fd = buffer.fd();
    o.buffer.length = buffer.size();
    if (kernel() < version{7, 2}) {
        CHECK(refusal_of_qp(v, o) == failed(EPROTONOSUPPORT, KDEVX_CAUSE_KERNEL_TOO_OLD));
        return;
    }
    qp_ptr qp = v.make_qp(o);
    CHECK(info_of(qp).memory.buffer == nullptr);
    CHECK(look("QUERY_QP", kdevx_qp_devx_query, qp.get()).get("qpc.log_rq_size") == 4);
}

TEST_CASE("a queue pair on an SRQ", "[verbs]") {
    verbs v;
    srq_ptr srq = v.make_srq(v.srq_of());
    auto o = v.qp_of(KDEVX_QP_RC);
    o.max_recv_wr = 0;
    o.srq = srq.get();
    qp_ptr qp = v.make_qp(o);
    CHECK(info_of(qp).rq_wqe_count == 0);
    const exchange seen = look("QUERY_QP", kdevx_qp_devx_query, qp.get());
    CHECK(seen.get("qpc.srqn_rmpn_xrqn") == info_of(srq).srqn);
    CHECK(call(kdevx_srq_destroy, srq.get()) == held_by{KDEVX_KIND_QP, info_of(qp).handle});
}

TEST_CASE("the two ends of XRC", "[verbs]") {
    verbs v;
    xrcd_ptr domain = make<xrcd_ptr>(kdevx_xrcd_open, v.context.get());
    auto o = v.qp_of(KDEVX_QP_XRC_TGT);
    o.xrcd = domain.get();
    qp_ptr target = make<qp_ptr>(kdevx_qp_create_xrc_tgt, v.context.get(), &o);
    CHECK(info_of(target).ids == KDEVX_QP_HAS_QPN);
    qp_ptr initiator = v.make_qp(v.qp_of(KDEVX_QP_XRC_INI));
    CHECK(info_of(initiator).ids == KDEVX_QP_HAS_QPN);
    CHECK(attr_of(initiator).qp_state == KDEVX_QPS_RESET);
    // The kernel makes both in its own name, and the firmware knows whose they are.
    exchange x("QUERY_QP");
    CHECK(devx(kdevx_qp_devx_query, initiator.get(), x) == refused(because::not_the_owner));
    // What the kernel says of the target is chance.
    CHECK(devx(kdevx_qp_devx_query, target.get(), x) == not_supported);
    exchange reset("2RST_QP");
    CHECK(devx(kdevx_qp_devx_modify, target.get(), reset) == not_supported);
    // With a PD, or without a domain, it is none.
    CHECK(refusal_of_qp(v, o) == invalid);
    o.xrcd = nullptr;
    CHECK(refusal_of<qp_ptr>(kdevx_qp_create_xrc_tgt, v.context.get(), &o) == invalid);
}

TEST_CASE("a DCI, and a DCT that has a number once it is RTR", "[verbs]") {
    verbs v;
    qp_ptr dci = v.make_qp(v.qp_of(KDEVX_QP_DCI));
    CHECK(look("QUERY_QP", kdevx_qp_devx_query, dci.get()).get("qpc.st") ==
          prm::value_of<prm::qpc_service_types, "DCI">);

    srq_ptr srq = v.make_srq(v.srq_of());
    auto o = v.qp_of(KDEVX_QP_DCT);
    o.srq = srq.get();
    o.dc_access_key = 0x1122334455667788;
    qp_ptr dct = v.make_qp(o);
    CHECK(info_of(dct).ids == 0);
    exchange none("QUERY_DCT");
    CHECK(devx(kdevx_qp_devx_query, dct.get(), none) == invalid);
    REQUIRE(to_init(dct) == ok);
    REQUIRE(dct_to_rtr(dct) == ok);
    CHECK(info_of(dct).ids == KDEVX_QP_HAS_DCTN);
    CHECK(info_of(dct).state == KDEVX_QPS_RTR);
    const exchange seen = look("QUERY_DCT", kdevx_qp_devx_query, dct.get());
    CHECK(seen.get("dct_context_entry.dc_access_key") == 0x1122334455667788);
    CHECK(seen.get("dct_context_entry.srqn_xrqn") == info_of(srq).srqn);
    CHECK(seen.get("dct_context_entry.cqn") == info_of(v.cq).cqn);
    CHECK(seen.get("dct_context_entry.user_index") == 0x123456);
}

TEST_CASE("queues that wait for each other", "[verbs]") {
    verbs v;
    auto o = v.qp_of(KDEVX_QP_RC);
    o.create_flags = KDEVX_QP_CROSS_CHANNEL | KDEVX_QP_MANAGED_SEND | KDEVX_QP_MANAGED_RECV;
    qp_ptr qp = v.make_qp(o);
    const exchange seen = look("QUERY_QP", kdevx_qp_devx_query, qp.get());
    CHECK(seen.get("qpc.cd_master") == 1);
    CHECK(seen.get("qpc.cd_slave_send") == 1);
    CHECK(seen.get("qpc.cd_slave_receive") == 1);
    o.create_flags = KDEVX_QP_CROSS_CHANNEL;
    qp_ptr master = v.make_qp(o);
    const exchange other = look("QUERY_QP", kdevx_qp_devx_query, master.get());
    CHECK(other.get("qpc.cd_master") == 1);
    CHECK(other.get("qpc.cd_slave_send") == 0);
    CHECK(info_of(master).handle != info_of(qp).handle);
    o.create_flags = 1u << 30;
    CHECK(refusal_of_qp(v, o) == invalid);
}

TEST_CASE("a queue pair goes through its states, the verbs way", "[verbs]") {
    verbs v;
    qp_ptr qp = v.make_qp(v.qp_of(KDEVX_QP_RC));
    REQUIRE(to_init(qp) == ok);
    CHECK(attr_of(qp).qp_state == KDEVX_QPS_INIT);
    REQUIRE(to_rtr(qp, 0x111) == ok);
    const auto rtr = attr_of(qp);
    CHECK(rtr.qp_state == KDEVX_QPS_RTR);
    CHECK(rtr.dest_qp_num == 0x111);
    CHECK(rtr.path_mtu == 5);
    CHECK(rtr.rq_psn == 0x99);
    CHECK(rtr.min_rnr_timer == 12);
    CHECK(rtr.max_dest_rd_atomic == 4);
    CHECK(rtr.ah.dlid == 1);
    CHECK(rtr.ah.port_num == 1);
    REQUIRE(to_rts(qp) == ok);
    const auto rts = attr_of(qp);
    CHECK(rts.qp_state == KDEVX_QPS_RTS);
    CHECK(rts.sq_psn == 0x88);
    CHECK(rts.timeout == 14);
    CHECK(rts.retry_cnt == 7);
    CHECK(rts.rnr_retry == 6);
    CHECK(rts.max_recv_wr == 16);
    CHECK(info_of(qp).state == KDEVX_QPS_RTS);
    REQUIRE(set_state(qp, KDEVX_QPS_ERR) == ok);
    CHECK(attr_of(qp).qp_state == KDEVX_QPS_ERR);
    REQUIRE(set_state(qp, KDEVX_QPS_RESET) == ok);
    CHECK(info_of(qp).state == KDEVX_QPS_RESET);
}

TEST_CASE("states that do not follow each other", "[verbs]") {
    verbs v;
    qp_ptr qp = v.make_qp(v.qp_of(KDEVX_QP_RC));
    CHECK(to_rtr(qp, 0x111) == invalid);
    CHECK(to_rts(qp) == invalid);
    auto attr = sized<kdevx_qp_attr>();
    attr.cur_qp_state = KDEVX_QPS_RESET;
    attr.qp_state = KDEVX_QPS_RTS;
    CHECK(call(kdevx_qp_modify, qp.get(), static_cast<const kdevx_qp_attr *>(&attr),
               std::uint32_t(KDEVX_QP_STATE | KDEVX_QP_CUR_STATE)) == invalid);
    REQUIRE(to_init(qp) == ok); // as good as before

    qp_ptr sends = v.make_qp(v.qp_of(KDEVX_QP_RC));
    REQUIRE(to_init(sends) == ok);
    REQUIRE(to_rtr(sends, info_of(sends).qpn) == ok);
    REQUIRE(to_rts(sends) == ok);
    CHECK(set_state(sends, KDEVX_QPS_SQD) == invalid); // mlx5_ib has no command for it
    CHECK(attr_of(sends).qp_state == KDEVX_QPS_RTS);
}

TEST_CASE("queue pairs that contradict themselves", "[verbs]") {
    verbs v, other;
    auto o = v.qp_of(KDEVX_QP_RC);
    o.type = 77;
    CHECK(refusal_of_qp(v, o) == invalid);
    o = v.qp_of(KDEVX_QP_RC);
    o.recv_cq = other.cq.get();
    CHECK(refusal_of_qp(v, o) == invalid);
    o.recv_cq = nullptr;
    CHECK(refusal_of_qp(v, o) == invalid);
    o = v.qp_of(KDEVX_QP_RC);
    o.max_send_wr = 1 << 20;
    CHECK(refusal_of_qp(v, o) == invalid);
    o = v.qp_of(KDEVX_QP_RC);
    o.user_index = 0xffffff;
    CHECK(refusal_of_qp(v, o) == invalid);
    o = v.qp_of(KDEVX_QP_RC);
    o.driver_flags = KDEVX_QP_PACKET_BASED_CREDIT_MODE; // qp_packet_based
    CHECK(refusal_of_qp(v, o) == invalid);
    o = v.qp_of(KDEVX_QP_RC);
    o.create_flags = KDEVX_QP_SCATTER_FCS;
    CHECK(refusal_of_qp(v, o) == invalid);
}

TEST_CASE("a raw packet queue pair is an RQ, an SQ, a TIR and a TIS", "[verbs][eth]") {
    verbs v;
    qp_ptr qp = v.make_qp(v.qp_of(KDEVX_QP_RAW_PACKET));
    const auto info = info_of(qp);
    constexpr std::uint32_t four =
        KDEVX_QP_HAS_TIRN | KDEVX_QP_HAS_TISN | KDEVX_QP_HAS_RQN | KDEVX_QP_HAS_SQN;
    CHECK((info.ids & four) == four);
    CHECK((info.ids & KDEVX_QP_HAS_QPN) == 0);
    CHECK(info.memory.sq_buffer != nullptr);
    CHECK(look("QUERY_RQ", kdevx_qp_devx_query, qp.get()).get("rq_context.cqn") ==
          info_of(v.cq).cqn);
    CHECK(look("QUERY_SQ", kdevx_qp_devx_query, qp.get()).get("sq_context.tis_num_0") == info.tisn);
    CHECK(look("QUERY_TIR", kdevx_qp_devx_query, qp.get()).get("tir_context.inline_rqn") ==
          info.rqn);
    look("QUERY_TIS", kdevx_qp_devx_query, qp.get());
    REQUIRE(set_state(qp, KDEVX_QPS_INIT, KDEVX_QP_PORT) == ok);
    REQUIRE(set_state(qp, KDEVX_QPS_RTR) == ok);
    REQUIRE(set_state(qp, KDEVX_QPS_RTS) == ok);
    CHECK(look("QUERY_SQ", kdevx_qp_devx_query, qp.get()).get("sq_context.state") ==
          prm::value_of<prm::sqc_states, "RDY">);
    CHECK(attr_of(qp).qp_state == KDEVX_QPS_RTS);
}

TEST_CASE("without CAP_NET_RAW there are no raw packet queue pairs", "[verbs][eth]") {
    const std::string node = under_test().node;
    CHECK(as_nobody([&] {
              kdevx_context *c = nullptr;
              kdevx_pd *pd = nullptr;
              kdevx_cq *cq = nullptr;
              kdevx_qp *qp = nullptr;
              const auto cq_options = cq_of(15);
              if (kdevx_context_open_path(node.c_str(), nullptr, &c, nullptr)) return 1;
              if (kdevx_pd_alloc(c, &pd, nullptr)) return 2;
              if (kdevx_cq_create(c, &cq_options, &cq, nullptr)) return 3;
              auto o = sized<kdevx_qp_options>();
              o.type = KDEVX_QP_RAW_PACKET;
              o.send_cq = o.recv_cq = cq;
              o.max_send_wr = o.max_recv_wr = 16;
              o.max_send_sge = o.max_recv_sge = 1;
              kdevx_failure why{};
              if (kdevx_qp_create(pd, &o, &qp, &why) != -EPERM) return 4;
              return why.cause == KDEVX_CAUSE_NO_PERMISSION ? 0 : 5;
          }) == 0);
}

TEST_CASE("an RSS queue pair", "[verbs][eth]") {
    verbs v;
    wq_ptr wq = v.make_wq(v.wq_of());
    ind_table_ptr table = v.make_table({wq.get(), wq.get()});
    std::array<std::uint8_t, 40> key{};
    for (std::size_t i = 0; i < key.size(); ++i)
        key[i] = std::uint8_t(i + 1);
    auto o = rss_of(table, key);
    qp_ptr qp = v.make_qp(o);
    CHECK(info_of(qp).ids & KDEVX_QP_HAS_TIRN);
    CHECK(call(kdevx_ind_table_destroy, table.get()) == held_by{KDEVX_KIND_QP, info_of(qp).handle});
    // The kernel does not match its TIR, and has no states of it.
    exchange x("QUERY_TIR");
    CHECK(devx(kdevx_qp_devx_query, qp.get(), x) == invalid);
    CHECK(set_state(qp, KDEVX_QPS_INIT, KDEVX_QP_PORT).why.cause == KDEVX_CAUSE_NOT_SUPPORTED);
    o.rss.rx_hash_fields_mask = 0xf; // of IPv4 and IPv6 at once
    CHECK(refusal_of_qp(v, o) == invalid);
    o.rss.rx_hash_fields_mask = 3;
    o.rss.rx_hash_function = 9;
    CHECK(refusal_of_qp(v, o) == not_supported);
    o.rss.rx_hash_function = 1;
    o.rss.rx_key_len = 39;
    CHECK(refusal_of_qp(v, o) == invalid);
    o = rss_of(table, key);
    o.recv_cq = v.cq.get();
    CHECK(refusal_of_qp(v, o) == invalid);
}
