// SPDX-License-Identifier: MIT
// CQs, SRQs, WQs and indirection tables: exact bytes, memory of the library's and of the caller's.
#include "verbs.hpp"

using namespace kdevx;
using mock::as_bytes;
using mock::bytes;
using mock::sized;

namespace {

struct desc {
    std::uint32_t type;
    std::int32_t fd;
    std::uint32_t flags, optional_flags;
    std::uint64_t addr, length;
};

} // namespace

TEST_CASE("a CQ: exact bytes, its buffer marked as the device's, its record a line of zeros") {
    mock::verbs v;
    kdevx_comp_channel *channel = nullptr;
    kdevx_async_fd *async = nullptr;
    REQUIRE(kdevx_comp_channel_create(v.c, &channel, &v.why) == 0);
    REQUIRE(kdevx_async_fd_create(v.c, &async, &v.why) == 0);
    auto o = sized<kdevx_cq_options>();
    o.cqe = 100;
    o.cqe_size = 128;
    o.comp_vector = 2;
    o.flags = KDEVX_CQ_IGNORE_OVERRUN | KDEVX_CQ_CQE_128B_PAD | KDEVX_CQ_REAL_TIME_TS;
    o.user_handle = mock::random_number();
    o.channel = channel;
    o.async = async;
    o.cqe_comp_en = 1;
    o.cqe_comp_res_format = 2;
    kdevx_cq *cq = nullptr;
    auto uhw = v.uhw_of<mlx5_ib_create_cq>(
        kabi::cq::create, [&] { REQUIRE(kdevx_cq_create(v.c, &o, &cq, &v.why) == 0); });
    auto info = v.info(cq, kdevx_cq_get_info);
    CHECK(info.cqe == 128);
    CHECK(info.cqe_size == 128);
    CHECK(info.memory.buffer_size == 128 * 128);
    CHECK(uhw.buf_addr == std::uint64_t(std::uintptr_t(info.memory.buffer)));
    CHECK(uhw.db_addr == std::uint64_t(std::uintptr_t(info.memory.dbrec)));
    CHECK(uhw.cqe_size == 128);
    CHECK(uhw.cqe_comp_en == 1);
    CHECK(uhw.cqe_comp_res_format == 2);
    CHECK(uhw.flags == 7);
    CHECK(uhw.reserved0 == 0);
    CHECK(uhw.reserved1 == 0);
    auto *entries = static_cast<const unsigned char *>(info.memory.buffer);
    for (unsigned i = 0; i < 128; ++i)
        CHECK(entries[i * 128 + 127] == 0xf0);
    CHECK(info.memory.dbrec[0] == 0);
    CHECK(info.memory.dbrec[1] == 0);
    CHECK(std::uintptr_t(info.memory.dbrec) % 64 == 0);
    CHECK(static_cast<char *>(info.memory.uar_reg) - static_cast<char *>(info.memory.uar) == 0x800);
    CHECK(kdevx_cq_destroy(cq, &v.why) == 0);
    CHECK(kdevx_comp_channel_destroy(channel, &v.why) == 0);
    CHECK(kdevx_async_fd_destroy(async, &v.why) == 0);
}

