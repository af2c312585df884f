// SPDX-License-Identifier: MIT
// The kernel's generic layer: which errno for which malformed request, and in which order of checks.
// Sent by hand, without the library, which refuses to build most of these.
#include "guest.hpp"
#include "raw.hpp"

#include "catch.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace kdevx::vm;

namespace {

class uverbs_file {
    int fd_;

public:
    explicit uverbs_file(bool context = true, bool devx = true)
        : fd_(open(under_test().node.c_str(), O_RDWR | O_CLOEXEC)) {
        REQUIRE(fd_ >= 0);
        if (context) REQUIRE(raw_get_context(fd_, devx) == 0);
    }
    ~uverbs_file() { close(fd_); }
    uverbs_file(const uverbs_file &) = delete;
    operator int() const { return fd_; }
};

using command = std::array<unsigned char, 16>;
command with_opcode(unsigned opcode, unsigned op_mod = 0) {
    command c{};
    c[0] = (unsigned char)(opcode >> 8);
    c[1] = (unsigned char)opcode;
    c[6] = (unsigned char)(op_mod >> 8);
    c[7] = (unsigned char)op_mod;
    return c;
}

constexpr unsigned query_issi = 0x10a, query_hca_cap = 0x100, alloc_pd = 0x800, create_mkey = 0x200,
                   query_cq = 0x402;

struct other : raw {
    command given = with_opcode(query_issi);
    // QUERY_ISSI answers 0x70 bytes.
    std::array<unsigned char, 0x1000 + 16> answer{};

    other() : raw(MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_OTHER) {}
    raw &whole() {
        in(MLX5_IB_ATTR_DEVX_OTHER_CMD_IN, given.data(), given.size());
        return out(MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT, answer.data(), answer.size());
    }
};

struct umem_reg : raw {
    void *at;
    std::uint64_t address, length = 4096, access = 1;
    std::uint32_t id = 0;

    explicit umem_reg(void *memory)
        : raw(MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_REG), at(memory),
          address(std::uintptr_t(memory)) {
        handle(MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE);
        in(MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR, &address, 8);
        in(MLX5_IB_ATTR_DEVX_UMEM_REG_LEN, &length, 8);
        out(MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID, &id, 4);
    }
};

// An attribute that no method has, in the driver's name space.
constexpr unsigned no_such_attr = 0x10f0;

} // namespace

TEST_CASE("a request that is not this ABI is ENOTTY", "[wire]") {
    uverbs_file file;
    other request;
    request.whole();
    CHECK(request.send(file) == 0);
    CHECK(request.send(file, _IOWR(RDMA_IOCTL_MAGIC, 2, ib_uverbs_ioctl_hdr)) == -ENOTTY);
    CHECK(request.send(file, _IOR(RDMA_IOCTL_MAGIC, 1, ib_uverbs_ioctl_hdr)) == -ENOTTY);
    CHECK(request.send(file, 0x5401) == -ENOTTY);
}

TEST_CASE("the header is checked first", "[wire]") {
    uverbs_file file;
    other request;
    request.whole();
    SECTION("unreadable") {
        CHECK(ioctl(file, RDMA_VERBS_IOCTL, nullptr) == -1);
        CHECK(errno == EFAULT);
    }
    SECTION("another driver's number") {
        request.driver = RDMA_DRIVER_MLX4;
        CHECK(request.send(file) == -EINVAL);
    }
    SECTION("lengths that do not match the attributes") {
        for (int off : {-24, -16, -1, 1, 8, 16}) {
            request.extra_length = off;
            CHECK(request.send(file) == -EINVAL);
        }
    }
    SECTION("reserved fields") {
        request.reserved1 = 1;
        CHECK(request.send(file) == -EPROTONOSUPPORT);
        request.reserved1 = 0;
        request.reserved2 = 1;
        CHECK(request.send(file) == -EPROTONOSUPPORT);
    }
    SECTION("no such object or method") {
        request.method = 0x10ff;
        CHECK(request.send(file) == -EPROTONOSUPPORT);
        request.method = MLX5_IB_METHOD_DEVX_OTHER;
        request.object = 0x10ff;
        CHECK(request.send(file) == -EPROTONOSUPPORT);
        request.object = 0x2000;
        CHECK(request.send(file) == -EPROTONOSUPPORT);
    }
    SECTION("an unknown object outweighs nothing: the driver's number is looked at before") {
        request.driver = RDMA_DRIVER_MLX4;
        request.object = 0x10ff;
        CHECK(request.send(file) == -EINVAL);
    }
}

