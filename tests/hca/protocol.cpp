// SPDX-License-Identifier: MIT
// The vfio-user protocol, spoken byte by byte to the server.
#include "harness.hpp"

#include "../unit/catch.hpp"

#include <cerrno>
#include <sys/eventfd.h>
#include <unistd.h>

using namespace hca_test;

TEST_CASE("vfio-user: nothing works before VERSION") {
    machine m;
    CHECK(m.ask(wire::DEVICE_GET_INFO, bytes(16)).error == EPROTO);
    m.introduce();
    CHECK(m.ask(wire::DEVICE_GET_INFO, bytes(16)).error == 0);
    CHECK(m.ask(wire::VERSION, raw(wire::version{0, 0})).error == EINVAL);
}

TEST_CASE("vfio-user: VERSION tells the limits that QEMU accepts") {
    machine m;
    reply r = m.ask(wire::VERSION, raw(wire::version{0, 1}));
    REQUIRE(r.error == 0);
    const std::string text(reinterpret_cast<const char *>(r.body.data()) + 4);
    CHECK(text.find("\"max_msg_fds\":16") != std::string::npos);
    CHECK(text.find("\"max_data_xfer_size\":1048576") != std::string::npos);
    machine other;
    CHECK(other.ask(wire::VERSION, raw(wire::version{1, 0})).error == EINVAL);
}

TEST_CASE("vfio-user: device, regions and interrupts are described") {
    machine m("vectors=12");
    m.introduce();
    reply info = m.ask(wire::DEVICE_GET_INFO, bytes(16));
    CHECK(info.body == raw(wire::device_info{16, 3, 9, 5}));
    auto region = [&](std::uint32_t n) {
        return m.ask(wire::DEVICE_GET_REGION_INFO, raw(wire::region_info{32, 0, n, 0, 0, 0}));
    };
    CHECK(region(0).body == raw(wire::region_info{32, 3, 0, 0, 32u << 20, 0}));
    CHECK(region(2).body == raw(wire::region_info{32, 0, 2, 0, 0, 0}));
    CHECK(region(7).body == raw(wire::region_info{32, 3, 7, 0, 4096, 0}));
    CHECK(region(9).error == EINVAL);
    auto irq = [&](std::uint32_t n) {
        return m.ask(wire::DEVICE_GET_IRQ_INFO, raw(wire::irq_info{16, 0, n, 0}));
    };
    CHECK(irq(2).body == raw(wire::irq_info{16, 9, 2, 12}));
    CHECK(irq(0).body == raw(wire::irq_info{16, 0, 0, 0}));
    CHECK(irq(5).error == EINVAL);
}

TEST_CASE("vfio-user: unknown commands are answered, not ignored") {
    machine m;
    m.introduce();
    CHECK(m.ask(14, bytes(16)).error == EOPNOTSUPP);
    CHECK(m.ask(0xffff, {}).error == EOPNOTSUPP);
    CHECK(m.alive());
}

TEST_CASE("vfio-user: a message may come in pieces, and two at once") {
    machine m;
    m.introduce();
    const bytes whole = machine::message(wire::DEVICE_GET_INFO, bytes(16));
    for (std::byte b : whole)
        m.send({b});
    CHECK(m.receive().error == 0);
    m.send(whole + whole);
    m.run();
    CHECK(m.receive().error == 0);
    CHECK(m.receive().error == 0);
}

TEST_CASE("vfio-user: a client that breaks the framing is hung up on") {
    auto header =
        GENERATE(wire::header{1, wire::VERSION, 15, 0, 0}, wire::header{1, wire::VERSION, 0, 0, 0},
                 wire::header{1, wire::VERSION, 0xffffffff, 0, 0},
                 wire::header{1, wire::VERSION, 16, wire::type_reply, 0});
    machine m;
    m.send(raw(header));
    CHECK_FALSE(m.alive());
    CHECK(m.receive().closed);
}

TEST_CASE("vfio-user: short bodies are refused by every command") {
    machine m;
    m.introduce();
    auto command = GENERATE(wire::DMA_MAP, wire::DMA_UNMAP, wire::DEVICE_GET_REGION_INFO,
                            wire::DEVICE_GET_IRQ_INFO, wire::DEVICE_SET_IRQS, wire::REGION_READ,
                            wire::REGION_WRITE, wire::REGION_WRITE_MULTI);
    CHECK(m.ask(command, {}).error == EINVAL);
    CHECK(m.ask(command, bytes(7)).error == EINVAL);
    CHECK(m.alive());
}

