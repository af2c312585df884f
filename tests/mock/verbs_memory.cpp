// SPDX-License-Identifier: MIT
// Protection domains, XRC domains, memory regions, device memory, address handles.
#include <sys/mman.h>

#include "verbs.hpp"

using namespace kdevx;
using mock::as_bytes;
using mock::bytes;
using mock::sized;

namespace {

constexpr std::uint32_t alloc_pd = 3, create_ah = 5, reg_mr = 9, open_xrcd = 37;

} // namespace

TEST_CASE("a PD: by the old command, with its pdn; handle 0 is one") {
    mock::kernel k;
    kdevx_context *c = k.open();
    kdevx_failure why{};
    kdevx_pd *pd = nullptr;
    {
        mock::script s(k);
        s.expect(kabi::device::invoke_write)
            .in("UVERBS_ATTR_CORE_IN", bytes(8))
            .out_value("UVERBS_ATTR_CORE_OUT", std::uint32_t(0))
            .constant("UVERBS_ATTR_WRITE_CMD", alloc_pd)
            .out_value("UVERBS_ATTR_UHW_OUT", std::uint32_t(0xabcdef));
        REQUIRE(kdevx_pd_alloc(c, &pd, &why) == 0);
        auto info = sized<kdevx_pd_info>();
        REQUIRE(kdevx_pd_get_info(pd, &info, &why) == 0);
        CHECK(info.handle == 0);
        CHECK(info.pdn == 0xabcdef);
        s.expect(kabi::pd::destroy).handle("UVERBS_ATTR_DESTROY_PD_HANDLE", 0);
        CHECK(kdevx_pd_dealloc(pd, &why) == 0);
        CHECK(s.differences() == "");
    }
    CHECK(kdevx_pd_dealloc(pd, &why) == -EBADF);
    kdevx_context_close(c);
    CHECK(k.live() == 0);
}

TEST_CASE("a failed PD: by the command's name, and nothing is left") {
    mock::kernel k;
    kdevx_context *c = k.open();
    kdevx_failure why{};
    kdevx_pd *pd = nullptr;
    k.fail(mock::call::ioctl, 0, ENOMEM);
    CHECK(kdevx_pd_alloc(c, &pd, &why) == -ENOMEM);
    CHECK(why.cause == KDEVX_CAUSE_LIMIT);
    CHECK(std::string(why.step) == "IB_USER_VERBS_CMD_ALLOC_PD");
    CHECK(pd == nullptr);
    kdevx_context_close(c);
    CHECK(k.live() == 0);
}

TEST_CASE("XRC domains: one's own and one by a file") {
    mock::verbs v;
    kdevx_xrcd *own = nullptr, *shared = nullptr;
    {
        mock::script s(v.k);
        ib_uverbs_open_xrcd in{};
        in.fd = std::uint32_t(-1);
        s.expect(kabi::device::invoke_write)
            .in("UVERBS_ATTR_CORE_IN", as_bytes(in))
            .out_value("UVERBS_ATTR_CORE_OUT", std::uint32_t(4))
            .constant("UVERBS_ATTR_WRITE_CMD", open_xrcd);
        REQUIRE(kdevx_xrcd_open(v.c, &own, &v.why) == 0);
        in.fd = 9;
        in.oflags = 0100;
        s.expect(kabi::device::invoke_write)
            .in("UVERBS_ATTR_CORE_IN", as_bytes(in))
            .out_value("UVERBS_ATTR_CORE_OUT", std::uint32_t(5))
            .constant("UVERBS_ATTR_WRITE_CMD", open_xrcd);
        REQUIRE(kdevx_xrcd_open_shared(v.c, 9, 0100, &shared, &v.why) == 0);
        CHECK(kdevx_xrcd_handle(own) == 4);
        s.expect(kabi::xrcd::destroy).handle("UVERBS_ATTR_DESTROY_XRCD_HANDLE", 4);
        s.expect(kabi::xrcd::destroy).handle("UVERBS_ATTR_DESTROY_XRCD_HANDLE", 5);
        CHECK(kdevx_xrcd_close(own, &v.why) == 0);
        CHECK(kdevx_xrcd_close(shared, &v.why) == 0);
        CHECK(s.differences() == "");
    }
    CHECK(kdevx_xrcd_handle(own) == -EBADF);
    CHECK(kdevx_xrcd_open_shared(v.c, -1, 0, &own, &v.why) == -EBADF);
}

