// SPDX-License-Identifier: MIT
// VAR, PP, dmabufs of pages, and objects that are shared with another user of the file.
#include "verbs.hpp"

using namespace kdevx;
using mock::as_bytes;
using mock::bytes;
using mock::sized;

TEST_CASE("a VAR: exact bytes, flags only when asked for") {
    mock::verbs v;
    for (std::uint32_t flags : {0u, 1u}) {
        kdevx_var *var = nullptr;
        mock::script s(v.k);
        mock::expected &e =
            s.expect(kabi::var::alloc)
                .makes("MLX5_IB_ATTR_VAR_OBJ_ALLOC_HANDLE", 5)
                .out_value("MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_OFFSET", std::uint64_t(0x123456000))
                .out_value("MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_LENGTH", std::uint32_t(4096))
                .out_value("MLX5_IB_ATTR_VAR_OBJ_ALLOC_PAGE_ID", std::uint32_t(77));
        if (flags) e.flags("MLX5_IB_ATTR_VAR_OBJ_ALLOC_FLAGS", 1);
        REQUIRE(kdevx_var_alloc(v.c, flags, &var, &v.why) == 0);
        auto info = v.info(var, kdevx_var_get_info);
        CHECK(info.handle == 5);
        CHECK(info.page_id == 77);
        CHECK(info.length == 4096);
        CHECK(info.mmap_off == 0x123456000);
        int fd = -1;
        s.expect(kabi::dmabuf::alloc)
            .makes("UVERBS_ATTR_ALLOC_DMABUF_HANDLE", 66)
            .in_value("UVERBS_ATTR_ALLOC_DMABUF_PGOFF", std::uint64_t(0x123456000));
        CHECK(kdevx_var_export_dmabuf(var, &fd, &v.why) == 0);
        CHECK(fd == 66);
        s.expect(kabi::var::destroy).handle("MLX5_IB_ATTR_VAR_OBJ_DESTROY_HANDLE", 5);
        CHECK(kdevx_var_free(var, &v.why) == 0);
        CHECK(s.differences() == "");
    }
    kdevx_var *var = nullptr;
    v.invalid("flags", [&] { return kdevx_var_alloc(v.c, 2, &var, &v.why); });
    v.k.absent.insert("MLX5_IB_ATTR_VAR_OBJ_ALLOC_FLAGS");
    CHECK(kdevx_var_alloc(v.c, 1, &var, &v.why) == -EPROTONOSUPPORT);
}

TEST_CASE("a dmabuf of a UAR; a kernel without says so") {
    mock::verbs v;
    kdevx_uar *uar = nullptr;
    std::uint32_t type = KDEVX_UAR_NC_DEDICATED;
    REQUIRE(kdevx_uar_alloc(v.c, &type, 1, &uar, &v.why) == 0);
    int fd = -1;
    {
        mock::script s(v.k);
        s.expect(kabi::dmabuf::alloc)
            .makes("UVERBS_ATTR_ALLOC_DMABUF_HANDLE", 67)
            .in_value("UVERBS_ATTR_ALLOC_DMABUF_PGOFF", v.info(uar, kdevx_uar_get_info).mmap_off);
        CHECK(kdevx_uar_export_dmabuf(uar, &fd, &v.why) == 0);
        CHECK(fd == 67);
        CHECK(s.differences() == "");
    }
    v.invalid("fd", [&] { return kdevx_uar_export_dmabuf(uar, nullptr, &v.why); });
    fd = -1;
    v.k.absent.insert("UVERBS_METHOD_DMABUF_ALLOC");
    CHECK(kdevx_uar_export_dmabuf(uar, &fd, &v.why) == -EPROTONOSUPPORT);
    CHECK(v.why.cause == KDEVX_CAUSE_KERNEL_TOO_OLD);
    CHECK(fd == -1);
    CHECK(kdevx_uar_free(uar, &v.why) == 0);
}

TEST_CASE("packet pacing: contexts of up to 8 bytes travel inline, longer ones by pointer") {
    mock::verbs v;
    for (std::size_t n : {1, 8, 9, 48}) {
        bytes rate = mock::random_bytes(n);
        kdevx_pp *pp = nullptr;
        mock::script s(v.k);
        s.expect(kabi::pp::alloc)
            .makes("MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE", 2)
            .in("MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX", rate)
            .flags("MLX5_IB_ATTR_PP_OBJ_ALLOC_FLAGS", 1)
            .out_value("MLX5_IB_ATTR_PP_OBJ_ALLOC_INDEX", std::uint16_t(99));
        REQUIRE(kdevx_pp_alloc(v.c, rate.data(), n, KDEVX_PP_DEDICATED_INDEX, &pp, &v.why) == 0);
        CHECK(v.info(pp, kdevx_pp_get_info).index == 99);
        s.expect(kabi::pp::destroy).handle("MLX5_IB_ATTR_PP_OBJ_DESTROY_HANDLE", 2);
        CHECK(kdevx_pp_free(pp, &v.why) == 0);
        CHECK(s.differences() == "");
    }
    kdevx_pp *pp = nullptr;
    bytes rate(49);
    for (std::size_t n : {0, 49})
        v.invalid("MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX",
                  [&] { return kdevx_pp_alloc(v.c, rate.data(), n, 0, &pp, &v.why); });
    v.invalid("MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX",
              [&] { return kdevx_pp_alloc(v.c, nullptr, 8, 0, &pp, &v.why); });
    v.invalid("flags", [&] { return kdevx_pp_alloc(v.c, rate.data(), 8, 2, &pp, &v.why); });
}

