// SPDX-License-Identifier: MIT
// Opening, adopting and closing contexts.
#include <cerrno>
#include <cstring>

#include <rdma/mlx5-abi.h>

#include "../unit/catch.hpp"
#include "script.hpp"

using namespace kdevx;
using mock::bytes;

namespace {

bytes alloc_request(bool devx) {
    mlx5_ib_alloc_ucontext_req_v2 r{};
    r.flags = devx ? 1 : 0;
    r.max_cqe_version = 1;
    r.lib_caps = 3; // 4K_UAR, DYN_UAR
    bytes b(sizeof r);
    std::memcpy(b.data(), &r, sizeof r);
    return b;
}

mock::expected &expect_get_context(mock::script &s, bool devx, const bytes &response) {
    return s.expect(kabi::device::get_context)
        .out_value("UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS", std::uint32_t(7))
        .out_value("UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT", std::uint64_t(1))
        .tolerated()
        .in("UVERBS_ATTR_UHW_IN", alloc_request(devx))
        .out("UVERBS_ATTR_UHW_OUT", response);
}

struct opened {
    int r;
    kdevx_context *context = nullptr;
    kdevx_failure why{};
};

opened open_path(const mock::kernel &k, std::uint32_t devx, const int *ucaps = nullptr,
                 std::uint32_t ucap_count = 0) {
    kdevx_open_options o = k.options();
    o.devx = devx;
    o.ucap_fds = ucaps;
    o.ucap_count = ucap_count;
    opened x;
    x.r = kdevx_context_open_path("/dev/infiniband/uverbs0", &o, &x.context, &x.why);
    return x;
}

} // namespace

TEST_CASE("GET_CONTEXT: exact bytes, and its answer is what the info shows") {
    mock::kernel k;
    bytes response = mock::random_bytes(72);
    {
        mock::script s(k);
        expect_get_context(s, true, response);
        opened x = open_path(k, KDEVX_DEVX_REQUIRE);
        REQUIRE(x.r == 0);
        CHECK(s.differences() == "");
        s.expect(kabi::devx::other)
            .in("MLX5_IB_ATTR_DEVX_OTHER_CMD_IN",
                [] {
                    bytes b(16);
                    b[0] = std::byte(0x01), b[1] = std::byte(0x00), b[7] = std::byte(0x01);
                    return b;
                }())
            .out("MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT", [] {
                bytes b(0x1010);
                b[0x10 + 0xd4 + 3] = std::byte(3);
                return b;
            }());
        kdevx_context_info info{};
        info.size = sizeof info;
        REQUIRE(kdevx_context_get_info(x.context, &info, nullptr) == 0);
        CHECK(s.differences() == "");
        CHECK(info.num_comp_vectors == 7);
        CHECK(info.core_support == 1);
        CHECK(info.has_devx == 1);
        CHECK(info.ownership == KDEVX_FD_OWNED);
        CHECK(info.uctx_caps_known == 1);
        CHECK(info.uctx_caps_offered == 3);
        CHECK(std::memcmp(&info.qp_tab_size, response.data(), 16) == 0);
        CHECK(std::memcmp(&info.dump_fill_mkey, response.data() + 68, 4) == 0);
        kdevx_context_close(x.context);
    }
    CHECK(k.live() == 0);
}

TEST_CASE("capabilities of the process are those at the time of opening") {
    mock::kernel k;
    k.capabilities = 1ull << 13; // CAP_NET_RAW
    kdevx_context *c = k.open();
    k.capabilities = 1ull << 17;
    kdevx_context_info info{};
    info.size = sizeof info;
    REQUIRE(kdevx_context_get_info(c, &info, nullptr) == 0);
    CHECK(info.uctx_caps_asked == KDEVX_UCTX_CAP_RAW_TX);
    kdevx_context_close(c);
}

TEST_CASE("C73: GET_CONTEXT is not tried again when the refusal is not about DEVX") {
    for (std::uint32_t devx : {KDEVX_DEVX_REQUIRE, KDEVX_DEVX_TRY})
        for (int err : {ENOMEM, EINTR, EAGAIN, EIO}) {
            mock::kernel k;
            mock::script s(k);
            expect_get_context(s, true, mock::random_bytes(72)).fails(err);
            if (err == EIO) s.expect_probe(kabi::uar::alloc).fails(EINVAL);
            opened x = open_path(k, devx);
            CHECK(x.r == -err);
            CHECK(x.why.err == err);
            CHECK(s.differences() == "");
            CHECK(k.live() == 0);
        }
}