TEST_CASE("a memory region: exact bytes, keys, and who holds the PD") {
    mock::verbs v;
    kdevx_mr *mr = nullptr;
    char memory[64];
    {
        mock::script s(v.k);
        ib_uverbs_reg_mr in{};
        in.start = std::uint64_t(std::uintptr_t(memory));
        in.length = 64;
        in.hca_va = 0x7000;
        in.pd_handle = v.pd_info().handle;
        in.access_flags = 0x10000f;
        const std::uint32_t out[] = {7, 0x1100, 0x1101};
        s.expect(kabi::device::invoke_write)
            .in("UVERBS_ATTR_CORE_IN", as_bytes(in))
            .out("UVERBS_ATTR_CORE_OUT", as_bytes(out))
            .constant("UVERBS_ATTR_WRITE_CMD", reg_mr);
        REQUIRE(kdevx_mr_reg(v.pd, memory, 64, 0x7000, 0x10000f, &mr, &v.why) == 0);
        auto info = v.info(mr, kdevx_mr_get_info);
        CHECK(info.handle == 7);
        CHECK(info.lkey == 0x1100);
        CHECK(info.rkey == 0x1101);
        CHECK(info.length == 64);
        CHECK(info.iova == 0x7000);
        CHECK(info.address == memory);
        s.expect(kabi::pd::destroy)
            .handle("UVERBS_ATTR_DESTROY_PD_HANDLE", v.pd_info().handle)
            .fails(EBUSY);
        CHECK(kdevx_pd_dealloc(v.pd, &v.why) == -EBUSY);
        CHECK(v.why.cause == KDEVX_CAUSE_BUSY);
        CHECK(v.why.detail[0] == KDEVX_KIND_MR);
        CHECK(v.why.detail[1] == 7);
        s.expect(kabi::mr::destroy).handle("UVERBS_ATTR_DESTROY_MR_HANDLE", 7);
        CHECK(kdevx_mr_dereg(mr, &v.why) == 0);
        CHECK(s.differences() == "");
    }
    std::size_t most = ~std::size_t(0);
    v.invalid("address", [&] { return kdevx_mr_reg(v.pd, nullptr, 1, 0, 0, &mr, &v.why); });
    v.invalid("length", [&] { return kdevx_mr_reg(v.pd, memory, 0, 0, 0, &mr, &v.why); });
    v.invalid("length", [&] { return kdevx_mr_reg(v.pd, memory, most, 0, 0, &mr, &v.why); });
    v.invalid("mr", [&] { return kdevx_mr_reg(v.pd, memory, 1, 0, 0, nullptr, &v.why); });
    v.invalid("pd", [&] { return kdevx_mr_reg(nullptr, memory, 1, 0, 0, &mr, &v.why); });
    for (std::uint32_t access : {KDEVX_MR_REMOTE_WRITE, KDEVX_MR_REMOTE_ATOMIC})
        v.invalid("access", [&] { return kdevx_mr_reg(v.pd, memory, 1, 0, access, &mr, &v.why); });
}

TEST_CASE("a region of a dmabuf, with and without the direct path") {
    mock::verbs v;
    for (std::uint32_t direct : {0u, 1u}) {
        kdevx_mr *mr = nullptr;
        mock::script s(v.k);
        mock::expected &e = s.expect(kabi::mr::reg_dmabuf)
                                .makes("UVERBS_ATTR_REG_DMABUF_MR_HANDLE", 3)
                                .handle("UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE", v.pd_info().handle)
                                .in_value("UVERBS_ATTR_REG_DMABUF_MR_OFFSET", std::uint64_t(0x1000))
                                .in_value("UVERBS_ATTR_REG_DMABUF_MR_LENGTH", std::uint64_t(0x2000))
                                .in_value("UVERBS_ATTR_REG_DMABUF_MR_IOVA", std::uint64_t(0x3000))
                                .in_value("UVERBS_ATTR_REG_DMABUF_MR_FD", std::uint32_t(21))
                                .flags("UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS", 7)
                                .out_value("UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY", std::uint32_t(1))
                                .out_value("UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY", std::uint32_t(2));
        if (direct) e.flags("MLX5_IB_ATTR_REG_DMABUF_MR_ACCESS_FLAGS", 1);
        REQUIRE(kdevx_mr_reg_dmabuf(v.pd, 21, 0x1000, 0x2000, 0x3000, 7, direct, &mr, &v.why) == 0);
        s.expect(kabi::mr::destroy).handle("UVERBS_ATTR_DESTROY_MR_HANDLE", 3);
        CHECK(kdevx_mr_dereg(mr, &v.why) == 0);
        CHECK(s.differences() == "");
    }
    kdevx_mr *mr = nullptr;
    CHECK(kdevx_mr_reg_dmabuf(v.pd, -1, 0, 1, 0, 0, 0, &mr, &v.why) == -EBADF);
    CHECK(v.why.cause == KDEVX_CAUSE_INVALID);
    v.k.absent.insert("MLX5_IB_ATTR_REG_DMABUF_MR_ACCESS_FLAGS");
    CHECK(kdevx_mr_reg_dmabuf(v.pd, 21, 0, 1, 0, 0, 1, &mr, &v.why) == -EPROTONOSUPPORT);
    CHECK(v.why.cause == KDEVX_CAUSE_KERNEL_TOO_OLD);
}

