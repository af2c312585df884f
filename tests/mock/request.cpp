// SPDX-License-Identifier: MIT
// The request builder by itself: every kind of attribute, both directions of the inline rule.
#include <cerrno>
#include <cstring>

#include "../unit/catch.hpp"
#include "script.hpp"

#include "uverbs/request.hpp"

namespace request_tests { // uverbs has names of the other tests' too

using namespace kdevx;
using namespace kdevx::uverbs;
using mock::random_bytes;
using mock::random_number;

namespace {

struct request_fixture {
    mock::kernel k;
    sys s = *sys::make(k.table());
    file f;
    request_fixture() {
        f.sys = &s;
        f.fd = 100;
        k.fds.insert(100);
        k.context = true;
    }
};

const_bytes span(const mock::bytes &b) {
    return {b.data(), b.size()};
}

} // namespace

TEST_CASE("the inline rule goes by length, in both directions") {
    request_fixture x;
    for (std::size_t n : {1, 2, 4, 7, 8, 9, 16, 48}) {
        mock::script s(x.k);
        mock::bytes rate = random_bytes(n);
        std::uint32_t handle = 0;
        std::uint16_t index = 0, want = std::uint16_t(random_number());
        s.expect(kabi::pp::alloc)
            .makes("MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE", 12)
            .in("MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX", rate)
            .flags("MLX5_IB_ATTR_PP_OBJ_ALLOC_FLAGS", 1)
            .out_value("MLX5_IB_ATTR_PP_OBJ_ALLOC_INDEX", want); // two bytes, and by pointer
        result<void> r =
            invoke<kabi::pp::alloc>(x.f, make<"MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE">(handle),
                                    in<"MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX">(span(rate)),
                                    flags<"MLX5_IB_ATTR_PP_OBJ_ALLOC_FLAGS">(1),
                                    out_value<"MLX5_IB_ATTR_PP_OBJ_ALLOC_INDEX">(index));
        CHECK(r);
        CHECK(handle == 12);
        CHECK(index == want);
        CHECK(s.differences() == "");
    }
}

TEST_CASE("lists of numbers and of handles go by length too") {
    request_fixture x;
    for (std::size_t n = 1; n <= 16; ++n) {
        mock::script s(x.k);
        mock::bytes events = random_bytes(2 * n);
        s.expect(kabi::devx::subscribe_event)
            .handle("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE", 33)
            .in("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST", events);
        CHECK(invoke<kabi::devx::subscribe_event>(
            x.f, use_fd<"MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE">(33),
            in<"MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST">(span(events))));
        CHECK(s.differences() == "");
    }
    mock::bytes value = random_bytes(20);
    std::uint32_t actions[] = {7, 9}, handle = 0;
    for (std::size_t n : {1, 2}) {
        mock::script s(x.k);
        mock::bytes ids(4 * n);
        std::memcpy(ids.data(), actions, 4 * n);
        s.expect(kabi::flow::create)
            .makes("MLX5_IB_ATTR_CREATE_FLOW_HANDLE", 1)
            .in("MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE", value)
            .handle("MLX5_IB_ATTR_CREATE_FLOW_MATCHER", 5)
            .in("MLX5_IB_ATTR_CREATE_FLOW_ARR_FLOW_ACTIONS", ids);
        CHECK(invoke<kabi::flow::create>(
            x.f, make<"MLX5_IB_ATTR_CREATE_FLOW_HANDLE">(handle),
            in<"MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE">(span(value)),
            use<"MLX5_IB_ATTR_CREATE_FLOW_MATCHER">(5),
            use_all<"MLX5_IB_ATTR_CREATE_FLOW_ARR_FLOW_ACTIONS">({actions, n})));
        CHECK(s.differences() == "");
    }
}

TEST_CASE("an enum carries its choice beside the payload") {
    request_fixture x;
    mock::bytes mask = random_bytes(64), payload = random_bytes(2);
    std::uint32_t handle = 0;
    std::uint8_t criteria = 3;
    std::vector<ib_uverbs_attr> sent;
    x.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
        sent.assign(h->attrs, h->attrs + h->num_attrs);
        return 0;
    };
    CHECK(invoke<kabi::flow_matcher::create>(
        x.f, make<"MLX5_IB_ATTR_FLOW_MATCHER_CREATE_HANDLE">(handle),
        in<"MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK">(span(mask)),
        choose<"MLX5_IB_ATTR_FLOW_MATCHER_FLOW_TYPE">(2, span(payload)),
        in_value<"MLX5_IB_ATTR_FLOW_MATCHER_MATCH_CRITERIA">(criteria)));
    REQUIRE(sent.size() == 4);
    CHECK(sent[2].attr_data.enum_data.elem_id == 2);
    CHECK(sent[2].len == 2);
    CHECK(mock::carried(sent[2], kabi::enum_in) == payload);
}