TEST_CASE("DEVX refused: required is a failure with its cause, try goes on and keeps it") {
    mock::kernel k;
    k.has_uctx = false;
    k.on_ioctl = [](ib_uverbs_ioctl_hdr *h) {
        if (h->object_id != 0 || h->method_id != 3) return 1;
        const auto *req = reinterpret_cast<const mlx5_ib_alloc_ucontext_req_v2 *>(
            std::uintptr_t(h->attrs[2].data));
        return req->flags & MLX5_IB_ALLOC_UCTX_DEVX ? -EINVAL : 1;
    };
    opened x = open_path(k, KDEVX_DEVX_REQUIRE);
    CHECK(x.r == -EINVAL);
    CHECK(x.why.cause == KDEVX_CAUSE_FIRMWARE_NO_UCTX);
    CHECK(k.live() == 0);

    x = open_path(k, KDEVX_DEVX_TRY);
    REQUIRE(x.r == 0);
    kdevx_context_info info{};
    info.size = sizeof info;
    REQUIRE(kdevx_context_get_info(x.context, &info, nullptr) == 0);
    CHECK(info.has_devx == 0);
    CHECK(info.devx_refused.cause == KDEVX_CAUSE_FIRMWARE_NO_UCTX);
    kdevx_context_close(x.context);

    x = open_path(k, KDEVX_DEVX_NEVER);
    REQUIRE(x.r == 0);
    kdevx_context_close(x.context);
    CHECK(k.live() == 0);
}

TEST_CASE("another driver's file, and a file that is none of uverbs") {
    mock::kernel k;
    k.is_mlx5 = false;
    opened x = open_path(k, KDEVX_DEVX_REQUIRE);
    CHECK(x.r == -EINVAL);
    CHECK(x.why.cause == KDEVX_CAUSE_NOT_MLX5);
    k.on_ioctl = [](ib_uverbs_ioctl_hdr *) { return -ENOTTY; };
    x = open_path(k, KDEVX_DEVX_TRY);
    CHECK(x.r == -ENOTTY);
    CHECK(x.why.cause == KDEVX_CAUSE_NOT_MLX5);
    CHECK(k.live() == 0);
}

TEST_CASE("open(2) that fails says why") {
    struct {
        int err;
        std::uint32_t cause;
    } rows[] = {{ENOENT, KDEVX_CAUSE_NO_DEVICE},    {EACCES, KDEVX_CAUSE_NO_PERMISSION},
                {EPERM, KDEVX_CAUSE_NO_PERMISSION}, {ENXIO, KDEVX_CAUSE_DEVICE_GONE},
                {EMFILE, KDEVX_CAUSE_LIMIT},        {EIO, KDEVX_CAUSE_DEVICE_GONE},
                {ELOOP, KDEVX_CAUSE_OTHER},         {ENODEV, KDEVX_CAUSE_NO_DEVICE}};
    for (auto row : rows) {
        mock::kernel k;
        k.fail(mock::call::open, 0, row.err);
        opened x = open_path(k, KDEVX_DEVX_REQUIRE);
        CHECK(x.r == -row.err);
        CHECK(x.why.cause == row.cause);
        CHECK(std::strcmp(x.why.step, "open") == 0);
        CHECK(k.live() == 0);
    }
}

TEST_CASE("ucap fds go along, and an old kernel is told") {
    mock::kernel k;
    int fds[] = {40, 41};
    std::vector<int> seen;
    k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
        for (unsigned i = 0; h->object_id == 0 && h->method_id == 3 && i < h->num_attrs; ++i)
            if (h->attrs[i].attr_id == 2) {
                bytes b = mock::carried(h->attrs[i], kabi::ptr_in);
                seen.resize(b.size() / sizeof(int));
                std::memcpy(seen.data(), b.data(), b.size());
            }
        return 1;
    };
    opened x = open_path(k, KDEVX_DEVX_REQUIRE, fds, 2);
    REQUIRE(x.r == 0);
    CHECK(seen == std::vector<int>{40, 41});
    kdevx_context_close(x.context);

    k.absent.insert("UVERBS_ATTR_GET_CONTEXT_FD_ARR");
    x = open_path(k, KDEVX_DEVX_TRY, fds, 2);
    CHECK(x.r == -EPROTONOSUPPORT);
    CHECK(x.why.cause == KDEVX_CAUSE_KERNEL_TOO_OLD);
    CHECK(std::strcmp(x.why.step, "UVERBS_ATTR_GET_CONTEXT_FD_ARR") == 0);
    CHECK(k.live() == 0);
}

