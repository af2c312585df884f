// SPDX-License-Identifier: MIT
// Memory regions: of the program's memory and of a dmabuf. (Of device memory: vm_verbs_dm.cpp.)
#include "dmabuf.hpp"
#include "loopback.hpp"
#include "qp_states.hpp"
#include "raw.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

outcome reg(verbs &v, void *at, std::size_t length, std::uint64_t iova, std::uint32_t access,
            mr_ptr &made) {
    return attempt(made, kdevx_mr_reg, v.pd.get(), at, length, iova, access);
}
outcome reg(verbs &v, void *at, std::size_t length, std::uint32_t access, mr_ptr &made) {
    return reg(v, at, length, std::uint64_t(std::uintptr_t(at)), access, made);
}

// A queue pair that is its own peer, for what the device reaches by keys.
class by_key {
    cq_ring_ptr completions_;
    qp_ptr qp_;
    qp_ring_ptr ring_;

public:
    explicit by_key(verbs &v)
        : completions_(make<cq_ring_ptr>(kdevx_cq_ring_create, v.cq.get())),
          qp_(v.make_qp(v.qp_of(KDEVX_QP_RC))) {
        REQUIRE(to_init(qp_) == ok);
        REQUIRE(to_rtr(qp_, info_of(qp_).qpn) == ok);
        REQUIRE(to_rts(qp_, first_receive_psn) == ok);
        auto r = sized<kdevx_qp_ring_options>();
        r.send_cq = r.recv_cq = completions_.get();
        ring_ = make<qp_ring_ptr>(kdevx_qp_ring_create, qp_.get(),
                                  static_cast<const kdevx_qp_ring_options *>(&r));
    }
    // The syndrome of its completion; 0: done.
    unsigned move(std::uint32_t op, kdevx_sge local, std::uint64_t address, std::uint32_t rkey) {
        kdevx_send_wr w{};
        w.sg_list = &local;
        w.num_sge = 1;
        w.op = decltype(w.op)(op);
        w.flags = KDEVX_SEND_SIGNALED;
        w.u.rdma = {address, rkey};
        const kdevx_send_wr *bad = nullptr;
        REQUIRE(kdevx_post_send(ring_.get(), &w, &bad, nullptr) == 0);
        return next(completions_).syndrome;
    }
};

constexpr std::uint32_t both_ways =
    KDEVX_MR_LOCAL_WRITE | KDEVX_MR_REMOTE_WRITE | KDEVX_MR_REMOTE_READ;

} // namespace

TEST_CASE("a region is what the kernel has under its handle", "[verbs][mr]") {
    verbs v;
    pages memory(64 << 10);
    mr_ptr one, two;
    REQUIRE(reg(v, memory.data() + 100, 5000, KDEVX_MR_LOCAL_WRITE | KDEVX_MR_REMOTE_READ, one) ==
            ok);
    REQUIRE(reg(v, memory.data(), memory.size(), 0, two) == ok);
    const auto info = info_of(one);
    CHECK(info.lkey != info_of(two).lkey);
    CHECK(info.lkey >> 8 != 0);
    CHECK(info.address == memory.data() + 100);
    CHECK(info.length == 5000);
    CHECK(info.access == (KDEVX_MR_LOCAL_WRITE | KDEVX_MR_REMOTE_READ));

    std::uint32_t lkey = 0, rkey = 0;
    std::uint64_t length = 0, iova = 0;
    raw query(UVERBS_OBJECT_MR, UVERBS_METHOD_QUERY_MR);
    query.handle(UVERBS_ATTR_QUERY_MR_HANDLE, info.handle);
    query.out(UVERBS_ATTR_QUERY_MR_RESP_LKEY, &lkey, 4);
    query.out(UVERBS_ATTR_QUERY_MR_RESP_RKEY, &rkey, 4);
    query.out(UVERBS_ATTR_QUERY_MR_RESP_LENGTH, &length, 8);
    query.out(UVERBS_ATTR_QUERY_MR_RESP_IOVA, &iova, 8);
    REQUIRE(query.send(kdevx_context_fd(v.context.get())) == 0);
    CHECK(lkey == info.lkey);
    CHECK(rkey == info.rkey);
    CHECK(length == info.length);
    CHECK(iova == info.iova);
    CHECK(iova == std::uint64_t(std::uintptr_t(memory.data() + 100)));
}

