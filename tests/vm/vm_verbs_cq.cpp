// SPDX-License-Identifier: MIT
// Completion queues of the verbs kind, seen by DEVX.
#include "dmabuf.hpp"
#include "verbs.hpp"

#include <sys/mman.h>

using namespace kdevx;
using namespace kdevx::vm;

namespace {


outcome refusal_of_cq(verbs &v, const kdevx_cq_options &o) {
    return refusal_of<cq_ptr>(kdevx_cq_create, v.context.get(), &o);
}

exchange look_at(const cq_ptr &cq) {
    return look("QUERY_CQ", kdevx_cq_devx_query, cq.get());
}

kdevx_buffer memory_at(std::byte *address, std::uint64_t length) {
    kdevx_buffer b{};
    b.kind = KDEVX_BUFFER_MEMORY;
    b.address = std::uintptr_t(address);
    b.length = length;
    return b;
}

} // namespace

TEST_CASE("a CQ is in the device as it was asked for", "[verbs][cq]") {
    verbs v;
    for (std::uint32_t size : {64u, 128u}) {
        CAPTURE(size);
        auto o = cq_of(100);
        o.cqe_size = size;
        cq_ptr cq = v.make_cq(o);
        const auto info = info_of(cq);
        CHECK(info.cqe == 128);
        CHECK(info.cqe_size == size);
        CHECK(info.memory.buffer_size == 128 * size);
        REQUIRE(info.memory.buffer != nullptr);
        REQUIRE(info.memory.dbrec != nullptr);
        const exchange seen = look_at(cq);
        CHECK(seen.get("cq_context.log_cq_size") == 7);
        CHECK(seen.get("cq_context.cqe_sz") == (size == 128));
        CHECK(seen.get("cq_context.oi") == 0);
        CHECK(seen.get("cq_context.uar_page") == info.memory.uar_page_id);
        CHECK(seen.get("cq_context.status") == 0);
    }
}

TEST_CASE("sizes of CQs", "[verbs][cq]") {
    verbs v;
    for (const auto &[asked, got] : {std::pair(1u, 2u),
                                     {2u, 4u},
                                     {3u, 4u},
                                     {4u, 8u},
                                     {1023u, 1024u},
                                     {1024u, 2048u},
                                     {65535u, 65536u}}) {
        CAPTURE(asked);
        CHECK(info_of(v.make_cq(cq_of(asked))).cqe == got);
    }
    CHECK(refusal_of_cq(v, cq_of(0)) == invalid);
    CHECK(refusal_of_cq(v, cq_of(KDEVX_MAX_CQE + 1)) == invalid);
    CHECK(refusal_of_cq(v, cq_of(1u << 22)) == invalid); // log_max_cq_sz
    auto o = cq_of(15);
    o.cqe_size = 96;
    CHECK(refusal_of_cq(v, o) == invalid);
}

TEST_CASE("what CQs can have besides", "[verbs][cq]") {
    verbs v;
    auto o = cq_of(15);
    o.flags = KDEVX_CQ_IGNORE_OVERRUN;
    CHECK(look_at(v.make_cq(o)).get("cq_context.oi") == 1);
    // The device keeps timestamps in every CQE.
    o.flags = KDEVX_CQ_TIMESTAMP_COMPLETION;
    CHECK(look_at(v.make_cq(o)).get("cq_context.oi") == 0);
    o.flags = 1u << 31;
    CHECK(refusal_of_cq(v, o) == invalid);
    o.flags = KDEVX_CQ_CQE_128B_PAD;
    o.cqe_size = 128;
    CHECK(refusal_of_cq(v, o) == failed(EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED));
    o = cq_of(15);
    o.cqe_comp_en = 1;
    CHECK(refusal_of_cq(v, o) == failed(EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED));
    // Of the real-time clock it is a queue that cannot have them, this one is only told.
    o = cq_of(15);
    o.flags = KDEVX_CQ_REAL_TIME_TS;
    cq_ptr real_time = v.make_cq(o);
    auto qp = v.qp_of(KDEVX_QP_RC);
    qp.send_cq = real_time.get();
    CHECK(refusal_of<qp_ptr>(kdevx_qp_create, v.pd.get(), &qp) ==
          failed(EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED));
}

TEST_CASE("each completion vector has its event queue", "[verbs][cq]") {
    verbs v;
    const std::uint32_t vectors = info_of(v.context.get()).num_comp_vectors;
    REQUIRE(vectors > 0);
    for (std::uint32_t vector = 0; vector < vectors; ++vector) {
        auto o = cq_of(15);
        o.comp_vector = vector;
        cq_ptr cq = v.make_cq(o);
        std::uint32_t eqn = 0;
        REQUIRE(call(kdevx_eqn_query, v.context.get(), vector, &eqn) == ok);
        CHECK(look_at(cq).get("cq_context.c_eqn_or_apu_element") == eqn);
    }
    auto o = cq_of(15);
    o.comp_vector = vectors;
    CHECK(refusal_of_cq(v, o) == invalid);
}

