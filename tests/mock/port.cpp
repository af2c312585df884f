// SPDX-License-Identifier: MIT
// Ports, GIDs, handles of the file, the direct path, the clock.
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/mlx5_user_ioctl_verbs.h>

#include "verbs.hpp"

using namespace kdevx;
using mock::as_bytes;
using mock::bytes;
using mock::sized;

TEST_CASE("a port: every field comes back") {
    mock::verbs v;
    mlx5_ib_uapi_query_port p;
    bytes random = mock::random_bytes(sizeof p);
    std::memcpy(&p, random.data(), sizeof p);
    mock::script s(v.k);
    s.expect(kabi::device::mlx5_query_port)
        .in_value("MLX5_IB_ATTR_QUERY_PORT_PORT_NUM", std::uint32_t(2))
        .out("MLX5_IB_ATTR_QUERY_PORT", random);
    auto i = sized<kdevx_port_info>();
    REQUIRE(kdevx_port_query(v.c, 2, &i, &v.why) == 0);
    CHECK(i.flags == p.flags);
    CHECK(i.vport == p.vport);
    CHECK(i.vport_vhca_id == p.vport_vhca_id);
    CHECK(i.esw_owner_vhca_id == p.esw_owner_vhca_id);
    CHECK(i.vport_steering_icm_rx == p.vport_steering_icm_rx);
    CHECK(i.vport_steering_icm_tx == p.vport_steering_icm_tx);
    CHECK(i.reg_c0_value == p.reg_c0.value);
    CHECK(i.reg_c0_mask == p.reg_c0.mask);
    CHECK(s.differences() == "");
    v.invalid("info", [&] { return kdevx_port_query(v.c, 2, nullptr, &v.why); });
}

TEST_CASE("GIDs: the table and one entry, whatever the capacity") {
    mock::verbs v;
    std::vector<kdevx_gid> gids(3000);
    std::size_t count = 0;
    for (std::size_t capacity : {1, 3, 3000}) {
        bytes entries = mock::random_bytes(std::min<std::size_t>(capacity, 2047) * 32);
        mock::script s(v.k);
        s.expect(kabi::device::query_gid_table)
            .constant("UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE", 32)
            .flags("UVERBS_ATTR_QUERY_GID_TABLE_FLAGS", 0)
            .out("UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES", entries)
            .out_value("UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES", std::uint64_t(1));
        REQUIRE(kdevx_gid_table_query(v.c, gids.data(), capacity, &count, &v.why) == 0);
        CHECK(count == 1);
        CHECK(std::memcmp(gids.data(), entries.data(), 32) == 0);
        CHECK(s.differences() == "");
    }
    v.invalid("capacity",
              [&] { return kdevx_gid_table_query(v.c, gids.data(), 0, &count, &v.why); });
    v.invalid("gids", [&] { return kdevx_gid_table_query(v.c, nullptr, 1, &count, &v.why); });
    v.invalid("count", [&] { return kdevx_gid_table_query(v.c, gids.data(), 1, nullptr, &v.why); });
    kdevx_gid gid{};
    bytes entry = mock::random_bytes(32);
    mock::script s(v.k);
    s.expect(kabi::device::query_gid_entry)
        .constant("UVERBS_ATTR_QUERY_GID_ENTRY_PORT", 1)
        .constant("UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX", 7)
        .flags("UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS", 0)
        .out("UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY", entry);
    REQUIRE(kdevx_gid_query(v.c, 1, 7, &gid, &v.why) == 0);
    CHECK(std::memcmp(&gid, entry.data(), 32) == 0);
    CHECK(s.differences() == "");
}

TEST_CASE("the handles of one kind") {
    mock::verbs v;
    std::uint32_t handles[4] = {};
    std::size_t count = 0;
    {
        mock::script s(v.k);
        const std::uint32_t two[] = {0, 5, 0, 0};
        s.expect(kabi::device::info_handles)
            .constant("UVERBS_ATTR_INFO_OBJECT_ID", 0x1001)
            .out_value("UVERBS_ATTR_INFO_TOTAL_HANDLES", std::uint32_t(2))
            .out("UVERBS_ATTR_INFO_HANDLES_LIST", as_bytes(two));
        REQUIRE(kdevx_handles_query(v.c, 0x1001, handles, 4, &count, &v.why) == 0);
        CHECK(count == 2);
        CHECK(handles[1] == 5);
        CHECK(s.differences() == "");
    }
    auto ask = [&](std::uint32_t *to, std::size_t n) {
        return kdevx_handles_query(v.c, 1, to, n, &count, &v.why);
    };
    v.invalid("capacity", [&] { return ask(handles, 0); });
    v.invalid("capacity", [&] { return ask(handles, 16384); });
    v.invalid("handles", [&] { return ask(nullptr, 1); });
}

TEST_CASE("the direct path: there, not there, too long") {
    mock::verbs v;
    char path[64];
    {
        mock::script s(v.k);
        bytes answer(64);
        std::memcpy(answer.data(), "/sys/devices/x", 15);
        s.expect(kabi::device::get_data_direct_sysfs_path)
            .out("MLX5_IB_ATTR_GET_DATA_DIRECT_SYSFS_PATH", answer);
        REQUIRE(kdevx_data_direct_path(v.c, path, sizeof path, &v.why) == 0);
        CHECK(std::string(path) == "/sys/devices/x");
        CHECK(s.differences() == "");
    }
    v.k.fail(mock::call::ioctl, 0, ENODEV);
    CHECK(kdevx_data_direct_path(v.c, path, sizeof path, &v.why) == -ENODEV);
    CHECK(v.why.cause == KDEVX_CAUSE_NOT_SUPPORTED);
    v.k.fail(mock::call::ioctl, 0, ENOSPC);
    CHECK(kdevx_data_direct_path(v.c, path, 4, &v.why) == -ENOSPC);
    CHECK(v.why.cause == KDEVX_CAUSE_SHORT_BUFFER);
    CHECK(v.why.detail[0] == 4096);
    v.invalid("path", [&] { return kdevx_data_direct_path(v.c, nullptr, 4, &v.why); });
    v.invalid("size", [&] { return kdevx_data_direct_path(v.c, path, 0, &v.why); });
}

