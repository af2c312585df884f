// SPDX-License-Identifier: MIT
// Verbs objects through DEVX: what the kernel is sent for each kind, what it is not sent, what a
// QP's state is believed to be.
#include <kdevx/prm/commands.hpp>

#include "verbs.hpp"

using namespace kdevx;
using mock::bytes;
using mock::sized;

namespace {

std::uint16_t opcode(const char *name) {
    const prm::value *v = prm::opcodes.find(std::string_view(name));
    REQUIRE(v);
    return std::uint16_t(v->number);
}

bytes inbox(const char *name, std::uint32_t number, std::size_t at, std::size_t size = 16) {
    bytes b(size);
    prm::store_be<std::uint16_t>(b.data(), opcode(name));
    prm::store_be<std::uint32_t>(b.data() + at, number);
    return b;
}

// One object of each kind, with numbers that say which is which.
struct zoo : mock::verbs {
    kdevx_srq *basic = nullptr, *xrc = nullptr, *tm = nullptr;
    kdevx_xrcd *xrcd = nullptr;
    kdevx_qp *rc = nullptr, *raw = nullptr, *dct = nullptr, *rss = nullptr;
    kdevx_wq *wq = nullptr;
    kdevx_ind_table *table = nullptr;
    bytes out = bytes(512);

    static constexpr std::uint32_t tirn = 0x1001, tisn = 0x1002, rqn = 0x1003, sqn = 0x1004;

    zoo() {
        REQUIRE(kdevx_xrcd_open(c, &xrcd, &why) == 0);
        basic = srq(KDEVX_SRQ_BASIC);
        xrc = srq(KDEVX_SRQ_XRC);
        tm = srq(KDEVX_SRQ_TM);
        auto wo = sized<kdevx_wq_options>();
        wo.max_wr = 4;
        wo.cq = cq;
        REQUIRE(kdevx_wq_create(pd, &wo, &wq, &why) == 0);
        REQUIRE(kdevx_ind_table_create(c, 0, &wq, &table, &why) == 0);
        rc = qp(KDEVX_QP_RC);
        dct = qp(KDEVX_QP_DCT);
        k.qp_response =
            mock::as_bytes(mlx5_ib_create_qp_resp{0, 0, 0xf, tirn, tisn, rqn, sqn, 0, 0});
        raw = qp(KDEVX_QP_RAW_PACKET);
        rss = qp(0);
    }
    ~zoo() {
        k.on_ioctl = nullptr;
        for (kdevx_qp *q : {rc, raw, dct, rss})
            CHECK(kdevx_qp_destroy(q, &why) == 0);
        CHECK(kdevx_ind_table_destroy(table, &why) == 0);
        CHECK(kdevx_wq_destroy(wq, &why) == 0);
        for (kdevx_srq *s : {basic, xrc, tm})
            CHECK(kdevx_srq_destroy(s, &why) == 0);
        CHECK(kdevx_xrcd_close(xrcd, &why) == 0);
    }
    kdevx_srq *srq(std::uint32_t type) {
        auto o = sized<kdevx_srq_options>();
        o.type = type;
        o.max_wr = 7;
        if (type != KDEVX_SRQ_BASIC) o.cq = cq;
        if (type == KDEVX_SRQ_XRC) o.xrcd = xrcd;
        if (type == KDEVX_SRQ_TM) o.max_num_tags = 8;
        kdevx_srq *s = nullptr;
        REQUIRE(kdevx_srq_create(pd, &o, &s, &why) == 0);
        return s;
    }
    kdevx_qp *qp(std::uint32_t type) { // 0: RSS
        auto o = sized<kdevx_qp_options>();
        o.type = type ? type : std::uint32_t(KDEVX_QP_RAW_PACKET);
        if (type) o.send_cq = o.recv_cq = cq;
        if (!type) o.ind_table = table;
        if (type == KDEVX_QP_DCT) o.srq = basic;
        if (type == KDEVX_QP_RC || type == KDEVX_QP_RAW_PACKET) o.max_send_wr = o.max_recv_wr = 4;
        kdevx_qp *q = nullptr;
        REQUIRE(kdevx_qp_create(pd, &o, &q, &why) == 0);
        return q;
    }
    // What the kernel was sent: handle and inbox. Answers status 0.
    struct sent {
        std::uint16_t method = 0;
        std::uint64_t handle = 0;
        bytes in;
        unsigned times = 0;
    };
    template <class Call>
    sent watch(Call call, int err = 0, const bytes &answer = {}) {
        sent s;
        k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
            if (h->object_id != kabi::devx_obj::object.id) return 1;
            s.method = h->method_id;
            s.handle = h->attrs[0].data;
            s.in = mock::carried(h->attrs[1], kabi::ptr_in);
            ++s.times;
            auto *to = reinterpret_cast<std::byte *>(std::uintptr_t(h->attrs[2].data));
            std::memset(to, 0, h->attrs[2].len);
            if (!answer.empty())
                std::memcpy(to, answer.data(),
                            std::min<std::size_t>(answer.size(), h->attrs[2].len));
            return -err;
        };
        call();
        k.on_ioctl = nullptr;
        return s;
    }
    int query(kdevx_qp *q, const bytes &in) {
        return kdevx_qp_devx_query(q, in.data(), in.size(), out.data(), out.size(), &why);
    }
    int modify(kdevx_qp *q, const bytes &in) {
        return kdevx_qp_devx_modify(q, in.data(), in.size(), out.data(), 16, &why);
    }
    std::uint32_t state(kdevx_qp *q) { return info(q, kdevx_qp_get_info).state; }
};

} // namespace

