// SPDX-License-Identifier: MIT
// WAIT and ENABLE counters, and lists of tasks.
#include "wq_world.hpp"

#include "catch.hpp"

using namespace world;

namespace {

send_request plain_nop(std::uint64_t id = 0) {
    send_request r;
    r.op = send_op::nop;
    r.wr_id = id;
    return r;
}
send_request wait(cq_world &w, std::uint32_t n, bool last = false) {
    send_request r;
    r.op = send_op::wait_cq;
    if (last) r.flags = send_wait_enable_last;
    r.wait = {&w.cq, n};
    return r;
}
send_request enable(send_op op, pair &target, std::uint32_t n, bool last = false) {
    send_request r;
    r.op = op;
    if (last) r.flags = send_wait_enable_last;
    r.enable = {&target.qp, n};
    return r;
}

pair_options master_options() {
    pair_options o;
    o.master = true;
    o.wqebbs = 64;
    return o;
}
pair_options managed_options(std::uint32_t wqebbs = 16) {
    pair_options o;
    o.managed_send = o.managed_receive = true;
    o.wqebbs = wqebbs;
    o.receives = wqebbs;
    return o;
}

// Posts to a master, and gives the index in the WQE.
std::uint32_t index_of(pair &master, const send_request &r) {
    const std::uint32_t slot = master.qp.sq.producer() % master.qp.sq.wqebbs();
    const error e = master.qp.sq.post(r);
    INFO(name(e));
    REQUIRE(e == error::none);
    const std::uint32_t index =
        prm::load_be<std::uint32_t>(master.sq_ring.data() + slot * 64 + 0x18);
    master.drain();
    return index;
}

void post_wide(pair &p) { // a request of two WQEBBs
    send_request r;
    r.op = send_op::local_inval;
    REQUIRE(p.qp.sq.post(r) == error::none);
}

} // namespace

TEST_CASE("WAITs of one group count from the same base, the last moves it", "[wq]") {
    pair m(1, master_options());
    cq_world w;
    CHECK(index_of(m, wait(w, 1)) == 1);
    CHECK(w.cq.waited_for());
    CHECK(index_of(m, wait(w, 2)) == 2);
    CHECK(index_of(m, wait(w, 3, true)) == 3);
    CHECK_FALSE(w.cq.waited_for());
    CHECK(index_of(m, wait(w, 2)) == 5);
    CHECK(index_of(m, wait(w, 1, true)) == 4);
    CHECK(w.cq.waits.index == 5);        // the largest of the group, not the last
    CHECK(index_of(m, wait(w, 0)) == 5); // satisfied already, and orders all the same
    CHECK(index_of(m, wait(w, 0, true)) == 5);
    CHECK(index_of(m, wait(w, 1, true)) == 6);
}

TEST_CASE("bug 67: WAIT has 24 bits of index, and SEND_ENABLE 16", "[wq][bugs]") {
    pair m(1, master_options()), t(2, managed_options());
    cq_world w;
    std::uint64_t total = 0;
    for (std::uint32_t n : {0xffffu, 1u, 0x7fffffu, 0x7ffff0u, 0x20u, 5u}) {
        total += n;
        CHECK(index_of(m, wait(w, n, true)) == (total & 0xffffff));
    }
    for (std::uint32_t i = 1; i <= 0x10005; ++i) {
        t.advance(1);
        const std::uint32_t index = index_of(m, enable(send_op::send_enable, t, 1, true));
        if (index != (i & 0xffff)) FAIL("index " << index << " at " << i);
    }
}