TEST_CASE("a page is the longest request", "[wire]") {
    uverbs_file file;
    other request;
    request.whole();
    request.optional();
    const std::size_t most = (4096 - sizeof(ib_uverbs_ioctl_hdr)) / sizeof(ib_uverbs_attr);
    REQUIRE(most == 254);
    for (unsigned n = unsigned(request.attrs.size()); n < most; ++n)
        request.value(0x2000 + n, 0);
    CHECK(request.send(file) == 0);
    request.value(0x2fff, 0);
    CHECK(request.attrs.size() == 255);
    CHECK(request.send(file) == -EINVAL);
}

TEST_CASE("no attributes, missing, unknown and doubled ones", "[wire]") {
    uverbs_file file;
    other request;
    SECTION("none") { CHECK(request.send(file) == -EINVAL); }
    SECTION("a mandatory one is missing") {
        request.in(MLX5_IB_ATTR_DEVX_OTHER_CMD_IN, request.given.data(), 16);
        CHECK(request.send(file) == -EINVAL);
    }
    SECTION("unknown: skipped, or refused if the caller insists") {
        request.whole().optional().value(no_such_attr, 0);
        CHECK(request.send(file) == 0);
        request.attrs.back().flags = UVERBS_ATTR_F_MANDATORY;
        CHECK(request.send(file) == -EPROTONOSUPPORT);
    }
    SECTION("unknown and insisted on, with a mandatory one missing: it is EPROTONOSUPPORT") {
        request.value(no_such_attr, 0);
        CHECK(request.send(file) == -EPROTONOSUPPORT);
    }
    SECTION("twice the same") {
        request.whole().out(MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT, request.answer.data(), 4096);
        CHECK(request.send(file) == -EINVAL);
    }
    SECTION("reserved byte of an attribute") {
        request.whole();
        request.attrs[0].attr_data.reserved = 1;
        CHECK(request.send(file) == -EINVAL);
    }
    SECTION("the order of attributes is free") {
        request.whole();
        std::swap(request.attrs[0], request.attrs[1]);
        CHECK(request.send(file) == 0);
    }
}

TEST_CASE("lengths of input and output", "[wire]") {
    uverbs_file file;
    other request;
    const auto in = [&](std::size_t n) -> raw & {
        request.attrs.clear();
        return request.in(MLX5_IB_ATTR_DEVX_OTHER_CMD_IN, request.given.data(), n);
    };
    const auto out = [&](std::size_t n) {
        return request.out(MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT, request.answer.data(), n).send(file);
    };
    CHECK((in(15), out(4096)) == -EINVAL);
    CHECK((in(8), out(4096)) == -EINVAL); // inline, and too short
    CHECK((in(16), out(15)) == -EINVAL);
    CHECK((in(16), out(0)) == -EINVAL);
    // Memory that is not there: the inbox before the command, the outbox after it.
    void *const nowhere = pointer_to(64);
    request.attrs.clear();
    CHECK(request.in(MLX5_IB_ATTR_DEVX_OTHER_CMD_IN, nowhere, 16)
              .out(MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT, request.answer.data(), 4096)
              .send(file) == -EFAULT);
    in(16);
    CHECK(request.out(MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT, nowhere, 4096).send(file) == -EFAULT);
}

TEST_CASE("outputs are marked valid when they were written", "[wire]") {
    uverbs_file file;
    other request;
    request.whole();
    REQUIRE(request.send(file) == 0);
    CHECK(request.flags(MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT) & UVERBS_ATTR_F_VALID_OUTPUT);
    CHECK_FALSE(request.flags(MLX5_IB_ATTR_DEVX_OTHER_CMD_IN) & UVERBS_ATTR_F_VALID_OUTPUT);

    other refused;
    refused.given = with_opcode(0xb7f);
    refused.whole();
    CHECK(refused.send(file) == -EREMOTEIO);
    CHECK(refused.flags(MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT) & UVERBS_ATTR_F_VALID_OUTPUT);
    CHECK(refused.answer[0] == 2); // BAD_OP_ERR

    other never_sent;
    never_sent.given = with_opcode(alloc_pd);
    never_sent.answer.fill(0x5a);
    never_sent.whole();
    CHECK(never_sent.send(file) == -EINVAL);
    CHECK_FALSE(never_sent.flags(MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT) & UVERBS_ATTR_F_VALID_OUTPUT);
    CHECK(never_sent.answer[0] == 0x5a);
}

