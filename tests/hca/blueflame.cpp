// SPDX-License-Identifier: MIT
// Doorbells that carry their WQE.
#include "traffic.hpp"

#include "../unit/catch.hpp"

using namespace hca_test;
using prm::cqe_op;
using prm::wqe_op;

namespace {

struct flaming : traffic {
    endpoint e;
    explicit flaming(const std::string &words = "bf=1") : traffic(words), e(make()) {
        connect(e, e.qpn);
    }
    // Writes the WQE at `index` to a buffer of a register, in pieces, signalled or not.
    void flame(std::uint16_t index, bool signaled, std::size_t piece, std::size_t n = 64,
               std::uint32_t offset = 0x800) {
        bytes wqe = read_guest(e.send_ring() + (index & 15) * 64, 64);
        prm::editor<prm::wqe_ctrl>(wqe).set<"ce">(signaled ? prm::completion_mode<"ALWAYS"> : 0);
        for (std::size_t at = 0; at < n; at += piece)
            write(
                wire::bar0_region, std::uint64_t(b.uar) * 4096 + offset + at,
                bytes(wqe.begin() + std::ptrdiff_t(at), wqe.begin() + std::ptrdiff_t(at + piece)));
    }
    // A NOP that is posted, and not rung for.
    void post_nop(bool signaled) {
        post(e, {.opcode = wqe_op<"NOP">, .signaled = signaled}, false);
        memory.store<std::uint32_t>(e.record + 4, e.sent);
    }
};

} // namespace

TEST_CASE("BlueFlame: the WQE of the doorbell counts, in whatever pieces it comes") {
    flaming t;
    for (std::uint16_t n = 0; n < 4; ++n) {
        const std::size_t piece = std::size_t(8) << n;
        t.post_nop(false);
        t.flame(n, true, piece, 64, n % 2 ? 0x900 : 0x800);
        auto c = t.poll(t.e);
        REQUIRE(c);
        CHECK(c->counter() == n);
    }
}

TEST_CASE("BlueFlame: eight bytes and then nothing are a plain doorbell") {
    flaming t;
    t.post_nop(true);
    t.flame(0, false, 8, 8);
    CHECK(t.wait_for(t.e).counter() == 0);
    t.post_nop(true);
    t.flame(1, false, 8, 24); // broken off: what stands in the ring is executed
    CHECK(t.wait_for(t.e).counter() == 1);
    t.post_nop(true);
    t.flame(2, false, 8, 8);
    t.flame(2, false, 8, 8, 0x900); // another register does not wait for this one
    CHECK(t.wait_for(t.e).counter() == 2);
}

TEST_CASE("BlueFlame: earlier WQEs are taken from the ring") {
    flaming t;
    t.post_nop(true);
    t.post_nop(false);
    t.flame(1, true, 16);
    CHECK(t.poll(t.e)->counter() == 0);
    CHECK(t.poll(t.e)->counter() == 1);
}

TEST_CASE("BlueFlame: what comes for a WQE that is executed already is nothing") {
    flaming t;
    for (std::uint16_t n = 0; n < 3; ++n)
        t.post_nop(n == 2);
    t.flame(2, true, 64);
    CHECK(t.wait_for(t.e).counter() == 2); // the ring's others were not signalled
    t.flame(1, true, 64);
    t.post_nop(false);
    t.flame(3, true, 64); // and does not keep the next from being taken
    CHECK(t.wait_for(t.e).counter() == 3);
}

TEST_CASE("BlueFlame: without the option only the ring counts") {
    flaming t("bf=0");
    t.post_nop(false);
    t.flame(0, true, 8);
    t.run();
    CHECK_FALSE(t.poll(t.e));
}
