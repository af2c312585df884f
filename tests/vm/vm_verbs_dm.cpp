// SPDX-License-Identifier: MIT
// Device memory: MEMIC by the processor, its keys, and the kinds that this HCA does not have.
#include "verbs.hpp"

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

TEST_CASE("this device has no operations by store, and no other kinds of memory", "[verbs][dm]") {
    verbs v;
    dm_ptr dm = memic(v, 64), none;
    void *address = nullptr;
    CHECK(call(kdevx_dm_map_op, dm.get(), std::uint8_t(0), &address) ==
          failed(EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED));
    CHECK(call(kdevx_dm_map_op, dm.get(), std::uint8_t(200), &address) ==
          failed(EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED));
    for (std::uint32_t type : {KDEVX_DM_STEERING_SW_ICM, KDEVX_DM_HEADER_MODIFY_SW_ICM,
                               KDEVX_DM_HEADER_MODIFY_PATTERN_SW_ICM, KDEVX_DM_ENCAP_SW_ICM}) {
        CAPTURE(type);
        CHECK(alloc(v.context.get(), type, 4096, 0, none) ==
              failed(EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED));
    }
}

TEST_CASE("memory of the device needs no DEVX", "[verbs][dm]") {
    verbs v(KDEVX_DEVX_NEVER);
    words_of(memic(v, 64))[0] = 1;
}