TEST_CASE("a CQ in the caller's memory and UAR: the wire word for word") {
    mock::verbs v;
    kdevx_uar *uar = nullptr;
    std::uint32_t dedicated = KDEVX_UAR_NC_DEDICATED;
    {
        mock::script s(v.k);
        s.expect(kabi::uar::alloc)
            .makes("MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE", 6)
            .constant("MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE", 1)
            .out_value("MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET", std::uint64_t(0x9000))
            .out_value("MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH", std::uint32_t(4096))
            .out_value("MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID", std::uint32_t(0xffff));
        REQUIRE(kdevx_uar_alloc(v.c, &dedicated, 1, &uar, &v.why) == 0);
    }
    alignas(64) static char memory[8 * 64 + 8];
    auto o = sized<kdevx_cq_options>();
    o.cqe = 7;
    o.uar = uar;
    o.buffer = {KDEVX_BUFFER_MEMORY, 0, std::uint64_t(std::uintptr_t(memory)), 512};
    o.dbrec = {KDEVX_BUFFER_MEMORY, 0, std::uint64_t(std::uintptr_t(memory)) + 512, 8};
    o.user_handle = 0x1122334455667788;
    mlx5_ib_create_cq uhw{};
    uhw.buf_addr = o.buffer.address;
    uhw.db_addr = o.dbrec.address;
    uhw.cqe_size = 64;
    uhw.flags = 2;
    uhw.uar_page_index = 0xffff;
    kdevx_cq *cq = nullptr;
    {
        mock::script s(v.k);
        s.expect(kabi::cq::create)
            .makes("UVERBS_ATTR_CREATE_CQ_HANDLE", 9)
            .in_value("UVERBS_ATTR_CREATE_CQ_CQE", std::uint32_t(7))
            .in_value("UVERBS_ATTR_CREATE_CQ_USER_HANDLE", o.user_handle)
            .in_value("UVERBS_ATTR_CREATE_CQ_COMP_VECTOR", std::uint32_t(0))
            .flags("UVERBS_ATTR_CREATE_CQ_FLAGS", 0)
            .out_value("UVERBS_ATTR_CREATE_CQ_RESP_CQE", std::uint32_t(7))
            .in("UVERBS_ATTR_UHW_IN", as_bytes(uhw))
            .out("UVERBS_ATTR_UHW_OUT", as_bytes(mlx5_ib_create_cq_resp{0x4711, 0}));
        REQUIRE(kdevx_cq_create(v.c, &o, &cq, &v.why) == 0);
        auto info = v.info(cq, kdevx_cq_get_info);
        CHECK(info.handle == 9);
        CHECK(info.cqn == 0x4711);
        CHECK(info.memory.buffer == memory);
        CHECK(memory[63] == 0);                       // the caller's memory is not written
        CHECK(kdevx_uar_free(uar, &v.why) == -EBUSY); // the kernel, which would do it, is not asked
        CHECK(v.why.detail[0] == KDEVX_KIND_CQ);
        CHECK(v.why.detail[1] == 9);
        s.expect(kabi::cq::destroy)
            .handle("UVERBS_ATTR_DESTROY_CQ_HANDLE", 9)
            .out("UVERBS_ATTR_DESTROY_CQ_RESP", bytes(8));
        CHECK(kdevx_cq_destroy(cq, &v.why) == 0);
        s.expect(kabi::uar::destroy).handle("MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE", 6);
        CHECK(kdevx_uar_free(uar, &v.why) == 0);
        CHECK(s.differences() == "");
    }
}

TEST_CASE("a UAR beyond 16 bits goes by its own attribute, or not at all") {
    mock::verbs v;
    v.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *) { return 1; };
    kdevx_uar *uar = nullptr;
    std::uint32_t dedicated = KDEVX_UAR_NC_DEDICATED;
    {
        mock::script s(v.k);
        s.expect(kabi::uar::alloc)
            .makes("MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE", 6)
            .constant("MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE", 1)
            .out_value("MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET", std::uint64_t(0x9000))
            .out_value("MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH", std::uint32_t(4096))
            .out_value("MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID", std::uint32_t(0x10000));
        REQUIRE(kdevx_uar_alloc(v.c, &dedicated, 1, &uar, &v.why) == 0);
    }
    auto o = sized<kdevx_cq_options>();
    o.cqe = 7;
    o.uar = uar;
    kdevx_cq *cq = nullptr;
    mock::bytes sent;
    v.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
        for (unsigned i = 0; i < h->num_attrs; ++i)
            if (h->attrs[i].attr_id == 0x1002 && h->object_id == kabi::cq::object.id)
                sent = mock::carried(h->attrs[i], kabi::ptr_in);
        return 1;
    };
    REQUIRE(kdevx_cq_create(v.c, &o, &cq, &v.why) == 0);
    CHECK(sent == as_bytes(std::uint32_t(0x10000)));
    CHECK(kdevx_cq_destroy(cq, &v.why) == 0);
    v.k.absent.insert("MLX5_IB_ATTR_CREATE_CQ_UAR_INDEX");
    CHECK(kdevx_cq_create(v.c, &o, &cq, &v.why) == -EPROTONOSUPPORT);
    CHECK(v.why.cause == KDEVX_CAUSE_KERNEL_TOO_OLD);
    v.k.on_ioctl = nullptr;
    v.k.handles[kabi::uar::object.id].insert(6);
    CHECK(kdevx_uar_free(uar, &v.why) == 0);
}

