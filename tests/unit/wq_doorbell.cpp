// SPDX-License-Identifier: MIT
// In which order memory, records, barriers and registers are touched.
#include "wq_world.hpp"

#include "catch.hpp"

#include <string>

using namespace world;

namespace {

std::string happened;

// Writes down what it is told to do, and does it.
struct recording_bus {
    static void note(const char *what) { happened += std::string(what) + ' '; }
    static void to_device() noexcept { note("to_device"); }
    static void before_register() noexcept { note("before_register"); }
    static void flush_registers() noexcept { note("flush"); }
    static void write_record(std::byte *record, std::uint32_t be) noexcept {
        note("record");
        device_bus::write_record(record, be);
    }
    static void write_register(std::byte *reg, const std::byte *from) noexcept {
        note("register");
        device_bus::write_register(reg, from);
    }
    static void lock(bool &l) noexcept {
        note("lock");
        device_bus::lock(l);
    }
    static void unlock(bool &l) noexcept {
        note("unlock");
        device_bus::unlock(l);
    }
};

struct ring_memory {
    memory ring{256}, record{64};
    uar u;
    ring_memory() {
        for (std::size_t i = 0; i < ring.size(); ++i)
            ring.data()[i] = std::byte(i);
    }
    last_wqe wqe(std::uint32_t slot, std::uint32_t size = 0) {
        return {ring.data() + slot * 64, ring.data(), ring.data() + ring.size(), size};
    }
};

} // namespace

TEST_CASE("a send doorbell: WQEs, then the record, then the register", "[wq]") {
    ring_memory m;
    happened.clear();
    ring_send<recording_bus>(m.record.data(), 0x12345, m.u.reg, m.wqe(2));
    CHECK(happened == "to_device record before_register register ");
    CHECK(prm::load_be<std::uint32_t>(m.record.data() + 4) == 0x2345);
    CHECK(m.u.send_doorbell() == 0x8081828384858687);
}

TEST_CASE("bug 57: a combining register is fenced before and flushed after", "[wq][bugs]") {
    ring_memory m;
    m.u.reg.write_combining = true;
    happened.clear();
    ring_send<recording_bus>(m.record.data(), 1, m.u.reg, m.wqe(0));
    CHECK(happened == "to_device record before_register register flush ");
    happened.clear();
    arm_cq<recording_bus>(m.record.data(), 0xc0de, 5, 2, 0, m.u.reg);
    CHECK(happened == "to_device record before_register register flush ");
    CHECK(m.u.cq_doorbell() == 0x200000050000c0de);
    m.u.reg.shared = true;
    happened.clear();
    ring_send<recording_bus>(m.record.data(), 1, m.u.reg, m.wqe(0));
    CHECK(happened == "to_device record lock before_register register flush unlock ");
    CHECK_FALSE(m.u.reg.locked);
}

TEST_CASE("bug 57: the fence before a register is one that combining memory respects",
          "[wq][bugs]") {
    // A compiler barrier alone would leave nothing here.
#if defined(__x86_64__)
    const auto *code = reinterpret_cast<const std::uint8_t *>(&before_register);
    bool sfence = false;
    for (int i = 0; i < 64 && !sfence; ++i)
        sfence = code[i] == 0x0f && code[i + 1] == 0xae && code[i + 2] == 0xf8;
    CHECK(sfence);
#else
    SUCCEED("looked at on x86-64 only");
#endif
}

TEST_CASE("bug 57: registers of a UAR page stand where the device has 4 KiB pages", "[wq][bugs]") {
    // On a CPU with pages of 64 KiB, one mapping holds sixteen pages of the device.
    for (std::size_t page : {0, 1, 15}) {
        memory mapping(16 * 4096);
        uar_register u;
        u.page = mapping.data() + page * prm::MLX5_ADAPTER_PAGE_SIZE;
        u.reg = u.page + prm::MLX5_BF_OFFSET;
        memory record(64), ring(64, 0x77);
        ring_send(record.data(), 1, u, {ring.data(), ring.data(), ring.data() + 64, 0});
        arm_cq(record.data(), 1, 0, 0, 0, u);
        CHECK(mapping.data()[page * 4096 + 0x800] == std::byte{0x77});
        CHECK(mapping.data()[page * 4096 + 0x27] == std::byte{1});
    }
}

