// SPDX-License-Identifier: MIT
// A verbs CQ of another size: exact bytes, what moves along, what is refused, what is given back.
#include <algorithm>
#include <bit>
#include <functional>

#include "ringed.hpp"

using namespace kdevx;
using mock::as_bytes, mock::bytes, mock::nop, mock::REQ, mock::sized;

namespace {

constexpr std::uint32_t RESIZE = prm::cqe_op<"RESIZE_CQ">;

kdevx_cq_resize_options to(std::uint32_t cqe, kdevx_cq_ring *ring) {
    auto o = sized<kdevx_cq_resize_options>();
    o.cqe = cqe;
    o.ring = ring;
    return o;
}

// A kernel that does what mlx5 does, and a device that leaves its mark.
struct resizing : mock::ringed {
    std::uint64_t buf_addr = 0;
    unsigned commands = 0;
    std::function<void()> meanwhile; // between the command and its answer

    resizing() {
        k.on_ioctl = [this](ib_uverbs_ioctl_hdr *h) { return answer(h); };
    }
    ~resizing() { k.on_ioctl = nullptr; }

    template <class T>
    static void copy(T &into, const ib_uverbs_attr &a) {
        const bytes b = mock::carried(a, kabi::ptr_in);
        std::memcpy(&into, b.data(), std::min(b.size(), sizeof into));
    }
    int answer(ib_uverbs_ioctl_hdr *h) {
        const auto &m = kabi::device::invoke_write;
        if (h->object_id != m.object->id || h->method_id != m.id) return 1;
        mlx5_ib_resize_cq driver{};
        ib_uverbs_resize_cq core{};
        std::uint64_t command = 0;
        for (unsigned i = 0; i < h->num_attrs; ++i) {
            const ib_uverbs_attr &a = h->attrs[i];
            const auto named = [&](const char *n) {
                return a.attr_id == m.find(std::string_view(n))->id;
            };
            if (named("UVERBS_ATTR_WRITE_CMD")) command = a.data;
            if (named("UVERBS_ATTR_UHW_IN")) copy(driver, a);
            if (named("UVERBS_ATTR_CORE_IN")) copy(core, a);
        }
        if (command != IB_USER_VERBS_CMD_RESIZE_CQ) return 1;
        ++commands;
        buf_addr = driver.buf_addr;
        mark(core.cqe, driver);
        if (meanwhile) meanwhile();
        return 0;
    }
    void mark(std::uint32_t cqe, const mlx5_ib_resize_cq &driver) {
        hca.completes(RESIZE, 0, 0);
        hca.cq.memory.buffer = reinterpret_cast<void *>(std::uintptr_t(driver.buf_addr));
        hca.cq.cqe = std::bit_ceil(cqe + 1);
    }
    int resize(std::uint32_t cqe) {
        const auto o = to(cqe, cq_ring);
        return kdevx_cq_resize(cq, &o, &why);
    }
};

struct worker {
    resizing &v;
    kdevx_qp *qp = v.rc();
    kdevx_qp_ring *ring = v.ring_of(qp);
    std::uint32_t qpn = v.qp_info(qp).qpn;
    std::uint64_t posted = 0;

    explicit worker(resizing &world) : v(world) { v.move(qp, KDEVX_QPS_RTS); }
    ~worker() { v.end(ring, qp); }
    void complete(unsigned n) {
        for (; n; --n) {
            const kdevx_send_wr w = nop(posted);
            const kdevx_send_wr *bad = nullptr;
            REQUIRE(kdevx_post_send(ring, &w, &bad, &v.why) == 0);
            v.hca.completes(REQ, qpn, std::uint32_t(posted++));
        }
    }
};

} // namespace

TEST_CASE("a resize: exact bytes, the new buffer marked as the device's, the old one given back") {
    mock::ringed v;
    const auto before = v.cq_info();
    const std::size_t mappings = v.k.mappings.size();
    ib_uverbs_resize_cq in{};
    in.cq_handle = before.handle;
    in.cqe = 100;
    // The new buffer's place is not known beforehand: taken from the wire, the rest is compared.
    std::uint64_t address = 0;
    bytes core, driver;
    unsigned attributes = 0;
    std::uint64_t command = 0;
    mock::device hca = v.hca;
    v.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
        const auto &m = kabi::device::invoke_write;
        REQUIRE(h->object_id == m.object->id);
        REQUIRE(h->method_id == m.id);
        attributes = h->num_attrs;
        for (unsigned i = 0; i < h->num_attrs; ++i) {
            const auto named = [&](const char *n) {
                return h->attrs[i].attr_id == m.find(std::string_view(n))->id;
            };
            if (named("UVERBS_ATTR_CORE_IN")) core = mock::carried(h->attrs[i], kabi::ptr_in);
            if (named("UVERBS_ATTR_UHW_IN")) driver = mock::carried(h->attrs[i], kabi::ptr_in);
            if (named("UVERBS_ATTR_WRITE_CMD")) command = h->attrs[i].data;
            if (named("UVERBS_ATTR_CORE_OUT")) CHECK(h->attrs[i].len == 8);
        }
        REQUIRE(driver.size() == 16);
        std::memcpy(&address, driver.data(), sizeof address);
        hca.completes(RESIZE, 0, 0);
        return 0;
    };
    const auto o = to(100, v.cq_ring);
    REQUIRE(kdevx_cq_resize(v.cq, &o, &v.why) == 0);
    v.k.on_ioctl = nullptr;
    CHECK(attributes == 4);
    CHECK(command == 19);
    CHECK(core == as_bytes(in));
    CHECK(driver == as_bytes(mlx5_ib_resize_cq{address, 64, 0, 0}));
    const auto after = v.cq_info();
    CHECK(after.cqe == 128);
    CHECK(after.cqe_size == 64);
    CHECK(after.cqn == before.cqn);
    CHECK(after.memory.buffer_size == 128 * 64);
    CHECK(std::uint64_t(std::uintptr_t(after.memory.buffer)) == address);
    CHECK(after.memory.buffer != before.memory.buffer);
    CHECK(after.memory.dbrec == before.memory.dbrec);
    auto *entries = static_cast<const unsigned char *>(after.memory.buffer);
    for (unsigned i = 0; i < 128; ++i)
        CHECK(entries[i * 64 + 63] >> 4 == 0xf);
    CHECK(v.k.mappings.size() == mappings);
}

