// SPDX-License-Identifier: MIT
// Pages of doorbells: kinds, sharing, mapping, and the ladder.
#include "bench.hpp"

#include <vector>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

outcome alloc(kdevx_context *c, const std::vector<std::uint32_t> &types, uar_ptr &made) {
    kdevx_uar *u = nullptr;
    const outcome got = call(kdevx_uar_alloc, c, types.data(), types.size(), &u);
    made.reset(u);
    return got;
}

void check_mapped(kdevx_uar *u) {
    const auto info = info_of(u);
    CHECK(info.length == 4096);
    REQUIRE(info.base_addr != nullptr);
    CHECK(static_cast<std::byte *>(info.reg_addr) ==
          static_cast<std::byte *>(info.base_addr) + 0x800);
    // A doorbell of a CQ that nobody has: nothing happens, and nothing breaks.
    *reinterpret_cast<volatile std::uint64_t *>(static_cast<std::byte *>(info.base_addr) + 0x20) =
        0;
}

} // namespace

TEST_CASE("a dedicated page, mapped and given back", "[uar]") {
    context_ptr c = open_context();
    uar_ptr one = alloc_uar(c.get(), KDEVX_UAR_NC_DEDICATED);
    uar_ptr two = alloc_uar(c.get(), KDEVX_UAR_NC_DEDICATED);
    CHECK(info_of(one.get()).type == KDEVX_UAR_NC_DEDICATED);
    CHECK(info_of(one.get()).bf_size == 0);
    CHECK(info_of(one.get()).page_id != info_of(two.get()).page_id);
    CHECK(info_of(one.get()).base_addr != info_of(two.get()).base_addr);
    CHECK(info_of(one.get()).mmap_off != info_of(two.get()).mmap_off);
    check_mapped(one.get());
    check_mapped(two.get());
}

TEST_CASE("NC pages of a context are one page", "[uar]") {
    context_ptr c = open_context();
    uar_ptr one = alloc_uar(c.get(), KDEVX_UAR_NC), two = alloc_uar(c.get(), KDEVX_UAR_NC);
    CHECK(info_of(one.get()).page_id == info_of(two.get()).page_id);
    CHECK(info_of(one.get()).base_addr == info_of(two.get()).base_addr);
    one.reset();
    check_mapped(two.get()); // still there for the other
    context_ptr other = open_context();
    CHECK(info_of(alloc_uar(other.get(), KDEVX_UAR_NC).get()).page_id !=
          info_of(two.get()).page_id);
}

TEST_CASE("a page that a queue uses can be given back all the same", "[uar]") {
    bench b;
    object_ptr cq = b.create(b.cq());
    // The firmware refuses to take it back, and the kernel does not tell: the page is lost to the
    // device until the driver is loaded again. Queues first, pages last.
    CHECK(call(kdevx_uar_free, b.uar()) == ok);
    b.forget_uar();
    exchange x("QUERY_CQ");
    x.set("cqn", info_of(cq.get()).device_id & 0xffffff);
    CHECK(query(cq.get(), x) == ok);
}

TEST_CASE("no types, unknown types", "[uar]") {
    context_ptr c = open_context();
    uar_ptr made;
    CHECK(alloc(c.get(), {}, made) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(alloc(c.get(), {3}, made) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(alloc(c.get(), {KDEVX_UAR_NC, 77}, made) == failed(EINVAL, KDEVX_CAUSE_INVALID));
}

TEST_CASE("without write combining the ladder goes down to NC", "[uar]") {
    context_ptr c = open_context();
    uar_ptr made;
    CHECK(alloc(c.get(), {KDEVX_UAR_BF}, made) == failed(EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED));
    REQUIRE(alloc(c.get(), {KDEVX_UAR_BF, KDEVX_UAR_NC}, made) == ok);
    CHECK(info_of(made.get()).type == KDEVX_UAR_NC);
    CHECK(info_of(made.get()).bf_size == 0);
}

TEST_CASE("a BlueFlame page where the device has write combining", "[uar][bf]") {
    context_ptr c = open_context();
    uar_ptr made;
    // Newer kernels try it out, with a WQE that is whole only in the BlueFlame register, and give the
    // device 100 ms to answer. When that runs out they try again the next time; what they conclude
    // from an answer they keep, so this is run by a driver that was just loaded (runs.txt).
    CHECK(wait_for(std::chrono::seconds(60), [&] {
        made.reset();
        REQUIRE(alloc(c.get(), {KDEVX_UAR_BF, KDEVX_UAR_NC}, made) == ok);
        return info_of(made.get()).type == KDEVX_UAR_BF;
    }));
    CHECK(info_of(made.get()).bf_size == 256);
    check_mapped(made.get());
}