TEST_CASE("an object's own query needs no inbox: opcode and number are filled in") {
    zoo z;
    struct row {
        const char *opcode;
        std::uint32_t number;
        std::uint32_t handle;
        std::function<int(void *, std::size_t)> query;
    };
    auto srq_info = [&](kdevx_srq *s) { return z.info(s, kdevx_srq_get_info); };
    auto of_srq = [&](kdevx_srq *s) {
        return [&z, s](void *out, std::size_t n) {
            return kdevx_srq_devx_query(s, nullptr, 0, out, n, &z.why);
        };
    };
    auto rc = z.info(z.rc, kdevx_qp_get_info);
    auto wq = z.info(z.wq, kdevx_wq_get_info);
    auto table = z.info(z.table, kdevx_ind_table_get_info);
    const row rows[] = {
        {"QUERY_CQ", z.cq_info().cqn & 0xffffff, z.cq_info().handle,
         [&](void *out, std::size_t n) {
             return kdevx_cq_devx_query(z.cq, nullptr, 0, out, n, &z.why);
         }},
        {"QUERY_QP", rc.qpn & 0xffffff, rc.handle,
         [&](void *out, std::size_t n) {
             return kdevx_qp_devx_query(z.rc, nullptr, 0, out, n, &z.why);
         }},
        {"QUERY_RQ", wq.rqn & 0xffffff, wq.handle,
         [&](void *out, std::size_t n) {
             return kdevx_wq_devx_query(z.wq, nullptr, 0, out, n, &z.why);
         }},
        {"QUERY_RQT", table.rqtn & 0xffffff, table.handle,
         [&](void *out, std::size_t n) {
             return kdevx_ind_table_devx_query(z.table, nullptr, 0, out, n, &z.why);
         }},
        {"QUERY_RMP", srq_info(z.basic).srqn & 0xffffff, srq_info(z.basic).handle, of_srq(z.basic)},
        {"QUERY_XRC_SRQ", srq_info(z.xrc).srqn & 0xffffff, srq_info(z.xrc).handle, of_srq(z.xrc)},
        {"QUERY_XRQ", srq_info(z.tm).srqn & 0xffffff, srq_info(z.tm).handle, of_srq(z.tm)},
    };
    for (const row &r : rows) {
        INFO(r.opcode);
        zoo::sent s = z.watch([&] { CHECK(r.query(z.out.data(), 512) == 0); });
        CHECK(s.times == 1);
        CHECK(s.method == kabi::devx_obj::query.id);
        CHECK(s.handle == r.handle);
        CHECK(s.in == inbox(r.opcode, r.number, 8));
    }
}