TEST_CASE("A2: CQ create with every attribute at once, counted as they are") {
    request_fixture x;
    mock::script s(x.k);
    mock::bytes uhw = random_bytes(32), answer = random_bytes(8), umem = random_bytes(32);
    std::uint32_t handle = 0, cqe = 0, u32 = std::uint32_t(random_number());
    std::uint64_t u64 = random_number();
    mock::bytes got(8);
    s.expect(kabi::cq::create)
        .makes("UVERBS_ATTR_CREATE_CQ_HANDLE", 2)
        .in_value("UVERBS_ATTR_CREATE_CQ_CQE", u32)
        .in_value("UVERBS_ATTR_CREATE_CQ_USER_HANDLE", u64)
        .handle("UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL", 40)
        .in_value("UVERBS_ATTR_CREATE_CQ_COMP_VECTOR", u32)
        .flags("UVERBS_ATTR_CREATE_CQ_FLAGS", 2)
        .out_value("UVERBS_ATTR_CREATE_CQ_RESP_CQE", std::uint32_t(255))
        .handle("UVERBS_ATTR_CREATE_CQ_EVENT_FD", 41)
        .in_value("UVERBS_ATTR_CREATE_CQ_BUFFER_VA", u64)
        .in_value("UVERBS_ATTR_CREATE_CQ_BUFFER_LENGTH", u64)
        .handle("UVERBS_ATTR_CREATE_CQ_BUFFER_FD", 42)
        .in_value("UVERBS_ATTR_CREATE_CQ_BUFFER_OFFSET", u64)
        .in("UVERBS_ATTR_CREATE_CQ_BUF_UMEM", umem)
        .in("UVERBS_ATTR_UHW_IN", uhw)
        .out("UVERBS_ATTR_UHW_OUT", answer)
        .in_value("MLX5_IB_ATTR_CREATE_CQ_UAR_INDEX", u32)
        .in("MLX5_IB_ATTR_CREATE_CQ_DBR_BUF_UMEM", umem);
    CHECK(invoke<kabi::cq::create>(
        x.f, make<"UVERBS_ATTR_CREATE_CQ_HANDLE">(handle),
        in_value<"UVERBS_ATTR_CREATE_CQ_CQE">(u32),
        in_value<"UVERBS_ATTR_CREATE_CQ_USER_HANDLE">(u64),
        use_fd<"UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL">(40),
        in_value<"UVERBS_ATTR_CREATE_CQ_COMP_VECTOR">(u32), flags<"UVERBS_ATTR_CREATE_CQ_FLAGS">(2),
        out_value<"UVERBS_ATTR_CREATE_CQ_RESP_CQE">(cqe),
        use_fd<"UVERBS_ATTR_CREATE_CQ_EVENT_FD">(41),
        in_value<"UVERBS_ATTR_CREATE_CQ_BUFFER_VA">(u64),
        in_value<"UVERBS_ATTR_CREATE_CQ_BUFFER_LENGTH">(u64),
        use_fd<"UVERBS_ATTR_CREATE_CQ_BUFFER_FD">(42),
        in_value<"UVERBS_ATTR_CREATE_CQ_BUFFER_OFFSET">(u64),
        in<"UVERBS_ATTR_CREATE_CQ_BUF_UMEM">(span(umem)), in<"UVERBS_ATTR_UHW_IN">(span(uhw)),
        out<"UVERBS_ATTR_UHW_OUT">({got.data(), got.size()}),
        in_value<"MLX5_IB_ATTR_CREATE_CQ_UAR_INDEX">(u32),
        in<"MLX5_IB_ATTR_CREATE_CQ_DBR_BUF_UMEM">(span(umem))));
    CHECK(s.differences() == "");
    CHECK(handle == 2);
    CHECK(cqe == 255);
    CHECK(got == answer);
}