TEST_CASE("access rights of a region", "[verbs][mr]") {
    verbs v;
    pages memory(8192);
    mr_ptr made;
    constexpr std::uint32_t local = KDEVX_MR_LOCAL_WRITE, write = KDEVX_MR_REMOTE_WRITE,
                            read = KDEVX_MR_REMOTE_READ, atomic = KDEVX_MR_REMOTE_ATOMIC,
                            relaxed = KDEVX_MR_RELAXED_ORDERING;
    for (std::uint32_t access :
         {0u, local, read, local | write, local | write | read | atomic, local | relaxed}) {
        CAPTURE(access);
        CHECK(reg(v, memory.data(), memory.size(), access, made) == ok);
    }
    for (std::uint32_t access : {write, atomic, write | read}) {
        CAPTURE(access);
        CHECK(reg(v, memory.data(), memory.size(), access, made) == invalid);
    }
}

TEST_CASE("a region that begins elsewhere for the device", "[verbs][mr]") {
    verbs v;
    pages memory(16384);
    mr_ptr made;
    REQUIRE(reg(v, memory.data() + 64, 4096, 0x70000040, KDEVX_MR_LOCAL_WRITE, made) == ok);
    CHECK(info_of(made).iova == 0x70000040);
    // Not at the same place of a page.
    CHECK(reg(v, memory.data() + 64, 4096, 0x70000000, KDEVX_MR_LOCAL_WRITE, made) == invalid);
}

TEST_CASE("a region of memory that is none", "[verbs][mr]") {
    verbs v;
    pages memory(8192);
    mr_ptr made;
    CHECK(reg(v, nullptr, 4096, 0, made) == invalid);
    CHECK(reg(v, memory.data(), 0, 0, made) == invalid);
    CHECK(reg(v, pointer_to(~std::uintptr_t(0) - 4095), 8192, 0, made) == invalid);
    CHECK(reg(v, pointer_to(0x10000), 4096, 0, made) == failed(EFAULT, KDEVX_CAUSE_INVALID));
    REQUIRE(mprotect(memory.data(), memory.size(), PROT_READ) == 0);
    CHECK(reg(v, memory.data(), 4096, KDEVX_MR_LOCAL_WRITE, made) ==
          failed(EFAULT, KDEVX_CAUSE_INVALID));
    CHECK(reg(v, memory.data(), 4096, 0, made) == ok);
    CHECK(refusal_of<mr_ptr>(kdevx_mr_reg, static_cast<kdevx_pd *>(nullptr),
                             static_cast<void *>(memory.data()), std::size_t(4096),
                             std::uint64_t(0), 0u) == invalid);
}

TEST_CASE("a region is not DEVX's", "[verbs][mr]") {
    verbs v;
    pages memory(4096);
    mr_ptr mr = v.make_mr(memory);
    exchange x("QUERY_MKEY");
    x.set("mkey_index", info_of(mr).lkey >> 8);
    CHECK(call(kdevx_handle_query, v.context.get(), info_of(mr).handle,
               static_cast<const void *>(x.in.data()), x.in.size(),
               static_cast<void *>(x.out.data()), x.out.size()) == invalid);
}