TEST_CASE("a CQ in the caller's page and memory", "[verbs][cq]") {
    verbs v;
    uar_ptr uar = alloc_uar(v.context.get(), KDEVX_UAR_NC_DEDICATED);
    pages ring(64 << 10), record(4096);
    auto o = cq_of(63);
    o.uar = uar.get();
    o.buffer = memory_at(ring.data(), ring.size());
    o.dbrec = memory_at(record.data() + 64, 8);
    {
        cq_ptr cq = v.make_cq(o);
        const auto info = info_of(cq);
        CHECK(info.memory.buffer == ring.data());
        CHECK(info.memory.buffer_size == 64 * 64);
        CHECK(info.memory.uar_page_id == info_of(uar.get()).page_id);
        CHECK(look_at(cq).get("cq_context.uar_page") == info_of(uar.get()).page_id);
        CHECK(call(kdevx_uar_free, uar.get()) == held_by{KDEVX_KIND_CQ, info.handle});
    }
    o.buffer.length = 64 * 64 - 1;
    CHECK(refusal_of_cq(v, o) == invalid);
    o.buffer = memory_at(reinterpret_cast<std::byte *>(0x10000), 64 * 64);
    CHECK(refusal_of_cq(v, o) == failed(EFAULT, KDEVX_CAUSE_INVALID));
    o.buffer = memory_at(ring.data(), ring.size());
    o.dbrec = memory_at(reinterpret_cast<std::byte *>(0x10000), 8);
    CHECK(refusal_of_cq(v, o) == failed(EFAULT, KDEVX_CAUSE_INVALID));
    context_ptr other = open_context();
    uar_ptr foreign = alloc_uar(other.get(), KDEVX_UAR_NC_DEDICATED);
    o = cq_of(15);
    o.uar = foreign.get();
    CHECK(refusal_of_cq(v, o) == invalid);
}

TEST_CASE("a CQ in a dmabuf", "[verbs][cq]") {
    verbs v;
    const dmabuf buffer(64 << 10);
    auto o = cq_of(63);
    o.buffer.kind = KDEVX_BUFFER_DMABUF;
    o.buffer.fd = buffer.fd();
    o.buffer.length = buffer.size();
    if (kernel() < version{7, 2}) {
        CHECK(refusal_of_cq(v, o) == failed(EPROTONOSUPPORT, KDEVX_CAUSE_KERNEL_TOO_OLD));
        return;
    }
    cq_ptr cq = v.make_cq(o);
    CHECK(info_of(cq).memory.buffer == nullptr);
    CHECK(look_at(cq).get("cq_context.log_cq_size") == 6);
    o.buffer.fd = -1;
    CHECK(refusal_of_cq(v, o) == failed(EBADF, KDEVX_CAUSE_INVALID));
    o.buffer.fd = buffer.fd();
    o.buffer.address = buffer.size();
    CHECK(refusal_of_cq(v, o) == invalid);
}

TEST_CASE("moderation of a CQ", "[verbs][cq]") {
    verbs v;
    REQUIRE(call(kdevx_cq_moderate, v.cq.get(), std::uint16_t(7), std::uint16_t(70)) == ok);
    const exchange seen = look_at(v.cq);
    CHECK(seen.get("cq_context.cq_max_count") == 7);
    CHECK(seen.get("cq_context.cq_period") == 70);
}

TEST_CASE("a CQ changed by DEVX", "[verbs][cq]") {
    verbs v;
    exchange x("MODIFY_CQ");
    x.set("modify_field_select_resize_field_select",
          prm::value_of<prm::modify_cq_fields, "CQ_PERIOD">);
    x.set("cq_context.cq_period", 11);
    REQUIRE(devx(kdevx_cq_devx_modify, v.cq.get(), x) == ok);
    CHECK(look_at(v.cq).get("cq_context.cq_period") == 11);
    x.set("modify_field_select_resize_field_select", 0x80000000);
    CHECK(devx(kdevx_cq_devx_modify, v.cq.get(), x) == refused(because::unknown_modify_bit));
}

TEST_CASE("a CQ without DEVX", "[verbs][cq]") {
    verbs v(KDEVX_DEVX_NEVER);
    CHECK(info_of(v.cq).cqn != 0);
    exchange x("QUERY_CQ");
    CHECK(devx(kdevx_cq_devx_query, v.cq.get(), x) == failed(EINVAL, KDEVX_CAUSE_NO_DEVX_UID));
}
