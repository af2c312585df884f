// SPDX-License-Identifier: MIT
// Asynchronous queries: sending, waiting, verdicts, and all that can go wrong with them.
#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>

#include <poll.h>
#include <unistd.h>

#include "../unit/catch.hpp"
#include "script.hpp"

using namespace kdevx;
using mock::bytes;

namespace {

constexpr unsigned query_qp = 0x50b, query_flow_counter = 0x93b;

struct cmd_comp_fixture {
    mock::kernel k;
    kdevx_context *c = k.open();
    kdevx_failure why{};
    bytes in = mock::random_bytes(32), out = bytes(512);
    kdevx_object *object = nullptr;
    kdevx_cmd_comp *comp = nullptr;
    kdevx_completion done{};

    cmd_comp_fixture() {
        REQUIRE(kdevx_object_create(c, in.data(), 32, out.data(), 16, &object, &why) == 0);
        REQUIRE(kdevx_cmd_comp_create(c, &comp, &why) == 0);
        done.size = sizeof done;
    }
    ~cmd_comp_fixture() {
        k.removed = false;
        k.on_ioctl = nullptr;
        k.on_close = nullptr;
        if (comp) CHECK(kdevx_cmd_comp_destroy(comp, &why) == 0);
        CHECK(kdevx_object_destroy(object, &why) == 0);
        kdevx_context_close(c);
        CHECK(k.live() == 0);
        CHECK(k.broken_rules.empty());
    }
    int send(unsigned opcode, std::size_t out_size, std::uint64_t wr_id) {
        in[0] = std::byte(opcode >> 8), in[1] = std::byte(opcode);
        return kdevx_object_query_async(object, in.data(), 32, out_size, wr_id, comp, &why);
    }
    int get(int timeout_ms = KDEVX_NO_WAIT) { return get(out.size(), timeout_ms); }
    int get(std::size_t size, int timeout_ms) {
        return kdevx_cmd_comp_get(comp, out.data(), size, timeout_ms, &done, &why);
    }
    void answer(std::size_t index, const bytes &outbox) {
        k.answers.push_back({k.numbers.at(index), outbox});
    }
};

bytes answered(std::size_t n) {
    bytes b = mock::random_bytes(n);
    std::memset(b.data(), 0, 8);
    return b;
}

} // namespace

TEST_CASE("an asynchronous query: exact bytes, its answer under the caller's wr_id") {
    cmd_comp_fixture f;
    bytes got_in;
    std::vector<ib_uverbs_attr> attrs;
    f.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
        attrs.assign(h->attrs, h->attrs + h->num_attrs);
        got_in = mock::carried(h->attrs[1], kabi::ptr_in);
        return 1;
    };
    REQUIRE(f.send(query_qp, 272, 0xdeadbeefcafef00d) == 0);
    REQUIRE(attrs.size() == 5);
    CHECK(got_in == f.in);
    CHECK(attrs[2].data == std::uint64_t(kdevx_cmd_comp_fd(f.comp)));
    CHECK(attrs[2].len == 0);
    CHECK(attrs[3].len == 8);
    CHECK(attrs[4].len == 8);
    CHECK(attrs[4].data == 272);
    CHECK(kdevx_cmd_comp_in_flight(f.comp) == 1);
    CHECK(f.get() == -EAGAIN);
    CHECK(f.why.cause == KDEVX_CAUSE_NOTHING_YET);

    bytes outbox = answered(272);
    f.answer(0, outbox);
    REQUIRE(f.get() == 0);
    CHECK(f.done.wr_id == 0xdeadbeefcafef00d);
    CHECK(f.done.out_size == 272);
    CHECK(f.done.verdict == KDEVX_VERDICT_OK);
    CHECK(f.done.opcode == query_qp);
    CHECK(std::memcmp(f.out.data(), outbox.data(), 272) == 0);
    CHECK(kdevx_cmd_comp_in_flight(f.comp) == 0);
}

TEST_CASE("answers may overtake each other, wr_ids may be equal, places are used again") {
    cmd_comp_fixture f;
    for (unsigned round = 0; round < 3; ++round) {
        f.k.numbers.clear();
        for (unsigned i = 0; i < 40; ++i)
            REQUIRE(f.send(query_qp, 16 + i, i / 2) == 0);
        CHECK(kdevx_cmd_comp_in_flight(f.comp) == 40);
        for (unsigned i = 40; i-- > 0;)
            f.answer(i, answered(16 + i));
        for (unsigned i = 40; i-- > 0;) {
            REQUIRE(f.get() == 0);
            CHECK(f.done.wr_id == i / 2);
            CHECK(f.done.out_size == 16 + i);
        }
        CHECK(f.get() == -EAGAIN);
        CHECK(kdevx_cmd_comp_in_flight(f.comp) == 0);
    }
}