TEST_CASE(
    "a number that is 0 is filled in, in a copy; one that is right goes through; no other does") {
    zoo z;
    std::uint32_t qpn = z.info(z.rc, kdevx_qp_get_info).qpn & 0xffffff;
    const bytes zero = inbox("QUERY_QP", 0, 8), right = inbox("QUERY_QP", qpn, 8);
    bytes mine = zero;
    zoo::sent s = z.watch([&] { CHECK(z.query(z.rc, mine) == 0); });
    CHECK(s.in == right);
    CHECK(mine == zero);
    s = z.watch([&] { CHECK(z.query(z.rc, right) == 0); });
    CHECK(s.in == right);
    z.invalid("qpn", [&] { return z.query(z.rc, inbox("QUERY_QP", qpn ^ 1, 8)); });
    CHECK(z.why.detail[0] == (qpn ^ 1));
    CHECK(z.why.detail[1] == qpn);
    z.invalid("opcode", [&] { return z.query(z.rc, inbox("QUERY_CQ", 0, 8)); });
    CHECK(z.why.detail[0] == opcode("QUERY_CQ"));
    CHECK(z.why.detail[1] == opcode("CREATE_QP"));
    z.invalid("opcode", [&] { return z.query(z.rc, inbox("2ERR_QP", 0, 8)); });
    z.invalid("opcode", [&] { return z.modify(z.rc, inbox("QUERY_QP", 0, 8)); });
    // ARM_RQ would be matched as an RQ, which an SRQ never is.
    z.invalid("opcode", [&] {
        bytes in = inbox("ARM_RQ", 0, 8);
        return kdevx_srq_devx_modify(z.basic, in.data(), 16, z.out.data(), 16, &z.why);
    });
}

TEST_CASE("an inbox too big for the stack is copied into memory, and given back") {
    zoo z;
    std::uint32_t rqtn = z.info(z.table, kdevx_ind_table_get_info).rqtn & 0xffffff;
    bytes in = mock::random_bytes(65532);
    prm::store_be<std::uint16_t>(in.data(), opcode("MODIFY_RQT"));
    prm::store_be<std::uint32_t>(in.data() + 8, 0);
    std::size_t blocks = z.k.blocks;
    auto modify = [&] {
        return kdevx_ind_table_devx_modify(z.table, in.data(), in.size(), z.out.data(), 16, &z.why);
    };
    zoo::sent s = z.watch([&] { CHECK(modify() == 0); });
    bytes want = in;
    prm::store_be<std::uint32_t>(want.data() + 8, rqtn);
    CHECK(s.in == want);
    CHECK(z.k.blocks == blocks);
    z.k.fail(mock::call::memory, 0, ENOMEM);
    CHECK(modify() == -ENOMEM);
    CHECK(z.why.cause == KDEVX_CAUSE_LIMIT);
}

TEST_CASE("a raw packet QP is four things: by the opcode") {
    zoo z;
    struct row {
        const char *query, *modify;
        std::uint32_t number;
    };
    const row rows[] = {{"QUERY_RQ", "MODIFY_RQ", z.rqn},
                        {"QUERY_SQ", "MODIFY_SQ", z.sqn},
                        {"QUERY_TIR", "MODIFY_TIR", z.tirn},
                        {"QUERY_TIS", "MODIFY_TIS", z.tisn}};
    for (const row &r : rows) {
        zoo::sent s = z.watch([&] { CHECK(z.query(z.raw, inbox(r.query, 0, 8)) == 0); });
        CHECK(s.in == inbox(r.query, r.number, 8));
        bytes in = inbox(r.modify, 0, 8, 64);
        const prm::command *c = prm::find_command(opcode(r.modify), prm::modify);
        s = z.watch([&] { CHECK(z.modify(z.raw, in) == 0); });
        CHECK(c->id_place().get(s.in) == r.number);
    }
    z.invalid("in",
              [&] { return kdevx_qp_devx_query(z.raw, nullptr, 0, z.out.data(), 512, &z.why); });
    z.invalid("opcode", [&] { return z.query(z.raw, inbox("QUERY_QP", 0, 8)); });
    z.invalid("in",
              [&] { return kdevx_qp_devx_query(z.rss, nullptr, 0, z.out.data(), 512, &z.why); });
    z.invalid("opcode", [&] { return z.query(z.rss, inbox("QUERY_TIR", 0, 8)); });
    z.invalid("in", [&] { // not RTR yet
        return kdevx_qp_devx_query(z.dct, nullptr, 0, z.out.data(), 512, &z.why);
    });
}

TEST_CASE("the kernel is not asked about an XRC target") {
    zoo z;
    auto o = sized<kdevx_qp_options>();
    o.type = KDEVX_QP_XRC_TGT;
    o.xrcd = z.xrcd;
    kdevx_qp *target = nullptr;
    REQUIRE(kdevx_qp_create_xrc_tgt(z.c, &o, &target, &z.why) == 0);
    for (bool is_query : {true, false}) {
        const bytes in = inbox(is_query ? "QUERY_QP" : "2RST_QP", 0, 8);
        const zoo::sent s = z.watch([&] {
            CHECK((is_query ? z.query(target, in) : z.modify(target, in)) == -EOPNOTSUPP);
        });
        CHECK(s.times == 0);
        CHECK(z.why.cause == KDEVX_CAUSE_NOT_SUPPORTED);
        CHECK(std::string_view(z.why.step) == "XRC_TGT");
    }
    CHECK(kdevx_qp_destroy(target, &z.why) == 0);
}