TEST_CASE("vfio-user: no access leaves its region") {
    machine m;
    m.introduce();
    auto read = [&](std::uint64_t offset, std::uint32_t region, std::uint32_t n) {
        return m.ask(wire::REGION_READ, raw(wire::region_access{offset, region, n})).error;
    };
    CHECK(read(0, 0, 4) == 0);
    CHECK(read((32u << 20) - 4, 0, 4) == 0);
    CHECK(read((32u << 20) - 3, 0, 4) == EINVAL);
    CHECK(read(~0ull, 0, 4) == EINVAL);
    CHECK(read(4096, 7, 1) == EINVAL);
    CHECK(read(0, 1, 1) == EINVAL);
    CHECK(read(0, 1, 0) == 0);
    CHECK(read(0, 99, 4) == EINVAL);
    CHECK(read(0, 0, 0xffffffff) == EINVAL);
    // As many bytes as announced have to be there.
    CHECK(m.ask(wire::REGION_WRITE, raw(wire::region_access{0x3c, 7, 4}) + bytes(3)).error ==
          EINVAL);
}

TEST_CASE("vfio-user: a write with no reply wanted gets none") {
    machine m;
    m.introduce();
    bytes write = raw(wire::region_access{0x3c, 7, 1}) + bytes{std::byte(0x5a)};
    m.send(machine::message(wire::REGION_WRITE, write, wire::flag_no_reply));
    CHECK(m.read(7, 0x3c, 1) == bytes{std::byte(0x5a)}); // this reply is the next one
}

TEST_CASE("vfio-user: several writes in one message") {
    machine m;
    m.introduce();
    auto one = [](std::uint64_t offset, std::uint8_t v) {
        return raw(wire::region_access{offset, 7, 1}) + bytes{std::byte(v)} + bytes(7);
    };
    CHECK(m.ask(wire::REGION_WRITE_MULTI, raw(std::uint64_t(2)) + one(0x3c, 1) + one(0x0c, 2))
              .error == 0);
    CHECK(m.read(7, 0x3c, 1) == bytes{std::byte(1)});
    CHECK(m.read(7, 0x0c, 1) == bytes{std::byte(2)});
    CHECK(m.ask(wire::REGION_WRITE_MULTI, raw(std::uint64_t(2)) + one(0x3c, 1)).error == EINVAL);
    CHECK(m.ask(wire::REGION_WRITE_MULTI, raw(std::uint64_t(201))).error == EINVAL);
    CHECK(m.ask(wire::REGION_WRITE_MULTI, raw(~std::uint64_t(0))).error == EINVAL);
}

TEST_CASE("vfio-user: interrupts are connected, masked and disconnected") {
    machine m;
    m.introduce();
    const int fd = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    auto count = [&] {
        std::uint64_t n = 0;
        return ::read(fd, &n, sizeof n) == sizeof n ? n : 0;
    };
    auto set = [&](std::uint32_t flags, std::uint32_t start, std::uint32_t n,
                   std::vector<int> fds = {}) {
        return m.ask(wire::DEVICE_SET_IRQS, raw(wire::irq_set{20, flags, 2, start, n}), fds).error;
    };
    const auto connect = wire::irq_data_eventfd | wire::irq_trigger;
    const auto fire = wire::irq_data_none | wire::irq_trigger;
    CHECK(set(connect, 3, 1, {fd}) == 0);
    CHECK(set(fire, 3, 1) == 0);
    CHECK(count() == 1);
    CHECK(set(wire::irq_data_none | wire::irq_mask, 3, 1) == 0);
    CHECK(set(fire, 3, 1) == 0);
    CHECK(count() == 0);
    CHECK(set(wire::irq_data_none | wire::irq_unmask, 3, 1) == 0);
    CHECK(count() == 1);            // what it had to say while it was masked
    CHECK(set(connect, 3, 1) == 0); // no descriptor: disconnected
    CHECK(set(fire, 3, 1) == 0);
    CHECK(count() == 0);
    CHECK(set(connect, 8, 1, {fd}) == EINVAL);
    CHECK(set(connect, 7, 0xffffffff, {fd}) == EINVAL);
    CHECK(set(wire::irq_data_bool | wire::irq_trigger, 0, 1) == EOPNOTSUPP);
    // INTx: taken, and the descriptor closed, because there is none.
    CHECK(m.ask(wire::DEVICE_SET_IRQS, raw(wire::irq_set{20, connect, 0, 0, 1}), {fd}).error == 0);
    ::close(fd);
}

TEST_CASE("vfio-user: more descriptors than announced are an error of that message alone") {
    machine m;
    m.introduce();
    std::vector<int> many(17, 2);
    CHECK(m.ask(wire::DEVICE_GET_INFO, bytes(16), many).error == EMFILE);
    CHECK(m.ask(wire::DEVICE_GET_INFO, bytes(16)).error == 0);
}