TEST_CASE("queues in a dmabuf: a descriptor of the buffer and of the record") {
    mock::verbs v;
    auto o = sized<kdevx_cq_options>();
    o.cqe = 7;
    o.buffer = {KDEVX_BUFFER_DMABUF, 31, 0x3000, 4096};
    o.dbrec = {KDEVX_BUFFER_DMABUF, 32, 0x40, 64};
    desc buffer{}, dbrec{};
    v.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
        for (unsigned i = 0; i < h->num_attrs; ++i) {
            bytes b = mock::carried(h->attrs[i], kabi::ptr_in);
            if (h->attrs[i].attr_id == 12) std::memcpy(&buffer, b.data(), sizeof buffer);
            if (h->attrs[i].attr_id == 0x1003) std::memcpy(&dbrec, b.data(), sizeof dbrec);
        }
        return 1;
    };
    kdevx_cq *cq = nullptr;
    REQUIRE(kdevx_cq_create(v.c, &o, &cq, &v.why) == 0);
    CHECK(buffer.type == 0);
    CHECK(buffer.fd == 31);
    CHECK(buffer.addr == 0x3000);
    CHECK(buffer.length == 512);
    CHECK(dbrec.fd == 32);
    CHECK(dbrec.addr == 0x40);
    CHECK(dbrec.length == 8);
    v.k.on_ioctl = nullptr;
    CHECK(v.info(cq, kdevx_cq_get_info).memory.buffer == nullptr);
    CHECK(kdevx_cq_destroy(cq, &v.why) == 0);
    v.k.absent.insert("UVERBS_ATTR_CREATE_CQ_BUF_UMEM");
    CHECK(kdevx_cq_create(v.c, &o, &cq, &v.why) == -EPROTONOSUPPORT);
    CHECK(v.why.cause == KDEVX_CAUSE_KERNEL_TOO_OLD);
}

TEST_CASE("options of a CQ that cannot be") {
    mock::verbs v;
    kdevx_cq *cq = nullptr;
    auto bad = [&](const char *step, auto change) {
        auto o = sized<kdevx_cq_options>();
        o.cqe = 7;
        change(o);
        v.invalid(step, [&] { return kdevx_cq_create(v.c, &o, &cq, &v.why); });
    };
    bad("cqe", [](auto &o) { o.cqe = 0; });
    bad("cqe", [](auto &o) { o.cqe = KDEVX_MAX_CQE + 1; });
    bad("cqe_size", [](auto &o) { o.cqe_size = 96; });
    bad("comp_vector", [&](auto &o) { o.comp_vector = v.k.num_comp_vectors; });
    bad("flags", [](auto &o) { o.flags = 4; });
    bad("options", [](auto &o) { o.size = 1; });
    bad("buffer", [](auto &o) { o.buffer = {KDEVX_BUFFER_MEMORY, 0, 4096, 511}; });
    CHECK(v.why.detail[0] == 511);
    CHECK(v.why.detail[1] == 512);
    bad("buffer", [](auto &o) { o.buffer = {KDEVX_BUFFER_MEMORY, 0, 0, 512}; });
    bad("buffer", [](auto &o) { o.buffer = {3, 0, 4096, 512}; });
    bad("dbrec", [](auto &o) { o.dbrec = {KDEVX_BUFFER_MEMORY, 0, 4096, 7}; });
    auto o = sized<kdevx_cq_options>();
    o.cqe = 7;
    o.buffer = {KDEVX_BUFFER_DMABUF, -1, 0, 512};
    CHECK(kdevx_cq_create(v.c, &o, &cq, &v.why) == -EBADF);
    v.invalid("cqe", [&] { return kdevx_cq_create(v.c, nullptr, &cq, &v.why); });
    mock::verbs other;
    kdevx_async_fd *foreign = nullptr;
    REQUIRE(kdevx_async_fd_create(other.c, &foreign, &v.why) == 0);
    bad("async", [&](auto &x) { x.async = foreign; });
    CHECK(kdevx_async_fd_destroy(foreign, &v.why) == 0);
    auto closed = sized<kdevx_cq_options>();
    closed.cqe = 7;
    closed.async = foreign;
    CHECK(kdevx_cq_create(v.c, &closed, &cq, &v.why) == -EBADF);
    CHECK(v.why.cause == KDEVX_CAUSE_CLOSED);
    CHECK(std::string(v.why.step) == "async");
}