TEST_CASE("locked memory of regions is limited", "[verbs][mr]") {
    const std::string node = under_test().node;
    const auto with_limit = [&](rlim_t limit) {
        return as_nobody([&] {
            const rlimit r{limit, limit};
            if (setrlimit(RLIMIT_MEMLOCK, &r)) return 90;
            kdevx_context *c = nullptr;
            if (kdevx_context_open_path(node.c_str(), nullptr, &c, nullptr)) return 91;
            kdevx_pd *pd = nullptr;
            if (kdevx_pd_alloc(c, &pd, nullptr)) return 92;
            constexpr std::size_t size = 128 << 10;
            void *p =
                mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            kdevx_mr *mr = nullptr;
            kdevx_failure why{};
            const int rc = kdevx_mr_reg(pd, p, size, std::uintptr_t(p), 1, &mr, &why);
            if (rc == -ENOMEM && why.cause == KDEVX_CAUSE_LIMIT) return 1;
            if (rc == -EPERM && why.cause == KDEVX_CAUSE_NO_PERMISSION) return 2;
            return rc ? 3 : 0;
        });
    };
    CHECK(with_limit(1 << 20) == 0);
    CHECK(with_limit(64 << 10) == 1 << 8);
    CHECK(with_limit(0) == 2 << 8);
}

TEST_CASE("locked memory of queues is limited", "[verbs][mr]") {
    const std::string node = under_test().node;
    CHECK(as_nobody([&] {
              kdevx_context *c = nullptr;
              kdevx_pd *pd = nullptr;
              kdevx_cq *cq = nullptr;
              std::byte out[512];
              const auto small = cq_of(15), big = cq_of(4095);
              if (kdevx_context_open_path(node.c_str(), nullptr, &c, nullptr)) return 1;
              if (kdevx_pd_alloc(c, &pd, nullptr)) return 2;
              if (kdevx_cq_create(c, &small, &cq, nullptr)) return 3;
              const auto limit = [](rlim_t now) {
                  const rlimit r{now, 1 << 20};
                  return setrlimit(RLIMIT_MEMLOCK, &r);
              };
              auto qp = sized<kdevx_qp_options>();
              qp.type = KDEVX_QP_RC;
              qp.send_cq = qp.recv_cq = cq;
              qp.max_send_wr = qp.max_recv_wr = 4096;
              qp.max_send_sge = qp.max_recv_sge = 1;
              auto srq = sized<kdevx_srq_options>();
              srq.max_wr = 8191;
              srq.max_sge = 1;
              int wrong = 0;
              const auto check = [&](int err, unsigned cause) {
                  kdevx_cq *more = nullptr;
                  kdevx_qp *of_them = nullptr;
                  kdevx_srq *shared = nullptr;
                  kdevx_failure why{};
                  const auto is = [&](int rc) { return rc == err && why.cause == cause; };
                  wrong += !is(kdevx_cq_create(c, &big, &more, &why)) || more;
                  wrong += !is(kdevx_qp_create(pd, &qp, &of_them, &why)) || of_them;
                  wrong += !is(kdevx_srq_create(pd, &srq, &shared, &why)) || shared;
              };
              if (limit(64 << 10)) return 4;
              check(-ENOMEM, KDEVX_CAUSE_LIMIT);
              if (limit(0)) return 5;
              check(-EPERM, KDEVX_CAUSE_NO_PERMISSION);
              // What was made before is as good as it was, and there is room again.
              wrong += kdevx_cq_devx_query(cq, nullptr, 0, out, sizeof out, nullptr) != 0;
              if (limit(1 << 20)) return 6;
              kdevx_cq *more = nullptr;
              wrong += kdevx_cq_create(c, &big, &more, nullptr) != 0;
              return wrong;
          }) == 0);
}

TEST_CASE("a dmabuf's region", "[verbs][mr]") {
    verbs v;
    const dmabuf buffer(1 << 20);
    const auto reg_dmabuf = [&](int fd, std::uint32_t access, std::uint32_t dmabuf_access) {
        return refusal_of<mr_ptr>(kdevx_mr_reg_dmabuf, v.pd.get(), fd, std::uint64_t(0),
                                  std::uint64_t(buffer.size()), std::uint64_t(0), access,
                                  dmabuf_access);
    };
    CHECK(reg_dmabuf(-1, 0, 0) == failed(EBADF, KDEVX_CAUSE_INVALID));
    // The driver fills such a region's translation by a UMR post, and this HCA says that UMR cannot
    // change the size of a page (umr_modify_entity_size_disabled).
    CHECK(reg_dmabuf(buffer.fd(), KDEVX_MR_LOCAL_WRITE, 0) == invalid);
    CHECK(reg_dmabuf(buffer.fd(), KDEVX_MR_ON_DEMAND, 0) == invalid);
    if (kernel() < version{6, 12})
        CHECK(reg_dmabuf(buffer.fd(), 0, KDEVX_DMABUF_DATA_DIRECT) ==
              failed(EPROTONOSUPPORT, KDEVX_CAUSE_KERNEL_TOO_OLD));
    else
        CHECK(reg_dmabuf(buffer.fd(), 0, KDEVX_DMABUF_DATA_DIRECT) == invalid);
}

