// SPDX-License-Identifier: MIT
// Commands and objects: bytes, errors, and what an outbox is worth.
#include <cerrno>
#include <cstring>

#include "../unit/catch.hpp"
#include "script.hpp"

using namespace kdevx;
using mock::bytes;

namespace {

struct object_fixture {
    mock::kernel k;
    kdevx_context *c = k.open();
    kdevx_failure why{};
    bytes in = mock::random_bytes(48), out = bytes(24), answer = mock::random_bytes(24);

    kdevx_object *create() {
        kdevx_object *o = nullptr;
        REQUIRE(kdevx_object_create(c, in.data(), in.size(), out.data(), out.size(), &o, &why) ==
                0);
        return o;
    }
    ~object_fixture() {
        kdevx_context_close(c);
        CHECK(k.broken_rules.empty());
    }
};

bytes be(std::initializer_list<unsigned> b) {
    bytes r;
    for (unsigned x : b)
        r.push_back(std::byte(x));
    return r;
}

} // namespace

TEST_CASE("each DEVX method: exact bytes, and the answer arrives") {
    object_fixture f;
    mock::script s(f.k);
    s.expect(kabi::devx::other)
        .in("MLX5_IB_ATTR_DEVX_OTHER_CMD_IN", f.in)
        .out("MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT", f.answer);
    CHECK(kdevx_general_cmd(f.c, f.in.data(), f.in.size(), f.out.data(), f.out.size(), &f.why) ==
          0);
    CHECK(f.out == f.answer);

    s.expect(kabi::devx_obj::create)
        .makes("MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE", 0x1234)
        .in("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN", f.in)
        .out("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT", f.answer);
    kdevx_object *o = nullptr;
    REQUIRE(kdevx_object_create(f.c, f.in.data(), f.in.size(), f.out.data(), f.out.size(), &o,
                                &f.why) == 0);
    kdevx_object_info info{};
    info.size = sizeof info;
    REQUIRE(kdevx_object_get_info(o, &info, &f.why) == 0);
    CHECK(info.handle == 0x1234);
    CHECK(info.opcode == (unsigned(f.in[0]) << 8 | unsigned(f.in[1])));
    CHECK(info.device_id == (unsigned(f.answer[8]) << 24 | unsigned(f.answer[9]) << 16 |
                             unsigned(f.answer[10]) << 8 | unsigned(f.answer[11])));

    s.expect(kabi::devx_obj::query)
        .handle("MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE", 0x1234)
        .in("MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN", f.in)
        .out("MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT", f.answer);
    CHECK(kdevx_object_query(o, f.in.data(), f.in.size(), f.out.data(), f.out.size(), &f.why) == 0);
    s.expect(kabi::devx_obj::modify)
        .handle("MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE", 0x1234)
        .in("MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN", f.in)
        .out("MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT", f.answer);
    CHECK(kdevx_object_modify(o, f.in.data(), f.in.size(), f.out.data(), f.out.size(), &f.why) ==
          0);
    s.expect(kabi::devx_obj::destroy).handle("MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE", 0x1234);
    CHECK(kdevx_object_destroy(o, &f.why) == 0);
    CHECK(s.differences() == "");
}

TEST_CASE("handle 0 is as good as any other") {
    object_fixture f;
    kdevx_object *o = f.create();
    kdevx_object_info info{};
    info.size = sizeof info;
    REQUIRE(kdevx_object_get_info(o, &info, &f.why) == 0);
    CHECK(info.handle == 0);
    mock::script s(f.k);
    s.expect(kabi::devx_obj::destroy).handle("MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE", 0);
    CHECK(kdevx_object_destroy(o, &f.why) == 0);
    CHECK(s.differences() == "");
}

TEST_CASE("general objects keep their type") {
    object_fixture f;
    f.in[0] = std::byte(0x0a), f.in[1] = std::byte(0x00);
    f.in[6] = std::byte(0x00), f.in[7] = std::byte(0x0d);
    kdevx_object *o = f.create();
    kdevx_object_info info{};
    info.size = sizeof info;
    REQUIRE(kdevx_object_get_info(o, &info, &f.why) == 0);
    CHECK(info.opcode == 0xa00);
    CHECK(info.obj_type == 0x0d);
    CHECK(kdevx_object_destroy(o, &f.why) == 0);
}

