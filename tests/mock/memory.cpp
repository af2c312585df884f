// SPDX-License-Identifier: MIT
// umems and UARs.
#include <cerrno>
#include <cstring>

#include <sys/mman.h>

#include "../unit/catch.hpp"
#include "script.hpp"

using namespace kdevx;
using mock::bytes;

namespace {

struct memory_fixture {
    mock::kernel k;
    kdevx_context *c = k.open();
    kdevx_failure why{};
    ~memory_fixture() {
        kdevx_context_close(c);
        CHECK(k.live() == 0);
        CHECK(k.broken_rules.empty());
    }
    kdevx_umem_info info(kdevx_umem *u) {
        kdevx_umem_info i{};
        i.size = sizeof i;
        REQUIRE(kdevx_umem_get_info(u, &i, &why) == 0);
        return i;
    }
    kdevx_uar_info info(kdevx_uar *u) {
        kdevx_uar_info i{};
        i.size = sizeof i;
        REQUIRE(kdevx_uar_get_info(u, &i, &why) == 0);
        return i;
    }
    kdevx_uar *uar(std::uint32_t type) {
        kdevx_uar *u = nullptr;
        REQUIRE(kdevx_uar_alloc(c, &type, 1, &u, &why) == 0);
        return u;
    }
};

} // namespace

TEST_CASE("a umem of memory: exact bytes, with access and page sizes as asked") {
    memory_fixture f;
    char memory[256];
    kdevx_umem_options o{};
    o.size = sizeof o;
    o.access = KDEVX_ACCESS_LOCAL_WRITE | KDEVX_ACCESS_REMOTE_WRITE | KDEVX_ACCESS_REMOTE_READ |
               KDEVX_ACCESS_RELAXED_ORDERING;
    o.pgsz_bitmap = 1 << 12 | 1 << 16;
    mock::script s(f.k);
    s.expect(kabi::umem::reg)
        .makes("MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE", 3)
        .in_value("MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR", std::uint64_t(std::uintptr_t(memory)))
        .in_value("MLX5_IB_ATTR_DEVX_UMEM_REG_LEN", std::uint64_t(256))
        .flags("MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS", 0x100007)
        .out_value("MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID", std::uint32_t(0x1234567))
        .constant("MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP", 0x11000);
    kdevx_umem *u = nullptr;
    REQUIRE(kdevx_umem_reg(f.c, memory, 256, &o, &u, &f.why) == 0);
    CHECK(s.differences() == "");
    kdevx_umem_info i = f.info(u);
    CHECK(i.id == 0x1234567);
    CHECK(i.handle == 3);
    CHECK(i.address == memory);
    CHECK(i.length == 256);
    s.expect(kabi::umem::dereg).handle("MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE", 3).fails(EBUSY);
    CHECK(kdevx_umem_dereg(u, &f.why) == -EBUSY);
    s.expect(kabi::umem::dereg).handle("MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE", 3);
    CHECK(kdevx_umem_dereg(u, &f.why) == 0);
    CHECK(s.differences() == "");
}

TEST_CASE("a umem of a dmabuf: the fd is a raw one without a length, the address is the offset") {
    memory_fixture f;
    mock::script s(f.k);
    s.expect(kabi::umem::reg)
        .makes("MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE", 0)
        .in_value("MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR", std::uint64_t(0x10000000000))
        .in_value("MLX5_IB_ATTR_DEVX_UMEM_REG_LEN", std::uint64_t(8192))
        .flags("MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS", 1)
        .out_value("MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID", std::uint32_t(1))
        .handle("MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD", 0);
    kdevx_umem *u = nullptr;
    REQUIRE(kdevx_umem_reg_dmabuf(f.c, 0, 0x10000000000, 8192, nullptr, &u, &f.why) == 0);
    CHECK(s.differences() == "");
    CHECK(f.info(u).address == nullptr);
    s.expect(kabi::umem::dereg).handle("MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE", 0);
    CHECK(kdevx_umem_dereg(u, &f.why) == 0);
    unsigned ioctls = f.k.count(mock::call::ioctl);
    CHECK(kdevx_umem_reg_dmabuf(f.c, -1, 0, 8192, nullptr, &u, &f.why) == -EBADF);
    CHECK(f.k.count(mock::call::ioctl) == ioctls);
}