TEST_CASE("device memory: mapped by its page index, operations mapped once each") {
    mock::verbs v;
    std::vector<std::uint64_t> offsets;
    v.k.on_mmap = [&](std::size_t, std::uint64_t offset) {
        offsets.push_back(offset);
        return 0;
    };
    kdevx_dm *dm = nullptr;
    {
        mock::script s(v.k);
        s.expect(kabi::dm::alloc)
            .makes("UVERBS_ATTR_ALLOC_DM_HANDLE", 2)
            .in_value("UVERBS_ATTR_ALLOC_DM_LENGTH", std::uint64_t(128))
            .in_value("UVERBS_ATTR_ALLOC_DM_ALIGNMENT", std::uint32_t(6))
            .out_value("MLX5_IB_ATTR_ALLOC_DM_RESP_START_OFFSET", std::uint64_t(0x40))
            .out_value("MLX5_IB_ATTR_ALLOC_DM_RESP_PAGE_INDEX", std::uint16_t(0x1234));
        REQUIRE(kdevx_dm_alloc(v.c, KDEVX_DM_MEMIC, 128, 6, &dm, &v.why) == 0);
        CHECK(s.differences() == "");
    }
    auto info = v.info(dm, kdevx_dm_get_info);
    CHECK(info.start_offset == 0x40);
    CHECK(info.page_index == 0x1234);
    REQUIRE(offsets.size() == 1);
    CHECK(offsets[0] == std::uint64_t(0x12 << 16 | 8 << 8 | 0x34) * 4096);
    CHECK(v.k.mappings.count(static_cast<char *>(info.address) - 0x40) == 1);
    void *one = nullptr, *again = nullptr;
    REQUIRE(kdevx_dm_map_op(dm, 3, &one, &v.why) == 0);
    REQUIRE(kdevx_dm_map_op(dm, 3, &again, &v.why) == 0);
    CHECK(one == again);
    CHECK(offsets.size() == 2);
    for (std::uint8_t op : {4, 5, 6})
        REQUIRE(kdevx_dm_map_op(dm, op, &again, &v.why) == 0);
    CHECK(kdevx_dm_map_op(dm, 7, &again, &v.why) == -EMFILE);
    CHECK(v.why.cause == KDEVX_CAUSE_LIMIT);
    v.invalid("address", [&] { return kdevx_dm_map_op(dm, 3, nullptr, &v.why); });

    kdevx_mr *mr = nullptr;
    {
        mock::script s(v.k);
        s.expect(kabi::mr::dm_reg)
            .makes("UVERBS_ATTR_REG_DM_MR_HANDLE", 1)
            .in_value("UVERBS_ATTR_REG_DM_MR_OFFSET", std::uint64_t(8))
            .in_value("UVERBS_ATTR_REG_DM_MR_LENGTH", std::uint64_t(64))
            .handle("UVERBS_ATTR_REG_DM_MR_PD_HANDLE", v.pd_info().handle)
            .flags("UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS", 1 | 1 << 5)
            .handle("UVERBS_ATTR_REG_DM_MR_DM_HANDLE", 2)
            .out_value("UVERBS_ATTR_REG_DM_MR_RESP_LKEY", std::uint32_t(1))
            .out_value("UVERBS_ATTR_REG_DM_MR_RESP_RKEY", std::uint32_t(2));
        REQUIRE(kdevx_mr_reg_dm(v.pd, dm, 8, 64, KDEVX_MR_LOCAL_WRITE, &mr, &v.why) == 0);
        s.expect(kabi::dm::free).handle("UVERBS_ATTR_FREE_DM_HANDLE", 2).fails(EBUSY);
        CHECK(kdevx_dm_free(dm, &v.why) == -EBUSY);
        CHECK(v.why.detail[0] == KDEVX_KIND_MR);
        s.expect(kabi::mr::destroy).handle("UVERBS_ATTR_DESTROY_MR_HANDLE", 1);
        CHECK(kdevx_mr_dereg(mr, &v.why) == 0);
        s.expect(kabi::dm::free).handle("UVERBS_ATTR_FREE_DM_HANDLE", 2);
        CHECK(kdevx_dm_free(dm, &v.why) == 0);
        CHECK(s.differences() == "");
    }
}