TEST_CASE("verdicts") {
    cmd_comp_fixture f;
    bytes refused(64);
    refused[0] = std::byte(0x09), refused[7] = std::byte(0x42);
    struct {
        unsigned opcode;
        bytes outbox;
        std::uint32_t verdict;
    } rows[] = {
        {query_qp, answered(300), KDEVX_VERDICT_OK},
        {query_qp, refused, KDEVX_VERDICT_REFUSED},
        // All zero: the state and the rest of a QP cannot be, a fresh counter can.
        {query_qp, bytes(300), KDEVX_VERDICT_NOT_EXECUTED},
        {query_flow_counter, bytes(32), KDEVX_VERDICT_UNVERIFIED},
        {query_flow_counter, answered(32), KDEVX_VERDICT_OK},
        // Cut before the field that tells: nothing to judge by.
        {query_qp, bytes(16), KDEVX_VERDICT_UNVERIFIED},
    };
    for (auto &row : rows) {
        f.k.numbers.clear();
        REQUIRE(f.send(row.opcode, row.outbox.size(), 5) == 0);
        f.answer(0, row.outbox);
        REQUIRE(f.get() == 0);
        CHECK(f.done.verdict == row.verdict);
        CHECK(f.done.status == unsigned(row.outbox[0]));
    }
    CHECK(f.done.syndrome == 0);
}

TEST_CASE(
    "C37: a buffer that is too short leaves the answer where it is and tells what is enough") {
    cmd_comp_fixture f;
    REQUIRE(f.send(query_qp, 100, 1) == 0);
    REQUIRE(f.send(query_qp, 64, 2) == 0);
    f.answer(0, answered(100));
    CHECK(f.get(99, KDEVX_NO_WAIT) == -ENOSPC);
    CHECK(f.why.cause == KDEVX_CAUSE_SHORT_BUFFER);
    CHECK(f.why.detail[0] == 100);
    CHECK(kdevx_cmd_comp_in_flight(f.comp) == 2);
    REQUIRE(f.get(100, KDEVX_NO_WAIT) == 0);
    CHECK(f.done.wr_id == 1);
    CHECK(f.done.out_size == 100);
}

TEST_CASE("C39: the kernel's limit of outboxes is named, and is no answer that is missing") {
    cmd_comp_fixture f;
    f.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
        std::size_t sum = 0;
        for (auto n : f.k.out_lens)
            sum += n;
        return h->method_id == 0x1004 && sum > 1048576 ? -EAGAIN : 1;
    };
    unsigned sent = 0;
    while (f.send(query_qp, 65000, sent) == 0)
        ++sent;
    CHECK(sent == 17);
    CHECK(f.why.err == EAGAIN);
    CHECK(f.why.cause == KDEVX_CAUSE_LIMIT);
    CHECK(kdevx_cmd_comp_in_flight(f.comp) == sent); // the refused one is not among them
    f.out.resize(65535);
    f.answer(0, answered(65000));
    REQUIRE(f.get() == 0);
    f.k.out_lens.erase(f.k.out_lens.begin());
    CHECK(f.send(query_qp, 65000, 99) == 0);
}

TEST_CASE("waiting: for ever, for a time, and through signals") {
    cmd_comp_fixture f;
    REQUIRE(f.send(query_qp, 64, 3) == 0);
    unsigned polls = 0;
    std::vector<int> timeouts;
    f.k.on_poll = [&](pollfd *p, int timeout_ms) -> int {
        timeouts.push_back(timeout_ms);
        CHECK((p->events & (POLLIN | POLLRDHUP)) == (POLLIN | POLLRDHUP));
        if (++polls < 3) { // a signal after 10 ms
            f.k.now += 10000000;
            return -EINTR;
        }
        if (timeout_ms > 0) {
            f.k.now += std::int64_t(timeout_ms) * 1000000;
            return 0;
        }
        f.answer(0, answered(64));
        p->revents = POLLIN;
        return 1;
    };
    CHECK(f.get(100) == -ETIMEDOUT);
    CHECK(f.why.cause == KDEVX_CAUSE_NOTHING_YET);
    CHECK(timeouts == std::vector<int>{100, 90, 80});
    polls = 0;
    REQUIRE(f.get(KDEVX_FOREVER) == 0);
    CHECK(f.done.wr_id == 3);
}

TEST_CASE("EINTR of a read is not the caller's business") {
    cmd_comp_fixture f;
    REQUIRE(f.send(query_qp, 64, 3) == 0);
    f.answer(0, answered(64));
    f.k.fail(mock::call::read, 0, EINTR);
    REQUIRE(f.get() == 0);
    CHECK(f.done.wr_id == 3);
}