TEST_CASE("a DCT that is RTR is queried by its number") {
    zoo z;
    auto a = sized<kdevx_qp_attr>();
    a.qp_state = KDEVX_QPS_RTR;
    REQUIRE(kdevx_qp_modify(z.dct, &a, KDEVX_QP_STATE, &z.why) == 0);
    std::uint32_t dctn = z.info(z.dct, kdevx_qp_get_info).dctn & 0xffffff;
    zoo::sent s = z.watch(
        [&] { CHECK(kdevx_qp_devx_query(z.dct, nullptr, 0, z.out.data(), 512, &z.why) == 0); });
    CHECK(s.in == inbox("QUERY_DCT", dctn, 8));
}

TEST_CASE("basic SRQs by their older class too; each class by its own commands only") {
    zoo z;
    auto query = [&](kdevx_srq *s, const bytes &in) {
        return kdevx_srq_devx_query(s, in.data(), in.size(), z.out.data(), 512, &z.why);
    };
    zoo::sent s = z.watch([&] { CHECK(query(z.basic, inbox("QUERY_SRQ", 0, 8)) == 0); });
    CHECK(s.times == 1);
    z.invalid("opcode", [&] { return query(z.basic, inbox("QUERY_XRC_SRQ", 0, 8)); });
    z.invalid("opcode", [&] { return query(z.xrc, inbox("QUERY_RMP", 0, 8)); });
    z.invalid("opcode", [&] { return query(z.tm, inbox("QUERY_XRC_SRQ", 0, 8)); });
    bytes arm = inbox("ARM_XRC_SRQ", 0, 8);
    s = z.watch([&] {
        CHECK(kdevx_srq_devx_modify(z.xrc, arm.data(), 16, z.out.data(), 16, &z.why) == 0);
    });
    CHECK(s.method == kabi::devx_obj::modify.id);
}

TEST_CASE("transitions by DEVX move the state believed; what is refused does not") {
    zoo z;
    const std::pair<const char *, std::uint32_t> steps[] = {
        {"RST2INIT_QP", KDEVX_QPS_INIT}, {"INIT2INIT_QP", KDEVX_QPS_INIT},
        {"INIT2RTR_QP", KDEVX_QPS_RTR},  {"RTR2RTS_QP", KDEVX_QPS_RTS},
        {"RTS2RTS_QP", KDEVX_QPS_RTS},   {"2ERR_QP", KDEVX_QPS_ERR},
        {"2RST_QP", KDEVX_QPS_RESET},    {"SQERR2RTS_QP", KDEVX_QPS_RTS},
    };
    for (auto [name, to] : steps) {
        z.watch([&, name = name] { CHECK(z.modify(z.rc, inbox(name, 0, 8, 272)) == 0); });
        CHECK(z.state(z.rc) == to);
    }
    bytes refused(16);
    refused[0] = std::byte{0x10};
    prm::store_be<std::uint32_t>(refused.data() + 4, 0xabcdef);
    z.watch([&] { CHECK(z.modify(z.rc, inbox("RST2INIT_QP", 0, 8, 272)) == -EREMOTEIO); },
            EREMOTEIO, refused);
    CHECK(z.why.cause == KDEVX_CAUSE_FIRMWARE_REFUSED);
    CHECK(z.why.outbox_valid == 1);
    CHECK(z.why.fw_status == 0x10);
    CHECK(z.why.fw_syndrome == 0xabcdef);
    CHECK(z.why.qp_state_known == 1);
    CHECK(z.why.qp_state == KDEVX_QPS_RTS);
    CHECK(z.state(z.rc) == KDEVX_QPS_RTS);
    char text[200];
    kdevx_failure_text(&z.why, text, sizeof text);
    CHECK(std::string(text).find("believed to be RTS") != std::string::npos);
    refused[0] = std::byte{0x03};
    z.watch([&] { CHECK(z.modify(z.rc, inbox("2ERR_QP", 0, 8)) == -EREMOTEIO); }, EREMOTEIO,
            refused);
    CHECK(z.why.qp_state_known == 0);
    CHECK(z.state(z.rc) == KDEVX_QPS_RTS);
    // An errno without an outbox: no status, whatever the buffer holds.
    z.out = mock::random_bytes(512);
    z.watch([&] { CHECK(z.modify(z.rc, inbox("2ERR_QP", 0, 8)) == -ETIMEDOUT); }, ETIMEDOUT,
            refused);
    CHECK(z.why.outbox_valid == 0);
    CHECK(z.why.fw_syndrome == 0);
    CHECK(z.why.cause == KDEVX_CAUSE_COMMAND_NOT_EXECUTED);
}