TEST_CASE("what was not polled before a resize is polled after it, and the queue goes on") {
    for (std::uint32_t cqe : {7u, 31u, 100u}) { // the CQ has 16
        resizing v;
        worker w(v);
        w.complete(5);
        REQUIRE(v.poll().size() == 5);
        w.complete(3);
        REQUIRE(v.resize(cqe) == 0);
        CHECK(v.commands == 1);
        w.complete(2);
        for (std::uint64_t id = 5; id < 10; ++id) {
            kdevx_wc wc{};
            REQUIRE(kdevx_poll_cq(v.cq_ring, &wc, 1) == 1);
            CHECK(wc.wr_id == id);
            CHECK(wc.problem == 0);
        }
        CHECK(v.poll().empty());
        for (unsigned i = 0; i < 300; ++i) { // around the new ring more than once
            w.complete(1);
            const auto done = v.poll();
            REQUIRE(done.size() == 1);
            REQUIRE(done[0].wr_id == 10 + i);
        }
        CHECK((mock::prm::load_be<std::uint32_t>(
                   reinterpret_cast<const std::byte *>(v.cq_info().memory.dbrec)) &
               0xffffff) == 311); // the mark has an index of its own
    }
}

TEST_CASE("a poll between a resize and its end comes across the mark by itself") {
    resizing v;
    worker w(v);
    w.complete(2);
    v.meanwhile = [&] {
        w.complete(1); // in the new ring
        CHECK(v.poll().size() == 3);
    };
    REQUIRE(v.resize(40) == 0);
    w.complete(1);
    CHECK(v.poll().size() == 1);
}

TEST_CASE("a CQ has one resize at a time, and gets no ring meanwhile") {
    resizing v;
    v.meanwhile = [&] {
        v.meanwhile = nullptr;
        CHECK(v.resize(100) == -EBUSY);
        CHECK(v.why.cause == KDEVX_CAUSE_BUSY);
        kdevx_cq_ring *another = nullptr;
        CHECK(kdevx_cq_ring_create(v.cq, &another, &v.why) == -EBUSY);
        CHECK(v.cq_info().cqe == 16); // as long as it is not done
    };
    REQUIRE(v.resize(40) == 0);
    CHECK(v.cq_info().cqe == 64);
}

TEST_CASE("the size that it has already is no command") {
    resizing v;
    REQUIRE(v.resize(15) == 0);
    REQUIRE(v.resize(8) == 0);
    CHECK(v.commands == 0);
    alignas(64) static std::byte own[16 * 64];
    auto o = to(15, v.cq_ring);
    o.buffer = {KDEVX_BUFFER_MEMORY, 0, std::uintptr_t(own), sizeof own};
    v.invalid("cqe", [&] { return kdevx_cq_resize(v.cq, &o, &v.why); });
    // A size that it has not any more is one.
    REQUIRE(v.resize(40) == 0);
    REQUIRE(v.resize(15) == 0);
    CHECK(v.commands == 2);
}