TEST_CASE("device memory for steering is not mapped; a failed mapping takes the memory back") {
    mock::verbs v;
    kdevx_dm *dm = nullptr;
    std::size_t mapped = v.k.mappings.size();
    REQUIRE(kdevx_dm_alloc(v.c, KDEVX_DM_STEERING_SW_ICM, 4096, 0, &dm, &v.why) == 0);
    CHECK(v.k.mappings.size() == mapped);
    CHECK(v.info(dm, kdevx_dm_get_info).address == nullptr);
    CHECK(kdevx_dm_free(dm, &v.why) == 0);
    v.k.fail(mock::call::mmap, 0, ENOMEM);
    CHECK(kdevx_dm_alloc(v.c, KDEVX_DM_MEMIC, 64, 0, &dm, &v.why) == -ENOMEM);
    CHECK(v.k.handles[kabi::dm::object.id].empty());
    v.invalid("length", [&] { return kdevx_dm_alloc(v.c, 0, 0, 0, &dm, &v.why); });
    v.invalid("type", [&] { return kdevx_dm_alloc(v.c, 5, 64, 0, &dm, &v.why); });
}

TEST_CASE("an address handle: every field on the wire, the MAC address back") {
    mock::verbs v;
    kdevx_address a;
    bytes random = mock::random_bytes(sizeof a);
    std::memcpy(&a, random.data(), sizeof a);
    ib_uverbs_create_ah in{};
    in.pd_handle = v.pd_info().handle;
    std::memcpy(in.attr.grh.dgid, a.dgid, 16);
    in.attr.grh.flow_label = a.flow_label;
    in.attr.grh.sgid_index = a.sgid_index;
    in.attr.grh.hop_limit = a.hop_limit;
    in.attr.grh.traffic_class = a.traffic_class;
    in.attr.dlid = a.dlid;
    in.attr.sl = a.sl;
    in.attr.src_path_bits = a.src_path_bits;
    in.attr.static_rate = a.static_rate;
    in.attr.is_global = a.is_global;
    in.attr.port_num = a.port_num;
    for (std::uint32_t told : {0u, 10u}) {
        kdevx_ah *ah = nullptr;
        mock::script s(v.k);
        mlx5_ib_create_ah_resp resp{told, {1, 2, 3, 4, 5, 6}, {}};
        s.expect(kabi::device::invoke_write)
            .in("UVERBS_ATTR_CORE_IN", as_bytes(in))
            .out_value("UVERBS_ATTR_CORE_OUT", std::uint32_t(8))
            .constant("UVERBS_ATTR_WRITE_CMD", create_ah)
            .out("UVERBS_ATTR_UHW_OUT", as_bytes(resp));
        REQUIRE(kdevx_ah_create(v.pd, &a, &ah, &v.why) == 0);
        auto info = v.info(ah, kdevx_ah_get_info);
        CHECK(info.handle == 8);
        CHECK(bool(info.has_dmac) == bool(told));
        CHECK(info.dmac[5] == 6);
        s.expect(kabi::ah::destroy).handle("UVERBS_ATTR_DESTROY_AH_HANDLE", 8);
        CHECK(kdevx_ah_destroy(ah, &v.why) == 0);
        CHECK(s.differences() == "");
    }
    kdevx_ah *ah = nullptr;
    v.invalid("address", [&] { return kdevx_ah_create(v.pd, nullptr, &ah, &v.why); });
}
