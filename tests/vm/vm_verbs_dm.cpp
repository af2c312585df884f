// SPDX-License-Identifier: MIT
// Device memory: MEMIC by the processor, its keys, and the kinds that this HCA does not have.
#include "faults.hpp"
#include "verbs.hpp"

#include <array>
#include <endian.h>
#include <kdevx/verbs.hpp>
#include <thread>
#include <vector>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

outcome alloc(kdevx_context *c, std::uint32_t type, std::uint64_t length, std::uint32_t log_align,
              dm_ptr &made) {
    return attempt(made, kdevx_dm_alloc, c, type, length, log_align);
}
dm_ptr memic(verbs &v, std::uint64_t length, std::uint32_t log_align = 0) {
    dm_ptr made;
    REQUIRE(alloc(v.context.get(), KDEVX_DM_MEMIC, length, log_align, made) == ok);
    return made;
}

// What QUERY_HCA_CAP's memic_operations are the bits of.
constexpr std::uint8_t increment = 0, test_and_set = 1;

volatile std::uint8_t *bytes_at(const dm_ptr &dm, std::uint8_t op) {
    void *address = nullptr;
    REQUIRE(call(kdevx_dm_map_op, dm.get(), op, &address) == ok);
    return static_cast<volatile std::uint8_t *>(address);
}
volatile std::uint32_t *words_of(const dm_ptr &dm) {
    return static_cast<volatile std::uint32_t *>(info_of(dm).address);
}

} // namespace

TEST_CASE("memory of the device keeps what is stored in it", "[verbs][dm]") {
    verbs v;
    dm_ptr one = memic(v, 4096), two = memic(v, 100);
    REQUIRE(info_of(one).address != nullptr);
    CHECK(info_of(one).length == 4096);
    for (unsigned i = 0; i < 1024; ++i)
        words_of(one)[i] = i * 0x01010101u;
    for (unsigned i = 0; i < 25; ++i)
        words_of(two)[i] = ~i;
    unsigned wrong = 0;
    for (unsigned i = 0; i < 1024; ++i)
        wrong += words_of(one)[i] != i * 0x01010101u;
    for (unsigned i = 0; i < 25; ++i)
        wrong += words_of(two)[i] != ~i;
    CHECK(wrong == 0);
}

TEST_CASE("who gets memory of the device finds nothing of who had it", "[verbs][dm]") {
    verbs v;
    {
        dm_ptr dm = memic(v, 4096);
        words_of(dm)[5] = 0xdeadbeef;
    }
    CHECK(words_of(memic(v, 4096))[5] == 0);
}

TEST_CASE("memory of the device comes to an end", "[verbs][dm]") {
    verbs v;
    constexpr std::uint64_t all = 256 << 10;
    {
        dm_ptr most = memic(v, all);
        dm_ptr none;
        CHECK(alloc(v.context.get(), KDEVX_DM_MEMIC, 64, 0, none) ==
              failed(ENOMEM, KDEVX_CAUSE_LIMIT));
    }
    dm_ptr none, aligned = memic(v, 64, 12);
    CHECK(info_of(aligned).start_offset == 0);
    CHECK(alloc(v.context.get(), KDEVX_DM_MEMIC, all + 1, 0, none) ==
          failed(ENOMEM, KDEVX_CAUSE_LIMIT));
    CHECK(alloc(v.context.get(), KDEVX_DM_MEMIC, 0, 0, none) == invalid);
    CHECK(alloc(v.context.get(), KDEVX_DM_MEMIC, 64, 20, none) == invalid);
    CHECK(alloc(v.context.get(), 9, 64, 0, none) == invalid);
}

TEST_CASE("a key of device memory", "[verbs][dm]") {
    verbs v;
    dm_ptr dm = memic(v, 4096);
    const auto reg = [&](std::uint64_t offset, std::uint64_t length, mr_ptr &made) {
        return attempt(made, kdevx_mr_reg_dm, v.pd.get(), dm.get(), offset, length,
                       std::uint32_t(KDEVX_MR_LOCAL_WRITE));
    };
    mr_ptr mr, none;
    REQUIRE(reg(64, 1024, mr) == ok);
    CHECK(info_of(mr).address == nullptr);
    CHECK(info_of(mr).length == 1024);
    CHECK(info_of(mr).lkey != 0);
    CHECK((info_of(mr).access & KDEVX_MR_ZERO_BASED) != 0);
    CHECK(call(kdevx_dm_free, dm.get()) == held_by{KDEVX_KIND_MR, info_of(mr).handle});
    words_of(dm)[0] = 7; // still there
    CHECK(words_of(dm)[0] == 7);
    CHECK(reg(4096, 64, none) == invalid);
    CHECK(reg(0, 4097, none) == invalid);
    verbs other;
    CHECK(refusal_of<mr_ptr>(kdevx_mr_reg_dm, other.pd.get(), dm.get(), std::uint64_t(0),
                             std::uint64_t(64), 0u) == invalid);
}

