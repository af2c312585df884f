// SPDX-License-Identifier: MIT
// Two HCAs with a cable between them.
#include "link/link.hpp"
#include "traffic.hpp"

#include "../unit/catch.hpp"
#include "engine/queue_pair.hpp"

#include <sys/socket.h>
#include <unistd.h>

using namespace hca_test;
using engine::qp_state;
using prm::cqe_op;
using prm::wqe_op;
namespace cable = kdevx::hca::link;

namespace {

// One HCA with its end of the cable, and one connected queue pair.
struct side : traffic {
    cable::link link;
    endpoint e;
    std::uint64_t memory_at;
    std::uint32_t key;

    explicit side(const std::string &words)
        : traffic(words), link(events, log, device.firmware().engine, device.lids()), e(make()),
          memory_at(take(256u << 10)), key(mkey(b.memory, b.size)) {}
};

struct two {
    side a{"lid=1"}, z{"lid=2"};
    int stream = -1; // a's end of it

    two() {
        int ends[2];
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
        stream = ends[0];
        a.link.attach(unique_fd(ends[0]));
        z.link.attach(unique_fd(ends[1]));
        go([&] { return a.link.is_up() && z.link.is_up(); });
        a.connect(a.e, z.e.qpn, {.lid = 2, .rnr_retry = 7});
        z.connect(z.e, a.e.qpn, {.lid = 1, .rnr_retry = 7});
    }
    // Lets both work until it is so.
    template <class F>
    void go(F &&until) {
        for (int n = 0; n < 5000 && !until(); ++n) {
            a.events.run_once(std::chrono::milliseconds(0));
            z.events.run_once(std::chrono::milliseconds(n % 8 == 7));
        }
        REQUIRE(until());
    }
    cqe_seen next(side &s) {
        std::optional<cqe_seen> c;
        go([&] { return c || (c = s.poll(s.e)); });
        return *c;
    }
};

} // namespace

TEST_CASE("link: messages, RDMA and atomics between two HCAs") {
    two t;
    const bytes sent = t.a.pattern(t.a.memory_at, 200000, 1);
    t.a.post(t.a.e, {wqe_op<"SEND">, data(sge{t.a.memory_at, 200000, t.a.key})});
    t.z.receive(t.z.e, {{t.z.memory_at, 200000, t.z.key}}); // after it: RNR on the way
    CHECK(t.next(t.a).opcode() == cqe_op<"REQ">);
    CHECK(t.next(t.z).byte_count() == 200000);
    CHECK(t.z.read_guest(t.z.memory_at, 200000) == sent);

    const bytes theirs = t.z.pattern(t.z.memory_at, 100000, 77);
    t.a.post(t.a.e, {wqe_op<"RDMA_READ">,
                     remote(t.z.memory_at, t.z.key) + data(sge{t.a.memory_at, 100000, t.a.key})});
    CHECK(t.next(t.a).byte_count() == 100000);
    CHECK(t.a.read_guest(t.a.memory_at, 100000) == theirs);

    t.z.memory.store<std::uint64_t>(t.z.memory_at, 40);
    t.a.post(t.a.e, {wqe_op<"ATOMIC_FA">, remote(t.z.memory_at, t.z.key) + atomic(2, 0) +
                                              data(sge{t.a.memory_at, 8, t.a.key})});
    t.next(t.a);
    CHECK(t.a.memory.load<std::uint64_t>(t.a.memory_at) == 40);
    CHECK(t.z.memory.load<std::uint64_t>(t.z.memory_at) == 42);

    t.a.post(t.a.e, {wqe_op<"RDMA_WRITE">,
                     remote(t.z.memory_at, 0x7700) + data(sge{t.a.memory_at, 8, t.a.key})});
    CHECK(t.next(t.a).is(errors::remote_access));
    CHECK(t.z.state_of(t.z.e) == qp_state<"ERR">);
}

TEST_CASE("link: when the other side leaves nobody answers any more") {
    two t;
    REQUIRE(::shutdown(t.stream, SHUT_RDWR) == 0);
    t.go([&] { return !t.a.link.is_up(); });
    t.a.post(t.a.e, {wqe_op<"RDMA_WRITE">, remote(0, 0)});
    CHECK(t.next(t.a).is(errors::no_answer));
    CHECK_FALSE(t.a.link.is_up());
}

TEST_CASE("link: the same LID at both ends is refused, and so is nonsense") {
    side a("lid=5 ports=2"), z("lid=6");
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
    a.link.attach(unique_fd(ends[0]));
    z.link.attach(unique_fd(ends[1]));
    for (int n = 0; n < 20; ++n) {
        a.run();
        z.run();
    }
    CHECK_FALSE(a.link.is_up());
    CHECK_FALSE(z.link.is_up());
    std::uint32_t random = 1;
    for (int round = 0; round < 200; ++round) {
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
        a.link.attach(unique_fd(ends[0]));
        bytes noise = cable::encode(cable::hello{.lids = {77}});
        if (round % 2) noise = noise + cable::encode(cable::request{.packet = {.qpn = a.e.qpn}});
        for (std::size_t n = round % 2 ? noise.size() : 0; n < 400; ++n)
            noise.push_back(std::byte((random = random * 1664525 + 1013904223) >> 24));
        if (round % 4 > 1) noise[8 + round % (noise.size() - 8)] ^= std::byte(1 << round % 8);
        REQUIRE(::write(ends[1], noise.data(), noise.size()) == ssize_t(noise.size()));
        ::close(ends[1]);
        for (int n = 0; n < 3; ++n)
            a.run();
    }
    CHECK(a.alive());
}

TEST_CASE("link: who comes first waits for the other") {
    char place[] = "/tmp/kdevx-hca-link.XXXXXX";
    REQUIRE(::mkdtemp(place));
    const std::string path = std::string(place) + "/link";
    {
        side a("lid=1"), z("lid=2");
        CHECK(a.link.meet(path).empty());
        CHECK(z.link.meet(path).empty());
        for (int n = 0; n < 10; ++n) {
            a.run();
            z.run();
        }
        CHECK(a.link.is_up());
        CHECK(z.link.is_up());
        CHECK_FALSE(a.link.meet(std::string(200, 'x')).empty());
        CHECK_FALSE(a.link.meet("/nosuch/place").empty());
    }
    CHECK(::access(path.c_str(), F_OK) != 0);
    ::rmdir(place);
}