TEST_CASE("DONTFORK: whole pages, only if asked for, undone with the umem and on failure") {
    memory_fixture f;
    struct advice {
        std::uintptr_t address;
        std::size_t length;
        int what;
    };
    std::vector<advice> given;
    f.k.on_madvise = [&](void *a, std::size_t n, int what) {
        given.push_back({std::uintptr_t(a), n, what});
    };
    alignas(4096) static char memory[3 * 4096];
    kdevx_umem *u = nullptr;
    REQUIRE(kdevx_umem_reg(f.c, memory + 100, 4096, nullptr, &u, &f.why) == 0);
    REQUIRE(kdevx_umem_dereg(u, &f.why) == 0);
    CHECK(given.empty());

    kdevx_umem_options o{};
    o.size = sizeof o;
    o.access = KDEVX_ACCESS_LOCAL_WRITE;
    o.flags = KDEVX_UMEM_DONTFORK;
    REQUIRE(kdevx_umem_reg(f.c, memory + 100, 4096, &o, &u, &f.why) == 0);
    REQUIRE(given.size() == 1);
    CHECK(given[0].address == std::uintptr_t(memory));
    CHECK(given[0].length == 8192);
    CHECK(given[0].what == MADV_DONTFORK);
    REQUIRE(kdevx_umem_dereg(u, &f.why) == 0);
    REQUIRE(given.size() == 2);
    CHECK(given[1].what == MADV_DOFORK);

    f.k.fail(mock::call::ioctl, 0, EFAULT);
    CHECK(kdevx_umem_reg(f.c, memory, 4096, &o, &u, &f.why) == -EFAULT);
    REQUIRE(given.size() == 4);
    CHECK(given[3].what == MADV_DOFORK);
    // With a dmabuf there are no pages to advise about.
    CHECK(kdevx_umem_reg_dmabuf(f.c, 5, 0, 4096, &o, &u, &f.why) == -EINVAL);
    CHECK(std::strcmp(f.why.step, "flags") == 0);
}

TEST_CASE("A14: advice that fails is a failure with an errno, before the kernel pins anything") {
    memory_fixture f;
    char memory[64];
    kdevx_umem_options o{};
    o.size = sizeof o;
    o.flags = KDEVX_UMEM_DONTFORK;
    for (int err : {EINVAL, ENOMEM}) {
        unsigned ioctls = f.k.count(mock::call::ioctl);
        f.k.fail(mock::call::madvise, 0, err);
        kdevx_umem *u = nullptr;
        CHECK(kdevx_umem_reg(f.c, memory, 64, &o, &u, &f.why) == -err);
        CHECK(std::strcmp(f.why.step, "madvise") == 0);
        CHECK(f.k.count(mock::call::ioctl) == ioctls);
    }
}

TEST_CASE("a UAR: exact bytes, mapped where the kernel says, given back") {
    memory_fixture f;
    std::uint64_t offset = 0;
    f.k.on_mmap = [&](std::size_t n, std::uint64_t o) {
        CHECK(n == 4096);
        offset = o;
        return 0;
    };
    mock::script s(f.k);
    auto expect_alloc = [&](std::uint64_t type) -> mock::expected & {
        return s.expect(kabi::uar::alloc)
            .makes("MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE", 6)
            .constant("MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE", type)
            .out_value("MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET", std::uint64_t(0x123456789000))
            .out_value("MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH", std::uint32_t(4096))
            .out_value("MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID", std::uint32_t(0x10042));
    };
    for (std::uint32_t type : {KDEVX_UAR_NC_DEDICATED, KDEVX_UAR_BF}) {
        expect_alloc(type == KDEVX_UAR_BF ? 0 : 1);
        kdevx_uar *u = f.uar(type);
        CHECK(offset == 0x123456789000);
        kdevx_uar_info i = f.info(u);
        CHECK(i.type == type);
        CHECK(i.page_id == 0x10042); // more than 16 bits
        CHECK(static_cast<char *>(i.reg_addr) - static_cast<char *>(i.base_addr) == 0x800);
        CHECK(i.mmap_off == 0x123456789000);
        CHECK((i.bf_size == 0) == (type != KDEVX_UAR_BF));
        s.expect(kabi::uar::destroy).handle("MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE", 6);
        CHECK(kdevx_uar_free(u, &f.why) == 0);
        CHECK(f.k.mappings.empty());
    }
    CHECK(s.differences() == "");
}