TEST_CASE("moderation of a CQ") {
    mock::verbs v;
    mock::script s(v.k);
    ib_uverbs_ex_modify_cq in{v.cq_info().handle, 1, {32, 100}, 0};
    s.expect(kabi::device::invoke_write)
        .in("UVERBS_ATTR_CORE_IN", as_bytes(in))
        .constant("UVERBS_ATTR_WRITE_CMD", 0x80000039);
    CHECK(kdevx_cq_moderate(v.cq, 32, 100, &v.why) == 0);
    CHECK(s.differences() == "");
}

TEST_CASE("doorbell records: a line each, many to a page, used again") {
    mock::verbs v;
    auto o = sized<kdevx_cq_options>();
    o.cqe = 1;
    std::size_t mappings = v.k.mappings.size();
    std::vector<kdevx_cq *> cqs(62);
    std::set<std::uintptr_t> records;
    for (kdevx_cq *&cq : cqs) {
        REQUIRE(kdevx_cq_create(v.c, &o, &cq, &v.why) == 0);
        records.insert(std::uintptr_t(v.info(cq, kdevx_cq_get_info).memory.dbrec));
    }
    CHECK(records.size() == cqs.size());
    std::uintptr_t page = *records.begin() & ~std::uintptr_t(4095);
    for (std::uintptr_t r : records) {
        CHECK(r % 64 == 0);
        CHECK((r & ~std::uintptr_t(4095)) == page);
    }
    CHECK(v.k.mappings.size() == mappings + cqs.size()); // a buffer each, no further page
    kdevx_cq *one_more = nullptr;
    REQUIRE(kdevx_cq_create(v.c, &o, &one_more, &v.why) == 0);
    CHECK(v.k.mappings.size() == mappings + cqs.size() + 2);
    CHECK(kdevx_cq_destroy(one_more, &v.why) == 0);
    for (kdevx_cq *cq : cqs)
        CHECK(kdevx_cq_destroy(cq, &v.why) == 0);
}

TEST_CASE("the shared page: made by the first queue or UAR, ended by the last") {
    mock::verbs v; // its CQ shares it
    auto &pages = v.k.handles[kabi::uar::object.id];
    CHECK(pages.size() == 1);
    kdevx_uar *uar = nullptr;
    std::uint32_t nc = KDEVX_UAR_NC;
    REQUIRE(kdevx_uar_alloc(v.c, &nc, 1, &uar, &v.why) == 0);
    CHECK(pages.size() == 1);
    CHECK(v.info(uar, kdevx_uar_get_info).base_addr == v.cq_info().memory.uar);
    CHECK(kdevx_cq_destroy(std::exchange(v.cq, nullptr), &v.why) == 0);
    CHECK(pages.size() == 1);
    CHECK(kdevx_uar_free(uar, &v.why) == 0);
    CHECK(pages.empty());
    auto o = sized<kdevx_cq_options>();
    o.cqe = 7;
    REQUIRE(kdevx_cq_create(v.c, &o, &v.cq, &v.why) == 0);
    CHECK(pages.size() == 1);
    // The kernel does not take it back: it stays for the next queue.
    v.k.fail(mock::call::ioctl, 1, EBUSY);
    CHECK(kdevx_cq_destroy(std::exchange(v.cq, nullptr), &v.why) == 0);
    CHECK(pages.size() == 1);
    REQUIRE(kdevx_cq_create(v.c, &o, &v.cq, &v.why) == 0);
    CHECK(pages.size() == 1);
    CHECK(kdevx_cq_destroy(std::exchange(v.cq, nullptr), &v.why) == 0);
    CHECK(pages.empty());
}