TEST_CASE("a dmabuf's region, where the driver fills keys by UMR", "[verbs][mr][umr]") {
    verbs v(with_umr());
    const dmabuf buffer(1 << 20);
    constexpr std::uint64_t iova = 0x7000'0000'0000, at = 8192, length = 100'000;
    const auto reg_dmabuf = [&](int fd, std::uint64_t offset, std::uint64_t n, std::uint64_t seen,
                                mr_ptr &made) {
        return attempt(made, kdevx_mr_reg_dmabuf, v.pd.get(), fd, offset, n, seen, both_ways, 0u);
    };
    mr_ptr whole, part, none;
    REQUIRE(reg_dmabuf(buffer.fd(), 0, buffer.size(), iova, whole) == ok);
    REQUIRE(reg_dmabuf(buffer.fd(), at, length, iova, part) == ok);
    CHECK(info_of(whole).address == nullptr);
    CHECK(info_of(whole).iova == iova);
    CHECK(info_of(whole).length == buffer.size());
    CHECK(call(kdevx_pd_dealloc, v.pd.get()).why.detail[0] == KDEVX_KIND_MR);
    CHECK(reg_dmabuf(buffer.fd(), at, buffer.size(), iova, none) == invalid); // beyond its end

    // What goes there by one of the keys comes back by the other.
    pages from(length), to(length);
    mr_ptr source = v.make_mr(from), target = v.make_mr(to);
    for (std::size_t i = 0; i < length; ++i)
        from.data()[i] = std::byte(i * 7 + (i >> 8));
    by_key device(v);
    const kdevx_sge out{std::uintptr_t(from.data()), length, info_of(source).lkey},
        in{std::uintptr_t(to.data()), length, info_of(target).lkey};
    CHECK(device.move(KDEVX_RDMA_WRITE, out, iova + at, info_of(whole).rkey) == 0);
    CHECK(device.move(KDEVX_RDMA_READ, in, iova, info_of(part).rkey) == 0);
    CHECK(std::memcmp(from.data(), to.data(), length) == 0);
    CHECK(device.move(KDEVX_RDMA_WRITE, out, iova + 1, info_of(part).rkey) != 0); // beyond its end
}

TEST_CASE("a region of memory, where the driver fills keys by UMR", "[verbs][mr][umr]") {
    verbs v(with_umr());
    pages memory(64 << 10), other(4096);
    const std::uint64_t iova = 0x1234'5678'9abc + (std::uintptr_t(memory.data()) & 0xfff);
    mr_ptr one, two = v.make_mr(other);
    by_key device(v);
    // Keys are used again: what one gives back the next one gets.
    for (unsigned round = 0; round < 3; ++round) {
        one.reset();
        REQUIRE(reg(v, memory.data() + 100 * round, 40'000, (iova & ~0xfffull) + 100 * round,
                    both_ways, one) == ok);
        const std::uint64_t number = 0x0102'0304'0506'0708 * (round + 1);
        std::memcpy(other.data(), &number, 8);
        const kdevx_sge out{std::uintptr_t(other.data()), 8, info_of(two).lkey};
        CHECK(device.move(KDEVX_RDMA_WRITE, out, info_of(one).iova + 30'001, info_of(one).rkey) ==
              0);
        CHECK(std::memcmp(memory.data() + 100 * round + 30'001, &number, 8) == 0);
    }
}
