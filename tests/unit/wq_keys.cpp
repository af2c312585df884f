// SPDX-License-Identifier: MIT
// Translation entries and signature descriptions of memory keys.
#include "wq/signature.hpp"
#include "wq/translation.hpp"
#include "wq_golden.hpp"

#include "catch.hpp"

#include <array>

using namespace kdevx;
using namespace kdevx::wq;

namespace {

golden::bytes of(const std::byte *p, std::size_t n) {
    const auto *b = reinterpret_cast<const std::uint8_t *>(p);
    return {b, b + n};
}
std::string hex(const std::byte *p, std::size_t n) {
    return golden::hex(of(p, n));
}
std::string expected(const char *digits) {
    return golden::hex(golden::with_index(digits, 0));
}

} // namespace

TEST_CASE("bug 69: every KLM has its byte count", "[wq][bugs]") {
    std::array<std::byte, 64> out{};
    const sge pieces[]{{0x7f0000010000, 0x1000, 0xaaa}, {0x7f0000020000, 0xfffff000, 0xbbb}};
    const translation t = put_klms(pieces, out);
    REQUIRE(t.refused == error::none);
    CHECK(t.entries == 2);
    CHECK(t.length == 0x100000000);
    CHECK(hex(out.data(), 32) == expected("0000100000000aaa00007f0000010000"
                                          "fffff00000000bbb00007f0000020000"));
    const sge empty[]{{0x1000, 0, 1}};
    CHECK(put_klms(empty, out).refused == error::bad_translation);
    CHECK(put_klms(pieces, std::span(out).first(31)).refused == error::wqe_too_long);
}

TEST_CASE("bug 69: an address that differs from the memory's adds an entry for the tail",
          "[wq][bugs]") {
    std::array<std::byte, 64> out{};
    const std::uint32_t keys[]{0x100, 0x200};
    // Aligned alike: two pieces, two entries.
    translation t = put_ksms(0x40000000, 0x80000000, 0x2000, 0x1000, keys, out);
    REQUIRE(t.refused == error::none);
    CHECK(t.entries == 2);
    CHECK(hex(out.data(), 32) == expected("00001000000001000000000040000000"
                                          "00001000000002000000000040001000"));
    // Seen 0x40 further: the last 0x40 bytes lie in a third entry.
    t = put_ksms(0x40000000, 0x80000040, 0x2000, 0x1000, keys, out);
    REQUIRE(t.refused == error::none);
    CHECK(t.entries == 3);
    CHECK(t.length == 0x2000);
    CHECK(hex(out.data(), 48) == expected("0000100000000100000000003fffffc0"
                                          "00001000000002000000000040000fc0"
                                          "00001000000002000000000040001fc0"));
    CHECK(ksm_entries(0x80000040, 0x2000, 0x1000) == 3);
    CHECK(put_ksms(0, 0, 0x2000, 0x1001, keys, out).refused == error::bad_translation);
    CHECK(put_ksms(0, 0, 0x3000, 0x1000, keys, out).refused == error::bad_translation);
    CHECK(put_ksms(0, 0, 0, 0x1000, keys, out).refused == error::bad_translation);
    CHECK(put_ksms(0, 0, 0x2000, 0x1000, keys, std::span(out).first(16)).refused ==
          error::wqe_too_long);
}

TEST_CASE("bug 60: repetitions of blocks come to more than 4 GiB", "[wq][bugs]") {
    std::array<std::byte, 64> out{};
    const strided_block blocks[]{{0x10000, 0x8000, 0x100, 0xaaa}, {0x20000, 0x10, 0, 0xbbb}};
    const translation t = put_interleaved(blocks, 0x40000, out);
    REQUIRE(t.refused == error::none);
    CHECK(t.entries == 3);
    CHECK(t.length == 0x8010ull * 0x40000);
    CHECK(hex(out.data(), 48) == expected("00008010000004000004000000000002"
                                          "8100800000000aaa0000000000010000"
                                          "0010001000000bbb0000000000020000"));
    CHECK(put_interleaved(blocks, 0, out).refused == error::bad_translation);
    CHECK(put_interleaved({}, 1, out).refused == error::bad_translation);
    const strided_block wide[]{{0, 0x8000, 0x8000, 1}};
    CHECK(put_interleaved(wide, 1, out).refused == error::bad_translation);
    CHECK(put_interleaved(blocks, 1, std::span(out).first(32)).refused == error::wqe_too_long);
}

TEST_CASE("bug 70: signature descriptions, seeds of 0 and of all ones", "[wq][bugs]") {
    std::array<std::byte, 64> out{};
    signature_attributes a;
    a.memory.type = signature_type::crc32c;
    a.memory.block_size = 4096;
    a.memory.psv = 0x123456;
    a.check_mask = 0xf0;
    const std::string rest = "000000000000000000000000000000000000000000000000"
                             "000000000000000000000000000000000000000000000000";
    // Seed 0 sets the bit: format 0x43.
    REQUIRE(put_bsf(a, out.data()));
    CHECK(hex(out.data(), 64) == expected(("80f00003ffffffff0000000043123456" + rest).c_str()));
    // All ones does not: 0x42.
    a.memory.seed_ones = true;
    REQUIRE(put_bsf(a, out.data()));
    CHECK(hex(out.data(), 64) == expected(("80f00003ffffffff0000000042123456" + rest).c_str()));
    // With a crypto BSF behind it the size says so.
    a.with_crypto = true;
    REQUIRE(put_bsf(a, out.data()));
    CHECK(std::uint8_t(out[0]) == 0xc0);
    a.with_crypto = false;
    // The same CRC on both sides: one block structure, bytes are copied.
    a.wire = a.memory;
    a.wire.psv = 0x654321;
    REQUIRE(put_bsf(a, out.data()));
    CHECK(hex(out.data(), 16) == expected("90f0f003ffffffff4265432142123456"));
    a.wire.type = signature_type::crc32;
    REQUIRE(put_bsf(a, out.data()));
    CHECK(hex(out.data(), 16) == expected("80f00303ffffffff2265432142123456"));
}

TEST_CASE("bug 70: T10-DIF descriptions", "[wq][bugs]") {
    std::array<std::byte, 64> out{};
    signature_attributes a;
    a.check_mask = 0xff;
    a.memory.type = signature_type::t10dif_crc;
    a.memory.psv = 1;
    a.memory.app_tag = 0x1234;
    a.memory.ref_tag = 0xabcdef01;
    a.memory.increment_ref_tag = true;
    a.memory.app_escape = true;
    a.wire = a.memory;
    a.wire.type = signature_type::t10dif_ipcs;
    a.wire.psv = 2;
    a.wire.seed_ones = true;
    a.wire.app_ref_escape = true;
    REQUIRE(put_bsf(a, out.data()));
    CHECK(hex(out.data(), 64) == expected("90ff3f01ffffffff0000000200000001"
                                          "00000000000000000000000000000000"
                                          "c0001234abcdef01028800000042ffff"
                                          "c0001234abcdef01018000000041ffff"));
    a.wire.block_size = 1000;
    CHECK_FALSE(put_bsf(a, out.data()));
    a.wire.block_size = 520;
    a.wire.psv = 0x1000000;
    CHECK_FALSE(put_bsf(a, out.data()));
}