TEST_CASE("SRQs: the kernel's arithmetic, exact bytes of each type") {
    mock::verbs v;
    kdevx_xrcd *xrcd = nullptr;
    REQUIRE(kdevx_xrcd_open(v.c, &xrcd, &v.why) == 0);
    for (std::uint32_t type : {KDEVX_SRQ_BASIC, KDEVX_SRQ_XRC, KDEVX_SRQ_TM}) {
        auto o = sized<kdevx_srq_options>();
        o.type = type;
        o.max_wr = 100;
        o.max_sge = 2;
        o.limit = 5;
        o.user_index = 0x123456;
        o.user_handle = mock::random_number();
        if (type != KDEVX_SRQ_BASIC) o.cq = v.cq;
        if (type == KDEVX_SRQ_XRC) o.xrcd = xrcd;
        if (type == KDEVX_SRQ_TM) o.max_num_tags = 32;
        alignas(64) static char memory[128 * 64 + 8];
        o.buffer = {KDEVX_BUFFER_MEMORY, 0, std::uint64_t(std::uintptr_t(memory)), 128 * 64};
        o.dbrec = {KDEVX_BUFFER_MEMORY, 0, std::uint64_t(std::uintptr_t(memory)) + 128 * 64, 8};
        mlx5_ib_create_srq uhw{};
        uhw.buf_addr = o.buffer.address;
        uhw.db_addr = o.dbrec.address;
        uhw.uidx = type == KDEVX_SRQ_BASIC ? 0 : 0x123456;
        kdevx_srq *srq = nullptr;
        mock::script s(v.k);
        mock::expected &e = s.expect(kabi::srq::create)
                                .makes("UVERBS_ATTR_CREATE_SRQ_HANDLE", 12)
                                .handle("UVERBS_ATTR_CREATE_SRQ_PD_HANDLE", v.pd_info().handle);
        if (o.xrcd)
            e.handle("UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE", std::uint64_t(kdevx_xrcd_handle(xrcd)));
        if (o.cq) e.handle("UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE", v.cq_info().handle);
        e.in_value("UVERBS_ATTR_CREATE_SRQ_USER_HANDLE", o.user_handle)
            .in_value("UVERBS_ATTR_CREATE_SRQ_MAX_WR", std::uint32_t(100))
            .in_value("UVERBS_ATTR_CREATE_SRQ_MAX_SGE", std::uint32_t(2))
            .in_value("UVERBS_ATTR_CREATE_SRQ_LIMIT", std::uint32_t(5));
        if (o.max_num_tags) e.in_value("UVERBS_ATTR_CREATE_SRQ_MAX_NUM_TAGS", std::uint32_t(32));
        e.constant("UVERBS_ATTR_CREATE_SRQ_TYPE", type)
            .out_value("UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR", std::uint32_t(127))
            .out_value("UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE", std::uint32_t(2));
        // The kernel answers ENOENT to an XRC SRQ's create that has no room for its number.
        if (o.xrcd) e.out_value("UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM", std::uint32_t(0x99));
        e.in("UVERBS_ATTR_UHW_IN", as_bytes(uhw))
            .out("UVERBS_ATTR_UHW_OUT", as_bytes(mlx5_ib_create_srq_resp{0x99, 0}));
        REQUIRE(kdevx_srq_create(v.pd, &o, &srq, &v.why) == 0);
        auto info = v.info(srq, kdevx_srq_get_info);
        CHECK(info.srqn == 0x99);
        CHECK(info.wqe_count == 128);
        CHECK(info.wqe_shift == 6);
        CHECK(info.max_sge == 3);
        CHECK(info.memory.buffer_size == 128 * 64);
        s.expect(kabi::srq::destroy)
            .handle("UVERBS_ATTR_DESTROY_SRQ_HANDLE", 12)
            .out("UVERBS_ATTR_DESTROY_SRQ_RESP", bytes(4));
        CHECK(kdevx_srq_destroy(srq, &v.why) == 0);
        CHECK(s.differences() == "");
    }
    CHECK(kdevx_xrcd_close(xrcd, &v.why) == 0);
}

