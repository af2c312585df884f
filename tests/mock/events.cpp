// SPDX-License-Identifier: MIT
// Event channels, async fds and completion channels.
#include <cerrno>
#include <cstring>

#include <poll.h>

#include "../unit/catch.hpp"
#include "script.hpp"

using namespace kdevx;
using mock::bytes;

namespace {

struct events_fixture {
    mock::kernel k;
    kdevx_context *c = k.open();
    kdevx_failure why{};
    std::deque<bytes> records;
    bool hung_up = false;
    int overflow = 0;

    events_fixture() {
        k.on_read = [this](int, void *to, std::size_t size) -> std::int64_t {
            if (std::exchange(overflow, 0)) return -EOVERFLOW;
            if (records.empty()) return -EAGAIN;
            if (size < records.front().size()) return -EINVAL;
            bytes r = records.front();
            records.pop_front();
            std::memcpy(to, r.data(), r.size());
            return std::int64_t(r.size());
        };
        k.on_poll = [this](pollfd *p, int) {
            CHECK((p->events & POLLRDHUP) != 0);
            p->revents = hung_up ? POLLIN | POLLRDHUP : 0;
            return int(hung_up);
        };
    }
    ~events_fixture() {
        kdevx_context_close(c);
        CHECK(k.live() == 0);
        CHECK(k.broken_rules.empty());
    }
    kdevx_event_channel *channel(std::uint32_t flags = 0) {
        kdevx_event_channel *ch = nullptr;
        REQUIRE(kdevx_event_channel_create(c, flags, &ch, &why) == 0);
        return ch;
    }
    kdevx_object *object() {
        kdevx_object *o = nullptr;
        bytes in = mock::random_bytes(32), out(16);
        REQUIRE(kdevx_object_create(c, in.data(), 32, out.data(), 16, &o, &why) == 0);
        return o;
    }
    int get(kdevx_event_channel *ch, kdevx_event &e, int timeout_ms = KDEVX_NO_WAIT) {
        e = {};
        e.size = sizeof e;
        return kdevx_event_get(ch, timeout_ms, &e, &why);
    }
    void invalid(const char *step, int r) {
        CHECK(r == -EINVAL);
        CHECK(why.cause == KDEVX_CAUSE_INVALID);
        CHECK(std::string(why.step) == step);
    }
};

} // namespace

TEST_CASE("an event channel: exact bytes, a non-blocking fd") {
    events_fixture f;
    mock::script s(f.k);
    s.expect(kabi::async_event_fd::alloc)
        .makes("MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_HANDLE", 77)
        .flags("MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_FLAGS", 1);
    f.k.fds.insert(77);
    kdevx_event_channel *ch = f.channel(KDEVX_EVENT_OMIT_DATA);
    CHECK(kdevx_event_channel_fd(ch) == 77);
    CHECK(f.k.count(mock::call::fcntl) == 1);
    CHECK(s.differences() == "");
    CHECK(kdevx_event_channel_destroy(ch, &f.why) == 0);
    CHECK(kdevx_event_channel_fd(ch) == -EBADF);
    CHECK(f.k.fds.count(77) == 0);
}

TEST_CASE("subscribing: objects and none, one to sixteen types, counted and not measured") {
    events_fixture f;
    kdevx_event_channel *ch = f.channel();
    kdevx_object *o = f.object();
    kdevx_object_info info{sizeof info};
    REQUIRE(kdevx_object_get_info(o, &info, &f.why) == 0);
    std::uint64_t cookie = mock::random_number();
    std::uint16_t types[17];
    for (unsigned i = 0; i < 17; ++i)
        types[i] = std::uint16_t(3 + i);
    for (std::size_t n : {1, 4, 5, 16}) {
        bytes list(n * 2);
        std::memcpy(list.data(), types, n * 2);
        mock::script s(f.k);
        s.expect(kabi::devx::subscribe_event)
            .handle("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE",
                    std::uint64_t(kdevx_event_channel_fd(ch)))
            .handle("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE", info.handle)
            .in("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST", list)
            .in_value("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE", cookie);
        CHECK(kdevx_event_subscribe(ch, o, types, n, cookie, &f.why) == 0);
        s.expect(kabi::devx::subscribe_event)
            .handle("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE",
                    std::uint64_t(kdevx_event_channel_fd(ch)))
            .in("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST", list)
            .in_value("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE", cookie);
        CHECK(kdevx_event_subscribe(ch, nullptr, types, n, cookie, &f.why) == 0);
        CHECK(s.differences() == "");
    }
    unsigned asked = f.k.count(mock::call::ioctl);
    f.invalid("count", kdevx_event_subscribe(ch, o, types, 0, 0, &f.why));
    f.invalid("count", kdevx_event_subscribe(ch, o, types, 17, 0, &f.why));
    CHECK(f.why.detail[0] == 17);
    CHECK(f.why.detail[1] == KDEVX_MAX_EVENTS);
    f.invalid("types", kdevx_event_subscribe(ch, o, nullptr, 1, 0, &f.why));
    types[5] = types[2];
    f.invalid("types", kdevx_event_subscribe(ch, o, types, 6, 0, &f.why));
    CHECK(f.why.detail[0] == types[2]);
    f.invalid("channel", kdevx_event_subscribe(nullptr, o, types, 1, 0, &f.why));
    events_fixture other;
    kdevx_object *foreign = other.object();
    f.invalid("object", kdevx_event_subscribe(ch, foreign, types, 1, 0, &f.why));
    CHECK(f.k.count(mock::call::ioctl) == asked);
    CHECK(kdevx_object_destroy(foreign, &f.why) == 0);
    CHECK(kdevx_object_destroy(o, &f.why) == 0);
    CHECK(kdevx_event_subscribe(ch, o, types, 1, 0, &f.why) == -EBADF);
    CHECK(f.why.cause == KDEVX_CAUSE_CLOSED);
    CHECK(kdevx_event_channel_destroy(ch, &f.why) == 0);
}

