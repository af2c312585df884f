// SPDX-License-Identifier: MIT
// Send queues: wraps, refusals, doorbells.
#include "wq_world.hpp"

#include "catch.hpp"

#include <deque>
#include <functional>
#include <random>
#include <string>

using namespace world;

namespace {

constexpr std::uint8_t bytes[1024]{};
const sge some{std::uint64_t(std::uintptr_t(bytes)), 64, 1};

send_request of(send_op op, const sge *list = nullptr, std::uint32_t n = 0,
                std::uint32_t flags = 0) {
    send_request r;
    r.op = op;
    r.sg_list = list;
    r.num_sge = n;
    r.flags = flags;
    return r;
}

} // namespace

TEST_CASE("WQEs of any length follow each other through all wraps of the counter", "[wq]") {
    pair_options o;
    o.wqebbs = 16;
    o.max_inline = 900;
    pair p(1, o);
    std::mt19937 random(4);
    std::deque<std::pair<std::uint16_t, std::uint64_t>> outstanding;
    std::uint64_t id = 0;
    std::uint32_t producer = 0, used = 0;
    std::deque<std::uint32_t> sizes;
    while (producer < 5 * 0x10000u) {
        const sge data{some.addr, std::uint32_t(random() % 901), 0};
        send_request r = of(send_op::send, &data, 1, send_inline);
        r.wr_id = id;
        const std::uint32_t wqebbs = (16 + (data.length ? data.length + 4 : 0) + 63) / 64;
        const error e = p.qp.sq.post(r);
        if (used + wqebbs > 16) {
            REQUIRE(e == error::queue_full);
            REQUIRE(p.qp.sq.producer() == producer);
            const auto [counter, first] = outstanding.front();
            const send_slot *s = p.qp.sq.retire(counter);
            REQUIRE(s != nullptr);
            REQUIRE(s->wr_id == first);
            used -= sizes.front();
            sizes.pop_front();
            outstanding.pop_front();
            REQUIRE(p.qp.sq.free_wqebbs() == 16 - used);
            continue;
        }
        REQUIRE(e == error::none);
        outstanding.emplace_back(std::uint16_t(producer), id++);
        sizes.push_back(wqebbs);
        producer += wqebbs;
        used += wqebbs;
        REQUIRE(p.qp.sq.producer() == producer);
        p.qp.sq.ring();
        REQUIRE(p.send_record() == (producer & 0xffff));
    }
}

TEST_CASE("the largest ring, the largest distance", "[wq]") {
    pair_options o;
    o.wqebbs = 32768;
    pair p(1, o);
    REQUIRE(p.sq_error == error::none);
    p.advance(40000);
    for (std::uint32_t i = 0; i < 32768; ++i)
        REQUIRE(p.qp.sq.post(of(send_op::nop)) == error::none);
    CHECK(p.qp.sq.post(of(send_op::nop)) == error::queue_full);
    CHECK(p.qp.sq.retire(std::uint16_t(40000 - 1)) == nullptr);
    CHECK(p.qp.sq.retire(std::uint16_t(40000 + 32768)) == nullptr);
    CHECK(p.qp.sq.retire(std::uint16_t(40000 + 32767)) != nullptr);
    CHECK(p.qp.sq.free_wqebbs() == 32768);
    o.wqebbs = 65536;
    CHECK(pair(1, o).sq_error == error::bad_ring_size);
}

TEST_CASE("only the first WQEBB of an outstanding WQE names it", "[wq]") {
    pair p(1);
    p.advance(3);
    const sge data{some.addr, 128, 0};
    REQUIRE(p.qp.sq.post(of(send_op::send, &data, 1, send_inline)) == error::none); // three WQEBBs
    for (std::uint16_t wrong : {0, 2, 4, 5, 6, 7, 11, 0xffff})
        CHECK(p.qp.sq.retire(wrong) == nullptr);
    CHECK(p.qp.sq.retire(3) != nullptr);
    CHECK(p.qp.sq.retire(3) == nullptr);
}

TEST_CASE("a queue that ignores overflow posts on, and still finds its WQEs", "[wq]") {
    pair_options o;
    o.ignore_overflow = true;
    pair p(1, o);
    for (std::uint32_t i = 0; i < 0x10000 + 5; ++i) {
        send_request r = of(send_op::nop);
        r.wr_id = i;
        REQUIRE(p.qp.sq.post(r) == error::none);
    }
    const send_slot *s = p.qp.sq.retire(3);
    REQUIRE(s != nullptr);
    CHECK(s->wr_id == 0x10003);
    CHECK(p.qp.sq.retire(0x7000) == nullptr); // its slot belongs to another one by now
}

