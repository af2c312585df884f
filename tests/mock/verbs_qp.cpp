// SPDX-License-Identifier: MIT
// Queue pairs: exact bytes of each type by either way, transitions the verbs way, who holds whom.
#include "verbs.hpp"

using namespace kdevx;
using mock::as_bytes;
using mock::bytes;
using mock::sized;

namespace {

constexpr std::uint32_t ex_create_qp = 0x80000018, ex_modify_qp = 0x8000001a, query_qp = 25;

struct with_qp : mock::verbs {
    kdevx_srq *srq = nullptr;
    kdevx_xrcd *xrcd = nullptr;
    kdevx_wq *wq = nullptr;
    kdevx_ind_table *table = nullptr;

    with_qp() {
        auto so = sized<kdevx_srq_options>();
        so.max_wr = 7;
        REQUIRE(kdevx_srq_create(pd, &so, &srq, &why) == 0);
        REQUIRE(kdevx_xrcd_open(c, &xrcd, &why) == 0);
        auto wo = sized<kdevx_wq_options>();
        wo.max_wr = 4;
        wo.cq = cq;
        REQUIRE(kdevx_wq_create(pd, &wo, &wq, &why) == 0);
        REQUIRE(kdevx_ind_table_create(c, 0, &wq, &table, &why) == 0);
    }
    ~with_qp() {
        CHECK(kdevx_ind_table_destroy(table, &why) == 0);
        CHECK(kdevx_wq_destroy(wq, &why) == 0);
        CHECK(kdevx_xrcd_close(xrcd, &why) == 0);
        CHECK(kdevx_srq_destroy(srq, &why) == 0);
    }
    kdevx_qp_options options(std::uint32_t type) {
        auto o = sized<kdevx_qp_options>();
        o.type = type;
        o.max_send_wr = type == KDEVX_QP_DCT || type == KDEVX_QP_XRC_TGT ? 0 : 10;
        o.max_send_sge = 1;
        bool cqs = type != KDEVX_QP_XRC_TGT;
        o.send_cq = cqs ? cq : nullptr;
        o.recv_cq = cqs && type != KDEVX_QP_XRC_INI ? cq : nullptr;
        if (type == KDEVX_QP_DCT) o.srq = srq;
        if (type == KDEVX_QP_XRC_TGT) o.xrcd = xrcd;
        bool receives = type == KDEVX_QP_RC || type == KDEVX_QP_UC || type == KDEVX_QP_UD ||
                        type == KDEVX_QP_RAW_PACKET;
        if (receives) o.max_recv_wr = 5, o.max_recv_sge = 2;
        return o;
    }
    int create(const kdevx_qp_options &o, kdevx_qp **qp) {
        return o.type == KDEVX_QP_XRC_TGT ? kdevx_qp_create_xrc_tgt(c, &o, qp, &why)
                                          : kdevx_qp_create(pd, &o, qp, &why);
    }
    kdevx_qp *made(const kdevx_qp_options &o) {
        kdevx_qp *qp = nullptr;
        REQUIRE(create(o, &qp) == 0);
        return qp;
    }
    kdevx_qp_info qp_info(kdevx_qp *qp) { return info(qp, kdevx_qp_get_info); }
};

} // namespace