TEST_CASE("an inherited fd: the context is made on it, the fd stays whose it was") {
    for (std::uint32_t ownership : {KDEVX_FD_BORROWED, KDEVX_FD_OWNED}) {
        mock::kernel k;
        k.fds.insert(55);
        kdevx_open_options o = k.options();
        kdevx_context *c = nullptr;
        kdevx_failure why{};
        REQUIRE(kdevx_context_open_fd(55, ownership, &o, &c, &why) == 0);
        CHECK(kdevx_context_fd(c) == 55);
        kdevx_context_close(c);
        CHECK(k.fds.count(55) == (ownership == KDEVX_FD_BORROWED));
        // A second context on the same file: adopt it instead. The fd is the caller's still.
        if (ownership == KDEVX_FD_OWNED) continue;
        CHECK(kdevx_context_open_fd(55, KDEVX_FD_OWNED, &o, &c, &why) == -EINVAL);
        CHECK(why.cause == KDEVX_CAUSE_INVALID);
        CHECK(std::strcmp(why.step, "fd") == 0);
        CHECK(k.fds.count(55) == 1);
    }
}

TEST_CASE("adopting: the context is looked at, its uid is probed, nothing is created") {
    mock::kernel k;
    k.fds.insert(55);
    kdevx_open_options o = k.options();
    kdevx_context *c = nullptr;
    kdevx_failure why{};

    SECTION("no context is there") {
        CHECK(kdevx_context_adopt_fd(55, KDEVX_FD_BORROWED, &o, &c, &why) == -EINVAL);
        CHECK(why.cause == KDEVX_CAUSE_INVALID);
    }
    SECTION("one with a uid") {
        mock::script s(k);
        bytes response = mock::random_bytes(72);
        s.expect(kabi::device::query_context)
            .out_value("UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS", std::uint32_t(3))
            .out_value("UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT", std::uint64_t(1))
            .tolerated()
            .out("MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX", response);
        bytes issi(16);
        issi[0] = std::byte(0x01), issi[1] = std::byte(0x0a);
        s.expect(kabi::devx::other)
            .in("MLX5_IB_ATTR_DEVX_OTHER_CMD_IN", issi)
            .out("MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT", bytes(112));
        REQUIRE(kdevx_context_adopt_fd(55, KDEVX_FD_BORROWED, &o, &c, &why) == 0);
        CHECK(s.differences() == "");
        std::uint32_t eqn = 0;
        CHECK(kdevx_eqn_query(c, 3, &eqn, &why) == -EINVAL);
        kdevx_context_close(c);
    }
    SECTION("one without: named, or kept under try") {
        k.context = true;
        k.on_ioctl = [](ib_uverbs_ioctl_hdr *h) { return h->object_id == 0x1000 ? -EINVAL : 1; };
        CHECK(kdevx_context_adopt_fd(55, KDEVX_FD_OWNED, &o, &c, &why) == -EINVAL);
        CHECK(why.cause == KDEVX_CAUSE_NO_DEVX_UID);
        o.devx = KDEVX_DEVX_TRY;
        REQUIRE(kdevx_context_adopt_fd(55, KDEVX_FD_BORROWED, &o, &c, &why) == 0);
        bytes in = mock::random_bytes(16), out(16);
        CHECK(kdevx_general_cmd(c, in.data(), 16, out.data(), 16, &why) == -EINVAL);
        CHECK(why.cause == KDEVX_CAUSE_NO_DEVX_UID);
        kdevx_context_close(c);
    }
    CHECK(k.fds.count(55) == 1);
}