TEST_CASE("SEND_ENABLE counts WQEBBs, or work requests where a queue is told so", "[wq]") {
    for (send_enable_unit unit : {send_enable_unit::wqebb, send_enable_unit::work_request}) {
        const bool wqebb = unit == send_enable_unit::wqebb;
        pair_options o = managed_options();
        o.unit = unit;
        pair m(1, master_options()), t(2, o);
        REQUIRE(t.qp.sq.post(plain_nop()) == error::none); // request 1, WQEBB 1
        post_wide(t);                                      // request 2, WQEBB 3
        REQUIRE(t.qp.sq.post(plain_nop()) == error::none); // request 3, WQEBB 4
        post_wide(t);                                      // request 4, WQEBB 6
        CHECK(index_of(m, enable(send_op::send_enable, t, 1)) == 1);
        CHECK(index_of(m, enable(send_op::send_enable, t, 2)) == (wqebb ? 3u : 2u));
        CHECK(index_of(m, enable(send_op::send_enable, t, 3, true)) == (wqebb ? 4u : 3u));
        CHECK(t.qp.send_enables.index == 3);
        CHECK(index_of(m, enable(send_op::send_enable, t, 1)) == (wqebb ? 6u : 4u));
        CHECK(m.qp.sq.post(enable(send_op::send_enable, t, 2)) == error::enable_beyond_posted);
        CHECK(index_of(m, enable(send_op::send_enable, t, 0, true)) == (wqebb ? 6u : 4u)); // all
        CHECK(t.qp.send_enables.index == 4);
        CHECK(index_of(m, enable(send_op::send_enable, t, 0, true)) == (wqebb ? 6u : 4u));
    }
}

TEST_CASE("a ring that is full of requests can be enabled as a whole", "[wq]") {
    pair m(1, master_options()), t(2, managed_options(16));
    for (int round = 1; round < 9000; ++round) {
        for (int i = 0; i < 16; ++i)
            REQUIRE(t.qp.sq.post(plain_nop()) == error::none);
        REQUIRE(t.qp.sq.post(plain_nop()) == error::queue_full);
        REQUIRE(index_of(m, enable(send_op::send_enable, t, 16, true)) ==
                (std::uint32_t(round) * 16 & 0xffff));
        t.drain();
    }
}

TEST_CASE("RECV_ENABLE counts receives", "[wq]") {
    pair m(1, master_options()), t(2, managed_options(16));
    const receive_request r{0, nullptr, nullptr, 0};
    std::uint64_t id;
    const std::byte *segments;
    for (std::uint32_t i = 1; i <= 0x10003; ++i) {
        REQUIRE(t.qp.rq.post(r) == error::none);
        REQUIRE(t.qp.rq.retire(id, segments));
        REQUIRE(index_of(m, enable(send_op::receive_enable, t, 1, true)) == (i & 0xffff));
    }
    CHECK(m.qp.sq.post(enable(send_op::receive_enable, t, 1)) == error::enable_beyond_posted);
}

TEST_CASE("what cannot be enabled is refused, and the counters stay", "[wq]") {
    pair m(1, master_options()), t(2, managed_options());
    CHECK(m.qp.sq.post(enable(send_op::send_enable, t, 1)) == error::enable_beyond_posted);
    REQUIRE(t.qp.sq.post(plain_nop()) == error::none);
    REQUIRE(t.qp.rq.post({0, nullptr, nullptr, 0}) == error::none);
    t.qp.state = RTR;
    CHECK(m.qp.sq.post(enable(send_op::send_enable, t, 1)) == error::target_wrong_state);
    CHECK(m.qp.sq.post(enable(send_op::receive_enable, t, 1)) == error::none);
    t.qp.state = INIT;
    CHECK(m.qp.sq.post(enable(send_op::receive_enable, t, 1)) == error::target_wrong_state);
    t.qp.state = RTS;
    shared_ring srq;
    t.qp.srq = &srq;
    CHECK(m.qp.sq.post(enable(send_op::receive_enable, t, 1)) == error::target_has_srq);
    t.qp.srq = nullptr;
    CHECK(m.qp.sq.post(enable(send_op::send_enable, t, 1, true)) == error::none);
    CHECK(m.qp.sq.post(enable(send_op::send_enable, t, 1, true)) == error::enable_beyond_posted);
    CHECK(t.qp.send_enables.index == 1);

    // A master that is full moves no counter either.
    pair_options tiny = master_options();
    tiny.wqebbs = 1;
    pair small(3, tiny);
    cq_world w;
    REQUIRE(small.qp.sq.post(wait(w, 1)) == error::none);
    CHECK(small.qp.sq.post(wait(w, 2, true)) == error::queue_full);
    CHECK(w.cq.waits.count == 1);
    CHECK(w.cq.waits.index == 0);
}

