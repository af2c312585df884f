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
