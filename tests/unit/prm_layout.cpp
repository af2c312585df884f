// SPDX-License-Identifier: MIT
#include "kdevx/prm/layout.hpp"

#include "catch.hpp"

#include <random>

using namespace kdevx::prm;

namespace {
inline constexpr layout context{"context",
                                0x10,
                                {
                                    {"state", 0x00, 31, 28},
                                    {"number", 0x00, 23, 0},
                                    {"address", 0x04, 63, 0},
                                    {"low", 0x0c, 7, 0},
                                }};
inline constexpr layout command{"command",
                                0x40,
                                {
                                    {"opcode", 0x00, 31, 16},
                                    {"uid", 0x00, 15, 0},
                                    {"context", 0x10, context},
                                    {"key", 0x20, bytes{8}},
                                    {"mask", 0x28, 63, 0, array{2}},
                                    {"pas", 0x40, 63, 0, trailing},
                                }};

// Bit by bit, from the definition, and sharing nothing with the code under test.
std::uint64_t bits_of(std::span<const std::byte> b, std::size_t dword, unsigned hi, unsigned lo) {
    std::uint64_t v = 0;
    unsigned word = hi > 31 ? 64 : 32;
    for (unsigned bit = hi + 1; bit-- > lo;) {
        std::size_t n = dword * 8 + (word - 1 - bit);
        v = v << 1 | (unsigned(b[n / 8]) >> (7 - n % 8) & 1);
    }
    return v;
}
} // namespace

TEST_CASE("every kind of field is where its row says", "[prm]") {
    std::mt19937_64 random(1);
    mailbox<command, 24> m;
    for (int round = 0; round < 1000; ++round) {
        std::uint64_t v = random();
        m.set<"opcode">(v & 0xffff).set<"uid">(v >> 16 & 0xffff);
        m.set<"context.number">(v & 0xffffff).set<"context.state">(v >> 60);
        m.set<"context.address">(v).set_at<"mask">(1, ~v).set_at<"pas">(2, v);
        REQUIRE(m.valid());
        CHECK(bits_of(m.bytes(), 0x00, 31, 16) == (v & 0xffff));
        CHECK(bits_of(m.bytes(), 0x00, 15, 0) == (v >> 16 & 0xffff));
        CHECK(bits_of(m.bytes(), 0x10, 23, 0) == (v & 0xffffff));
        CHECK(bits_of(m.bytes(), 0x10, 31, 28) == v >> 60);
        CHECK(bits_of(m.bytes(), 0x14, 63, 0) == v);
        CHECK(bits_of(m.bytes(), 0x30, 63, 0) == ~v);
        CHECK(bits_of(m.bytes(), 0x50, 63, 0) == v);
        CHECK(m.get<"context.address">() == v);
        CHECK(m.get<"mask">(1) == ~v);
    }
}

TEST_CASE("a value that does not fit is named, and nothing is written", "[prm]") {
    mailbox<command> m;
    m.set<"context.number">(7).set<"context.number">(0x1000000).set<"uid">(0x10000);
    CHECK(m.misfit() == "context.number");
    CHECK(m.get<"context.number">() == 7);
    CHECK(m.get<"uid">() == 0);
    mailbox<command> past;
    CHECK(past.set_at<"mask">(2, 1).misfit() == "mask");
    CHECK(past.set_at<"pas">(0, 1).misfit() == "mask");
}

TEST_CASE("bytes keep memory order and their bounds", "[prm]") {
    mailbox<command> m;
    std::array<std::byte, 9> key{};
    for (std::size_t i = 0; i < key.size(); ++i) key[i] = std::byte(i + 1);
    m.set_bytes<"key">(std::span(key).first(8));
    REQUIRE(m.valid());
    for (std::size_t i = 0; i < 8; ++i) CHECK(m.bytes()[0x20 + i] == key[i]);
    CHECK(m.get_bytes<"key">().size() == 8);
    CHECK(m.set_bytes<"key">(key).misfit() == "key");
}

TEST_CASE("a short buffer reads as zero beyond its end and refuses writes there", "[prm]") {
    std::array<std::byte, 0x14> small{};
    small.fill(std::byte{0xff});
    view<command> v(small);
    CHECK(v.get<"context.number">() == 0xffffff);
    CHECK(v.get<"context.address">() == 0);
    CHECK(v.bytes<"key">().empty());
    editor<command> e(small);
    CHECK(e.set<"context.address">(1).misfit() == "context.address");
}

TEST_CASE("paths are also found at run time", "[prm]") {
    place p = find_place(command, "context.low");
    CHECK(p.row.offset == 0x1c);
    CHECK(find_place(command, "context.none").row.name.empty());
    CHECK(find_place(command, "opcode.low").row.name.empty());
}