TEST_CASE("requests that cannot be posted are refused by name and leave no trace", "[wq]") {
    pair_options rc;
    rc.master = true;
    const sge pieces[5]{some, some, some, some, some};
    const sge huge{0, 0x80000000, 0}, long_inline{some.addr, 257, 0}, four{some.addr, 4, 0},
        eight{some.addr, 8, 0};
    umr_request no_context, odd, both, offset_and_bsf, unaligned;
    const std::byte context[64]{}, entries[64 * 18]{};
    for (umr_request *u : {&odd, &both, &offset_and_bsf, &unaligned})
        u->context = context;
    odd.xlt = std::span<const std::byte>(entries).first(4);
    both.xlt = std::span<const std::byte>(entries).first(16);
    both.xlt_at = {0, 64, 0};
    offset_and_bsf.translation_offset = true;
    offset_and_bsf.bsf = std::span<const std::byte>(entries).first(64);
    unaligned.xlt_at = {0, 48, 0};
    umr_request much;
    much.context = context;
    much.xlt = entries;
    cq_world watched;
    pair unmanaged(2);

    const auto umr = [](umr_request &u) {
        send_request r = of(send_op::umr);
        r.umr = &u;
        return r;
    };
    const auto wait_data = [](std::uint64_t addr, std::uint8_t condition) {
        send_request r = of(send_op::wait_data);
        r.wait_data = {addr, 0, condition, false, false, 0, 0};
        return r;
    };
    const auto wait = [](wq::cq *q, std::uint32_t n) {
        send_request r = of(send_op::wait_cq);
        r.wait = {q, n};
        return r;
    };
    const auto enable = [](send_op op, queue_pair *qp) {
        send_request r = of(op);
        r.enable = {qp, 1};
        return r;
    };
    const struct {
        error expected;
        send_request r;
    } cases[] = {
        {error::bad_opcode, of(send_op::count_)},
        {error::bad_opcode, of(send_op(32))},
        {error::bad_opcode, of(send_op(255))},
        {error::too_many_sges, of(send_op::send, pieces, 5)},
        {error::too_many_sges, of(send_op::send, pieces, 5, send_inline)},
        {error::sge_too_long, of(send_op::send, &huge, 1)},
        {error::inline_too_long, of(send_op::send, &long_inline, 1, send_inline)},
        {error::inline_too_long, of(send_op::rdma_write, &huge, 1, send_inline)},
        {error::response_not_inline, of(send_op::rdma_read, &some, 1, send_inline)},
        {error::response_not_inline, of(send_op::atomic_add, &eight, 1, send_inline)},
        {error::bad_operand_size, of(send_op::atomic_add)},
        {error::bad_operand_size, of(send_op::atomic_cas, &four, 1)},
        {error::bad_operand_size, of(send_op::atomic_cas, pieces, 2)},
        {error::bad_operand_size, of(send_op::masked_add, &some, 1)},
        {error::takes_no_data, of(send_op::nop, &some, 1)},
        {error::takes_no_data, of(send_op::local_inval, nullptr, 0, send_inline)},
        {error::bad_umr, umr(no_context)},
        {error::bad_umr, of(send_op::umr)},
        {error::bad_umr, umr(odd)},
        {error::bad_umr, umr(both)},
        {error::bad_umr, umr(offset_and_bsf)},
        {error::bad_umr, umr(unaligned)},
        {error::wqe_too_long, umr(much)},
        {error::misaligned, wait_data(4, 1)},
        {error::bad_condition, wait_data(8, 6)},
        {error::no_target, wait(nullptr, 1)},
        {error::wait_too_far, wait(&watched.cq, 1u << 23)},
        {error::no_target, enable(send_op::send_enable, nullptr)},
        {error::no_target, enable(send_op::receive_enable, nullptr)},
        {error::target_not_managed, enable(send_op::send_enable, &unmanaged.qp)},
        {error::target_not_managed, enable(send_op::receive_enable, &unmanaged.qp)},
    };
    rc.wqebbs = 32;
    pair p(1, rc);
    for (const auto &c : cases) {
        CHECK(name(p.qp.sq.post(c.r)) == name(c.expected));
        CHECK(p.qp.sq.producer() == 0);
    }
    for (std::size_t i = 0; i < p.sq_ring.size(); ++i)
        if (p.sq_ring.data()[i] != std::byte{0xa5}) FAIL("byte " << i << " was written");
    CHECK(watched.cq.waits.count == 0);
}