TEST_CASE("subscribing by eventfd: no cookie; a bad fd is refused before the kernel sees it") {
    events_fixture f;
    kdevx_event_channel *ch = f.channel();
    std::uint16_t type = 9;
    {
        mock::script s(f.k);
        bytes list(2);
        std::memcpy(list.data(), &type, 2);
        s.expect(kabi::devx::subscribe_event)
            .handle("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE",
                    std::uint64_t(kdevx_event_channel_fd(ch)))
            .in("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST", list)
            .in_value("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM", std::uint32_t(42));
        CHECK(kdevx_event_subscribe_fd(ch, 42, nullptr, &type, 1, &f.why) == 0);
        CHECK(s.differences() == "");
    }
    unsigned asked = f.k.count(mock::call::ioctl);
    CHECK(kdevx_event_subscribe_fd(ch, -1, nullptr, &type, 1, &f.why) == -EBADF);
    CHECK(std::string(f.why.step) == "eventfd");
    f.k.fail(mock::call::fcntl, 0, EBADF);
    CHECK(kdevx_event_subscribe_fd(ch, 42, nullptr, &type, 1, &f.why) == -EBADF);
    CHECK(f.why.cause == KDEVX_CAUSE_INVALID);
    CHECK(f.k.count(mock::call::ioctl) == asked);
    CHECK(kdevx_event_channel_destroy(ch, &f.why) == 0);
}

TEST_CASE("events with data: cookie, type, subtype and the whole entry") {
    events_fixture f;
    kdevx_event_channel *ch = f.channel();
    kdevx_event e;
    CHECK(f.get(ch, e) == -EAGAIN);
    CHECK(f.why.cause == KDEVX_CAUSE_NOTHING_YET);
    CHECK(f.get(ch, e, 10) == -ETIMEDOUT);
    bytes record = mock::random_bytes(72);
    f.records.push_back(record);
    REQUIRE(f.get(ch, e) == 0);
    CHECK(e.what == KDEVX_EVENT_RAISED);
    CHECK(e.has_data == 1);
    CHECK(std::memcmp(&e.cookie, record.data(), 8) == 0);
    CHECK(e.type == std::uint32_t(record[8 + 1]));
    CHECK(e.subtype == std::uint32_t(record[8 + 3]));
    CHECK(std::memcmp(e.eqe, record.data() + 8, 64) == 0);
    CHECK(kdevx_event_channel_destroy(ch, &f.why) == 0);
}

TEST_CASE("events without data are a cookie") {
    events_fixture f;
    kdevx_event_channel *ch = f.channel(KDEVX_EVENT_OMIT_DATA);
    kdevx_event e;
    bytes record = mock::random_bytes(8);
    f.records.push_back(record);
    REQUIRE(f.get(ch, e) == 0);
    CHECK(e.has_data == 0);
    CHECK(e.type == 0);
    CHECK(std::memcmp(&e.cookie, record.data(), 8) == 0);
    CHECK(kdevx_event_channel_destroy(ch, &f.why) == 0);
}

TEST_CASE("an overrun is told in the stream, once, and the stream goes on") {
    events_fixture f;
    kdevx_event_channel *ch = f.channel();
    f.overflow = 1;
    f.records.push_back(mock::random_bytes(72));
    kdevx_event e;
    REQUIRE(f.get(ch, e) == 0);
    CHECK(e.what == KDEVX_EVENT_OVERRUN);
    REQUIRE(f.get(ch, e) == 0);
    CHECK(e.what == KDEVX_EVENT_RAISED);
    CHECK(f.get(ch, e) == -EAGAIN);
    CHECK(kdevx_event_channel_destroy(ch, &f.why) == 0);
}