TEST_CASE("options of an SRQ that cannot be; its limit and what it has") {
    mock::verbs v;
    kdevx_srq *srq = nullptr;
    auto bad = [&](const char *step, auto change) {
        auto o = sized<kdevx_srq_options>();
        o.max_wr = 7;
        change(o);
        v.invalid(step, [&] { return kdevx_srq_create(v.pd, &o, &srq, &v.why); });
    };
    bad("type", [](auto &o) { o.type = 3; });
    bad("max_wr", [](auto &o) { o.max_wr = 0; });
    bad("max_wr", [&](auto &o) { o.max_wr = v.k.limits.max_srq_recv_wr + 1; });
    bad("max_sge", [&](auto &o) { o.max_sge = v.k.limits.max_rq_desc_sz / 16 + 1u; });
    bad("xrcd", [](auto &o) { o.type = KDEVX_SRQ_XRC; });
    bad("cq", [](auto &o) { o.type = KDEVX_SRQ_TM; });
    bad("cq", [&](auto &o) { o.cq = v.cq; });
    bad("max_num_tags", [&](auto &o) { o.type = KDEVX_SRQ_TM, o.cq = v.cq; });
    bad("wq_signature", [](auto &o) { o.wq_signature = 2; });

    auto o = sized<kdevx_srq_options>();
    o.max_wr = 7;
    o.wq_signature = 1;
    auto uhw = v.uhw_of<mlx5_ib_create_srq>(
        kabi::srq::create, [&] { REQUIRE(kdevx_srq_create(v.pd, &o, &srq, &v.why) == 0); });
    CHECK(uhw.flags == 1);
    CHECK(uhw.buf_addr != 0);
    v.invalid("limit", [&] { return kdevx_srq_set_limit(srq, 8, &v.why); });
    {
        std::uint32_t handle = v.info(srq, kdevx_srq_get_info).handle;
        mock::script s(v.k);
        const std::uint32_t modify[] = {handle, 2, 0, 3}, attrs[] = {7, 1, 3, 0};
        struct {
            std::uint64_t response;
            std::uint32_t handle, reserved;
        } query{0, handle, 0};
        s.expect(kabi::device::invoke_write)
            .in("UVERBS_ATTR_CORE_IN", as_bytes(modify))
            .constant("UVERBS_ATTR_WRITE_CMD", 33);
        CHECK(kdevx_srq_set_limit(srq, 3, &v.why) == 0);
        s.expect(kabi::device::invoke_write)
            .in("UVERBS_ATTR_CORE_IN", as_bytes(query))
            .out("UVERBS_ATTR_CORE_OUT", as_bytes(attrs))
            .constant("UVERBS_ATTR_WRITE_CMD", 34);
        kdevx_srq_attr a{};
        CHECK(kdevx_srq_query(srq, &a, &v.why) == 0);
        CHECK(a.max_wr == 7);
        CHECK(a.limit == 3);
        CHECK(s.differences() == "");
    }
    CHECK(kdevx_srq_destroy(srq, &v.why) == 0);
}