TEST_CASE("an RC QP: the wire word for word, its queues one after the other") {
    with_qp v;
    alignas(64) static char memory[8 * 32 + 16 * 64 + 8];
    auto o = v.options(KDEVX_QP_RC);
    o.create_flags = KDEVX_QP_SQ_SIG_ALL;
    o.driver_flags = KDEVX_QP_SCATTER_CQE;
    o.user_index = 0xfffffe;
    o.user_handle = 0x8877665544332211;
    o.max_inline_data = 8;
    o.ece_options = 0x1357;
    o.buffer = {KDEVX_BUFFER_MEMORY, 0, std::uint64_t(std::uintptr_t(memory)), 8 * 32 + 16 * 64};
    o.dbrec = {KDEVX_BUFFER_MEMORY, 0, o.buffer.address + o.buffer.length, 8};
    mlx5_ib_create_qp uhw{};
    uhw.buf_addr = o.buffer.address;
    uhw.db_addr = o.dbrec.address;
    uhw.sq_wqe_count = 16;
    uhw.rq_wqe_count = 8;
    uhw.rq_wqe_shift = 5;
    uhw.flags = 1 << 1 | 1 << 10;
    uhw.uidx = 0xfffffe;
    uhw.bfreg_index = v.cq_info().memory.uar_page_id;
    uhw.ece_options = 0x1357;
    mlx5_ib_create_qp_resp resp{};
    resp.ece_options = 0x1111;
    const std::uint32_t cap[] = {10, 5, 1, 2, 8};
    kdevx_qp *qp = nullptr;
    mock::script s(v.k);
    s.expect(kabi::qp::create)
        .makes("UVERBS_ATTR_CREATE_QP_HANDLE", 0)
        .handle("UVERBS_ATTR_CREATE_QP_PD_HANDLE", v.pd_info().handle)
        .handle("UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE", v.cq_info().handle)
        .handle("UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE", v.cq_info().handle)
        .in_value("UVERBS_ATTR_CREATE_QP_USER_HANDLE", o.user_handle)
        .in("UVERBS_ATTR_CREATE_QP_CAP", as_bytes(cap))
        .constant("UVERBS_ATTR_CREATE_QP_TYPE", 2)
        .flags("UVERBS_ATTR_CREATE_QP_FLAGS", 1 << 12)
        .out("UVERBS_ATTR_CREATE_QP_RESP_CAP", bytes(20))
        .out_value("UVERBS_ATTR_CREATE_QP_RESP_QP_NUM", std::uint32_t(0xabc123))
        .in("UVERBS_ATTR_UHW_IN", as_bytes(uhw))
        .out("UVERBS_ATTR_UHW_OUT", as_bytes(resp));
    REQUIRE(kdevx_qp_create(v.pd, &o, &qp, &v.why) == 0);
    auto i = v.qp_info(qp);
    CHECK(i.handle == 0);
    CHECK(i.ids == KDEVX_QP_HAS_QPN);
    CHECK(i.qpn == 0xabc123);
    CHECK(i.state == KDEVX_QPS_RESET);
    CHECK(i.ece_options == 0x1111);
    CHECK(i.sq_wqe_count == 16);
    CHECK(i.rq_wqe_count == 8);
    CHECK(i.rq_wqe_shift == 5);
    CHECK(i.sq_offset == 8 * 32);
    CHECK(i.memory.buffer == memory);
    CHECK(i.memory.sq_buffer == nullptr);
    s.expect(kabi::cq::destroy)
        .handle("UVERBS_ATTR_DESTROY_CQ_HANDLE", v.cq_info().handle)
        .out("UVERBS_ATTR_DESTROY_CQ_RESP", bytes(8))
        .fails(EBUSY);
    CHECK(kdevx_cq_destroy(v.cq, &v.why) == -EBUSY);
    CHECK(v.why.detail[0] == KDEVX_KIND_QP); // the youngest of those that hold it
    CHECK(v.why.detail[1] == 0);
    s.expect(kabi::qp::destroy)
        .handle("UVERBS_ATTR_DESTROY_QP_HANDLE", 0)
        .out("UVERBS_ATTR_DESTROY_QP_RESP", bytes(4));
    CHECK(kdevx_qp_destroy(qp, &v.why) == 0);
    CHECK(s.differences() == "");
}