TEST_CASE("a device that is gone: what is there, then the news once, then a failure each time") {
    events_fixture f;
    kdevx_event_channel *ch = f.channel();
    f.records.push_back(mock::random_bytes(72));
    f.hung_up = true;
    kdevx_event e;
    for (int timeout : {KDEVX_NO_WAIT, KDEVX_FOREVER, 5}) {
        if (timeout == KDEVX_NO_WAIT) {
            REQUIRE(f.get(ch, e, timeout) == 0);
            CHECK(e.what == KDEVX_EVENT_RAISED);
            REQUIRE(f.get(ch, e, timeout) == 0);
            CHECK(e.what == KDEVX_EVENT_DEVICE_GONE);
        }
        CHECK(f.get(ch, e, timeout) == -EIO);
        CHECK(f.why.cause == KDEVX_CAUSE_DEVICE_GONE);
    }
    CHECK(kdevx_event_channel_destroy(ch, &f.why) == 0);
}

TEST_CASE("an event record of an odd size is no event") {
    events_fixture f;
    kdevx_event_channel *ch = f.channel();
    kdevx_event e;
    f.records.push_back(mock::random_bytes(40));
    CHECK(f.get(ch, e) == -EBADMSG);
    f.invalid("event", kdevx_event_get(ch, 0, nullptr, &f.why));
    e.size = 8;
    f.invalid("event", kdevx_event_get(ch, 0, &e, &f.why));
    f.invalid("timeout_ms", f.get(ch, e, -2));
    f.invalid("flags", kdevx_event_channel_create(f.c, 2, &ch, &f.why));
    CHECK(kdevx_event_channel_destroy(ch, &f.why) == 0);
}

TEST_CASE("the async fd: events of ports and verbs objects") {
    events_fixture f;
    kdevx_async_fd *a = nullptr;
    REQUIRE(kdevx_async_fd_create(f.c, &a, &f.why) == 0);
    struct {
        std::uint64_t element;
        std::uint32_t type, reserved;
    } record{mock::random_number(), 10, 0};
    bytes b(sizeof record);
    std::memcpy(b.data(), &record, sizeof record);
    f.records.push_back(b);
    kdevx_async_event e{};
    e.size = sizeof e;
    REQUIRE(kdevx_async_fd_get(a, 0, &e, &f.why) == 0);
    CHECK(e.what == KDEVX_EVENT_RAISED);
    CHECK(e.type == 10);
    CHECK(e.element == record.element);
    CHECK(kdevx_async_fd_get(a, 0, &e, &f.why) == -EAGAIN);
    f.hung_up = true;
    REQUIRE(kdevx_async_fd_get(a, -1, &e, &f.why) == 0);
    CHECK(e.what == KDEVX_EVENT_DEVICE_GONE);
    CHECK(kdevx_async_fd_get(a, -1, &e, &f.why) == -EIO);
    CHECK(kdevx_async_fd_fd(a) >= 0);
    CHECK(kdevx_async_fd_destroy(a, &f.why) == 0);
}

TEST_CASE("a completion channel: by the old command; kept while a CQ uses it") {
    events_fixture f;
    kdevx_comp_channel *ch = nullptr;
    {
        mock::script s(f.k);
        s.expect(kabi::device::invoke_write)
            .in("UVERBS_ATTR_CORE_IN", bytes(8))
            .out_value("UVERBS_ATTR_CORE_OUT", std::uint32_t(55))
            .constant("UVERBS_ATTR_WRITE_CMD", 17);
        f.k.fds.insert(55);
        REQUIRE(kdevx_comp_channel_create(f.c, &ch, &f.why) == 0);
        CHECK(s.differences() == "");
    }
    CHECK(kdevx_comp_channel_fd(ch) == 55);
    std::uint64_t user_handle = 0;
    CHECK(kdevx_comp_channel_get(ch, 0, &user_handle, &f.why) == -EAGAIN);
    bytes record = mock::random_bytes(8);
    f.records.push_back(record);
    REQUIRE(kdevx_comp_channel_get(ch, 0, &user_handle, &f.why) == 0);
    CHECK(std::memcmp(&user_handle, record.data(), 8) == 0);
    kdevx_cq *cq = nullptr;
    kdevx_cq_options o{};
    o.size = sizeof o;
    o.cqe = 7;
    o.channel = ch;
    REQUIRE(kdevx_cq_create(f.c, &o, &cq, &f.why) == 0);
    CHECK(kdevx_comp_channel_destroy(ch, &f.why) == -EBUSY);
    CHECK(f.why.cause == KDEVX_CAUSE_BUSY);
    CHECK(f.why.detail[0] == KDEVX_KIND_CQ);
    CHECK(kdevx_comp_channel_fd(ch) == 55);
    CHECK(kdevx_cq_destroy(cq, &f.why) == 0);
    CHECK(kdevx_comp_channel_destroy(ch, &f.why) == 0);
    CHECK(kdevx_comp_channel_destroy(ch, &f.why) == -EBADF);
}
