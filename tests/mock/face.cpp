// SPDX-License-Identifier: MIT
// The C++ face: owners, results, and mailboxes that may not be sent.
#include <cerrno>
#include <cstring>

#include <kdevx/kdevx.hpp>

#include "../unit/catch.hpp"
#include "script.hpp"

using namespace kdevx;

namespace {

result<context> open(const mock::kernel &k) {
    kdevx_open_options o = k.options();
    return context::open_path("/dev/infiniband/uverbs0", &o);
}

} // namespace

TEST_CASE("owners give back what they own, in any order") {
    mock::kernel k;
    {
        result<context> c = open(k);
        REQUIRE(c);
        std::byte memory[128], in[32]{}, out[16];
        result<umem> m = c->reg_umem(memory);
        result<uar> u = c->alloc_uar(KDEVX_UAR_NC);
        result<object> o = c->create(in, out);
        result<cmd_comp> q = c->create_cmd_comp();
        REQUIRE((m && u && o && q));
        CHECK(m->info()->length == 128);
        CHECK(u->info()->type == KDEVX_UAR_NC);
        CHECK(q->fd() >= 0);
        CHECK(o->query_async(in, 64, 8, *q));
        CHECK(q->in_flight() == 1);
        CHECK(q->take(out, 0).failure().err == EAGAIN);
        object moved = *std::move(o);
        CHECK_FALSE(o->get());
        k.fail(mock::call::ioctl, 0, EBUSY);
        CHECK(moved.destroy().failure().cause == KDEVX_CAUSE_BUSY);
        CHECK(moved.query(in, out));
        CHECK(moved.destroy());
        CHECK_FALSE(moved);
        context closed_first = *std::move(c);
    }
    CHECK(k.live() == 0);
}

TEST_CASE("typed commands: sizes of their layouts, answers read by name") {
    mock::kernel k;
    result<context> c = open(k);
    REQUIRE(c);
    mock::bytes outbox(prm::alloc_pd_out.size);
    outbox[9] = std::byte(0x12), outbox[10] = std::byte(0x34), outbox[11] = std::byte(0x56);
    prm::mailbox<prm::alloc_pd_in> in;
    in.set<"opcode">(0x800);
    mock::script s(k);
    s.expect(kabi::devx_obj::create)
        .makes("MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE", 1)
        .in("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN", {in.bytes().begin(), in.bytes().end()})
        .out("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT", outbox);
    prm::mailbox<prm::alloc_pd_out> answer;
    result<object> pd = c->create(in, &answer);
    REQUIRE(pd);
    CHECK(answer.get<"pd">() == 0x123456);
    CHECK(pd->info()->device_id == 0x123456);
    s.expect(kabi::devx_obj::destroy).handle("MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE", 1);
    CHECK(pd->destroy());
    CHECK(s.differences() == "");
}

TEST_CASE(
    "a mailbox with a value that does not fit its field is not sent, and the field is named") {
    mock::kernel k;
    result<context> c = open(k);
    REQUIRE(c);
    prm::mailbox<prm::query_hca_cap_in> in;
    in.set<"op_mod">(0x10000);
    unsigned ioctls = k.count(mock::call::ioctl);
    auto out = c->general_cmd<prm::query_hca_cap_out>(in);
    REQUIRE_FALSE(out);
    CHECK(out.failure().err == EINVAL);
    CHECK(out.failure().cause == KDEVX_CAUSE_INVALID);
    CHECK(std::string(out.failure().step) == "op_mod");
    CHECK(k.count(mock::call::ioctl) == ioctls);
    in = {};
    CHECK(c->general_cmd<prm::query_hca_cap_out>(in));
}

TEST_CASE("verbs objects and events: owners, typed queries by the object's own number") {
    mock::kernel k;
    {
        result<context> c = open(k);
        REQUIRE(c);
        result<pd> domain = pd::alloc(*c);
        kdevx_cq_options co{};
        co.size = sizeof co;
        co.cqe = 7;
        result<cq> completions = cq::create(*c, co);
        REQUIRE((domain && completions));
        kdevx_qp_options qo{};
        qo.size = sizeof qo;
        qo.type = KDEVX_QP_RC;
        qo.send_cq = qo.recv_cq = completions->get();
        qo.max_send_wr = 4;
        result<qp> queue = qp::create(*domain, qo);
        REQUIRE(queue);
        mock::bytes sent;
        k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
            if (h->object_id == kabi::devx_obj::object.id)
                sent = mock::carried(h->attrs[1], kabi::ptr_in);
            return 1;
        };
        CHECK(queue->query(typed::query_qp(0)));
        CHECK(prm::load_be<std::uint32_t>(sent.data() + 8) == queue->info()->qpn);
        CHECK(queue->modify(typed::rst2init({})));
        CHECK(queue->info()->state == KDEVX_QPS_INIT);
        CHECK(queue->query(typed::query_qp(queue->info()->qpn ^ 1)).failure().err == EINVAL);
        k.on_ioctl = nullptr;
        result<event_channel> events = event_channel::create(*c);
        REQUIRE(events);
        const std::uint16_t types[] = {9};
        CHECK(events->subscribe(types, 1));
        CHECK(events->take(KDEVX_NO_WAIT).failure().err == EAGAIN);
        result<typed::made<decltype(typed::alloc_pd())>> devx_pd =
            typed::create(*c, typed::alloc_pd());
        REQUIRE(devx_pd);
        CHECK(devx_pd->answer.get<"status">() == 0);
        CHECK(typed::execute(*c, typed::query_hca_cap(prm::cap<"GENERAL">)));
        k.fail(mock::call::ioctl, 0, EBUSY);
        CHECK(completions->destroy().failure().cause == KDEVX_CAUSE_BUSY);
    }
    CHECK(k.live() == 0);
}
