// SPDX-License-Identifier: MIT
// What the kernel knows of ports, GIDs and handles.
#include "verbs.hpp"

#include <algorithm>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_cmds.h>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

std::vector<std::uint32_t> handles(kdevx_context *c, std::uint16_t kind) {
    std::vector<std::uint32_t> all(64);
    std::size_t count = 0;
    REQUIRE(call(kdevx_handles_query, c, kind, all.data(), all.size(), &count) == ok);
    all.resize(count);
    std::ranges::sort(all);
    return all;
}

} // namespace

TEST_CASE("a port of no e-switch tells nothing of one", "[port]") {
    context_ptr c = open_context();
    auto info = sized<kdevx_port_info>();
    REQUIRE(call(kdevx_port_query, c.get(), 1u, &info) == ok);
    CHECK(info.flags == 0);
    CHECK(call(kdevx_port_query, c.get(), 7u, &info) == failed(EINVAL, KDEVX_CAUSE_INVALID));
}

TEST_CASE("the GID table of an InfiniBand port", "[port]") {
    context_ptr c = open_context();
    std::vector<kdevx_gid> gids(16);
    std::size_t count = 0;
    REQUIRE(call(kdevx_gid_table_query, c.get(), gids.data(), gids.size(), &count) == ok);
    REQUIRE(count >= 1);
    CHECK(gids[0].port_num == 1);
    CHECK(gids[0].gid_type == 0);
    CHECK(gids[0].netdev_ifindex == 0);
    CHECK(gids[0].gid[0] == 0xfe); // link local
    CHECK(gids[0].gid[1] == 0x80);
    kdevx_gid one{};
    REQUIRE(call(kdevx_gid_query, c.get(), 1u, gids[0].gid_index, &one) == ok);
    CHECK(std::memcmp(one.gid, gids[0].gid, 16) == 0);
    CHECK(call(kdevx_gid_query, c.get(), 1u, 100'000u, &one) ==
          failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(call(kdevx_gid_query, c.get(), 9u, 0u, &one) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(call(kdevx_gid_table_query, c.get(), gids.data(), std::size_t(0), &count).err == EINVAL);
}

TEST_CASE("the handles of a file", "[port]") {
    verbs v;
    cq_ptr another = v.make_cq(cq_of(15));
    CHECK(handles(v.context.get(), UVERBS_OBJECT_CQ) ==
          std::vector{info_of(v.cq).handle, info_of(another).handle});
    CHECK(handles(v.context.get(), UVERBS_OBJECT_PD) == std::vector{info_of(v.pd).handle});
    CHECK(handles(v.context.get(), UVERBS_OBJECT_QP).empty());
    bench b;
    object_ptr cq = b.create(b.cq());
    CHECK(handles(b.context(), MLX5_IB_OBJECT_DEVX_OBJ) == std::vector{info_of(cq.get()).handle});
    std::uint32_t one = 0;
    std::size_t count = 0;
    CHECK(call(kdevx_handles_query, v.context.get(), std::uint16_t(0xfff), &one, std::size_t(1),
               &count) == failed(ENOENT, KDEVX_CAUSE_INVALID));
    CHECK(call(kdevx_handles_query, v.context.get(), std::uint16_t(UVERBS_OBJECT_CQ), &one,
               std::size_t(0), &count) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    REQUIRE(call(kdevx_handles_query, v.context.get(), std::uint16_t(UVERBS_OBJECT_CQ), &one,
                 std::size_t(1), &count) == ok);
    CHECK(count == 1); // as many as there is room for
}

TEST_CASE("the path of a data-direct device, where there is none", "[port]") {
    context_ptr c = open_context();
    char path[4096];
    const outcome got = call(kdevx_data_direct_path, c.get(), path, sizeof path);
    if (kernel() < version{6, 12})
        CHECK(got == failed(EPROTONOSUPPORT, KDEVX_CAUSE_KERNEL_TOO_OLD));
    else
        CHECK(got == failed(ENODEV, KDEVX_CAUSE_NOT_SUPPORTED));
}