TEST_CASE("each transport has its operations", "[wq]") {
    const send_op wire[] = {send_op::send,       send_op::send_imm,       send_op::send_inval,
                            send_op::rdma_write, send_op::rdma_write_imm, send_op::rdma_read,
                            send_op::atomic_cas, send_op::atomic_add,     send_op::masked_cas,
                            send_op::masked_add};
    const struct {
        wq::transport t;
        const char *has; // one letter for each of `wire`
    } table[] = {{transport::rc, "yyyyyyyyyy"},  {transport::uc, "yy-yy-----"},
                 {transport::ud, "yy--------"},  {transport::xrc, "yyyyyyyyyy"},
                 {transport::dci, "yyyyyyyyyy"}, {transport::local, "----------"}};
    const sge eight{some.addr, 8, 0};
    wq::address to{};
    for (const auto &row : table) {
        pair_options o;
        o.transport = row.t;
        o.wqebbs = 64;
        pair p(1, o);
        for (std::size_t i = 0; i < std::size(wire); ++i) {
            send_request r = of(wire[i], &eight, 1);
            r.to.to = &to;
            INFO("transport " << int(row.t) << " operation " << i);
            CHECK(name(p.qp.sq.post(r)) ==
                  (row.has[i] == 'y' ? "NONE" : "OPCODE_NOT_ON_TRANSPORT"));
        }
        CHECK(p.qp.sq.post(of(send_op::nop)) == error::none);
        CHECK(p.qp.sq.post(of(send_op::local_inval)) == error::none);
    }
}

TEST_CASE("datagrams need an address and a number of 24 bits", "[wq]") {
    const sge eight{some.addr, 8, 0};
    wq::address to{};
    for (wq::transport t : {transport::ud, transport::dci}) {
        pair_options o;
        o.transport = t;
        pair p(1, o);
        send_request r = of(send_op::send, &some, 1);
        CHECK(p.qp.sq.post(r) == error::no_address);
        r.to = {&to, 0x1000000, 0, 0};
        CHECK(p.qp.sq.post(r) == error::no_address);
        r.to.qpn = 0xffffff;
        CHECK(p.qp.sq.post(r) == error::none);
    }
    pair_options o;
    o.transport = transport::dci;
    pair p(1, o);
    CHECK(p.qp.sq.post(of(send_op::atomic_add, &eight, 1)) == error::no_address);
}

TEST_CASE("only a master waits and enables", "[wq]") {
    pair p(1);
    cq_world watched;
    send_request r = of(send_op::wait_cq);
    r.wait = {&watched.cq, 1};
    CHECK(p.qp.sq.post(r) == error::not_a_master);
    for (send_op op :
         {send_op::wait_data, send_op::wait_time, send_op::send_enable, send_op::receive_enable})
        CHECK(p.qp.sq.post(of(op)) == error::not_a_master);
}

TEST_CASE("send rings of impossible shape are refused", "[wq]") {
    memory ring(2048), record(64);
    std::vector<send_slot> slots(32);
    uar u;
    auto with = [&](std::function<void(send_ring_config &)> change) {
        send_ring_config c;
        c.buffer = ring.span();
        c.slots = slots;
        c.doorbell_record = record.data();
        c.uar = &u.reg;
        change(c);
        send_ring r;
        return r.init(c);
    };
    CHECK(with([](auto &) {}) == error::none);
    CHECK(with([&](auto &c) { c.buffer = ring.span().first(2000); }) == error::bad_ring_size);
    CHECK(with([&](auto &c) { c.buffer = ring.span().first(1984); }) == error::bad_ring_size);
    CHECK(with([&](auto &c) { c.buffer = {}; }) == error::bad_ring_size);
    CHECK(with([&](auto &c) { c.slots = c.slots.first(31); }) == error::bad_ring_size);
    CHECK(with([&](auto &c) {
              c.buffer = ring.span().subspan(32, 1024);
              c.slots = c.slots.first(16);
          }) == error::bad_memory);
    CHECK(with([](auto &c) { c.uar = nullptr; }) == error::bad_memory);
    CHECK(with([](auto &c) { c.doorbell_record = nullptr; }) == error::bad_memory);
    CHECK(with([](auto &c) { c.max_inline = 972; }) == error::none); // 63 units, header and address
    CHECK(with([](auto &c) { c.max_inline = 973; }) == error::inline_too_long);
    CHECK(with([](auto &c) {
              c.transport = transport::ud;
              c.max_inline = 925;
          }) == error::inline_too_long);
}