TEST_CASE("QUERY_QP by DEVX is the last word on the state, as far as it was read") {
    zoo z;
    const std::pair<unsigned, std::uint32_t> states[] = {
        {0, KDEVX_QPS_RESET}, {1, KDEVX_QPS_INIT}, {2, KDEVX_QPS_RTR}, {3, KDEVX_QPS_RTS},
        {4, KDEVX_QPS_SQE},   {6, KDEVX_QPS_ERR},  {7, KDEVX_QPS_SQD}, {9, KDEVX_QPS_UNKNOWN}};
    for (auto [device, believed] : states) {
        bytes answer(512);
        prm::find_place(prm::query_qp_out, "qpc.state").put(answer, device);
        z.watch([&] { CHECK(z.query(z.rc, inbox("QUERY_QP", 0, 8)) == 0); }, 0, answer);
        CHECK(z.state(z.rc) == believed);
    }
    z.watch([&] { CHECK(kdevx_qp_devx_query(z.rc, nullptr, 0, z.out.data(), 16, &z.why) == 0); });
    CHECK(z.state(z.rc) == KDEVX_QPS_UNKNOWN);
}

TEST_CASE("mailboxes that are none are refused by the attribute's name") {
    zoo z;
    bytes in = inbox("QUERY_QP", 0, 8);
    const char *in_attr = "MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN",
               *out_attr = "MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT";
    auto query = [&](const void *i, std::size_t n, void *o, std::size_t m) {
        return kdevx_qp_devx_query(z.rc, i, n, o, m, &z.why);
    };
    void *out = z.out.data();
    z.invalid(in_attr, [&] { return query(in.data(), 15, out, 16); });
    z.invalid(in_attr, [&] { return query(in.data(), 0, out, 16); });
    z.invalid(in_attr, [&] { return query(nullptr, 16, out, 16); });
    z.invalid(out_attr, [&] { return query(in.data(), 16, out, 15); });
    z.invalid(out_attr, [&] { return query(in.data(), 16, nullptr, 16); });
    z.invalid(out_attr, [&] { return query(nullptr, 0, nullptr, 0); });
    bytes big(65536);
    CHECK(query(big.data(), big.size(), out, 16) == -E2BIG);
    CHECK(query(in.data(), 16, big.data(), big.size()) == -E2BIG);
    z.invalid("MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN",
              [&] { return kdevx_qp_devx_modify(z.rc, nullptr, 0, out, 16, &z.why); });
    z.invalid("qp", [&] { return kdevx_qp_devx_query(nullptr, in.data(), 16, out, 16, &z.why); });
    kdevx_qp *gone = z.qp(KDEVX_QP_RC);
    REQUIRE(kdevx_qp_destroy(gone, &z.why) == 0);
    CHECK(kdevx_qp_devx_query(gone, in.data(), 16, out, 16, &z.why) == -EBADF);
}

TEST_CASE("somebody else's handle: the inbox goes as it is") {
    zoo z;
    bytes in = mock::random_bytes(32);
    zoo::sent s = z.watch([&] {
        CHECK(kdevx_handle_query(z.c, 0x77, in.data(), 32, z.out.data(), 32, &z.why) == 0);
    });
    CHECK(s.handle == 0x77);
    CHECK(s.in == in);
    CHECK(s.method == kabi::devx_obj::query.id);
    s = z.watch(
        [&] { CHECK(kdevx_handle_modify(z.c, 0, in.data(), 32, z.out.data(), 32, &z.why) == 0); });
    CHECK(s.handle == 0);
    CHECK(s.method == kabi::devx_obj::modify.id);
    z.invalid("context", [&] {
        return kdevx_handle_query(nullptr, 0, in.data(), 32, z.out.data(), 32, &z.why);
    });
}