TEST_CASE("each type of QP: the driver's part and which objects go along") {
    with_qp v;
    struct row {
        std::uint32_t type, kernel_type, flags, sq, rq, shift;
        bool xrcd, pd, srq, send_cq, recv_cq;
    };
    const row rows[] = {
        {KDEVX_QP_RC, 2, 1 << 10, 16, 8, 5, false, true, false, true, true},
        {KDEVX_QP_UC, 3, 1 << 10, 16, 8, 5, false, true, false, true, true},
        {KDEVX_QP_UD, 4, 1 << 10, 32, 8, 5, false, true, false, true, true},
        {KDEVX_QP_RAW_PACKET, 8, 1 << 10, 16, 8, 5, false, true, false, true, true},
        {KDEVX_QP_XRC_INI, 9, 1 << 10, 32, 0, 0, false, true, false, true, false},
        {KDEVX_QP_XRC_TGT, 10, 0, 0, 0, 0, true, false, false, false, false},
        {KDEVX_QP_DCT, 0xff, 1 << 4, 0, 0, 0, false, true, true, true, true},
        {KDEVX_QP_DCI, 0xff, 1 << 5 | 1 << 10, 32, 0, 0, false, true, false, true, true},
    };
    for (const row &r : rows) {
        INFO("type " << r.type);
        auto o = v.options(r.type);
        o.dc_access_key = 0x1234567890abcdef;
        std::set<std::uint16_t> sent;
        std::uint64_t type = 0;
        kdevx_qp *qp = nullptr;
        mlx5_ib_create_qp uhw{};
        v.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
            if (h->object_id != kabi::qp::object.id) return 1;
            for (unsigned i = 0; i < h->num_attrs; ++i) {
                const ib_uverbs_attr &a = h->attrs[i];
                sent.insert(a.attr_id);
                if (a.attr_id == 9) type = a.data;
                if (a.attr_id != 0x1000) continue;
                bytes b = mock::carried(a, kabi::ptr_in);
                REQUIRE(b.size() == sizeof uhw);
                std::memcpy(&uhw, b.data(), sizeof uhw);
            }
            return 1;
        };
        REQUIRE(v.create(o, &qp) == 0);
        v.k.on_ioctl = nullptr;
        CHECK(type == r.kernel_type);
        CHECK(uhw.flags == r.flags);
        CHECK(uhw.sq_wqe_count == r.sq);
        CHECK(uhw.rq_wqe_count == r.rq);
        CHECK(uhw.rq_wqe_shift == r.shift);
        CHECK(bool(uhw.buf_addr) == bool(r.sq || r.rq));
        CHECK(bool(uhw.db_addr) == bool(r.sq || r.rq));
        if (r.type == KDEVX_QP_DCT) CHECK(uhw.access_key == o.dc_access_key);
        if (r.type == KDEVX_QP_RAW_PACKET) CHECK(uhw.sq_buf_addr != 0);
        if (r.type == KDEVX_QP_RC) CHECK(uhw.sq_buf_addr == 0);
        CHECK(bool(sent.count(1)) == r.xrcd);
        CHECK(bool(sent.count(2)) == r.pd);
        CHECK(bool(sent.count(3)) == r.srq);
        CHECK(bool(sent.count(4)) == r.send_cq);
        CHECK(bool(sent.count(5)) == r.recv_cq);
        CHECK(sent.count(10) == 0); // no flags were asked for
        auto i = v.qp_info(qp);
        CHECK(i.sq_offset == (r.type == KDEVX_QP_RAW_PACKET ? 0 : r.rq << r.shift));
        CHECK(bool(i.memory.sq_buffer) == (r.type == KDEVX_QP_RAW_PACKET));
        CHECK(kdevx_qp_destroy(qp, &v.why) == 0);
    }
}

TEST_CASE("a raw packet QP: two buffers, and the four numbers that the driver tells") {
    with_qp v;
    auto o = v.options(KDEVX_QP_RAW_PACKET);
    mlx5_ib_create_qp_resp resp{0, 0, 0x1f, 1, 2, 3, 4, 0, 0x123456789a};
    v.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *) { return 1; };
    kdevx_qp *qp = v.made(o);
    CHECK(kdevx_qp_destroy(qp, &v.why) == 0);
    for (std::uint32_t mask : {0x1fu, 0x0au, 0u}) {
        resp.comp_mask = mask;
        v.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
            if (h->object_id != kabi::qp::object.id || h->method_id != 0) return 1;
            h->attrs[0].data = 5;
            v.k.handles[kabi::qp::object.id].insert(5);
            for (unsigned i = 0; i < h->num_attrs; ++i)
                if (h->attrs[i].attr_id == 0x1001)
                    std::memcpy(reinterpret_cast<void *>(std::uintptr_t(h->attrs[i].data)), &resp,
                                sizeof resp);
            return 0;
        };
        qp = v.made(o);
        auto i = v.qp_info(qp);
        CHECK(i.ids == mask << 2);
        CHECK(i.tirn == 1);
        CHECK(i.tisn == 2);
        CHECK(i.rqn == 3);
        CHECK(i.sqn == 4);
        CHECK(i.tir_icm_addr == 0x123456789a);
        v.k.on_ioctl = nullptr;
        CHECK(kdevx_qp_destroy(qp, &v.why) == 0);
    }
}