TEST_CASE("a list stops at its first bad request; what came before is posted and rung", "[wq]") {
    pair p(1);
    send_request list[3] = {of(send_op::nop), of(send_op::nop, &some, 1), of(send_op::nop)};
    list[0].next = &list[1];
    list[1].next = &list[2];
    const send_request *bad = nullptr;
    CHECK(post_sends(p.qp, list, &bad) == error::takes_no_data);
    CHECK(bad == &list[1]);
    CHECK(p.qp.sq.producer() == 1);
    CHECK(p.send_record() == 1);
    CHECK(p.own_uar.send_doorbell() == 0x0000000000000101);

    const sge pieces[4]{some, some, some, some};
    receive_request r[2] = {{1, &r[1], &some, 1}, {2, nullptr, pieces, 4}};
    const receive_request *bad_receive = nullptr;
    CHECK(post_receives(p.qp, r, &bad_receive) == error::too_many_sges);
    CHECK(bad_receive == &r[1]);
    CHECK(p.receive_record() == 1);
    CHECK(post_sends(p.qp, nullptr, &bad) == error::none);
}

TEST_CASE("queues take requests in the states that allow them", "[wq]") {
    pair p(1);
    const send_request s = of(send_op::nop);
    const receive_request r{1, nullptr, nullptr, 0};
    const struct {
        std::uint8_t state;
        bool send, receive;
    } table[] = {{RST, false, false}, {INIT, false, true}, {RTR, false, true},
                 {RTS, true, true},   {ERR, true, true},   {unknown_state, true, true}};
    for (const auto &t : table) {
        p.qp.state = t.state;
        const send_request *bad = nullptr;
        const receive_request *bad_receive = nullptr;
        CHECK(post_sends(p.qp, &s, &bad) == (t.send ? error::none : error::wrong_state));
        CHECK(bad == (t.send ? nullptr : &s));
        CHECK(post_receives(p.qp, &r, &bad_receive) ==
              (t.receive ? error::none : error::wrong_state));
        CHECK(bad_receive == (t.receive ? nullptr : &r));
    }
    queue_pair bare;
    bare.state = RTS;
    CHECK(post_sends(bare, &s, nullptr) == error::no_such_queue);
    CHECK(post_receives(bare, &r, nullptr) == error::no_such_queue);
    shared_ring srq;
    p.qp.srq = &srq;
    CHECK(post_receives(p.qp, &r, nullptr) == error::no_such_queue);
}

TEST_CASE("a reset queue begins again at 0", "[wq]") {
    pair_options o;
    o.managed_send = true;
    pair p(1, o);
    for (int i = 0; i < 5; ++i)
        REQUIRE(p.qp.sq.post(of(send_op::local_inval)) ==
                (i < 4 ? error::none : error::queue_full));
    p.qp.send_enables.note(2, 4, true);
    p.qp.reset();
    CHECK(p.qp.state == RST);
    CHECK(p.qp.sq.producer() == 0);
    CHECK(p.qp.sq.posted() == 0);
    CHECK(p.qp.send_enables.index == 0);
    CHECK(p.qp.sq.free_wqebbs() == 8);
    CHECK(p.qp.sq.retire(0) == nullptr);
    p.qp.state = RTS;
    REQUIRE(p.qp.sq.post(of(send_op::nop)) == error::none);
    // The fence that the last one before the reset asked for is gone too.
    CHECK(prm::load_be<std::uint32_t>(p.sq_ring.data() + 8) == 0);
}

TEST_CASE("every error has a name and says what to do", "[wq]") {
    for (std::size_t i = 1; i < std::size_t(error::count_); ++i) {
        CHECK_FALSE(name(error(i)).empty());
        CHECK(hint(error(i)).size() > 10);
        for (std::size_t j = 0; j < i; ++j)
            CHECK(name(error(i)) != name(error(j)));
    }
}