TEST_CASE("a WQ and an indirection table: exact bytes, and the order of their end") {
    mock::verbs v;
    alignas(64) static char memory[16 * 32 + 8];
    auto o = sized<kdevx_wq_options>();
    o.max_wr = 10;
    o.max_sge = 2;
    o.flags = KDEVX_WQ_SCATTER_FCS;
    o.user_index = 0xabcde;
    o.user_handle = mock::random_number();
    o.cq = v.cq;
    o.striding = 1;
    o.single_stride_log_num_of_bytes = 6;
    o.single_wqe_log_num_of_strides = 9;
    o.two_byte_shift_en = 1;
    o.buffer = {KDEVX_BUFFER_MEMORY, 0, std::uint64_t(std::uintptr_t(memory)), 512};
    o.dbrec = {KDEVX_BUFFER_MEMORY, 0, std::uint64_t(std::uintptr_t(memory)) + 512, 8};
    mlx5_ib_create_wq uhw{o.buffer.address, o.dbrec.address, 16, 5, 0xabcde, 0, 1, 6, 9, 1};
    kdevx_wq *wqs[4] = {};
    for (unsigned i = 0; i < 2; ++i) {
        mock::script s(v.k);
        s.expect(kabi::wq::create)
            .makes("UVERBS_ATTR_CREATE_WQ_HANDLE", 40 + i)
            .handle("UVERBS_ATTR_CREATE_WQ_PD_HANDLE", v.pd_info().handle)
            .handle("UVERBS_ATTR_CREATE_WQ_CQ_HANDLE", v.cq_info().handle)
            .in_value("UVERBS_ATTR_CREATE_WQ_USER_HANDLE", o.user_handle)
            .constant("UVERBS_ATTR_CREATE_WQ_TYPE", 0)
            .in_value("UVERBS_ATTR_CREATE_WQ_MAX_WR", std::uint32_t(10))
            .in_value("UVERBS_ATTR_CREATE_WQ_MAX_SGE", std::uint32_t(2))
            .flags("UVERBS_ATTR_CREATE_WQ_FLAGS", 2)
            .out_value("UVERBS_ATTR_CREATE_WQ_RESP_MAX_WR", std::uint32_t(16))
            .out_value("UVERBS_ATTR_CREATE_WQ_RESP_MAX_SGE", std::uint32_t(2))
            .out_value("UVERBS_ATTR_CREATE_WQ_RESP_WQ_NUM", std::uint32_t(0x70 + i))
            .in("UVERBS_ATTR_UHW_IN", as_bytes(uhw))
            .out("UVERBS_ATTR_UHW_OUT", bytes(8));
        REQUIRE(kdevx_wq_create(v.pd, &o, &wqs[i], &v.why) == 0);
        CHECK(s.differences() == "");
        auto info = v.info(wqs[i], kdevx_wq_get_info);
        CHECK(info.rqn == 0x70 + i);
        CHECK(info.wqe_count == 16);
        CHECK(info.wqe_shift == 5);
    }
    wqs[2] = wqs[0], wqs[3] = wqs[1];
    kdevx_ind_table *table = nullptr;
    mock::script s(v.k);
    const std::uint32_t in[] = {0, 2, 40, 41, 40, 41}, out[] = {0, 16, 3, 0x5a5a};
    s.expect(kabi::device::invoke_write)
        .in("UVERBS_ATTR_CORE_IN", as_bytes(in))
        .out("UVERBS_ATTR_CORE_OUT", as_bytes(out))
        .constant("UVERBS_ATTR_WRITE_CMD", 0x80000037);
    REQUIRE(kdevx_ind_table_create(v.c, 2, wqs, &table, &v.why) == 0);
    auto info = v.info(table, kdevx_ind_table_get_info);
    CHECK(info.handle == 3);
    CHECK(info.rqtn == 0x5a5a);
    s.expect(kabi::wq::destroy)
        .handle("UVERBS_ATTR_DESTROY_WQ_HANDLE", 41)
        .out("UVERBS_ATTR_DESTROY_WQ_RESP", bytes(4))
        .fails(EBUSY);
    CHECK(kdevx_wq_destroy(wqs[1], &v.why) == -EBUSY);
    CHECK(v.why.detail[0] == KDEVX_KIND_IND_TABLE);
    CHECK(v.why.detail[1] == 3);
    const std::uint32_t modify[] = {3, 40, 1, 0, 0, 0};
    s.expect(kabi::device::invoke_write)
        .in("UVERBS_ATTR_CORE_IN", as_bytes(modify))
        .constant("UVERBS_ATTR_WRITE_CMD", 0x80000035)
        .in("UVERBS_ATTR_UHW_IN", bytes(8));
    kdevx_wq_attr attr{KDEVX_WQS_RDY, KDEVX_WQS_RESET, 0, 0};
    CHECK(kdevx_wq_modify(wqs[0], &attr, KDEVX_WQ_STATE | KDEVX_WQ_CUR_STATE, &v.why) == 0);
    s.expect(kabi::rwq_ind_tbl::destroy).handle("UVERBS_ATTR_DESTROY_RWQ_IND_TBL_HANDLE", 3);
    CHECK(kdevx_ind_table_destroy(table, &v.why) == 0);
    for (unsigned i = 0; i < 2; ++i) {
        s.expect(kabi::wq::destroy)
            .handle("UVERBS_ATTR_DESTROY_WQ_HANDLE", 40 + i)
            .out("UVERBS_ATTR_DESTROY_WQ_RESP", bytes(4));
        CHECK(kdevx_wq_destroy(wqs[i], &v.why) == 0);
    }
    CHECK(s.differences() == "");
}