TEST_CASE("an RSS QP: its own form, the key in its order") {
    with_qp v;
    auto o = sized<kdevx_qp_options>();
    o.type = KDEVX_QP_RAW_PACKET;
    o.ind_table = v.table;
    bytes key = mock::random_bytes(40);
    o.rss = {0x85, 1, 40, {}, reinterpret_cast<const std::uint8_t *>(key.data())};
    o.driver_flags = KDEVX_QP_TUNNEL_OFFLOADS;
    kdevx_qp *qp = nullptr;
    auto uhw = v.uhw_of<mlx5_ib_create_qp_rss>(
        kabi::qp::create, [&] { REQUIRE(kdevx_qp_create(v.pd, &o, &qp, &v.why) == 0); });
    CHECK(uhw.rx_hash_fields_mask == 0x85);
    CHECK(uhw.rx_hash_function == 1);
    CHECK(uhw.rx_key_len == 40);
    CHECK(std::memcmp(uhw.rx_hash_key, key.data(), 40) == 0);
    for (unsigned i = 40; i < 128; ++i)
        CHECK(uhw.rx_hash_key[i] == 0);
    CHECK(uhw.comp_mask == 0);
    CHECK(uhw.flags == 4);
    auto i = v.qp_info(qp);
    CHECK(i.memory.buffer == nullptr);
    CHECK(i.memory.dbrec == nullptr);
    CHECK(i.memory.uar == nullptr);
    CHECK(kdevx_qp_destroy(qp, &v.why) == 0);
    o.rss.rx_hash_key = nullptr;
    v.invalid("rss.rx_hash_key", [&] { return kdevx_qp_create(v.pd, &o, &qp, &v.why); });
    o.rss.rx_key_len = 129;
    v.invalid("rss.rx_key_len", [&] { return kdevx_qp_create(v.pd, &o, &qp, &v.why); });
}

TEST_CASE("cross-channel flags go by the old command, word for word") {
    with_qp v;
    auto o = v.options(KDEVX_QP_RC);
    o.create_flags = KDEVX_QP_CROSS_CHANNEL | KDEVX_QP_MANAGED_SEND | KDEVX_QP_MANAGED_RECV |
                     KDEVX_QP_SQ_SIG_ALL;
    o.user_handle = mock::random_number();
    o.max_recv_wr = 0;
    o.max_recv_sge = 0;
    o.srq = v.srq;
    alignas(64) static char memory[16 * 64 + 8];
    o.buffer = {KDEVX_BUFFER_MEMORY, 0, std::uint64_t(std::uintptr_t(memory)), 16 * 64};
    o.dbrec = {KDEVX_BUFFER_MEMORY, 0, o.buffer.address + o.buffer.length, 8};
    ib_uverbs_ex_create_qp in{};
    in.user_handle = o.user_handle;
    in.pd_handle = v.pd_info().handle;
    in.send_cq_handle = in.recv_cq_handle = v.cq_info().handle;
    in.srq_handle = v.info(v.srq, kdevx_srq_get_info).handle;
    in.max_send_wr = 10;
    in.max_send_sge = 1;
    in.sq_sig_all = 1;
    in.qp_type = 2;
    in.is_srq = 1;
    in.create_flags = 0x1c;
    mlx5_ib_create_qp uhw{};
    uhw.buf_addr = o.buffer.address;
    uhw.db_addr = o.dbrec.address;
    uhw.sq_wqe_count = 16;
    uhw.flags = 1 << 10;
    uhw.bfreg_index = v.cq_info().memory.uar_page_id;
    ib_uverbs_ex_create_qp_resp out{};
    out.base.qp_handle = 17;
    out.base.qpn = 0x314159;
    kdevx_qp *qp = nullptr;
    {
        mock::script s(v.k);
        s.expect(kabi::device::invoke_write)
            .in("UVERBS_ATTR_CORE_IN", as_bytes(in))
            .out("UVERBS_ATTR_CORE_OUT", as_bytes(out))
            .constant("UVERBS_ATTR_WRITE_CMD", ex_create_qp)
            .in("UVERBS_ATTR_UHW_IN", as_bytes(uhw))
            .out("UVERBS_ATTR_UHW_OUT", as_bytes(mlx5_ib_create_qp_resp{}));
        REQUIRE(kdevx_qp_create(v.pd, &o, &qp, &v.why) == 0);
        CHECK(v.qp_info(qp).handle == 17);
        CHECK(v.qp_info(qp).qpn == 0x314159);
        s.expect(kabi::qp::destroy)
            .handle("UVERBS_ATTR_DESTROY_QP_HANDLE", 17)
            .out("UVERBS_ATTR_DESTROY_QP_RESP", bytes(4));
        CHECK(kdevx_qp_destroy(qp, &v.why) == 0);
        CHECK(s.differences() == "");
    }
    kdevx_async_fd *async = nullptr;
    REQUIRE(kdevx_async_fd_create(v.c, &async, &v.why) == 0);
    o.async = async;
    v.invalid("async", [&] { return kdevx_qp_create(v.pd, &o, &qp, &v.why); });
    CHECK(kdevx_async_fd_destroy(async, &v.why) == 0);
    o.async = nullptr;
    o.buffer = {KDEVX_BUFFER_DMABUF, 3, 0, 4096};
    v.invalid("buffer.kind", [&] { return kdevx_qp_create(v.pd, &o, &qp, &v.why); });
}