namespace {

// A context whose kernel tells of these clocks, and the pages that were mapped.
struct with_clock {
    mock::kernel k;
    kdevx_context *c = nullptr;
    kdevx_failure why{};
    std::vector<std::uint64_t> offsets;

    with_clock(bool core, bool info) {
        k.on_get_context = [=](mlx5_ib_alloc_ucontext_resp &r) {
            r.comp_mask = core ? 1 : 0;
            r.clock_info_versions = info ? 1 : 0;
            r.hca_core_clock_offset = 0x7000 + 0x80;
        };
        c = k.open();
        k.on_mmap = [this](std::size_t length, std::uint64_t offset) {
            CHECK(length == 4096);
            offsets.push_back(offset);
            return 0;
        };
    }
    ~with_clock() {
        kdevx_context_close(c);
        CHECK(k.live() == 0);
    }
    std::byte *page() { return static_cast<std::byte *>(k.mappings.begin()->first); }
};

} // namespace

TEST_CASE("the core clock is two words at an offset of its page") {
    with_clock w(true, false);
    kdevx_clock *clock = nullptr;
    REQUIRE(kdevx_clock_open(w.c, &clock, &w.why) == 0);
    REQUIRE(w.offsets.size() == 1);
    CHECK(w.offsets[0] == std::uint64_t(5 << 8) * 4096);
    prm::store_be<std::uint64_t>(w.page() + 0x80, 0x123456789abcdef0);
    std::uint64_t cycles = 0;
    REQUIRE(kdevx_clock_read(clock, &cycles, &w.why) == 0);
    CHECK(cycles == 0x123456789abcdef0);
    auto info = sized<kdevx_clock_info>();
    CHECK(kdevx_clock_get_info(clock, &info, &w.why) == -EOPNOTSUPP);
    CHECK(w.why.cause == KDEVX_CAUSE_NOT_SUPPORTED);
    CHECK(kdevx_clock_close(clock, &w.why) == 0);
    CHECK(w.k.mappings.empty());
}

TEST_CASE("the kernel's parameters, while it does not write; and what they mean") {
    with_clock w(false, true);
    kdevx_clock *clock = nullptr;
    REQUIRE(kdevx_clock_open(w.c, &clock, &w.why) == 0);
    REQUIRE(w.offsets.size() == 1);
    CHECK(w.offsets[0] == std::uint64_t(7 << 8) * 4096);
    std::uint64_t cycles;
    CHECK(kdevx_clock_read(clock, &cycles, &w.why) == -EOPNOTSUPP);
    struct {
        std::uint32_t sign, resv;
        std::uint64_t nsec, cycles, frac;
        std::uint32_t mult, shift;
        std::uint64_t mask, overflow_period;
    } page{2, 0, 1000000, 500, 8, 64, 4, 0xffff, 0};
    std::memcpy(w.page(), &page, sizeof page);
    auto info = sized<kdevx_clock_info>();
    REQUIRE(kdevx_clock_get_info(clock, &info, &w.why) == 0);
    CHECK(info.nsec == 1000000);
    CHECK(info.last_cycles == 500);
    CHECK(info.mult == 64);
    CHECK(info.shift == 4);
    CHECK(info.mask == 0xffff);
    // 64 / 16 nanoseconds to the cycle, half of one too much at the time.
    CHECK(kdevx_clock_to_ns(&info, 500) == 1000000);
    CHECK(kdevx_clock_to_ns(&info, 600) == 1000000 + 400);
    CHECK(kdevx_clock_to_ns(&info, 400) == 1000000 - 399);
    CHECK(kdevx_clock_to_ns(&info, 500 + 0x10000) == 1000000); // a turn later is the same
    CHECK(kdevx_clock_to_ns(&info, (500 - 0x7fff) & 0xffff) == 1000000 - (0x7fff * 4 - 1));
    CHECK(kdevx_clock_to_ns(nullptr, 1) == 0);
    page.sign = 3; // writing, for ever
    std::memcpy(w.page(), &page, sizeof page);
    CHECK(kdevx_clock_get_info(clock, &info, &w.why) == -EBUSY);
    CHECK(kdevx_clock_close(clock, &w.why) == 0);
}

TEST_CASE("no clock at all; a mapping that fails takes the other one back") {
    with_clock none(false, false), both(true, true);
    kdevx_clock *clock = nullptr;
    CHECK(kdevx_clock_open(none.c, &clock, &none.why) == -EOPNOTSUPP);
    CHECK(none.why.cause == KDEVX_CAUSE_NOT_SUPPORTED);
    both.k.fail(mock::call::mmap, 1, ENOMEM);
    CHECK(kdevx_clock_open(both.c, &clock, &both.why) == -ENOMEM);
    CHECK(both.k.mappings.empty());
    REQUIRE(kdevx_clock_open(both.c, &clock, &both.why) == 0);
    CHECK(both.k.mappings.size() == 2);
    CHECK(kdevx_clock_close(clock, &both.why) == 0);
}