TEST_CASE("NC UARs share one page until the last is freed, dedicated ones do not") {
    memory_fixture f;
    kdevx_uar *a = f.uar(KDEVX_UAR_NC), *b = f.uar(KDEVX_UAR_NC),
              *own = f.uar(KDEVX_UAR_NC_DEDICATED);
    CHECK(f.info(a).base_addr == f.info(b).base_addr);
    CHECK(f.info(a).page_id == f.info(b).page_id);
    CHECK(f.info(own).base_addr != f.info(a).base_addr);
    CHECK(f.k.handles[0x1008].size() == 2);
    CHECK(kdevx_uar_free(a, &f.why) == 0);
    CHECK(f.k.handles[0x1008].size() == 2);
    CHECK(f.k.mappings.size() == 2);
    f.k.fail(mock::call::ioctl, 0, EINVAL);
    CHECK(kdevx_uar_free(b, &f.why) == -EINVAL);
    CHECK(f.k.mappings.size() == 2);
    CHECK(kdevx_uar_free(b, &f.why) == 0);
    CHECK(f.k.mappings.size() == 1);
    kdevx_uar *again = f.uar(KDEVX_UAR_NC);
    CHECK(kdevx_uar_free(again, &f.why) == 0);
    CHECK(kdevx_uar_free(own, &f.why) == 0);
}

TEST_CASE("the ladder takes the first that is granted, and reports the last that is not") {
    memory_fixture f;
    const std::uint32_t ladder[] = {KDEVX_UAR_BF, KDEVX_UAR_NC_DEDICATED, KDEVX_UAR_NC};
    kdevx_uar *u = nullptr;
    for (int err : {EOPNOTSUPP, EPROTONOSUPPORT, ENOMEM, EPERM, EINVAL}) {
        f.k.fail(mock::call::ioctl, 0, err);
        REQUIRE(kdevx_uar_alloc(f.c, ladder, 3, &u, &f.why) == 0);
        CHECK(f.info(u).type == KDEVX_UAR_NC_DEDICATED);
        CHECK(f.info(u).bf_size == 0);
        CHECK(kdevx_uar_free(u, &f.why) == 0);
    }
    f.k.on_ioctl = [n = 0](ib_uverbs_ioctl_hdr *h) mutable {
        const int errs[] = {-EOPNOTSUPP, -EINVAL, -ENOMEM};
        return h->object_id == 0x1008 ? errs[n++ % 3] : 1;
    };
    CHECK(kdevx_uar_alloc(f.c, ladder, 3, &u, &f.why) == -ENOMEM);
    CHECK(f.why.cause == KDEVX_CAUSE_LIMIT);
    unsigned asked = f.k.count(mock::call::ioctl);
    f.k.on_ioctl = nullptr;
    f.k.removed = true;
    CHECK(kdevx_uar_alloc(f.c, ladder, 3, &u, &f.why) == -EIO);
    CHECK(f.why.cause == KDEVX_CAUSE_DEVICE_GONE);
    CHECK(f.k.count(mock::call::ioctl) == asked + 2); // one attempt, one question
    f.k.removed = false;
}

TEST_CASE("a page that cannot be mapped is given back") {
    memory_fixture f;
    std::uint32_t type = KDEVX_UAR_BF;
    kdevx_uar *u = nullptr;
    f.k.fail(mock::call::mmap, 0, EPERM);
    CHECK(kdevx_uar_alloc(f.c, &type, 1, &u, &f.why) == -EPERM);
    CHECK(std::strcmp(f.why.step, "mmap") == 0);
    CHECK(f.k.handles[0x1008].empty());
}

TEST_CASE("A7: what is not a field of an options struct does not reach the wire, each field does") {
    memory_fixture f;
    alignas(4096) static char memory[4096];
    struct sent {
        std::vector<bytes> attrs;
        bool operator==(const sent &) const = default;
    } now;
    f.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
        const kabi::method_base *m = kabi::find_method(h->object_id, h->method_id);
        now = {};
        for (unsigned i = 0; m == &kabi::umem::reg && i < h->num_attrs; ++i) {
            const kabi::attr &row = *m->find(h->attrs[i].attr_id);
            bytes b = row.kind == kabi::ptr_in ? mock::carried(h->attrs[i], row.kind) : bytes(8);
            if (row.kind == kabi::flags_in || row.kind == kabi::const_in)
                std::memcpy(b.data(), &h->attrs[i].data, 8);
            now.attrs.push_back(b);
        }
        return 1;
    };
    auto wire = [&](unsigned char fill, std::uint32_t access, std::uint64_t pages) {
        kdevx_umem_options o;
        std::memset(&o, fill, sizeof o);
        o.size = sizeof o;
        o.access = access;
        o.flags = 0;
        o.pgsz_bitmap = pages;
        kdevx_umem *u = nullptr;
        REQUIRE(kdevx_umem_reg(f.c, memory, 4096, &o, &u, &f.why) == 0);
        sent s = now;
        REQUIRE(kdevx_umem_dereg(u, &f.why) == 0);
        return s;
    };
    CHECK(wire(0xa5, 1, 4096) == wire(0, 1, 4096));
    CHECK_FALSE(wire(0, 3, 4096) == wire(0, 1, 4096));
    CHECK_FALSE(wire(0, 1, 8192) == wire(0, 1, 4096));
}
