// SPDX-License-Identifier: MIT
// Asynchronous queries: order, limits, waiting, what ends a wait, and ends with answers in flight.
#include "async.hpp"
#include "faults.hpp"
#include "raw.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace kdevx;
using namespace kdevx::vm;
using namespace std::chrono_literals;

namespace {

const expectation nothing_now = failed(EAGAIN, KDEVX_CAUSE_NOTHING_YET);
const expectation nothing_in_time = failed(ETIMEDOUT, KDEVX_CAUSE_NOTHING_YET);

short poll_for(int fd, short events, int timeout_ms) {
    pollfd p{fd, events, 0};
    REQUIRE(poll(&p, 1, timeout_ms) >= 0);
    return p.revents;
}

void check_answer(const answer &a, std::uint64_t wr_id) {
    CHECK(a.got == ok);
    CHECK(a.completion.wr_id == wr_id);
    CHECK(a.completion.verdict == KDEVX_VERDICT_OK);
    CHECK(a.completion.status == 0);
    CHECK(a.completion.opcode == opcode("QUERY_CQ"));
    CHECK(a.right());
}

} // namespace

TEST_CASE("answers come in the order of the questions", "[cmd_comp]") {
    asker a;
    for (std::uint64_t i = 0; i < 8; ++i)
        REQUIRE(a.ask(0x1122334455667700 + i) == ok);
    CHECK(kdevx_cmd_comp_in_flight(a.comp()) == 8);
    for (std::uint64_t i = 0; i < 8; ++i) {
        const answer got = take(a.comp());
        check_answer(got, 0x1122334455667700 + i);
        CHECK(got.completion.out_size == asker::answer_size);
    }
    CHECK(kdevx_cmd_comp_in_flight(a.comp()) == 0);
    CHECK(take(a.comp(), KDEVX_NO_WAIT).got == nothing_now);
}

TEST_CASE("answers overtake each other when the firmware is slow with one", "[cmd_comp]") {
    asker a;
    faults f;
    f.delay("QUERY_CQ", 300ms);
    REQUIRE(a.ask(1) == ok);
    REQUIRE(a.ask(2) == ok);
    check_answer(take(a.comp()), 2);
    check_answer(take(a.comp()), 1);
}

TEST_CASE("equal wr_ids are no problem", "[cmd_comp]") {
    asker a;
    for (int i = 0; i < 3; ++i)
        REQUIRE(a.ask(5) == ok);
    for (int i = 0; i < 3; ++i)
        check_answer(take(a.comp()), 5);
}

TEST_CASE("a buffer that is too short loses nothing", "[cmd_comp]") {
    asker a;
    REQUIRE(a.ask(9) == ok);
    for (std::size_t room : {std::size_t(16), asker::answer_size - 1}) {
        const answer got = take(a.comp(), 5000, room);
        CHECK(got.got == failed(ENOSPC, KDEVX_CAUSE_SHORT_BUFFER));
        CHECK(got.got.why.detail[0] == asker::answer_size);
        CHECK(got.out[0] == std::byte(0x5a));
    }
    CHECK(kdevx_cmd_comp_in_flight(a.comp()) == 1);
    check_answer(take(a.comp(), 5000, asker::answer_size), 9);
}