TEST_CASE("half the index space at once is too far", "[wq]") {
    pair m(1, master_options());
    cq_world w;
    CHECK(m.qp.sq.post(wait(w, 0x7fffff)) == error::none);
    CHECK(m.qp.sq.post(wait(w, 0x800000)) == error::wait_too_far);
    pair t(2, managed_options(32768));
    for (int i = 0; i < 32768; ++i) {
        REQUIRE(t.qp.sq.post(plain_nop()) == error::none);
        REQUIRE(t.qp.rq.post({0, nullptr, nullptr, 0}) == error::none);
    }
    for (send_op op : {send_op::send_enable, send_op::receive_enable}) {
        CHECK(m.qp.sq.post(enable(op, t, 32768)) == error::enable_too_far);
        CHECK(m.qp.sq.post(enable(op, t, 0)) == error::enable_too_far);
        CHECK(index_of(m, enable(op, t, 32767, true)) == 32767);
        CHECK(index_of(m, enable(op, t, 0, true)) == 32768);
    }
    // Posted over and over without being enabled: older than what the ring remembers.
    pair_options o = managed_options(8);
    o.ignore_overflow = true;
    pair over(3, o);
    for (int i = 0; i < 20; ++i)
        REQUIRE(over.qp.sq.post(plain_nop()) == error::none);
    CHECK(m.qp.sq.post(enable(send_op::send_enable, over, 1)) == error::enable_too_far);
    CHECK(index_of(m, enable(send_op::send_enable, over, 13)) == 13);
    CHECK(index_of(m, enable(send_op::send_enable, over, 0)) == 20);
}

TEST_CASE("a queue that is being resized cannot be waited for", "[wq]") {
    pair m(1, master_options());
    cq_world w;
    memory ring(1024);
    REQUIRE(w.cq.begin_resize(ring.span(), 64) == error::none);
    CHECK(m.qp.sq.post(wait(w, 1)) == error::cq_resizing);
    w.cq.abort_resize();
    CHECK(m.qp.sq.post(wait(w, 1)) == error::none);
}

TEST_CASE("a WAIT for what came half the index space ago does not wait", "[wq]") {
    pair m(1, master_options()), p(0x11);
    cq_world w;
    w.queues.add(0x11, &p.qp, nullptr);
    const auto complete = [&] {
        const std::uint16_t at = std::uint16_t(p.qp.sq.producer());
        if (p.qp.sq.post(plain_nop()) != error::none) std::abort();
        w.complete_send(0x11, at);
        w.poll_one();
    };
    while (w.produced < 0x7fffff)
        complete();
    w.cq.look();
    CHECK(index_of(m, wait(w, 1, true)) == 1); // near enough to be told as it is
    while (w.produced < 0x1000005)
        complete();
    w.cq.look();
    CHECK(index_of(m, wait(w, 1, true)) == 5); // the last that came, and not the second
    CHECK(w.cq.waits.position == 2);           // counted as it was asked for
    CHECK(index_of(m, wait(w, 0x7fffff, true)) == 5);
    CHECK(index_of(m, wait(w, 0x7fffff, true)) == 0); // five before the last
    CHECK(index_of(m, wait(w, 8)) == 8);              // ahead again
}