TEST_CASE("QPs that cannot be: each by the name of what is wrong") {
    with_qp v;
    kdevx_qp *qp = v.made(v.options(KDEVX_QP_RC)); // memory for slots is not counted as a leak
    CHECK(kdevx_qp_destroy(qp, &v.why) == 0);
    auto bad = [&](std::uint32_t type, const char *step, auto change) {
        auto o = v.options(type);
        change(o);
        v.invalid(step, [&] { return v.create(o, &qp); });
    };
    auto none = [](auto &) {};
    bad(1, "type", none);
    bad(0x102, "type", none);
    bad(KDEVX_QP_RC, "options", [](auto &o) { o.size = 3; });
    bad(KDEVX_QP_RC, "send_cq", [](auto &o) { o.send_cq = nullptr; });
    bad(KDEVX_QP_RC, "recv_cq", [](auto &o) { o.recv_cq = nullptr; });
    bad(KDEVX_QP_RC, "xrcd", [&](auto &o) { o.xrcd = v.xrcd; });
    bad(KDEVX_QP_RC, "ind_table", [&](auto &o) { o.ind_table = v.table; });
    bad(KDEVX_QP_RC, "create_flags", [](auto &o) { o.create_flags = 1; });
    bad(KDEVX_QP_RC, "driver_flags", [](auto &o) { o.driver_flags = 1 << 10; });
    bad(KDEVX_QP_RC, "user_index", [](auto &o) { o.user_index = 0xffffff; });
    bad(KDEVX_QP_RC, "max_send_wr", [](auto &o) { o.max_send_wr = 40000; });
    bad(KDEVX_QP_RC, "max_send_sge", [](auto &o) { o.max_send_sge = 1000; });
    bad(KDEVX_QP_RC, "max_inline_data", [](auto &o) { o.max_inline_data = 0xffffffff; });
    bad(KDEVX_QP_RC, "max_recv_wr", [](auto &o) { o.max_recv_wr = 40000; });
    bad(KDEVX_QP_RC, "max_recv_sge", [](auto &o) { o.max_recv_sge = 1000; });
    bad(KDEVX_QP_RC, "sq_wqe_count", [](auto &o) { o.sq_wqe_count = 3; });
    bad(KDEVX_QP_RC, "rq_wqe_count", [](auto &o) { o.rq_wqe_count = 3, o.rq_wqe_shift = 6; });
    bad(KDEVX_QP_RC, "max_recv_wr", [&](auto &o) { o.srq = v.srq; });
    bad(KDEVX_QP_RC, "buffer", [](auto &o) { o.buffer = {KDEVX_BUFFER_MEMORY, 0, 4096, 64}; });
    bad(KDEVX_QP_XRC_INI, "srq", [&](auto &o) { o.srq = v.srq; });
    bad(KDEVX_QP_XRC_INI, "recv_cq", [&](auto &o) { o.recv_cq = v.cq; });
    bad(KDEVX_QP_DCT, "srq", [](auto &o) { o.srq = nullptr; });
    bad(KDEVX_QP_DCI, "max_recv_wr", [](auto &o) { o.max_recv_wr = 1; });
    bad(KDEVX_QP_XRC_TGT, "xrcd", [](auto &o) { o.xrcd = nullptr; });
    bad(KDEVX_QP_XRC_TGT, "send_cq", [&](auto &o) { o.send_cq = v.cq; });
    auto o = v.options(KDEVX_QP_XRC_TGT);
    v.invalid("type", [&] { return kdevx_qp_create(v.pd, &o, &qp, &v.why); });
    o = v.options(KDEVX_QP_RC);
    v.invalid("type", [&] { return kdevx_qp_create_xrc_tgt(v.c, &o, &qp, &v.why); });
    v.invalid("qp", [&] { return kdevx_qp_create(v.pd, &o, nullptr, &v.why); });
    v.invalid("pd", [&] { return kdevx_qp_create(nullptr, &o, &qp, &v.why); });
    mock::verbs other;
    o.send_cq = other.cq;
    v.invalid("send_cq", [&] { return kdevx_qp_create(v.pd, &o, &qp, &v.why); });
}

