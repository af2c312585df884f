// SPDX-License-Identifier: MIT
// Events of the device and of firmware objects: subscribed, raised by the HCA, delivered by the
// kernel.
#include "events.hpp"
#include "kdevx/prm/virtio.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

using namespace kdevx;
using namespace kdevx::vm;

namespace {


// MLX5_EVENT_QUEUE_TYPE_*: what the number in an event of a queue is.
constexpr unsigned of_qp = 0, of_rq = 1, of_sq = 2;

std::uint32_t number_of(const object_ptr &o) {
    return info_of(o.get()).device_id & 0xffffff;
}

class counter {
    int fd_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

public:
    counter() { REQUIRE(fd_ >= 0); }
    ~counter() { close(fd_); }
    counter(const counter &) = delete;
    int fd() const { return fd_; }
    std::uint64_t wait() const {
        pollfd p{fd_, POLLIN, 0};
        REQUIRE(poll(&p, 1, 10'000) == 1);
        std::uint64_t n = 0;
        REQUIRE(read(fd_, &n, sizeof n) == sizeof n);
        return n;
    }
};

bool is_readable(int fd) {
    pollfd p{fd, POLLIN | POLLRDHUP, 0};
    return poll(&p, 1, 0) == 1;
}

outcome subscribe_numbers(const event_channel_ptr &channel, kdevx_object *of,
                          const std::vector<std::uint16_t> &numbers) {
    return call(kdevx_event_subscribe, channel.get(), of, numbers.data(), numbers.size(),
                std::uint64_t(0));
}

} // namespace

TEST_CASE("an event of no object, with its data", "[events]") {
    context_ptr c = open_context();
    event_channel_ptr channel = make_channel(c.get());
    CHECK(is_quiet(channel));
    REQUIRE(subscribe(channel, nullptr, {"PORT_CHANGE"}, 0x1122334455667788) == ok);
    raise_event(c.get(), "PORT_CHANGE", of_port(1), 5);
    const kdevx_event e = next(channel);
    CHECK(e.what == KDEVX_EVENT_RAISED);
    CHECK(e.cookie == 0x1122334455667788);
    REQUIRE(e.has_data == 1);
    CHECK(e.type == prm::event<"PORT_CHANGE">);
    CHECK(e.subtype == 5);
    CHECK(e.eqe[0x28] == 0x10); // the port
    CHECK(is_quiet(channel));
}

TEST_CASE("a port that goes down and comes back tells so itself", "[events]") {
    context_ptr c = open_context();
    event_channel_ptr channel = make_channel(c.get());
    REQUIRE(subscribe(channel, nullptr, {"PORT_CHANGE"}, 9) == ok);
    set_link(c.get(), 1, false);
    CHECK(next(channel).subtype == 1); // down
    set_link(c.get(), 1, true);
    CHECK(next(channel).subtype == 4); // active
}

TEST_CASE("events of an object reach who asked for that object", "[events]") {
    bench b;
    object_ptr one = b.create(b.cq()), two = b.create(b.cq());
    event_channel_ptr channel = make_channel(b.context()), other = make_channel(b.context());
    REQUIRE(subscribe(channel, one.get(), {"CQ_ERROR"}, 1) == ok);
    REQUIRE(subscribe(other, two.get(), {"CQ_ERROR"}, 2) == ok);
    raise_event(b.context(), "CQ_ERROR", of_cq(number_of(two)));
    CHECK(next(other).cookie == 2);
    CHECK(is_quiet(channel));
    raise_event(b.context(), "CQ_ERROR", of_cq(number_of(one)));
    const kdevx_event e = next(channel);
    CHECK(e.cookie == 1);
    CHECK(e.type == prm::event<"CQ_ERROR">);
    CHECK(e.eqe[0x2b] == prm::value_of<prm::cq_error_syndromes, "CQ_OVERRUN">);
}

TEST_CASE("queues of one number space are told apart by their kind", "[events]") {
    bench b;
    object_ptr qp = b.create(b.qp()), sq = b.create(b.recipe(resource::sqn)),
               rq = b.create(b.recipe(resource::rqn));
    event_channel_ptr channel = make_channel(b.context());
    REQUIRE(subscribe(channel, qp.get(), {"WQ_CATAS_ERROR"}, 1) == ok);
    REQUIRE(subscribe(channel, sq.get(), {"WQ_CATAS_ERROR"}, 2) == ok);
    REQUIRE(subscribe(channel, rq.get(), {"WQ_CATAS_ERROR"}, 3) == ok);
    raise_event(b.context(), "WQ_CATAS_ERROR", of_queue(of_sq, number_of(sq)));
    CHECK(next(channel).cookie == 2);
    raise_event(b.context(), "WQ_CATAS_ERROR", of_queue(of_rq, number_of(rq)));
    CHECK(next(channel).cookie == 3);
    raise_event(b.context(), "WQ_CATAS_ERROR", of_queue(of_qp, number_of(qp)));
    CHECK(next(channel).cookie == 1);
    // The right number of the wrong kind is nobody's.
    raise_event(b.context(), "WQ_CATAS_ERROR", of_queue(of_rq, number_of(sq)));
    raise_event(b.context(), "WQ_CATAS_ERROR", of_queue(of_qp, number_of(qp)));
    CHECK(next(channel).cookie == 1);
    CHECK(is_quiet(channel));
}

TEST_CASE("one, sixteen and seventeen types at once", "[events]") {
    bench b;
    object_ptr qp = b.create(b.qp());
    std::vector<std::uint16_t> all;
    for (std::string_view t :
         {"PATH_MIG", "COMM_EST", "SQ_DRAINED", "CQ_ERROR", "WQ_CATAS_ERROR", "PATH_MIG_FAILED",
          "WQ_INVAL_REQ_ERROR", "WQ_ACCESS_ERROR", "SRQ_CATAS_ERROR", "SRQ_LAST_WQE",
          "SRQ_RQ_LIMIT", "XRQ_ERROR", "DCT_DRAINED", "DCT_KEY_VIOLATION", "OBJECT_CHANGE", "COMP"})
        all.push_back(std::uint16_t(prm::event_types.find(t)->number));
    for (std::size_t n : {1u, 2u, 4u, 5u, 16u}) { // up to four travel in the attribute itself
        CAPTURE(n);
        event_channel_ptr channel = make_channel(b.context());
        REQUIRE(subscribe_numbers(channel, qp.get(), {all.begin(), all.begin() + long(n)}) == ok);
        raise_event(b.context(), "PATH_MIG", of_queue(of_qp, number_of(qp)));
        CHECK(next(channel).type == prm::event<"PATH_MIG">);
    }
    event_channel_ptr channel = make_channel(b.context());
    all.push_back(0x55);
    CHECK(subscribe_numbers(channel, qp.get(), all) == invalid);
}

TEST_CASE("subscriptions that are refused leave nothing behind", "[events]") {
    bench b, other;
    object_ptr cq = b.create(b.cq()), later = b.create(b.cq()), foreign = other.create(other.cq());
    event_channel_ptr channel = make_channel(b.context()), after = make_channel(b.context());
    constexpr std::uint16_t error = prm::event<"CQ_ERROR">, command = prm::event<"CMD">,
                            port = prm::event<"PORT_CHANGE">;
    CHECK(subscribe_numbers(channel, cq.get(), {}) == invalid);
    CHECK(subscribe_numbers(channel, cq.get(), {error, error}) == invalid);
    CHECK(subscribe_numbers(channel, cq.get(), {error, command}) == invalid);
    CHECK(subscribe_numbers(channel, cq.get(), {256}) == invalid);
    CHECK(subscribe_numbers(channel, nullptr, {error}) == invalid); // an object's
    CHECK(subscribe_numbers(channel, cq.get(), {port}) == invalid); // no object's
    CHECK(subscribe_numbers(channel, foreign.get(), {error}) == invalid);
    // The driver has seen the first event when the one behind it has come.
    REQUIRE(subscribe_numbers(after, later.get(), {error}) == ok);
    raise_event(b.context(), "CQ_ERROR", of_cq(number_of(cq)));
    raise_event(b.context(), "CQ_ERROR", of_cq(number_of(later)));
    next(after);
    REQUIRE(subscribe_numbers(channel, cq.get(), {error}) == ok);
    raise_event(b.context(), "CQ_ERROR", of_cq(number_of(cq)));
    next(channel);
    CHECK(is_quiet(channel)); // the first was nobody's
    CHECK(refusal_of<event_channel_ptr>(kdevx_event_channel_create, b.context(), 2u) == invalid);
}

TEST_CASE("without data, what was not taken yet counts once", "[events]") {
    bench b;
    object_ptr one = b.create(b.cq()), two = b.create(b.cq());
    event_channel_ptr bare = make_channel(b.context(), KDEVX_EVENT_OMIT_DATA),
                      full = make_channel(b.context());
    for (const auto *channel : {&bare, &full}) {
        REQUIRE(subscribe(*channel, one.get(), {"CQ_ERROR"}, 1) == ok);
        REQUIRE(subscribe(*channel, two.get(), {"CQ_ERROR"}, 2) == ok);
    }
    for (const auto *cq : {&one, &one, &two, &one})
        raise_event(b.context(), "CQ_ERROR", of_cq(number_of(*cq)));
    for (std::uint64_t cookie : {1, 1, 2, 1}) // the last of these is seen, so all have come
        CHECK(next(full).cookie == cookie);
    const kdevx_event first = next(bare);
    CHECK(first.has_data == 0);
    CHECK(first.cookie == 1);
    CHECK(next(bare).cookie == 2);
    CHECK(is_quiet(bare));
    raise_event(b.context(), "CQ_ERROR", of_cq(number_of(one)));
    CHECK(next(bare).cookie == 1); // taken ones may come again
}

TEST_CASE("events that go to an eventfd", "[events]") {
    bench b;
    object_ptr cq = b.create(b.cq());
    event_channel_ptr channel = make_channel(b.context());
    const counter count;
    const std::uint16_t error = prm::event<"CQ_ERROR">;
    const auto subscribe_fd = [&](int fd) {
        return call(kdevx_event_subscribe_fd, channel.get(), fd, cq.get(), &error, std::size_t(1));
    };
    REQUIRE(subscribe_fd(count.fd()) == ok);
    raise_event(b.context(), "CQ_ERROR", of_cq(number_of(cq)));
    CHECK(count.wait() == 1);
    CHECK(is_quiet(channel));

    CHECK(subscribe_fd(-1) == failed(EBADF, KDEVX_CAUSE_INVALID));
    CHECK(subscribe_fd(1023) == failed(EBADF, KDEVX_CAUSE_INVALID));
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    CHECK(subscribe_fd(ends[0]) == invalid);
    close(ends[0]);
    close(ends[1]);
    raise_event(b.context(), "CQ_ERROR", of_cq(number_of(cq)));
    CHECK(count.wait() == 1); // that of the one that was taken
}

TEST_CASE("an eventfd for events of no object", "[events]") {
    context_ptr c = open_context();
    event_channel_ptr channel = make_channel(c.get());
    const counter count;
    const std::uint16_t port = prm::event<"PORT_CHANGE">;
    REQUIRE(call(kdevx_event_subscribe_fd, channel.get(), count.fd(),
                 static_cast<kdevx_object *>(nullptr), &port, std::size_t(1)) == ok);
    raise_event(c.get(), "PORT_CHANGE", of_port(1), 5);
    CHECK(count.wait() == 1);
}

TEST_CASE("the fd of a channel is for poll", "[events]") {
    bench b;
    object_ptr cq = b.create(b.cq());
    event_channel_ptr channel = make_channel(b.context());
    const int fd = kdevx_event_channel_fd(channel.get());
    CHECK(fcntl(fd, F_GETFD) == FD_CLOEXEC);
    CHECK((fcntl(fd, F_GETFL) & O_NONBLOCK) != 0);
    REQUIRE(subscribe(channel, cq.get(), {"CQ_ERROR"}, 1) == ok);
    CHECK_FALSE(is_readable(fd));
    raise_event(b.context(), "CQ_ERROR", of_cq(number_of(cq)));
    CHECK(wait_for(std::chrono::seconds(10), [&] { return is_readable(fd); }));
    next(channel);
    CHECK_FALSE(is_readable(fd));
    auto e = sized<kdevx_event>();
    CHECK(call(kdevx_event_get, channel.get(), 1, &e) ==
          failed(ETIMEDOUT, KDEVX_CAUSE_NOTHING_YET));
    // The record must have room: less than the kernel's 72 bytes is EINVAL, and it stays.
    raise_event(b.context(), "CQ_ERROR", of_cq(number_of(cq)));
    CHECK(wait_for(std::chrono::seconds(10), [&] { return is_readable(fd); }));
    char small[71];
    CHECK((read(fd, small, sizeof small) < 0 && errno == EINVAL));
    CHECK(next(channel).cookie == 1);
}

TEST_CASE("a subscription ends with its object or its channel", "[events]") {
    bench b;
    object_ptr cq = b.create(b.cq());
    const std::uint32_t number = number_of(cq);
    event_channel_ptr channel = make_channel(b.context()), other = make_channel(b.context());
    REQUIRE(subscribe(channel, cq.get(), {"CQ_ERROR"}, 1) == ok);
    REQUIRE(subscribe(other, cq.get(), {"CQ_ERROR"}, 2) == ok);
    channel.reset();
    raise_event(b.context(), "CQ_ERROR", of_cq(number));
    CHECK(next(other).cookie == 2);
    // What was raised before the object went is still to be had.
    raise_event(b.context(), "CQ_ERROR", of_cq(number));
    CHECK(wait_for(std::chrono::seconds(10),
                   [&] { return is_readable(kdevx_event_channel_fd(other.get())); }));
    cq.reset();
    auto e = sized<kdevx_event>();
    const outcome got = call(kdevx_event_get, other.get(), KDEVX_NO_WAIT, &e);
    CHECK((got == ok || got == failed(EAGAIN, KDEVX_CAUSE_NOTHING_YET)));
    CHECK(is_quiet(other));
}

TEST_CASE("a context without DEVX has no events to subscribe to", "[events]") {
    context_ptr c = open_context(KDEVX_DEVX_NEVER);
    event_channel_ptr channel = make_channel(c.get());
    const std::uint16_t port = prm::event<"PORT_CHANGE">;
    CHECK(call(kdevx_event_subscribe, channel.get(), static_cast<kdevx_object *>(nullptr), &port,
               std::size_t(1), std::uint64_t(0)) == failed(EINVAL, KDEVX_CAUSE_NO_DEVX_UID));
}

TEST_CASE("the general-object kind of event finds its object", "[events]") {
    bench b;
    exchange x("CREATE_GENERAL_OBJECT", prm::virtio_q_counters.size);
    x.set("obj_type", prm::object_type<"VIRTIO_Q_COUNTERS">);
    object_ptr o = b.create(x);
    event_channel_ptr channel = make_channel(b.context());
    REQUIRE(subscribe(channel, o.get(), {"OBJECT_CHANGE"}, 7) == ok);
    box data(prm::affiliated_event_header);
    data.set("obj_type", prm::object_type<"VIRTIO_Q_COUNTERS">);
    data.set("obj_id", info_of(o.get()).device_id);
    raise_event(b.context(), "OBJECT_CHANGE", data);
    const kdevx_event e = next(channel);
    CHECK(e.cookie == 7);
    CHECK(e.type == prm::event<"OBJECT_CHANGE">);
}