TEST_CASE("operations of device memory by store and by load", "[verbs][dm]") {
    verbs v;
    dm_ptr dm = memic(v, 8192), other = memic(v, 64);
    volatile std::uint8_t *adds = bytes_at(dm, increment), *sets = bytes_at(dm, test_and_set);
    CHECK(bytes_at(dm, increment) == adds);
    CHECK(bytes_at(other, increment) != adds);
    for (unsigned offset : {0u, 5u, 8191u}) {
        CAPTURE(offset);
        adds[offset] = 1;
        adds[offset] = 1;
        CHECK(sets[offset] == 2);
        CHECK(sets[offset] == 1);
    }
    // Wider ones have the most significant byte first.
    *reinterpret_cast<volatile std::uint32_t *>(adds + 64) = htobe32(0x1fffffff);
    *reinterpret_cast<volatile std::uint32_t *>(adds + 64) = htobe32(1);
    CHECK(words_of(dm)[16] == htobe32(0x20000000));
    for (std::uint64_t each : {0xffffffffull, 2ull})
        *reinterpret_cast<volatile std::uint64_t *>(adds + 72) = htobe64(each);
    CHECK(words_of(dm)[18] == htobe32(1));
    CHECK(words_of(dm)[19] == htobe32(1));
    CHECK(words_of(other)[0] == 0);
}

TEST_CASE("an operation of device memory ends with it", "[verbs][dm]") {
    verbs v;
    for (int round = 0; round < 3; ++round) {
        dm_ptr dm = memic(v, 64);
        CHECK(words_of(dm)[0] == 0);
        bytes_at(dm, increment)[3] = 1;
        CHECK(words_of(dm)[0] == htole32(0x01000000));
    }
}

TEST_CASE("eight threads increment device memory", "[verbs][dm]") {
    verbs v;
    dm_ptr dm = memic(v, 64);
    constexpr unsigned times = 500;
    std::vector<std::thread> threads;
    std::array<volatile std::uint8_t *, 8> at{};
    for (unsigned i = 0; i < at.size(); ++i)
        threads.emplace_back([&, i] {
            void *address = nullptr;
            if (kdevx_dm_map_op(dm.get(), increment, &address, nullptr)) return;
            at[i] = static_cast<volatile std::uint8_t *>(address);
            for (unsigned n = 0; n < times; ++n)
                *reinterpret_cast<volatile std::uint32_t *>(at[i]) = htobe32(1);
        });
    for (std::thread &t : threads)
        t.join();
    CHECK(at == decltype(at){at[0], at[0], at[0], at[0], at[0], at[0], at[0], at[0]});
    CHECK(words_of(dm)[0] == htobe32(8 * times));
}

TEST_CASE("operations and kinds of memory that this device does not have", "[verbs][dm]") {
    verbs v;
    dm_ptr dm = memic(v, 64), none;
    void *address = nullptr;
    for (unsigned op : {2u, 31u, 32u, 200u, 255u}) {
        CAPTURE(op);
        CHECK(call(kdevx_dm_map_op, dm.get(), std::uint8_t(op), &address) ==
              failed(EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED));
    }
    CHECK(address == nullptr);
    for (std::uint32_t type : {KDEVX_DM_STEERING_SW_ICM, KDEVX_DM_HEADER_MODIFY_SW_ICM,
                               KDEVX_DM_HEADER_MODIFY_PATTERN_SW_ICM, KDEVX_DM_ENCAP_SW_ICM}) {
        CAPTURE(type);
        CHECK(alloc(v.context.get(), type, 4096, 0, none) ==
              failed(EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED));
    }
}

TEST_CASE("an operation whose address the device has no room for", "[verbs][dm]") {
    verbs v;
    dm_ptr dm = memic(v, 64);
    void *address = nullptr;
    constexpr std::uint8_t lim_err = 8;
    faults f;
    f.fail("MODIFY_MEMIC", lim_err, 0xabcdef);
    CHECK(call(kdevx_dm_map_op, dm.get(), increment, &address) ==
          failed(ENOMEM, KDEVX_CAUSE_LIMIT));
    CHECK(address == nullptr);
    bytes_at(dm, increment)[0] = 5; // the next time there is
    CHECK(words_of(dm)[0] == htole32(5));
}

TEST_CASE("an operation of device memory by the C++ face", "[verbs][dm]") {
    result<context> c = context::open(under_test().name.c_str());
    REQUIRE(c);
    result<dm> memory = dm::alloc(*c, KDEVX_DM_MEMIC, 64);
    REQUIRE(memory);
    const result<void *> adds = memory->map_op(increment), none = memory->map_op(9);
    REQUIRE(adds);
    static_cast<volatile std::uint8_t *>(*adds)[1] = 3;
    CHECK(*static_cast<volatile std::uint32_t *>(memory->info()->address) == htole32(0x300));
    REQUIRE(!none);
    CHECK(none.failure().cause == KDEVX_CAUSE_NOT_SUPPORTED);
}

TEST_CASE("memory of the device needs no DEVX", "[verbs][dm]") {
    verbs v(KDEVX_DEVX_NEVER);
    words_of(memic(v, 64))[0] = 1;
}