TEST_CASE("buffers and arguments that cannot be", "[cmd_comp]") {
    asker a;
    REQUIRE(a.ask(1) == ok);
    CHECK(take(a.comp(), 5000, 15).got == failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(take(a.comp(), -2).got == failed(EINVAL, KDEVX_CAUSE_INVALID));
    kdevx_completion *const none = nullptr;
    std::byte out[asker::answer_size];
    CHECK(call(kdevx_cmd_comp_get, a.comp(), static_cast<void *>(out), sizeof out, 0, none) ==
          failed(EINVAL, KDEVX_CAUSE_INVALID));
    check_answer(take(a.comp()), 1);
    CHECK(a.ask(2, 15) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(a.ask(2, 0) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(a.ask(2, 65536) == failed(E2BIG, KDEVX_CAUSE_LIMIT));
    CHECK(kdevx_cmd_comp_in_flight(a.comp()) == 0);
}

TEST_CASE("one MiB of answers is the most, and taking one makes room", "[cmd_comp]") {
    asker a;
    constexpr std::size_t longest = 65535, most = 1 << 20, rest = most - 16 * longest;
    static_assert(rest == 16);
    for (std::uint64_t i = 0; i < 16; ++i)
        REQUIRE(a.ask(i, longest) == ok);
    const expectation full = failed(EAGAIN, KDEVX_CAUSE_LIMIT);
    CHECK(a.ask(100, rest + 1) == full);
    CHECK(kdevx_cmd_comp_in_flight(a.comp()) == 16);
    // Arrived is not taken: answers count until they are read.
    REQUIRE((poll_for(a.fd(), POLLIN, 5000) & POLLIN) != 0);
    CHECK(a.ask(100, rest + 1) == full);
    check_answer(take(a.comp()), 0);
    CHECK(a.ask(16, longest) == ok);
    CHECK(a.ask(17, rest + 1) == full);
    for (std::uint64_t i = 1; i <= 16; ++i)
        check_answer(take(a.comp()), i);
}

TEST_CASE("the fd: flags, poll and epoll", "[cmd_comp]") {
    asker a;
    CHECK((fcntl(a.fd(), F_GETFD) & FD_CLOEXEC) != 0);
    CHECK((fcntl(a.fd(), F_GETFL) & O_NONBLOCK) != 0);
    constexpr short all = POLLIN | POLLRDNORM | POLLRDHUP | POLLOUT | POLLPRI;
    CHECK(poll_for(a.fd(), all, 0) == 0);
    REQUIRE(a.ask(1) == ok);
    CHECK(poll_for(a.fd(), all, 5000) == (POLLIN | POLLRDNORM));

    const int ep = epoll_create1(EPOLL_CLOEXEC);
    epoll_event want{}, seen{};
    want.events = EPOLLIN | EPOLLRDHUP;
    want.data.u64 = 77;
    REQUIRE(epoll_ctl(ep, EPOLL_CTL_ADD, a.fd(), &want) == 0);
    CHECK(epoll_wait(ep, &seen, 1, 5000) == 1);
    CHECK(seen.events == EPOLLIN);
    CHECK(seen.data.u64 == 77);
    check_answer(take(a.comp()), 1);
    CHECK(epoll_wait(ep, &seen, 1, 0) == 0);
    REQUIRE(a.ask(2) == ok);
    CHECK(epoll_wait(ep, &seen, 1, 5000) == 1);
    check_answer(take(a.comp()), 2);
    close(ep);
}

TEST_CASE("waiting: for ever, until a deadline, not at all", "[cmd_comp]") {
    asker a;
    faults f;
    f.delay("QUERY_CQ", 300ms);
    REQUIRE(a.ask(1) == ok);
    CHECK(take(a.comp(), KDEVX_NO_WAIT).got == nothing_now);
    stopwatch early;
    CHECK(take(a.comp(), 50).got == nothing_in_time);
    CHECK(early.passed() >= 50ms);
    check_answer(take(a.comp(), KDEVX_FOREVER), 1);
    stopwatch late;
    CHECK(take(a.comp(), 120).got == nothing_in_time); // nothing in flight either
    CHECK(late.passed() >= 120ms);
}

TEST_CASE("a signal does not end a wait", "[cmd_comp]") {
    asker a;
    faults f;
    struct sigaction handle{}, before{};
    handle.sa_handler = [](int) {};
    REQUIRE(sigaction(SIGALRM, &handle, &before) == 0);
    f.delay("QUERY_CQ", 400ms);
    REQUIRE(a.ask(1) == ok);
    itimerval often{};
    often.it_value.tv_usec = often.it_interval.tv_usec = 20000;
    REQUIRE(setitimer(ITIMER_REAL, &often, nullptr) == 0);
    const answer got = take(a.comp(), KDEVX_FOREVER);
    stopwatch since;
    const answer none = take(a.comp(), 100);
    const auto waited = since.passed();
    const itimerval off{};
    setitimer(ITIMER_REAL, &off, nullptr);
    sigaction(SIGALRM, &before, nullptr);
    check_answer(got, 1);
    CHECK(none.got == nothing_in_time);
    CHECK(waited >= 100ms);
}

TEST_CASE("a query that the firmware refuses is delivered like any other", "[cmd_comp]") {
    if (kernel() < version{6, 12}) {
        WARN("not sent: 6.1 counts a refused asynchronous command with interrupts enabled in its "
             "interrupt handler, and warns about itself");
        return;
    }
    asker a;
    faults f;
    f.fail("QUERY_CQ", prm::status<"BAD_RES_STATE_ERR">, 0xabcdef);
    REQUIRE(a.ask(3) == ok);
    const answer got = take(a.comp());
    CHECK(got.got == ok);
    CHECK(got.completion.wr_id == 3);
    CHECK(got.completion.verdict == KDEVX_VERDICT_REFUSED);
    CHECK(got.completion.status == prm::status<"BAD_RES_STATE_ERR">);
    CHECK(got.completion.syndrome == 0xabcdef);
    REQUIRE(a.ask(4) == ok);
    check_answer(take(a.comp()), 4);
}

TEST_CASE("what the kernel refuses is not in flight", "[cmd_comp]") {
    asker a;
    object_ptr pd = a.on().create(exchange("ALLOC_PD"));
    const exchange x = a.question();
    CHECK(call(kdevx_object_query_async, pd.get(), static_cast<const void *>(x.in.data()),
               x.in.size(), asker::answer_size, std::uint64_t(1), a.comp()) ==
          failed(EINVAL, KDEVX_CAUSE_INVALID));
    context_ptr other = open_context();
    cmd_comp_ptr foreign = create_cmd_comp(other.get());
    CHECK(call(kdevx_object_query_async, a.cq(), static_cast<const void *>(x.in.data()), x.in.size(),
               asker::answer_size, std::uint64_t(1), foreign.get()) ==
          failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(kdevx_cmd_comp_in_flight(a.comp()) == 0);
    CHECK(kdevx_cmd_comp_in_flight(foreign.get()) == 0);
}

TEST_CASE("a cmd_comp ends when what is in flight has come", "[cmd_comp]") {
    asker a;
    faults f;
    f.delay("QUERY_CQ", 400ms, 2);
    REQUIRE(a.ask(1) == ok);
    REQUIRE(a.ask(2) == ok);
    CHECK(kdevx_cmd_comp_in_flight(a.comp()) == 2);
    const stopwatch since;
    a.end_comp();
    CHECK(since.passed() >= 300ms);
    CHECK(a.query_now() == ok); // the object is none the worse
}

TEST_CASE("an object can end before the answer about it has come", "[cmd_comp]") {
    bench b;
    cmd_comp_ptr comp = create_cmd_comp(b.context());
    faults f;
    object_ptr cq = b.create(b.cq());
    exchange x("QUERY_CQ");
    x.set("cqn", info_of(cq.get()).device_id & 0xffffff);
    f.delay("QUERY_CQ", 300ms);
    REQUIRE(call(kdevx_object_query_async, cq.get(), static_cast<const void *>(x.in.data()),
                 x.in.size(), asker::answer_size, std::uint64_t(1), comp.get()) == ok);
    CHECK(call(kdevx_object_destroy, cq.release()) == ok);
    const answer got = take(comp.get());
    CHECK(got.got == ok);
    CHECK(got.completion.wr_id == 1);
}

TEST_CASE("more questions than the command queue has slots", "[cmd_comp]") {
    asker a;
    faults f;
    constexpr unsigned many = 40; // the queue has 32, one of them for pages
    f.delay("QUERY_CQ", 300ms, many);
    for (std::uint64_t i = 0; i < many; ++i)
        REQUIRE(a.ask(i) == ok);
    std::vector<bool> seen(many);
    for (unsigned i = 0; i < many; ++i) {
        const answer got = take(a.comp());
        REQUIRE(got.got == ok);
        REQUIRE(got.completion.wr_id < many);
        CHECK_FALSE(seen[got.completion.wr_id]);
        seen[got.completion.wr_id] = true;
    }
}

TEST_CASE("several threads take, each answer goes to one", "[cmd_comp]") {
    asker a;
    constexpr unsigned many = 24, takers = 3;
    std::vector<std::vector<std::uint64_t>> got(takers);
    std::vector<std::thread> threads;
    for (auto &mine : got)
        threads.emplace_back([&a, &mine] {
            std::byte out[asker::answer_size];
            kdevx_completion c{};
            c.size = sizeof c;
            while (kdevx_cmd_comp_get(a.comp(), out, sizeof out, 400, &c, nullptr) == 0)
                mine.push_back(c.wr_id);
        });
    for (std::uint64_t i = 0; i < many; ++i)
        CHECK(a.ask(i) == ok);
    for (auto &t : threads)
        t.join();
    std::vector<bool> seen(many);
    for (const auto &mine : got)
        for (std::uint64_t wr_id : mine) {
            CHECK_FALSE(seen.at(wr_id));
            seen.at(wr_id) = true;
        }
    CHECK(std::count(seen.begin(), seen.end(), true) == many);
}

TEST_CASE("the kernel's own rules of the fd", "[cmd_comp][wire]") {
    asker a;
    const int mine = kdevx_context_fd(a.on().context());
    raw alloc(MLX5_IB_OBJECT_DEVX_ASYNC_CMD_FD, MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC);
    REQUIRE(alloc.handle(MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE).send(mine) == 0);
    const int fd = int(alloc.data(MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE));
    const exchange x = a.question();
    const std::uint64_t wr_id = 0x77;
    const auto submit = [&] {
        return raw(MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY)
            .handle(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE, info_of(a.cq()).handle)
            .in(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN, x.in.data(), x.in.size())
            .value(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD, std::uint64_t(fd))
            .in(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID, &wr_id, 8)
            .value(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN, asker::answer_size, 8)
            .send(mine);
    };
    std::vector<std::byte> room(8 + asker::answer_size);
    const auto read_into = [&](std::size_t n) {
        const ssize_t got = read(fd, room.data(), n);
        return got < 0 ? -errno : int(got);
    };
    REQUIRE(submit() == 0);
    CHECK(read_into(room.size()) == int(room.size())); // a blocking fd waits
    CHECK(std::memcmp(room.data(), &wr_id, 8) == 0);
    REQUIRE(submit() == 0);
    REQUIRE((poll_for(fd, POLLIN, 5000) & POLLIN) != 0);
    CHECK(read_into(room.size() - 1) == -ENOSPC);
    CHECK(read_into(8) == -ENOSPC);
    CHECK(read_into(room.size()) == int(room.size())); // it was still there
    fcntl(fd, F_SETFL, O_NONBLOCK);
    CHECK(read_into(room.size()) == -EAGAIN);
    CHECK(write(fd, room.data(), 1) == -1);
    CHECK(errno == EBADF); // it is not open for writing
    close(fd);
}

TEST_CASE("a blocked reader wakes when the file is closed", "[cmd_comp][wire]") {
    const int file = open(under_test().node.c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(raw_get_context(file, true) == 0);
    raw alloc(MLX5_IB_OBJECT_DEVX_ASYNC_CMD_FD, MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC);
    REQUIRE(alloc.handle(MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE).send(file) == 0);
    const int fd = int(alloc.data(MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE));
    int result = 0;
    std::atomic<pid_t> reader = 0;
    std::thread blocked([&] {
        char room[64];
        reader = gettid();
        result = read(fd, room, sizeof room) < 0 ? -errno : 1;
    });
    REQUIRE(wait_for(5s, [&] { return reader != 0 && is_asleep(reader); }));
    close(file);
    blocked.join();
    CHECK(result == -EIO);
    close(fd);
}

TEST_CASE("a process that is killed with a command in flight", "[cmd_comp]") {
    faults f;
    f.delay("QUERY_CQ", 500ms);
    const stopwatch since;
    const int status = in_child([] {
        asker a;
        if (!(a.ask(1) == ok)) return 1;
        raise(SIGKILL);
        return 2;
    });
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGKILL);
    CHECK(since.passed() >= 400ms); // the kernel waits for the answer before it lets the process go
    asker after;
    CHECK(after.query_now() == ok);
}