TEST_CASE("handles: length, range, absence and type", "[wire]") {
    uverbs_file file;
    raw destroy(MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_DESTROY);
    const auto with = [&](std::uint64_t h, unsigned length = 0) {
        destroy.attrs.clear();
        return destroy.value(MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE, h, length).send(file);
    };
    CHECK(with(0) == -ENOENT); // 0 is a handle like any other, and this one is not there
    CHECK(with(77) == -ENOENT);
    CHECK(with(0, 4) == -EINVAL);
    CHECK(with(std::uint64_t(-1)) == -EINVAL);
    CHECK(with(1ull << 32) == -ENOENT); // as far as a long reaches, a number that nobody has

    alignas(4096) static char memory[4096];
    umem_reg umem(memory);
    REQUIRE(umem.send(file) == 0);
    const std::uint64_t h = umem.data(MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE);
    CHECK(h == 0); // the lowest free number, and a valid handle
    CHECK(with(h) == -EINVAL); // a umem, not a DEVX_OBJ
    CHECK(raw(MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_DEREG)
              .handle(MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE, h)
              .send(file) == 0);
    CHECK(with(h) == -ENOENT);
}

TEST_CASE("fd attributes: closed, of another kind, of another file", "[wire]") {
    uverbs_file file, other_file;
    const auto cmd_fd_of = [](int of) {
        raw alloc(MLX5_IB_OBJECT_DEVX_ASYNC_CMD_FD, MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC);
        REQUIRE(alloc.handle(MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE).send(of) == 0);
        return int(alloc.data(MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE));
    };
    raw make(MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_CREATE);
    const command pd = with_opcode(alloc_pd);
    command answer{};
    REQUIRE(make.handle(MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE)
                .in(MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN, pd.data(), 16)
                .out(MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT, answer.data(), 16)
                .send(file) == 0);
    const std::uint64_t h = make.data(MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE);
    const command question = with_opcode(query_cq);
    const std::uint64_t wr_id = 1;
    const auto with_fd = [&](std::uint64_t fd) {
        return raw(MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY)
            .handle(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE, h)
            .in(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN, question.data(), 16)
            .value(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD, fd)
            .in(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID, &wr_id, 8)
            .value(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN, 0x110, 8)
            .send(file);
    };
    const int mine = cmd_fd_of(file), foreign = cmd_fd_of(other_file);
    CHECK(with_fd(std::uint64_t(mine)) == -EINVAL); // the fd is right; a PD is not a CQ
    CHECK(with_fd(std::uint64_t(foreign)) == -EBADF);
    CHECK(with_fd(std::uint64_t(int(file))) == -EBADF);
    CHECK(with_fd(std::uint64_t(-1)) == -EBADF);
    CHECK(with_fd(1ull << 31) == -EINVAL); // no int
    close(foreign);
    CHECK(with_fd(std::uint64_t(foreign)) == -EBADF);
    CHECK((fcntl(mine, F_GETFD) & FD_CLOEXEC) != 0);
    CHECK((fcntl(mine, F_GETFL) & O_ACCMODE) == O_RDONLY);
    CHECK((fcntl(mine, F_GETFL) & O_NONBLOCK) == 0);
    close(mine);
}

TEST_CASE("flags and constants that the kernel does not know", "[wire]") {
    uverbs_file file;
    alignas(4096) static char memory[4096];
    const auto access = [&](std::uint64_t flags, unsigned length) {
        umem_reg umem(memory);
        umem.value(MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS, flags, length);
        return umem.send(file);
    };
    CHECK(access(1, 8) == 0);
    CHECK(access(1, 4) == 0);
    CHECK(access(1, 2) == -EINVAL);
    CHECK(access(1ull << 40, 8) == -EINVAL);
    CHECK(access(1u << 5, 8) == -EINVAL); // IB_UVERBS_ACCESS_ZERO_BASED
}

TEST_CASE("a file without a context has no objects", "[wire]") {
    uverbs_file bare(false);
    other request;
    CHECK(request.whole().send(bare) == -EINVAL);
    alignas(4096) static char memory[4096];
    CHECK(umem_reg(memory).send(bare) == -EINVAL);
    CHECK(raw_get_context(bare, true) == 0);
    CHECK(raw_get_context(bare, true) == -EINVAL);
    CHECK(umem_reg(memory).send(bare) == 0);
}

TEST_CASE("without a DEVX uid: the whitelist, and all the rest", "[wire]") {
    uverbs_file file(true, false);
    const auto ask = [&](unsigned opcode, unsigned op_mod = 0) {
        other request;
        request.given = with_opcode(opcode, op_mod);
        return request.whole().send(file);
    };
    CHECK(ask(query_hca_cap, 1) == 0); // under the device's own uid
    CHECK(ask(query_issi) == -EINVAL);
    CHECK(ask(create_mkey) == -EINVAL);
    command pd = with_opcode(alloc_pd), answer{};
    CHECK(raw(MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_CREATE)
              .handle(MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE)
              .in(MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN, pd.data(), 16)
              .out(MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT, answer.data(), 16)
              .send(file) == -EINVAL);
    alignas(4096) static char memory[4096];
    CHECK(umem_reg(memory).send(file) == -EINVAL);
}