TEST_CASE("fields of the options that nobody set do not reach the kernel") {
    with_qp v;
    auto wire = [&](unsigned char fill) {
        kdevx_qp_options o;
        std::memset(&o, fill, sizeof o);
        auto documented = v.options(KDEVX_QP_RC);
        // All the documented fields; what is left is padding.
        o = documented;
        bytes seen;
        v.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
            if (h->object_id == kabi::qp::object.id && h->method_id == 0)
                for (unsigned i = 0; i < h->num_attrs; ++i)
                    if (h->attrs[i].attr_id == 0x1000)
                        seen = mock::carried(h->attrs[i], kabi::ptr_in);
            return 1;
        };
        kdevx_qp *qp = v.made(o);
        v.k.on_ioctl = nullptr;
        CHECK(kdevx_qp_destroy(qp, &v.why) == 0);
        std::memset(seen.data(), 0, 16); // addresses differ
        return seen;
    };
    CHECK(wire(0) == wire(0xa5));
}

TEST_CASE("modify the verbs way: every field on the wire, the state believed follows") {
    with_qp v;
    kdevx_qp *qp = v.made(v.options(KDEVX_QP_RC));
    kdevx_qp_attr a;
    bytes random = mock::random_bytes(sizeof a);
    std::memcpy(&a, random.data(), sizeof a);
    a.size = sizeof a;
    a.qp_state = KDEVX_QPS_INIT;
    a.cur_qp_state = KDEVX_QPS_RESET;
    ib_uverbs_ex_modify_qp in{};
    auto dest = [](const kdevx_address &x) {
        ib_uverbs_qp_dest d{};
        std::memcpy(d.dgid, x.dgid, 16);
        d.flow_label = x.flow_label, d.dlid = x.dlid, d.sgid_index = x.sgid_index;
        d.hop_limit = x.hop_limit, d.traffic_class = x.traffic_class, d.sl = x.sl;
        d.src_path_bits = x.src_path_bits, d.static_rate = x.static_rate;
        d.is_global = x.is_global, d.port_num = x.port_num;
        return d;
    };
    ib_uverbs_modify_qp &b = in.base;
    b.dest = dest(a.ah), b.alt_dest = dest(a.alt_ah);
    b.qp_handle = v.qp_info(qp).handle;
    b.attr_mask = 0x21fffff & ~(1u << 19);
    b.qkey = a.qkey, b.rq_psn = a.rq_psn, b.sq_psn = a.sq_psn, b.dest_qp_num = a.dest_qp_num;
    b.qp_access_flags = a.access_flags, b.pkey_index = a.pkey_index;
    b.alt_pkey_index = a.alt_pkey_index, b.qp_state = 1, b.cur_qp_state = 0;
    b.path_mtu = a.path_mtu, b.path_mig_state = a.path_mig_state;
    b.en_sqd_async_notify = a.en_sqd_async_notify, b.max_rd_atomic = a.max_rd_atomic;
    b.max_dest_rd_atomic = a.max_dest_rd_atomic, b.min_rnr_timer = a.min_rnr_timer;
    b.port_num = a.port_num, b.timeout = a.timeout, b.retry_cnt = a.retry_cnt;
    b.rnr_retry = a.rnr_retry, b.alt_port_num = a.alt_port_num, b.alt_timeout = a.alt_timeout;
    in.rate_limit = a.rate_limit;
    mlx5_ib_modify_qp uhw{0, {a.max_burst_sz, a.typical_pkt_sz, 0}, a.ece_options};
    mlx5_ib_modify_qp_resp resp{12, 0, 0x777, 0};
    mock::script s(v.k);
    s.expect(kabi::device::invoke_write)
        .in("UVERBS_ATTR_CORE_IN", as_bytes(in))
        .out("UVERBS_ATTR_CORE_OUT", bytes(8))
        .constant("UVERBS_ATTR_WRITE_CMD", ex_modify_qp)
        .in("UVERBS_ATTR_UHW_IN", as_bytes(uhw))
        .out("UVERBS_ATTR_UHW_OUT", as_bytes(resp));
    REQUIRE(kdevx_qp_modify(qp, &a, b.attr_mask, &v.why) == 0);
    CHECK(v.qp_info(qp).state == KDEVX_QPS_INIT);
    CHECK(v.qp_info(qp).ece_options == 0x777);
    // What fails changes nothing; what has no driver part sends none.
    auto plain = sized<kdevx_qp_attr>();
    plain.qp_state = KDEVX_QPS_RTR;
    ib_uverbs_ex_modify_qp small{};
    small.base.qp_handle = b.qp_handle;
    small.base.attr_mask = KDEVX_QP_STATE;
    small.base.qp_state = KDEVX_QPS_RTR;
    s.expect(kabi::device::invoke_write)
        .in("UVERBS_ATTR_CORE_IN", as_bytes(small))
        .out("UVERBS_ATTR_CORE_OUT", bytes(8))
        .constant("UVERBS_ATTR_WRITE_CMD", ex_modify_qp)
        .out("UVERBS_ATTR_UHW_OUT", bytes(16))
        .fails(EINVAL);
    CHECK(kdevx_qp_modify(qp, &plain, KDEVX_QP_STATE, &v.why) == -EINVAL);
    CHECK(std::string(v.why.step) == "IB_USER_VERBS_EX_CMD_MODIFY_QP");
    CHECK(v.qp_info(qp).state == KDEVX_QPS_INIT);
    s.expect(kabi::qp::destroy)
        .handle("UVERBS_ATTR_DESTROY_QP_HANDLE", b.qp_handle)
        .out("UVERBS_ATTR_DESTROY_QP_RESP", bytes(4));
    CHECK(kdevx_qp_destroy(qp, &v.why) == 0);
    CHECK(s.differences() == "");
    v.k.handles[kabi::qp::object.id].clear();
}