TEST_CASE("a table of one WQ is padded to eight bytes; what cannot be is refused") {
    mock::verbs v;
    auto o = sized<kdevx_wq_options>();
    o.max_wr = 4;
    kdevx_wq *wq = nullptr;
    v.invalid("cq", [&] { return kdevx_wq_create(v.pd, &o, &wq, &v.why); });
    o.cq = v.cq;
    auto bad = [&](const char *step, auto change) {
        auto b = o;
        change(b);
        v.invalid(step, [&] { return kdevx_wq_create(v.pd, &b, &wq, &v.why); });
    };
    bad("max_wr", [](auto &b) { b.max_wr = 0; });
    bad("max_wr", [&](auto &b) { b.max_wr = v.k.limits.max_recv_wr + 1; });
    bad("max_sge", [](auto &b) { b.max_sge = 33; });
    bad("flags", [](auto &b) { b.flags = 16; });
    bad("rq_wqe_count", [](auto &b) { b.rq_wqe_count = 3, b.rq_wqe_shift = 6; });
    bad("rq_wqe_count", [](auto &b) { b.rq_wqe_count = 1, b.rq_wqe_shift = 5; });
    bad("rq_wqe_shift", [](auto &b) { b.rq_wqe_count = 64, b.rq_wqe_shift = 3; });
    bad("buffer.kind", [](auto &b) { b.buffer = {KDEVX_BUFFER_DMABUF, 3, 0, 4096}; });
    REQUIRE(kdevx_wq_create(v.pd, &o, &wq, &v.why) == 0);
    std::uint32_t handle = v.info(wq, kdevx_wq_get_info).handle;
    kdevx_ind_table *table = nullptr;
    {
        mock::script s(v.k);
        const std::uint32_t in[] = {0, 0, handle, 0}, out[] = {0, 16, 0, 1};
        s.expect(kabi::device::invoke_write)
            .in("UVERBS_ATTR_CORE_IN", as_bytes(in))
            .out("UVERBS_ATTR_CORE_OUT", as_bytes(out))
            .constant("UVERBS_ATTR_WRITE_CMD", 0x80000037);
        REQUIRE(kdevx_ind_table_create(v.c, 0, &wq, &table, &v.why) == 0);
        s.expect(kabi::rwq_ind_tbl::destroy).handle("UVERBS_ATTR_DESTROY_RWQ_IND_TBL_HANDLE", 0);
        CHECK(kdevx_ind_table_destroy(table, &v.why) == 0);
        CHECK(s.differences() == "");
    }
    v.invalid("log_size", [&] { return kdevx_ind_table_create(v.c, 13, &wq, &table, &v.why); });
    v.invalid("wqs", [&] { return kdevx_ind_table_create(v.c, 0, nullptr, &table, &v.why); });
    kdevx_wq *none = nullptr;
    v.invalid("wq", [&] { return kdevx_ind_table_create(v.c, 0, &none, &table, &v.why); });
    mock::verbs other;
    v.invalid("wqs", [&] { return kdevx_ind_table_create(other.c, 0, &wq, &table, &v.why); });
    kdevx_wq_attr attr{};
    v.invalid("attr", [&] { return kdevx_wq_modify(wq, nullptr, 1, &v.why); });
    for (std::uint32_t mask : {0u, 8u})
        v.invalid("attr_mask", [&] { return kdevx_wq_modify(wq, &attr, mask, &v.why); });
    CHECK(kdevx_wq_destroy(wq, &v.why) == 0);
}