TEST_CASE("C71: a device that is gone is told every time, whatever the way of waiting") {
    cmd_comp_fixture f;
    REQUIRE(f.send(query_qp, 64, 3) == 0);
    REQUIRE(f.send(query_qp, 64, 4) == 0);
    f.answer(1, answered(64));
    f.k.removed = true;    // poll says IN and RDHUP, read of an empty queue EAGAIN
    REQUIRE(f.get() == 0); // what had come is still delivered
    CHECK(f.done.wr_id == 4);
    for (int timeout : {KDEVX_NO_WAIT, 50, KDEVX_FOREVER, KDEVX_NO_WAIT}) {
        CHECK(f.get(timeout) == -EIO);
        CHECK(f.why.cause == KDEVX_CAUSE_DEVICE_GONE);
    }
    // And if somebody made the fd blocking: EIO of the read itself.
    f.k.on_read = [](int, void *, std::size_t) { return std::int64_t(-EIO); };
    CHECK(f.get() == -EIO);
    CHECK(f.why.cause == KDEVX_CAUSE_DEVICE_GONE);
}

TEST_CASE("C40: destroying with queries in flight loses nothing but their answers") {
    cmd_comp_fixture f;
    for (unsigned i = 0; i < 20; ++i)
        REQUIRE(f.send(query_qp, 64, i) == 0);
    CHECK(kdevx_cmd_comp_in_flight(f.comp) == 20);
    kdevx_cmd_comp *dead = f.comp;
    f.comp = nullptr;
    CHECK(kdevx_cmd_comp_destroy(dead, &f.why) == 0);
    CHECK(kdevx_cmd_comp_in_flight(dead) == 0);
    CHECK(kdevx_cmd_comp_get(dead, f.out.data(), 64, KDEVX_FOREVER, &f.done, &f.why) == -EBADF);
    CHECK(f.why.cause == KDEVX_CAUSE_CLOSED);
}

TEST_CASE("C36: a reader blocked while another thread closes the context gets EIO") {
    cmd_comp_fixture f;
    REQUIRE(f.send(query_qp, 64, 1) == 0);
    // Hangs up when the uverbs file is closed, as the kernel's fd does.
    int file = kdevx_context_fd(f.c), ends[2];
    REQUIRE(::pipe(ends) == 0);
    f.k.on_close = [&](int fd) {
        if (fd == file) ::close(ends[1]);
    };
    std::atomic<bool> waiting{false};
    f.k.on_poll = [&](pollfd *p, int) -> int {
        waiting = true;
        pollfd real{ends[0], POLLIN, 0};
        int n = ::poll(&real, 1, -1);
        p->revents = POLLIN | POLLRDHUP;
        return n;
    };
    int r = 0;
    kdevx_failure why{};
    std::thread reader([&] {
        bytes out(512);
        kdevx_completion done{};
        done.size = sizeof done;
        r = kdevx_cmd_comp_get(f.comp, out.data(), 512, KDEVX_FOREVER, &done, &why);
    });
    while (!waiting)
        std::this_thread::yield();
    kdevx_context_close(f.c);
    f.c = nullptr;
    reader.join();
    ::close(ends[0]);
    CHECK(r == -EIO);
    CHECK(why.cause == KDEVX_CAUSE_CLOSED);
}

TEST_CASE("C42: the fd is made non-blocking; if that fails nothing is left") {
    mock::kernel k;
    kdevx_context *c = k.open();
    std::vector<long> set;
    kdevx_cmd_comp *comp = nullptr;
    kdevx_failure why{};
    k.fail(mock::call::fcntl, 0, EINVAL);
    std::size_t before = k.fds.size();
    CHECK(kdevx_cmd_comp_create(c, &comp, &why) == -EINVAL);
    CHECK(std::strcmp(why.step, "fcntl") == 0);
    CHECK(k.fds.size() == before);
    CHECK(kdevx_cmd_comp_create(c, &comp, &why) == 0);
    CHECK(k.count(mock::call::fcntl) == 2);
    CHECK(k.fds.count(kdevx_cmd_comp_fd(comp)) == 1);
    CHECK(kdevx_cmd_comp_destroy(comp, &why) == 0);
    kdevx_context_close(c);
    CHECK(k.live() == 0);
}

TEST_CASE("a cmd_comp of another context is refused before the kernel sees it") {
    cmd_comp_fixture f, g;
    unsigned ioctls = f.k.count(mock::call::ioctl);
    CHECK(kdevx_object_query_async(f.object, f.in.data(), 32, 64, 1, g.comp, &f.why) == -EINVAL);
    CHECK(std::strcmp(f.why.step, "comp") == 0);
    CHECK(f.k.count(mock::call::ioctl) == ioctls);
}