TEST_CASE("the mark of a resize is no completion that was waited for", "[wq]") {
    pair m(1, master_options()), p(0x11);
    cq_world w;
    w.queues.add(0x11, &p.qp, nullptr);
    const auto complete = [&] {
        const std::uint16_t at = std::uint16_t(p.qp.sq.producer());
        REQUIRE(p.qp.sq.post(plain_nop()) == error::none);
        w.complete_send(0x11, at);
    };
    memory ring(64 * 64);
    CHECK(index_of(m, wait(w, 1, true)) == 1);
    CHECK(index_of(m, wait(w, 2)) == 3);
    complete();
    complete();
    // One that is waited for is still to come.
    CHECK(w.cq.begin_resize(ring.span(), 64) == error::cq_waited_for);
    complete();
    for (bool polled : {true, false}) {
        CAPTURE(polled);
        w.poll_one();
        REQUIRE(w.cq.begin_resize(ring.span(), 64) == error::none);
        CHECK(m.qp.sq.post(wait(w, 1)) == error::cq_resizing);
        w.write_cqe(0x50, {});
        w.entries = 64;
        std::swap(w.ring, ring);
        while (polled && (w.poll_one(), w.polled == 1)) {
        }
        CHECK(m.qp.sq.post(wait(w, 1)) == error::cq_resizing); // until it is finished
        REQUIRE(w.cq.finish_resize() == error::none);
        if (polled) {
            // The group that is open began before the first completion: 1, and now the mark.
            CHECK(index_of(m, wait(w, 2, true)) == 4);
            CHECK(index_of(m, wait(w, 1, true)) == 5);
            complete();
            complete();
            ring = memory(64 * 64);
            continue;
        }
        CHECK(index_of(m, wait(w, 1, true)) == 7); // 5, the second mark, and one more
    }
}

// ---- tasks
// ---------------------------------------------------------------------------------------

namespace {

struct counting_lock {
    int locked = 0, unlocked = 0;
    void lock() { ++locked; }
    void unlock() { ++unlocked; }
};

template <std::size_t N>
void link(task (&t)[N]) {
    for (std::size_t i = 0; i + 1 < N; ++i)
        t[i].next = &t[i + 1];
}
task sends(pair &p, const send_request &r) {
    task t;
    t.qp = &p.qp;
    t.sends = &r;
    return t;
}
task receives(pair &p, const receive_request &r) {
    task t;
    t.type = task_type::receive;
    t.qp = &p.qp;
    t.receives = &r;
    return t;
}

} // namespace

TEST_CASE("a task list posts in order, rings masters and leaves the managed to them", "[wq]") {
    pair m(1, master_options()), t(2, managed_options()), plain(3);
    cq_world w;
    counting_lock lock;
    const receive_request r{7, nullptr, nullptr, 0};
    send_request slave[2] = {plain_nop(), plain_nop()};
    slave[0].next = &slave[1];
    send_request master[3] = {wait(w, 1, true), enable(send_op::send_enable, t, 2, true),
                              enable(send_op::receive_enable, t, 1, true)};
    master[0].next = &master[1];
    master[1].next = &master[2];
    const send_request ordinary = plain_nop();
    task list[] = {receives(t, r), sends(t, slave[0]), sends(m, master[0]), sends(plain, ordinary),
                   receives(plain, r)};
    link(list);
    task_failure why;
    REQUIRE(post_tasks(lock, list, &why) == error::none);
    CHECK(lock.locked == 1);
    CHECK(lock.unlocked == 1);
    CHECK(why.failed == nullptr);
    CHECK(t.send_record() == 0); // neither record nor register
    CHECK(t.own_uar.send_doorbell() == 0);
    CHECK(t.qp.sq.producer() == 2);
    CHECK(t.receive_record() == 1); // what is there, not what may be used
    CHECK(m.send_record() == 3);
    CHECK(m.own_uar.send_doorbell() == 0x0000021600000102);
    CHECK(plain.send_record() == 1);
    CHECK(plain.receive_record() == 1);
    CHECK_FALSE(m.qp.to_ring);
    CHECK_FALSE(t.qp.to_ring);
    // And once more: nothing was left over.
    for (send_request &x : slave)
        x.wr_id = 1;
    REQUIRE(post_tasks(lock, list, nullptr) == error::none);
    CHECK(t.receive_record() == 2);
    CHECK(m.send_record() == 6);
    CHECK(t.send_record() == 0);
}