TEST_CASE("a resize that cannot be") {
    mock::ringed v, other;
    auto bad = [&](const char *step, auto change) {
        auto o = to(40, v.cq_ring);
        change(o);
        v.invalid(step, [&] { return kdevx_cq_resize(v.cq, &o, &v.why); });
    };
    bad("cqe", [](auto &o) { o.cqe = 0; });
    bad("cqe", [](auto &o) { o.cqe = KDEVX_MAX_CQE + 1; });
    CHECK(v.why.detail[1] == KDEVX_MAX_CQE);
    bad("options", [](auto &o) { o.size = 1; });
    bad("ring", [](auto &o) { o.ring = nullptr; });
    bad("ring", [&](auto &o) { o.ring = other.cq_ring; });
    bad("buffer", [](auto &o) { o.buffer = {KDEVX_BUFFER_MEMORY, 0, 4096, 64 * 64 - 1}; });
    bad("buffer", [](auto &o) { o.buffer = {KDEVX_BUFFER_DMABUF, 3, 0, 64 * 64}; });
    bad("BAD_MEMORY", [](auto &o) { o.buffer = {KDEVX_BUFFER_MEMORY, 0, 4096 + 8, 64 * 64}; });
    v.invalid("cqe", [&] { return kdevx_cq_resize(v.cq, nullptr, &v.why); });
    auto second = sized<kdevx_cq_options>();
    second.cqe = 15;
    kdevx_cq *cq = nullptr;
    kdevx_cq_ring *ring = nullptr;
    REQUIRE(kdevx_cq_create(v.c, &second, &cq, &v.why) == 0);
    REQUIRE(kdevx_cq_ring_create(cq, &ring, &v.why) == 0);
    bad("ring", [&](auto &o) { o.ring = ring; });
    CHECK(kdevx_cq_ring_destroy(ring, &v.why) == 0);
    auto o = to(40, ring);
    CHECK(kdevx_cq_resize(v.cq, &o, &v.why) == -EBADF);
    CHECK(v.why.cause == KDEVX_CAUSE_CLOSED);
    CHECK(std::string(v.why.step) == "ring");
    CHECK(kdevx_cq_destroy(cq, &v.why) == 0);
}

TEST_CASE("no CQ is made smaller than what waits in it, nor resized when it is full") {
    resizing v;
    worker w(v);
    w.complete(3);
    REQUIRE(v.resize(3) == 0); // four places: the three, and the next one
    CHECK(v.commands == 1);
    v.invalid("CQ_TOO_SMALL", [&] { return v.resize(1); });
    CHECK(std::string(kdevx_failure_hint(&v.why)).find("poll") != std::string::npos);
    CHECK(v.commands == 1);
    CHECK(v.poll().size() == 3);
    w.complete(4);
    v.invalid("CQ_TOO_SMALL", [&] { return v.resize(100); }); // full: no place for the mark
    CHECK(v.poll().size() == 4);
    REQUIRE(v.resize(1) == 0);
    w.complete(1);
    CHECK(v.poll().size() == 1);
}

TEST_CASE("a resize that the kernel refuses changes nothing") {
    resizing v;
    worker w(v);
    w.complete(3);
    const auto before = v.cq_info();
    const std::size_t mappings = v.k.mappings.size();
    auto answers = std::exchange(v.k.on_ioctl, [](ib_uverbs_ioctl_hdr *) { return -EINVAL; });
    CHECK(v.resize(100) == -EINVAL);
    CHECK(std::string(v.why.step) == "IB_USER_VERBS_CMD_RESIZE_CQ");
    CHECK(v.k.mappings.size() == mappings);
    CHECK(v.cq_info().cqe == before.cqe);
    CHECK(v.cq_info().memory.buffer == before.memory.buffer);
    CHECK(v.poll().size() == 3);
    v.k.on_ioctl = answers;
    REQUIRE(v.resize(100) == 0); // nor is anything in the way of the next one
    w.complete(1);
    CHECK(v.poll().size() == 1);
}

TEST_CASE("a device that leaves no mark: the ring stays where it is, and its memory with it") {
    resizing v;
    worker w(v);
    w.complete(3);
    const auto before = v.cq_info();
    const std::size_t mappings = v.k.mappings.size();
    v.k.on_ioctl = [](ib_uverbs_ioctl_hdr *) { return 0; };
    v.refused("UNEXPECTED_CQE", v.resize(100));
    v.k.on_ioctl = nullptr;
    CHECK(v.k.mappings.size() == mappings + 1); // the device's new one, and the old one
    CHECK(v.k.mappings.count(before.memory.buffer) == 1);
    CHECK(v.poll().size() == 3);
    v.refused("cq", v.resize(40), -EBUSY);
}

TEST_CASE("a program that reads its CQ itself brings both buffers, and moves the entries") {
    mock::verbs v;
    alignas(64) static std::byte first[16 * 64], second[64 * 64];
    auto o = sized<kdevx_cq_options>();
    o.cqe = 15;
    o.buffer = {KDEVX_BUFFER_MEMORY, 0, std::uintptr_t(first), sizeof first};
    kdevx_cq *cq = nullptr;
    REQUIRE(kdevx_cq_create(v.c, &o, &cq, &v.why) == 0);
    auto r = to(63, nullptr);
    v.invalid("ring", [&] { return kdevx_cq_resize(cq, &r, &v.why); });
    r.buffer = {KDEVX_BUFFER_MEMORY, 0, std::uintptr_t(second), sizeof second};
    REQUIRE(kdevx_cq_resize(cq, &r, &v.why) == 0);
    CHECK(v.info(cq, kdevx_cq_get_info).memory.buffer == second);
    CHECK(second[63] == std::byte{0}); // not looked at
    CHECK(kdevx_cq_destroy(cq, &v.why) == 0);
}