TEST_CASE("refused by the firmware: status, syndrome and opcode, from a valid outbox") {
    object_fixture f;
    bytes refusal = be({3, 0, 0, 0, 0, 0x45, 0xd3, 0xa4, 0, 0, 0, 0, 0, 0, 0, 0});
    bytes out = mock::random_bytes(16);
    f.in[0] = std::byte(0x02), f.in[1] = std::byte(0x00);
    f.in[6] = std::byte(0), f.in[7] = std::byte(1);
    mock::script s(f.k);
    s.expect(kabi::devx_obj::create)
        .makes("MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE", 77)
        .in("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN", f.in)
        .out("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT", refusal)
        .fails(EREMOTEIO);
    kdevx_object *o = reinterpret_cast<kdevx_object *>(1);
    CHECK(kdevx_object_create(f.c, f.in.data(), f.in.size(), out.data(), 16, &o, &f.why) ==
          -EREMOTEIO);
    CHECK(s.differences() == "");
    CHECK(o == reinterpret_cast<kdevx_object *>(1)); // untouched: the handle 77 means nothing
    CHECK(f.why.cause == KDEVX_CAUSE_FIRMWARE_REFUSED);
    CHECK(f.why.outbox_valid == 1);
    CHECK(f.why.fw_status == 3);
    CHECK(f.why.fw_syndrome == 0x45d3a4);
    CHECK(f.why.detail[0] == 0x200);
    CHECK(f.why.detail[1] == 1);
    CHECK(out == refusal);
    char text[160];
    kdevx_failure_text(&f.why, text, sizeof text);
    CHECK(std::string(text) == "MLX5_IB_METHOD_DEVX_OBJ_CREATE: FIRMWARE_REFUSED, status 0x3 "
                               "BAD_PARAM_ERR, syndrome 0x0045d3a4");
}

TEST_CASE("an outbox that nobody wrote is never reported, whatever is in it") {
    object_fixture f;
    kdevx_object *o = f.create();
    for (int err : {EINVAL, EIO, ETIMEDOUT, ECANCELED, ENXIO, EAGAIN, ENOMEM, EFAULT}) {
        bytes poisoned = mock::random_bytes(24);
        f.k.fail(mock::call::ioctl, 0, err);
        CHECK(kdevx_object_query(o, f.in.data(), 48, poisoned.data(), 24, &f.why) == -err);
        CHECK(f.why.outbox_valid == 0);
        CHECK(f.why.fw_status == 0);
        CHECK(f.why.fw_syndrome == 0);
    }
    CHECK(kdevx_object_destroy(o, &f.why) == 0);
}

TEST_CASE("A5: each class of errno keeps its number and has its cause") {
    object_fixture f;
    struct {
        int err;
        std::uint32_t cause;
    } rows[] = {
        {EPROTONOSUPPORT, KDEVX_CAUSE_KERNEL_TOO_OLD},
        {ENOTTY, KDEVX_CAUSE_NOT_MLX5},
        {EFAULT, KDEVX_CAUSE_INVALID},
        {EINVAL, KDEVX_CAUSE_INVALID},
        {ENOENT, KDEVX_CAUSE_INVALID},
        {EBADF, KDEVX_CAUSE_INVALID},
        {EBUSY, KDEVX_CAUSE_BUSY},
        {EPERM, KDEVX_CAUSE_NO_PERMISSION},
        {EACCES, KDEVX_CAUSE_NO_PERMISSION},
        {EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED},
        {ENOMEM, KDEVX_CAUSE_LIMIT},
        {EAGAIN, KDEVX_CAUSE_LIMIT},
        {ETIMEDOUT, KDEVX_CAUSE_COMMAND_NOT_EXECUTED},
        {ECANCELED, KDEVX_CAUSE_COMMAND_NOT_EXECUTED},
        {ENXIO, KDEVX_CAUSE_COMMAND_NOT_EXECUTED},
        {EIO, KDEVX_CAUSE_COMMAND_NOT_EXECUTED},
        {ENODEV, KDEVX_CAUSE_DEVICE_GONE},
        {EDOM, KDEVX_CAUSE_OTHER},
    };
    for (auto row : rows) {
        f.k.fail(mock::call::ioctl, 0, row.err);
        CHECK(kdevx_general_cmd(f.c, f.in.data(), 48, f.out.data(), 24, &f.why) == -row.err);
        CHECK(f.why.err == row.err);
        CHECK(f.why.cause == row.cause);
        CHECK(std::strcmp(f.why.step, "MLX5_IB_METHOD_DEVX_OTHER") == 0);
    }
    // EIO of a device that is gone is another fact.
    f.k.removed = true;
    for (int i = 0; i < 3; ++i) {
        CHECK(kdevx_general_cmd(f.c, f.in.data(), 48, f.out.data(), 24, &f.why) == -EIO);
        CHECK(f.why.cause == KDEVX_CAUSE_DEVICE_GONE);
    }
    f.k.removed = false;
}

