// SPDX-License-Identifier: MIT
// Memory of the program under a umem id: rights, page sizes, bounds, limits, dmabufs.
#include "bench.hpp"
#include "dmabuf.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

kdevx_umem_options options_with(std::uint32_t access, std::uint64_t bitmap = 0,
                                std::uint32_t flags = 0) {
    kdevx_umem_options o{};
    o.size = sizeof o;
    o.access = access;
    o.pgsz_bitmap = bitmap;
    o.flags = flags;
    return o;
}

outcome reg(kdevx_context *c, void *at, std::size_t size, const kdevx_umem_options &o,
            umem_ptr &made) {
    kdevx_umem *u = nullptr;
    const outcome got = call(kdevx_umem_reg, c, at, size, &o, &u);
    made.reset(u);
    return got;
}

constexpr std::uint32_t local = KDEVX_ACCESS_LOCAL_WRITE, remote_write = KDEVX_ACCESS_REMOTE_WRITE,
                        remote_read = KDEVX_ACCESS_REMOTE_READ,
                        relaxed = KDEVX_ACCESS_RELAXED_ORDERING;

} // namespace

TEST_CASE("access rights of a umem", "[umem]") {
    context_ptr c = open_context();
    pages memory(8192);
    umem_ptr made;
    for (std::uint32_t access : {0u, local, remote_read, local | remote_write, local | remote_read,
                                 local | remote_write | remote_read | relaxed, relaxed}) {
        CAPTURE(access);
        CHECK(reg(c.get(), memory.data(), memory.size(), options_with(access), made) == ok);
    }
    for (std::uint32_t access : {remote_write, remote_write | remote_read, 1u << 3, 1u << 31}) {
        CAPTURE(access);
        CHECK(reg(c.get(), memory.data(), memory.size(), options_with(access), made) == invalid);
    }
    CHECK(reg(c.get(), memory.data(), memory.size(), options_with(local, 0, 1u << 7), made) ==
          invalid);
    // The two pages are still a program's memory like any other.
    memory.data()[8191] = std::byte(1);
}

TEST_CASE("what a umem tells of itself", "[umem]") {
    context_ptr c = open_context();
    pages memory(64 << 10);
    umem_ptr one, two;
    REQUIRE(reg(c.get(), memory.data() + 100, 5000, options_with(local), one) == ok);
    REQUIRE(reg(c.get(), memory.data() + 100, 5000, options_with(local), two) == ok);
    const auto a = info_of(one.get()), b = info_of(two.get());
    CHECK(a.id != b.id);
    CHECK(a.handle != b.handle);
    CHECK(a.address == memory.data() + 100);
    CHECK(a.length == 5000);
    CHECK(a.page_size_bound >= 4096);
}

TEST_CASE("page sizes: the caller's choice and the kernel's", "[umem]") {
    context_ptr c = open_context();
    pages memory(1 << 20);
    umem_ptr made;
    REQUIRE(reg(c.get(), memory.data(), memory.size(), options_with(local, 1 << 12), made) == ok);
    CHECK(info_of(made.get()).page_size_bound == 4096);
    CHECK(info_of(made.get()).page_size_exact == 1);
    REQUIRE(reg(c.get(), memory.data(), memory.size(), options_with(local), made) == ok);
    CHECK(info_of(made.get()).page_size_bound >= 4096);
    // Memory of small pages that the device would have to see in large ones: 1 GiB pages cannot be
    // for 1 MiB that is scattered. And smaller ones than the processor's are none.
    pages scattered(64 << 10);
    for (std::size_t i = 0; i < scattered.size(); i += 4096)
        scattered.data()[i] = std::byte(1);
    CHECK(reg(c.get(), scattered.data() + 4096, 8192, options_with(local, 1ull << 30), made) ==
          invalid);
}

TEST_CASE("memory that is none", "[umem]") {
    context_ptr c = open_context();
    pages memory(8192);
    umem_ptr made;
    const auto write = options_with(local), read = options_with(0);
    CHECK(reg(c.get(), nullptr, 4096, write, made) == invalid);
    CHECK(reg(c.get(), memory.data(), 0, write, made) == invalid);
    CHECK(reg(c.get(), pointer_to(~std::uintptr_t(0) - 4095), 8192, write, made) == invalid);
    CHECK(reg(c.get(), memory.data(), ~std::size_t(0), write, made) == invalid);
    CHECK(reg(c.get(), pointer_to(0x10000), 4096, write, made) ==
          failed(EFAULT, KDEVX_CAUSE_INVALID));
    // More than there is.
    const outcome huge = reg(c.get(), memory.data(), std::size_t(1) << 50, write, made);
    CAPTURE(huge);
    CHECK((huge.err == ENOMEM || huge.err == EINVAL || huge.err == EFAULT));
    // Memory that may only be read: a device that writes may not have it.
    REQUIRE(mprotect(memory.data(), memory.size(), PROT_READ) == 0);
    CHECK(reg(c.get(), memory.data(), 4096, write, made) == failed(EFAULT, KDEVX_CAUSE_INVALID));
    CHECK(reg(c.get(), memory.data(), 4096, read, made) == ok);
}

TEST_CASE("a umem in use stays, and goes when it is free", "[umem]") {
    bench b;
    object_ptr key = b.create(b.mkey());
    CHECK(call(kdevx_umem_dereg, b.umem()) == failed(EBUSY, KDEVX_CAUSE_BUSY));
    CHECK(info_of(b.umem()).length == bench::memory_size);
    object_ptr another = b.create(b.mkey()); // usable as before
}