TEST_CASE("bug 58: a queue that only sends has its counter in the second word", "[wq][bugs]") {
    memory ring(512), record(64);
    std::vector<send_slot> slots(8);
    uar u;
    send_ring_config c;
    c.buffer = ring.span();
    c.slots = slots;
    c.doorbell_record = record.data();
    c.uar = &u.reg;
    send_ring only_sends;
    REQUIRE(only_sends.init(c) == error::none);
    send_request nop;
    nop.op = send_op::nop;
    REQUIRE(only_sends.post(nop) == error::none);
    only_sends.ring();
    CHECK(prm::load_be<std::uint32_t>(record.data()) == 0);
    CHECK(prm::load_be<std::uint32_t>(record.data() + 4) == 1);
}

TEST_CASE("BlueFlame copies the whole WQE, wraps, and uses both halves in turn", "[wq]") {
    ring_memory m;
    m.u.reg.bf_size = 256;
    m.u.reg.write_combining = true;
    happened.clear();
    write_uar<recording_bus>(m.u.reg, m.wqe(3, 128));
    std::string expected = "before_register ";
    for (int i = 0; i < 16; ++i)
        expected += "register ";
    CHECK(happened == expected + "flush ");
    for (std::size_t i = 0; i < 128; ++i)
        CHECK(m.u.reg.reg[i] == std::byte(192 + i)); // 192 .. 255, 0 .. 63
    CHECK(m.u.reg.bf_offset == 256);
    // The next one goes to the other half; one that is too long is a doorbell of 8 bytes.
    write_uar<recording_bus>(m.u.reg, m.wqe(1, 320));
    CHECK(m.u.send_doorbell(256) == 0x4041424344454647);
    CHECK(m.u.send_doorbell(264) == 0);
    CHECK(m.u.reg.bf_offset == 0);
}

TEST_CASE("BlueFlame is for a WQE that is alone and inline", "[wq]") {
    memory ring(1024), record(64);
    std::vector<send_slot> slots(16);
    uar u;
    u.reg.bf_size = 256;
    u.reg.write_combining = true;
    const std::uint8_t payload[40] = {1};
    const sge data{std::uint64_t(std::uintptr_t(payload)), 40, 7};
    send_ring_config c;
    c.buffer = ring.span();
    c.slots = slots;
    c.doorbell_record = record.data();
    c.uar = &u.reg;
    c.max_inline = 64;
    send_ring q;
    REQUIRE(q.init(c) == error::none);
    send_request r;
    r.sg_list = &data;
    r.num_sge = 1;
    const auto copied = [&](int posts, std::uint32_t flags) {
        std::memset(u.page.data(), 0xee, u.page.size());
        const std::size_t half = u.reg.bf_offset;
        r.flags = flags;
        for (int i = 0; i < posts; ++i) {
            const std::uint16_t at = std::uint16_t(q.producer());
            REQUIRE(q.post(r) == error::none);
            REQUIRE(q.retire(at) != nullptr);
        }
        q.ring();
        CHECK(u.reg.reg[half] != std::byte{0xee});
        return u.reg.reg[half + 8] != std::byte{0xee};
    };
    CHECK(copied(1, send_inline));
    CHECK_FALSE(copied(2, send_inline));
    CHECK_FALSE(copied(1, 0));
    CHECK(copied(1, send_inline));
    c.prefer_blue_flame = true;
    REQUIRE(q.init(c) == error::none);
    CHECK(copied(1, 0));
}

TEST_CASE("nothing posted, nothing rung", "[wq]") {
    pair p(1);
    std::memset(p.own_uar.page.data(), 0xee, 4096);
    std::memset(p.record.data(), 0xee, 8);
    p.qp.sq.ring();
    p.qp.rq.ring();
    CHECK(p.send_record() == 0xeeeeeeee);
    CHECK(p.receive_record() == 0xeeeeeeee);
    CHECK(p.own_uar.send_doorbell() == 0xeeeeeeeeeeeeeeee);
    send_request nop;
    nop.op = send_op::nop;
    REQUIRE(p.qp.sq.post(nop) == error::none);
    p.qp.sq.ring();
    CHECK(p.own_uar.send_doorbell() == 0x0000000000000101);
    std::memset(p.own_uar.page.data(), 0xee, 4096);
    p.qp.sq.ring(); // once is enough
    CHECK(p.own_uar.send_doorbell() == 0xeeeeeeeeeeeeeeee);
}