TEST_CASE("closing a borrowed context destroys what was made through it, the youngest first") {
    mock::kernel k;
    k.fds.insert(55);
    kdevx_open_options o = k.options();
    kdevx_context *c = nullptr;
    REQUIRE(kdevx_context_open_fd(55, KDEVX_FD_BORROWED, &o, &c, nullptr) == 0);
    bytes in = mock::random_bytes(32), out(16);
    kdevx_object *object[3];
    for (auto &one : object)
        REQUIRE(kdevx_object_create(c, in.data(), 32, out.data(), 16, &one, nullptr) == 0);
    std::vector<std::uint64_t> destroyed;
    k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
        if (h->object_id == 0x1001 && h->method_id == 0x1001) destroyed.push_back(h->attrs[0].data);
        return 1;
    };
    kdevx_context_close(c);
    CHECK(destroyed == std::vector<std::uint64_t>{2, 1, 0});
    CHECK(k.handles[0x1001].empty());

    // The objects know that their context was closed, and freeing them is not refused.
    kdevx_failure why{};
    CHECK(kdevx_object_query(object[0], in.data(), 16, out.data(), 16, &why) == -EBADF);
    CHECK(why.cause == KDEVX_CAUSE_CLOSED);
    for (auto one : object)
        CHECK(kdevx_object_destroy(one, &why) == 0);
    k.fds.erase(55);
    CHECK(k.live() == 0);
}

TEST_CASE("an owned context may be closed before its objects") {
    mock::kernel k;
    kdevx_context *c = k.open();
    bytes in = mock::random_bytes(32), out(16);
    kdevx_object *object = nullptr;
    kdevx_cmd_comp *comp = nullptr;
    kdevx_uar *uar = nullptr;
    std::uint32_t nc = KDEVX_UAR_NC;
    REQUIRE(kdevx_object_create(c, in.data(), 32, out.data(), 16, &object, nullptr) == 0);
    REQUIRE(kdevx_cmd_comp_create(c, &comp, nullptr) == 0);
    REQUIRE(kdevx_uar_alloc(c, &nc, 1, &uar, nullptr) == 0);
    kdevx_context_close(c);
    CHECK(k.handles.empty());
    CHECK(kdevx_cmd_comp_fd(comp) == -EBADF);
    unsigned ioctls = k.count(mock::call::ioctl);
    CHECK(kdevx_uar_free(uar, nullptr) == 0);
    CHECK(kdevx_cmd_comp_destroy(comp, nullptr) == 0);
    CHECK(k.blocks > 0);
    CHECK(kdevx_object_destroy(object, nullptr) == 0);
    CHECK(k.count(mock::call::ioctl) == ioctls);
    CHECK(k.live() == 0);
}

TEST_CASE("A13: a probe has no attribute but the one in question, and reads the refusal") {
    mock::kernel k;
    kdevx_context *c = k.open();
    kdevx_failure why{};
    int present = -1;
    {
        mock::script s(k);
        s.expect_probe(kabi::devx_obj::create).fails(EINVAL);
        CHECK(kdevx_probe_method(c, 0x1001, 0x1000, &present, &why) == 0);
        CHECK(present == 1);
        s.expect_probe(kabi::devx_obj::create).fails(EPROTONOSUPPORT);
        CHECK(kdevx_probe_method(c, 0x1001, 0x1000, &present, &why) == 0);
        CHECK(present == 0);
        s.expect_probe(kabi::devx_obj::create).fails(ENOTTY);
        CHECK(kdevx_probe_method(c, 0x1001, 0x1000, &present, &why) == -ENOTTY);
        CHECK(why.cause == KDEVX_CAUSE_NOT_MLX5);
        s.expect(kabi::cq::create).in("UVERBS_ATTR_CREATE_CQ_BUFFER_VA", {}).fails(EINVAL);
        CHECK(kdevx_probe_attr(c, 3, 0, 8, &present, &why) == 0);
        CHECK(present == 1);
        CHECK(s.differences() == "");
    }
    // The fake kernel's own order of checks agrees.
    k.absent = {"UVERBS_ATTR_CREATE_CQ_BUFFER_VA", "MLX5_IB_METHOD_DEVX_QUERY_EQN"};
    CHECK(kdevx_probe_attr(c, 3, 0, 8, &present, &why) == 0);
    CHECK(present == 0);
    CHECK(kdevx_probe_attr(c, 0x1002, 0x1000, 0x1006, &present, &why) == 0);
    CHECK(present == 1);
    CHECK(kdevx_probe_method(c, 0x1000, 0x1002, &present, &why) == 0);
    CHECK(present == 0);
    unsigned asked = k.count(mock::call::ioctl);
    // GET_CONTEXT has no mandatory attribute: it would run.
    CHECK(kdevx_probe_method(c, 0, 3, &present, &why) == -EINVAL);
    CHECK(kdevx_probe_method(c, 0x1001, 0x1fff, &present, &why) == -EINVAL);
    // A destroy's only attribute cannot be asked for: it would destroy.
    CHECK(kdevx_probe_attr(c, 0x1001, 0x1001, 0x1000, &present, &why) == -EINVAL);
    CHECK(k.count(mock::call::ioctl) == asked);
    k.removed = true;
    CHECK(kdevx_probe_method(c, 0x1001, 0x1000, &present, &why) == -EIO);
    CHECK(why.cause == KDEVX_CAUSE_DEVICE_GONE);
    kdevx_context_close(c);
    CHECK(k.live() == 0);
}