TEST_CASE("the device may not write where it was only given leave to read", "[umem]") {
    bench b;
    pages memory(1 << 20);
    umem_ptr read_only = reg_umem(b.context(), memory.data(), memory.size(), 0);
    exchange cq = b.cq();
    cq.set("cq_umem_id", info_of(read_only.get()).id);
    object_ptr made;
    CHECK(create(b.context(), cq, made) == refused(because::umem_read_only));
}

TEST_CASE("a queue that does not lie within its umem", "[umem]") {
    bench b;
    object_ptr made;
    for (std::uint64_t offset :
         {bench::memory_size - 4096 + 64, bench::memory_size, std::uint64_t(1) << 40}) {
        exchange cq = b.cq();
        cq.set("cq_umem_offset", offset);
        CHECK(create(b.context(), cq, made) == refused(because::umem_bounds));
    }
    exchange record = b.cq();
    record.set("cq_context.dbr_addr", bench::memory_size);
    CHECK(create(b.context(), record, made) == refused(because::umem_bounds));
    exchange last = b.cq();
    last.set("cq_umem_offset", bench::memory_size - 4096);
    CHECK(create(b.context(), last, made) == ok);
}

TEST_CASE("a queue begins at a 64th of its page", "[umem]") {
    bench b;
    constexpr std::uint64_t log_64k = 16 - 12, a_64th_of_4k = 64, a_64th_of_64k = 1024;
    const auto at_offset = [&](std::uint64_t offset, std::uint64_t log_page_size) {
        exchange cq = b.cq();
        cq.set("cq_umem_offset", offset).set("cq_context.log_page_size", log_page_size);
        object_ptr made;
        return create(b.context(), cq, made);
    };
    CHECK(at_offset(a_64th_of_4k, 0) == ok);
    CHECK(at_offset(a_64th_of_4k / 2, 0) == refused(because::page_not_aligned));
    CHECK(at_offset(a_64th_of_64k, log_64k) == ok);
    CHECK(at_offset(a_64th_of_4k, log_64k) == refused(because::page_not_aligned));
}

TEST_CASE("locked memory is limited", "[umem]") {
    const std::string node = under_test().node;
    const auto with_limit = [&](rlim_t limit, std::size_t size) {
        return as_nobody([&] {
            const rlimit r{limit, limit};
            if (setrlimit(RLIMIT_MEMLOCK, &r)) return 90;
            kdevx_context *c = nullptr;
            if (kdevx_context_open_path(node.c_str(), nullptr, &c, nullptr)) return 91;
            void *p =
                mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            kdevx_umem *u = nullptr;
            kdevx_failure why{};
            const int rc = kdevx_umem_reg(c, p, size, nullptr, &u, &why);
            if (rc == -ENOMEM && why.cause == KDEVX_CAUSE_LIMIT) return 1;
            if (rc == -EPERM && why.cause == KDEVX_CAUSE_NO_PERMISSION) return 2;
            return rc ? 3 : 0;
        });
    };
    const auto exits = [](int code) { return code << 8; };
    CHECK(with_limit(64 << 10, 32 << 10) == exits(0));
    CHECK(with_limit(64 << 10, 128 << 10) == exits(1));
    CHECK(with_limit(0, 4096) == exits(2));
}

TEST_CASE("a dmabuf", "[umem]") {
    context_ptr c = open_context();
    const dmabuf buffer(1 << 20);
    const auto with = [&](int fd, std::uint64_t offset, std::uint64_t length, umem_ptr &made,
                          std::uint32_t flags = 0) {
        const auto o = options_with(local, 0, flags);
        kdevx_umem *u = nullptr;
        const outcome got = call(kdevx_umem_reg_dmabuf, c.get(), fd, offset, length, &o, &u);
        made.reset(u);
        return got;
    };
    umem_ptr made;
    REQUIRE(with(buffer.fd(), 0, buffer.size(), made) == ok);
    CHECK(info_of(made.get()).address == nullptr);
    CHECK(info_of(made.get()).length == buffer.size());
    CHECK(with(buffer.fd(), 8192, 4096, made) == ok);
    CHECK(with(-1, 0, 4096, made) == failed(EBADF, KDEVX_CAUSE_INVALID));
    CHECK(with(1023, 0, 4096, made) == failed(EBADF, KDEVX_CAUSE_INVALID));
    CHECK(with(kdevx_context_fd(c.get()), 0, 4096, made) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(with(buffer.fd(), 0, 4096, made, KDEVX_UMEM_DONTFORK) == invalid);
    CHECK(with(buffer.fd(), buffer.size(), 4096, made) == invalid);
    CHECK(with(buffer.fd(), 0, buffer.size() + 4096, made) == invalid);
}

TEST_CASE("a queue in a dmabuf", "[umem]") {
    bench b;
    const dmabuf buffer(1 << 20);
    const auto o = options_with(local);
    kdevx_umem *u = nullptr;
    REQUIRE(call(kdevx_umem_reg_dmabuf, b.context(), buffer.fd(), std::uint64_t(0),
                 std::uint64_t(buffer.size()), &o, &u) == ok);
    umem_ptr owner(u);
    exchange cq = b.cq();
    cq.set("cq_umem_id", info_of(u).id);
    object_ptr made = b.create(cq);
    CHECK(call(kdevx_umem_dereg, u) == failed(EBUSY, KDEVX_CAUSE_BUSY));
}