TEST_CASE("A3, A4: absent attributes are not on the wire, answers land where they belong") {
    request_fixture x;
    for (bool with : {false, true}) {
        mock::script s(x.k);
        mock::bytes uhw = random_bytes(32), driver(8), answer = random_bytes(8);
        std::uint32_t handle = 0, cqe = 0;
        mock::expected &e = s.expect(kabi::cq::create)
                                .in_value("UVERBS_ATTR_CREATE_CQ_CQE", std::uint32_t(9))
                                .in_value("UVERBS_ATTR_CREATE_CQ_USER_HANDLE", std::uint64_t(0));
        if (with) e.handle("UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL", 40);
        e.in_value("UVERBS_ATTR_CREATE_CQ_COMP_VECTOR", std::uint32_t(0))
            .out_value("UVERBS_ATTR_CREATE_CQ_RESP_CQE", std::uint32_t(77));
        if (with) e.handle("UVERBS_ATTR_CREATE_CQ_EVENT_FD", 41);
        e.in("UVERBS_ATTR_UHW_IN", uhw)
            .out("UVERBS_ATTR_UHW_OUT", answer)
            .makes("UVERBS_ATTR_CREATE_CQ_HANDLE", 0xabcd);
        CHECK(invoke<kabi::cq::create>(
            x.f, in_value<"UVERBS_ATTR_CREATE_CQ_CQE">(std::uint32_t(9)),
            in_value<"UVERBS_ATTR_CREATE_CQ_USER_HANDLE">(std::uint64_t(0)),
            when(with, use_fd<"UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL">(40)),
            in_value<"UVERBS_ATTR_CREATE_CQ_COMP_VECTOR">(std::uint32_t(0)),
            out_value<"UVERBS_ATTR_CREATE_CQ_RESP_CQE">(cqe),
            when(with, use_fd<"UVERBS_ATTR_CREATE_CQ_EVENT_FD">(41)),
            in<"UVERBS_ATTR_UHW_IN">(span(uhw)),
            out<"UVERBS_ATTR_UHW_OUT">({driver.data(), driver.size()}),
            make<"UVERBS_ATTR_CREATE_CQ_HANDLE">(handle)));
        CHECK(s.differences() == "");
        CHECK(handle == 0xabcd);
        CHECK(cqe == 77);
        CHECK(driver == answer);
    }
}

TEST_CASE("A9: addresses are zero-extended, fds sign-extended") {
    request_fixture x;
    std::vector<ib_uverbs_attr> sent;
    x.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
        sent.assign(h->attrs, h->attrs + h->num_attrs);
        return 0;
    };
    std::uint32_t handle = 0, id = 0;
    std::uint64_t high = 0x80000000;
    CHECK(invoke<kabi::umem::reg>(x.f, make<"MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE">(handle),
                                  in_value<"MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR">(high),
                                  in_value<"MLX5_IB_ATTR_DEVX_UMEM_REG_LEN">(high),
                                  out_value<"MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID">(id),
                                  use_fd<"MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD">(-2)));
    REQUIRE(sent.size() == 5);
    CHECK(sent[1].data == 0x80000000);
    CHECK(sent[3].data == std::uintptr_t(&id));
    CHECK(sent[4].data_s64 == -2);
}