TEST_CASE("only what contradicts itself is refused: the state believed is no reason") {
    with_qp v;
    kdevx_qp *qp = v.made(v.options(KDEVX_QP_RC));
    auto a = sized<kdevx_qp_attr>();
    unsigned allowed = 0;
    for (std::uint8_t from = 0; from < 7; ++from)
        for (std::uint8_t to = 0; to < 7; ++to) {
            a.cur_qp_state = from, a.qp_state = to;
            int r = kdevx_qp_modify(qp, &a, KDEVX_QP_STATE | KDEVX_QP_CUR_STATE, &v.why);
            allowed += r == 0;
            if (r) CHECK(std::string(v.why.step) == "qp_state");
        }
    CHECK(allowed == 7 * 2 + 9);
    a.qp_state = KDEVX_QPS_RTS; // from whatever it is now: that is the kernel's to say
    CHECK(kdevx_qp_modify(qp, &a, KDEVX_QP_STATE, &v.why) == 0);
    CHECK(v.qp_info(qp).state == KDEVX_QPS_RTS);
    a.qp_state = 7;
    v.invalid("qp_state", [&] { return kdevx_qp_modify(qp, &a, KDEVX_QP_STATE, &v.why); });
    v.invalid("attr_mask", [&] { return kdevx_qp_modify(qp, &a, 1 << 22, &v.why); });
    v.invalid("attr", [&] { return kdevx_qp_modify(qp, nullptr, 1, &v.why); });
    CHECK(kdevx_qp_destroy(qp, &v.why) == 0);
}