TEST_CASE("EPROTONOSUPPORT: one method missing is an old kernel, all of DEVX the firmware") {
    mock::kernel k;
    kdevx_context *c = k.open();
    kdevx_failure why{};
    kdevx_cmd_comp *comp = nullptr;
    k.absent.insert("MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC");
    CHECK(kdevx_cmd_comp_create(c, &comp, &why) == -EPROTONOSUPPORT);
    CHECK(why.cause == KDEVX_CAUSE_KERNEL_TOO_OLD);
    k.has_uctx = false;
    CHECK(kdevx_cmd_comp_create(c, &comp, &why) == -EPROTONOSUPPORT);
    CHECK(why.cause == KDEVX_CAUSE_FIRMWARE_NO_UCTX);
    kdevx_context_close(c);
    CHECK(k.live() == 0);
}

TEST_CASE("the event queue of a vector") {
    mock::kernel k;
    kdevx_context *c = k.open();
    std::uint32_t vector = 3, want = std::uint32_t(mock::random_number()), eqn = 0;
    mock::script s(k);
    s.expect(kabi::devx::query_eqn)
        .in_value("MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC", vector)
        .out_value("MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN", want);
    kdevx_failure why{};
    CHECK(kdevx_eqn_query(c, vector, &eqn, &why) == 0);
    CHECK(eqn == want);
    // Refused here: a kernel may cut 65536 to 0 and answer.
    for (std::uint32_t bad : {4u, 65536u, 0xffffffffu}) {
        CHECK(kdevx_eqn_query(c, bad, &eqn, &why) == -EINVAL);
        CHECK(why.detail[0] == bad);
        CHECK(why.detail[1] == 4);
    }
    CHECK(s.differences() == "");
    kdevx_context_close(c);
}

TEST_CASE("a trace sees each ioctl with its method, result and time") {
    mock::kernel k;
    struct seen {
        std::vector<std::string> methods;
        std::vector<int> results;
        bool times = true;
    } log;
    kdevx_open_options o = k.options();
    o.trace_arg = &log;
    o.trace = [](void *arg, const kdevx_trace_event *e) {
        auto &l = *static_cast<seen *>(arg);
        l.methods.push_back(e->method ? e->method : "probe");
        l.results.push_back(e->result);
        l.times = l.times && e->began_ns && e->ended_ns >= e->began_ns && e->size == sizeof *e;
        if (e->kind != KDEVX_TRACE_IOCTL) return;
        auto *h = static_cast<const ib_uverbs_ioctl_hdr *>(e->request);
        l.times = l.times && h->length == e->length;
    };
    kdevx_context *c = nullptr;
    REQUIRE(kdevx_context_open_path("/dev/infiniband/uverbs0", &o, &c, nullptr) == 0);
    bytes in = mock::random_bytes(16), out(16);
    k.fail(mock::call::ioctl, 0, ETIMEDOUT);
    CHECK(kdevx_general_cmd(c, in.data(), 16, out.data(), 16, nullptr) == -ETIMEDOUT);
    CHECK(log.methods ==
          std::vector<std::string>{"UVERBS_METHOD_GET_CONTEXT", "MLX5_IB_METHOD_DEVX_OTHER"});
    CHECK(log.results == std::vector<int>{0, -ETIMEDOUT});
    CHECK(log.times);
    kdevx_context_close(c);
}
