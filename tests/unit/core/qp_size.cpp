// SPDX-License-Identifier: MIT
// Sizes of queues: the kernel's checks, restated, hold for whatever the library computes; and the
// limits are named.
#include "core/qp_size.hpp"

#include <bit>
#include <random>

#include "../catch.hpp"

using namespace kdevx;
using namespace kdevx::core;

namespace {

constexpr qp_limits device{1024, 512, 32768, 32768};

kdevx_qp_options options(std::uint32_t type) {
    kdevx_qp_options o{};
    o.size = sizeof o;
    o.type = type;
    return o;
}

void refuses(const kdevx_qp_options &o, const char *name, std::uint64_t value,
             std::uint64_t bound) {
    result<qp_size> r = size_of(o, device);
    INFO(name);
    REQUIRE(!r);
    CHECK(std::string(r.failure().step) == name);
    CHECK(r.failure().cause == KDEVX_CAUSE_INVALID);
    CHECK(r.failure().detail[0] == value);
    CHECK(r.failure().detail[1] == bound);
}

} // namespace

TEST_CASE("the biggest WQE of each type decides the units of a request") {
    struct {
        std::uint32_t type, sge, inlined, units;
    } rows[] = {
        {KDEVX_QP_RC, 1, 0, 1}, // 16 + 16 + 16 + 16
        {KDEVX_QP_RC, 2, 0, 2},         {KDEVX_QP_RC, 0, 12, 1},     {KDEVX_QP_RC, 0, 13, 2},
        {KDEVX_QP_UD, 0, 0, 1},         {KDEVX_QP_UD, 1, 0, 2},      {KDEVX_QP_RAW_PACKET, 1, 0, 1},
        {KDEVX_QP_RAW_PACKET, 2, 0, 2}, {KDEVX_QP_XRC_INI, 0, 0, 1}, {KDEVX_QP_XRC_INI, 1, 0, 2},
        {KDEVX_QP_DCI, 2, 0, 2},        {KDEVX_QP_DCI, 3, 0, 3},     {KDEVX_QP_RC, 61, 0, 16},
    };
    for (auto r : rows) {
        kdevx_qp_options o = options(r.type);
        o.max_send_wr = 8;
        o.max_send_sge = r.sge;
        o.max_inline_data = r.inlined;
        result<qp_size> s = size_of(o, device);
        REQUIRE(s);
        CHECK(s->sq_wqe_count == std::bit_ceil(8 * r.units));
        CHECK(s->rq_wqe_count == 0);
    }
}

TEST_CASE("what is computed passes the kernel's checks") {
    std::mt19937 random(20);
    for (unsigned i = 0; i < 20000; ++i) {
        kdevx_qp_options o = options(KDEVX_QP_RC + random() % 3);
        o.max_send_wr = random() % 40000;
        o.max_recv_wr = random() % 40000;
        o.max_send_sge = random() % 70;
        o.max_recv_sge = random() % 40;
        o.max_inline_data = random() % 1200;
        o.driver_flags = random() % 2 ? std::uint32_t(KDEVX_QP_SIGNATURE) : 0;
        result<qp_size> s = size_of(o, device);
        if (!s) continue;
        CHECK((s->sq_wqe_count == 0 || std::has_single_bit(s->sq_wqe_count)));
        CHECK(s->sq_wqe_count <= device.max_send_wqebb);
        CHECK((s->rq_wqe_count == 0) == (o.max_recv_wr == 0));
        if (!s->rq_wqe_count) continue;
        CHECK(std::has_single_bit(s->rq_wqe_count));
        CHECK(s->rq_wqe_count >= o.max_recv_wr);
        CHECK(s->rq_wqe_shift >= 4);
        CHECK((1u << s->rq_wqe_shift) <= device.max_rq_desc_sz);
        bool signature = o.driver_flags != 0;
        CHECK((1u << s->rq_wqe_shift) / 16 - signature >= std::max(o.max_recv_sge, 1u) - 0u);
        CHECK(s->rq_bytes() % 64 == 0); // the send queue begins there
    }
}

TEST_CASE("limits are named, with what would be and what may be") {
    kdevx_qp_options o = options(KDEVX_QP_RC);
    o.max_send_wr = 32769;
    o.max_send_sge = 1;
    refuses(o, "max_send_wr", 32769, 32768);
    o.max_send_wr = 32768;
    CHECK(size_of(o, device)->sq_wqe_count == 32768);
    o.max_send_sge = 62;
    refuses(o, "max_send_sge", 1088, 1024);
    o.max_send_sge = 1;
    o.max_inline_data = 0xffffffff;
    refuses(o, "max_inline_data", (0xffffffffull + 4 + 15) / 16 * 16 / 64 * 64 + 64, 1024);
    o = options(KDEVX_QP_RC);
    o.sq_wqe_count = 65536;
    refuses(o, "sq_wqe_count", 65536, 32768);
    o = options(KDEVX_QP_RC);
    o.max_recv_wr = 1;
    o.max_recv_sge = 33;
    refuses(o, "max_recv_sge", 33 * 16, 512);
    o.max_recv_sge = 32;
    CHECK(size_of(o, device)->rq_wqe_shift == 9);
    o.driver_flags = KDEVX_QP_SIGNATURE;
    refuses(o, "max_recv_sge", 33 * 16, 512);
}

TEST_CASE("entries that the caller has worked out are taken as they are, if they can be") {
    kdevx_qp_options o = options(KDEVX_QP_RAW_PACKET);
    o.sq_wqe_count = 64;
    o.rq_wqe_count = 4;
    o.rq_wqe_shift = 4;
    result<qp_size> s = size_of(o, device);
    REQUIRE(s);
    CHECK(s->sq_bytes() == 4096);
    CHECK(s->rq_bytes() == 64);
    o.rq_wqe_count = 2;
    refuses(o, "rq_wqe_count", 2, 4);
    o.rq_wqe_shift = 25;
    refuses(o, "rq_wqe_shift", 25, 0);
    o.rq_wqe_count = 1u << 31;
    o.rq_wqe_shift = 24;
    CHECK(size_of(o, device)->rq_bytes() == 1ull << 55); // no overflow; no device will have it
}

TEST_CASE("who has which queue") {
    for (std::uint32_t type : {KDEVX_QP_XRC_TGT, KDEVX_QP_DCT})
        CHECK(!has_send_queue(options(type)));
    for (std::uint32_t type : {KDEVX_QP_XRC_INI, KDEVX_QP_XRC_TGT, KDEVX_QP_DCT, KDEVX_QP_DCI})
        CHECK(!has_receive_queue(options(type)));
    kdevx_qp_options o = options(KDEVX_QP_RC);
    CHECK(has_receive_queue(o));
    o.srq = reinterpret_cast<kdevx_srq *>(&o);
    CHECK(!has_receive_queue(o));
    o.max_recv_wr = 1;
    refuses(o, "max_recv_wr", 1, 0);
}