TEST_CASE("objects on a shared file: exported, imported, forgotten; the kernel is not asked") {
    mock::verbs v;
    bytes in = mock::random_bytes(32), out(16);
    prm::store_be<std::uint16_t>(in.data(), 0xa00);
    kdevx_object *object = nullptr, *imported = nullptr;
    REQUIRE(kdevx_object_create(v.c, in.data(), 32, out.data(), 16, &object, &v.why) == 0);
    kdevx_umem *umem = nullptr, *other_umem = nullptr;
    REQUIRE(kdevx_umem_reg(v.c, in.data(), 32, nullptr, &umem, &v.why) == 0);
    kdevx_var *var = nullptr, *other_var = nullptr;
    REQUIRE(kdevx_var_alloc(v.c, 0, &var, &v.why) == 0);

    unsigned asked = v.k.count(mock::call::ioctl);
    auto o = sized<kdevx_exported>(), u = sized<kdevx_exported>(), w = sized<kdevx_exported>();
    REQUIRE(kdevx_object_export(object, &o, &v.why) == 0);
    REQUIRE(kdevx_umem_export(umem, &u, &v.why) == 0);
    REQUIRE(kdevx_var_export(var, &w, &v.why) == 0);
    REQUIRE(kdevx_object_import(v.c, &o, &imported, &v.why) == 0);
    REQUIRE(kdevx_umem_import(v.c, &u, &other_umem, &v.why) == 0);
    REQUIRE(kdevx_var_import(v.c, &w, &other_var, &v.why) == 0);
    auto a = v.info(object, kdevx_object_get_info), b = v.info(imported, kdevx_object_get_info);
    CHECK(std::memcmp(&a, &b, sizeof a) == 0);
    CHECK(b.opcode == 0xa00);
    CHECK(b.obj_type != 0);
    auto mine = v.info(umem, kdevx_umem_get_info), theirs = v.info(other_umem, kdevx_umem_get_info);
    CHECK(theirs.id == mine.id);
    CHECK(theirs.handle == mine.handle);
    CHECK(theirs.length == mine.length);
    CHECK(theirs.address == nullptr);
    CHECK(theirs.page_size_exact == 0);
    auto vi = v.info(var, kdevx_var_get_info), wi = v.info(other_var, kdevx_var_get_info);
    CHECK(std::memcmp(&vi, &wi, sizeof vi) == 0);
    v.invalid("exported", [&] { return kdevx_object_import(v.c, &u, &imported, &v.why); });
    CHECK(v.why.detail[0] == KDEVX_KIND_UMEM);
    v.invalid("exported", [&] { return kdevx_umem_import(v.c, &w, &other_umem, &v.why); });
    v.invalid("exported", [&] { return kdevx_var_import(v.c, nullptr, &other_var, &v.why); });
    v.invalid("object", [&] { return kdevx_object_import(v.c, &o, nullptr, &v.why); });
    o.size = 8;
    v.invalid("exported", [&] { return kdevx_object_export(object, &o, &v.why); });
    CHECK(kdevx_object_forget(imported, &v.why) == 0);
    CHECK(kdevx_object_forget(imported, &v.why) == -EBADF);
    CHECK(kdevx_umem_forget(other_umem, &v.why) == 0);
    CHECK(kdevx_var_forget(other_var, &v.why) == 0);
    CHECK(v.k.count(mock::call::ioctl) == asked);

    o = sized<kdevx_exported>();
    REQUIRE(kdevx_object_export(object, &o, &v.why) == 0);
    REQUIRE(kdevx_object_import(v.c, &o, &imported, &v.why) == 0);
    CHECK(kdevx_object_destroy(imported, &v.why) == 0); // the kernel's, too
    CHECK(kdevx_object_destroy(object, &v.why) == -ENOENT);
    CHECK(kdevx_object_forget(object, &v.why) == 0);
    CHECK(kdevx_umem_dereg(umem, &v.why) == 0);
    CHECK(kdevx_var_free(var, &v.why) == 0);
}