TEST_CASE("a DCT has its number once it is RTR") {
    with_qp v;
    kdevx_qp *qp = v.made(v.options(KDEVX_QP_DCT));
    CHECK(v.qp_info(qp).ids == 0);
    mlx5_ib_modify_qp_resp resp{8, 0xd0c7, 0, 0};
    auto a = sized<kdevx_qp_attr>();
    for (std::uint8_t to : {KDEVX_QPS_INIT, KDEVX_QPS_RTR}) {
        a.qp_state = to;
        v.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
            for (unsigned i = 0; i < h->num_attrs; ++i)
                if (h->attrs[i].attr_id == 0x1001)
                    std::memcpy(reinterpret_cast<void *>(std::uintptr_t(h->attrs[i].data)), &resp,
                                sizeof resp);
            return 0;
        };
        REQUIRE(kdevx_qp_modify(qp, &a, KDEVX_QP_STATE, &v.why) == 0);
        v.k.on_ioctl = nullptr;
        bool has = v.qp_info(qp).ids & KDEVX_QP_HAS_DCTN;
        CHECK(has == (to == KDEVX_QPS_RTR));
    }
    CHECK(v.qp_info(qp).dctn == 0xd0c7);
    CHECK(kdevx_qp_destroy(qp, &v.why) == 0);
}

TEST_CASE("query the verbs way: every field comes back") {
    with_qp v;
    kdevx_qp *qp = v.made(v.options(KDEVX_QP_RC));
    ib_uverbs_query_qp_resp out{};
    bytes random = mock::random_bytes(sizeof out);
    std::memcpy(static_cast<void *>(&out), random.data(), sizeof out);
    out.qp_state = KDEVX_QPS_ERR;
    struct {
        std::uint64_t response;
        std::uint32_t handle, mask;
    } in{0, v.qp_info(qp).handle, 0x1ff};
    auto a = sized<kdevx_qp_attr>();
    {
        mock::script s(v.k);
        s.expect(kabi::device::invoke_write)
            .in("UVERBS_ATTR_CORE_IN", as_bytes(in))
            .out("UVERBS_ATTR_CORE_OUT", as_bytes(out))
            .constant("UVERBS_ATTR_WRITE_CMD", query_qp);
        REQUIRE(kdevx_qp_query(qp, 0x1ff, &a, &v.why) == 0);
        CHECK(s.differences() == "");
    }
    CHECK(std::memcmp(a.ah.dgid, out.dest.dgid, 16) == 0);
    CHECK(a.ah.port_num == out.dest.port_num);
    CHECK(a.alt_ah.dlid == out.alt_dest.dlid);
    CHECK(a.qkey == out.qkey);
    CHECK(a.rq_psn == out.rq_psn);
    CHECK(a.sq_psn == out.sq_psn);
    CHECK(a.dest_qp_num == out.dest_qp_num);
    CHECK(a.access_flags == out.qp_access_flags);
    CHECK(a.max_recv_wr == out.max_recv_wr);
    CHECK(a.max_inline_data == out.max_inline_data);
    CHECK(a.timeout == out.timeout);
    CHECK(a.alt_timeout == out.alt_timeout);
    CHECK(a.sq_draining == out.sq_draining);
    CHECK(a.qp_state == KDEVX_QPS_ERR);
    CHECK(v.qp_info(qp).state == KDEVX_QPS_ERR);
    v.invalid("attr", [&] { return kdevx_qp_query(qp, 0, nullptr, &v.why); });
    CHECK(kdevx_qp_destroy(qp, &v.why) == 0);
}