TEST_CASE("the first task that is refused ends the list, and says which request it was", "[wq]") {
    pair a(1), b(2), c(3);
    counting_lock lock;
    const sge data{0, 1, 0};
    send_request first = plain_nop(1), second[3] = {plain_nop(2), plain_nop(3), plain_nop(4)},
                 third = plain_nop(5);
    second[0].next = &second[1];
    second[1].next = &second[2];
    second[1].sg_list = &data;
    second[1].num_sge = 1;
    task list[] = {sends(a, first), sends(b, second[0]), sends(c, third)};
    link(list);
    task_failure why;
    CHECK(post_tasks(lock, list, &why) == error::takes_no_data);
    CHECK(why.failed == &list[1]);
    CHECK(why.send == &second[1]);
    CHECK(why.receive == nullptr);
    CHECK(a.send_record() == 1);
    CHECK(b.send_record() == 1); // what was posted of the failing task is rung all the same
    CHECK(c.send_record() == 0);
    CHECK(c.qp.sq.producer() == 0);
    CHECK(lock.unlocked == 1);
    // The caller goes on from the failing task.
    second[1].num_sge = 0;
    list[1].sends = why.send;
    CHECK(post_tasks(lock, why.failed, &why) == error::none);
    CHECK(why.failed == nullptr);
    CHECK(b.send_record() == 3);
    CHECK(c.send_record() == 1);
}

TEST_CASE("tasks that are wrong themselves", "[wq]") {
    pair p(1);
    counting_lock lock;
    task_failure why;
    const send_request s = plain_nop();
    const receive_request r{1, nullptr, nullptr, 0};
    CHECK(post_tasks(lock, nullptr, &why) == error::none);

    task t = sends(p, s);
    t.comp_mask = 1;
    CHECK(post_tasks(lock, &t, &why) == error::comp_mask_not_zero);
    CHECK(why.failed == &t);
    CHECK(why.send == nullptr);
    t = sends(p, s);
    t.type = task_type(2);
    CHECK(post_tasks(lock, &t, &why) == error::unknown_task_type);
    t = sends(p, s);
    t.qp = nullptr;
    CHECK(post_tasks(lock, &t, &why) == error::no_target);
    p.qp.state = RST;
    t = sends(p, s);
    CHECK(post_tasks(lock, &t, &why) == error::wrong_state);
    CHECK(why.send == &s);
    t = receives(p, r);
    CHECK(post_tasks(lock, &t, &why) == error::wrong_state);
    CHECK(why.receive == &r);
    CHECK(why.send == nullptr);
    p.qp.state = RTS;
    t.receives = nullptr; // an empty task is none
    CHECK(post_tasks(lock, &t, &why) == error::none);
    CHECK(p.qp.sq.producer() == 0);
    CHECK(p.qp.rq.posted() == 0);
}

TEST_CASE("counters moved by earlier requests of a failed list stay moved", "[wq]") {
    pair m(1, master_options());
    cq_world w;
    counting_lock lock;
    send_request list[2] = {wait(w, 3, true), wait(w, 1u << 23)};
    list[0].next = &list[1];
    const task t = sends(m, list[0]);
    task_failure why;
    CHECK(post_tasks(lock, &t, &why) == error::wait_too_far);
    CHECK(why.send == &list[1]);
    CHECK(w.cq.waits.index == 3);
    CHECK(m.send_record() == 1);
}

TEST_CASE("a queue pair that is master and managed is left to another master", "[wq]") {
    pair_options o = managed_options();
    o.master = true;
    pair both(1, o);
    cq_world w;
    counting_lock lock;
    const send_request r = wait(w, 1);
    const task t = sends(both, r);
    REQUIRE(post_tasks(lock, &t, nullptr) == error::none);
    CHECK(both.send_record() == 0);
    CHECK(both.own_uar.send_doorbell() == 0);
}