TEST_CASE("sizes outside of the table's are refused before the kernel is asked") {
    request_fixture x;
    std::uint32_t handle = 0;
    std::uint16_t index = 0;
    auto alloc = [&](const_bytes rate) {
        return invoke<kabi::pp::alloc>(x.f, make<"MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE">(handle),
                                       in<"MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX">(rate),
                                       flags<"MLX5_IB_ATTR_PP_OBJ_ALLOC_FLAGS">(0),
                                       out_value<"MLX5_IB_ATTR_PP_OBJ_ALLOC_INDEX">(index));
    };
    mock::bytes big(65536);
    for (std::size_t n : {0, 49, 65535}) {
        result<void> r = alloc(span(big).first(n));
        REQUIRE(!r);
        CHECK(r.failure().err == EINVAL);
        CHECK(r.failure().cause == KDEVX_CAUSE_INVALID);
        CHECK(r.failure().detail[0] == n);
        CHECK(std::strcmp(r.failure().step, "MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX") == 0);
    }
    result<void> r = alloc(span(big));
    REQUIRE(!r);
    CHECK(r.failure().err == E2BIG);
    CHECK(r.failure().cause == KDEVX_CAUSE_LIMIT);
    r = alloc({static_cast<const std::byte *>(nullptr), 4});
    REQUIRE(!r);
    CHECK(r.failure().cause == KDEVX_CAUSE_INVALID);
    CHECK(x.k.count(mock::call::ioctl) == 0);
}

TEST_CASE("a method that returns a positive number has succeeded") {
    request_fixture x;
    x.k.on_ioctl = [](ib_uverbs_ioctl_hdr *) { return 5; };
    CHECK(invoke<kabi::devx_obj::destroy>(x.f,
                                          uverbs::end<"MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE">(1)));
}

TEST_CASE("254 attributes fit a request, and no method of the tables has more") {
    CHECK(max_attrs == 254);
    for (const kabi::object_entry &e : kabi::objects)
        for (const kabi::method_base *m : e.methods)
            CHECK(m->attrs.size() <= max_attrs);
}

TEST_CASE("A8: a kernel without the method is told apart from a wrong request") {
    request_fixture x;
    std::uint32_t handle = 0, lkey = 0, rkey = 0;
    auto reg = [&] {
        return invoke<kabi::mr::reg>(x.f, make<"UVERBS_ATTR_REG_MR_HANDLE">(handle),
                                     use<"UVERBS_ATTR_REG_MR_PD_HANDLE">(0),
                                     in_value<"UVERBS_ATTR_REG_MR_IOVA">(std::uint64_t(4096)),
                                     in_value<"UVERBS_ATTR_REG_MR_ADDR">(std::uint64_t(4096)),
                                     in_value<"UVERBS_ATTR_REG_MR_LENGTH">(std::uint64_t(4096)),
                                     flags<"UVERBS_ATTR_REG_MR_ACCESS_FLAGS">(1),
                                     out_value<"UVERBS_ATTR_REG_MR_RESP_LKEY">(lkey),
                                     out_value<"UVERBS_ATTR_REG_MR_RESP_RKEY">(rkey));
    };
    CHECK(reg());
    x.k.absent.insert("UVERBS_METHOD_REG_MR");
    result<void> r = reg();
    REQUIRE(!r);
    CHECK(r.failure().err == EPROTONOSUPPORT);
    CHECK(r.failure().cause == KDEVX_CAUSE_KERNEL_TOO_OLD);
    CHECK(std::strcmp(r.failure().step, "UVERBS_METHOD_REG_MR") == 0);
}

} // namespace request_tests