TEST_CASE("B31: what is not supported, what is too much, and what firmware refuses, told apart") {
    object_fixture f;
    alignas(4096) static char memory[4096];
    const std::uint32_t type = KDEVX_UAR_BF;
    kdevx_uar *u = nullptr;
    kdevx_umem *m = nullptr;
    kdevx_object *o = nullptr;
    f.k.fail(mock::call::ioctl, 0, EOPNOTSUPP);
    CHECK(kdevx_uar_alloc(f.c, &type, 1, &u, &f.why) == -EOPNOTSUPP);
    CHECK(f.why.cause == KDEVX_CAUSE_NOT_SUPPORTED);
    f.k.fail(mock::call::ioctl, 0, ENOMEM);
    CHECK(kdevx_umem_reg(f.c, memory, sizeof memory, nullptr, &m, &f.why) == -ENOMEM);
    CHECK(f.why.cause == KDEVX_CAUSE_LIMIT);
    mock::script s(f.k);
    s.expect(kabi::devx_obj::create)
        .makes("MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE", 1)
        .in("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN", f.in)
        .out("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT",
             be({3, 0, 0, 0, 0, 0x45, 0xd3, 0xa4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))
        .fails(EREMOTEIO);
    CHECK(kdevx_object_create(f.c, f.in.data(), f.in.size(), f.out.data(), f.out.size(), &o,
                              &f.why) == -EREMOTEIO);
    CHECK(f.why.cause == KDEVX_CAUSE_FIRMWARE_REFUSED);
    CHECK(f.why.fw_status == 3);
    CHECK(f.why.fw_syndrome == 0x45d3a4);
    CHECK(s.differences() == "");
}

TEST_CASE("a destroy that is refused leaves the object usable, with the cause") {
    object_fixture f;
    kdevx_object *o = f.create();
    struct {
        int err;
        std::uint32_t cause;
    } rows[] = {{EBUSY, KDEVX_CAUSE_BUSY},
                {EINVAL, KDEVX_CAUSE_FIRMWARE_REFUSED},
                {EIO, KDEVX_CAUSE_FIRMWARE_REFUSED},
                {EREMOTEIO, KDEVX_CAUSE_FIRMWARE_REFUSED},
                {ETIMEDOUT, KDEVX_CAUSE_COMMAND_NOT_EXECUTED}};
    for (auto row : rows) {
        f.k.fail(mock::call::ioctl, 0, row.err);
        CHECK(kdevx_object_destroy(o, &f.why) == -row.err);
        CHECK(f.why.cause == row.cause);
        CHECK(f.why.outbox_valid == 0);
        CHECK(kdevx_object_query(o, f.in.data(), 48, f.out.data(), 24, &f.why) == 0);
    }
    CHECK(kdevx_object_destroy(o, &f.why) == 0);
}

TEST_CASE("a device that is gone has taken its objects along: their destroy is done") {
    object_fixture f;
    kdevx_object *o = f.create();
    f.k.removed = true;
    CHECK(kdevx_object_destroy(o, &f.why) == 0);
    CHECK(kdevx_object_destroy(o, &f.why) == -EBADF);
    f.k.removed = false;
    f.k.handles.clear();
}

TEST_CASE("a destroyed object is told apart, until 64 others took its place") {
    object_fixture f;
    kdevx_object *first = f.create();
    REQUIRE(kdevx_object_destroy(first, &f.why) == 0);
    for (int i = 0; i < 300; ++i) {
        kdevx_object *o = f.create();
        CHECK(o != first);
        CHECK(kdevx_object_query(first, f.in.data(), 48, f.out.data(), 24, &f.why) == -EBADF);
        CHECK(f.why.cause == KDEVX_CAUSE_CLOSED);
        CHECK(std::strcmp(f.why.step, "object") == 0);
        CHECK(kdevx_object_destroy(first, &f.why) == -EBADF);
        REQUIRE(kdevx_object_destroy(o, &f.why) == 0);
    }
}

TEST_CASE("a destroy while a call on the object is in progress is busy") {
    object_fixture f;
    kdevx_object *o = f.create();
    int during = 0;
    std::uint32_t cause = 0;
    f.k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
        if (h->method_id == 0x1003) {
            kdevx_failure why{};
            during = kdevx_object_destroy(o, &why);
            cause = why.cause;
        }
        return 1;
    };
    CHECK(kdevx_object_query(o, f.in.data(), 48, f.out.data(), 24, &f.why) == 0);
    CHECK(during == -EBUSY);
    CHECK(cause == KDEVX_CAUSE_BUSY);
    f.k.on_ioctl = nullptr;
    CHECK(kdevx_object_destroy(o, &f.why) == 0);
}

TEST_CASE("A1, A3: nothing of no length, and optional attributes that are absent") {
    object_fixture f;
    // A null pointer of no length is too short, not a fault.
    CHECK(kdevx_general_cmd(f.c, nullptr, 0, f.out.data(), 24, &f.why) == -EINVAL);
    CHECK(std::strcmp(f.why.step, "MLX5_IB_ATTR_DEVX_OTHER_CMD_IN") == 0);
    char memory[64];
    kdevx_umem *u = nullptr;
    mock::script s(f.k);
    s.expect(kabi::umem::reg)
        .makes("MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE", 9)
        .in_value("MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR", std::uint64_t(std::uintptr_t(memory)))
        .in_value("MLX5_IB_ATTR_DEVX_UMEM_REG_LEN", std::uint64_t(64))
        .flags("MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS", 1)
        .out_value("MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID", std::uint32_t(5));
    CHECK(kdevx_umem_reg(f.c, memory, 64, nullptr, &u, &f.why) == 0);
    s.expect(kabi::umem::dereg).handle("MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE", 9);
    CHECK(kdevx_umem_dereg(u, &f.why) == 0);
    CHECK(s.differences() == "");
}
