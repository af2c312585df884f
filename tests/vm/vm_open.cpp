// SPDX-License-Identifier: MIT
// The ways to a context, and each reason there is for not getting one.
#include "bench.hpp"
#include "raw.hpp"
#include "soft_device.hpp"

#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

kdevx_open_options with_devx(std::uint32_t devx) {
    kdevx_open_options o{};
    o.size = sizeof o;
    o.devx = devx;
    return o;
}

class file {
    int fd_;

public:
    explicit file(const std::string &path) : fd_(open(path.c_str(), O_RDWR | O_CLOEXEC)) {
        REQUIRE(fd_ >= 0);
    }
    ~file() {
        if (fd_ >= 0) close(fd_);
    }
    file(const file &) = delete;
    operator int() const { return fd_; }
    int release() { return std::exchange(fd_, -1); }
};

bool is_open(int fd) {
    return fcntl(fd, F_GETFD) >= 0;
}

outcome open_by_path(const std::string &path, context_ptr &made,
                     std::uint32_t devx = KDEVX_DEVX_REQUIRE) {
    const auto options = with_devx(devx);
    kdevx_context *c = nullptr;
    const outcome got = call(kdevx_context_open_path, path.c_str(), &options, &c);
    made.reset(c);
    return got;
}
outcome open_by_fd(int fd, context_ptr &made, std::uint32_t ownership = KDEVX_FD_BORROWED) {
    kdevx_context *c = nullptr;
    const auto *options = static_cast<const kdevx_open_options *>(nullptr);
    const outcome got = call(kdevx_context_open_fd, fd, ownership, options, &c);
    made.reset(c);
    return got;
}
outcome adopt(int fd, context_ptr &made, std::uint32_t devx = KDEVX_DEVX_REQUIRE) {
    const auto options = with_devx(devx);
    kdevx_context *c = nullptr;
    const outcome got =
        call(kdevx_context_adopt_fd, fd, std::uint32_t(KDEVX_FD_BORROWED), &options, &c);
    made.reset(c);
    return got;
}

void check_works(kdevx_context *c) {
    exchange x("QUERY_HCA_CAP");
    x.set("op_mod", 1);
    CHECK(general(c, x) == ok);
}

} // namespace

TEST_CASE("by name, by path and on a file that is open already", "[open]") {
    const device dut = under_test();
    context_ptr c;
    SECTION("name") {
        const auto *options = static_cast<const kdevx_open_options *>(nullptr);
        kdevx_context *opened = nullptr;
        REQUIRE(call(kdevx_context_open, dut.name.c_str(), options, &opened) == ok);
        c.reset(opened);
    }
    SECTION("path") {
        REQUIRE(open_by_path(dut.node, c) == ok);
    }
    SECTION("borrowed file") {
        file f(dut.node);
        REQUIRE(open_by_fd(f, c) == ok);
        CHECK(kdevx_context_fd(c.get()) == f);
        check_works(c.get());
        c.reset();
        CHECK(is_open(f));
        return;
    }
    SECTION("owned file") {
        file f(dut.node);
        REQUIRE(open_by_fd(f, c, KDEVX_FD_OWNED) == ok);
        const int fd = f.release();
        check_works(c.get());
        c.reset();
        CHECK_FALSE(is_open(fd));
        return;
    }
    const auto info = info_of(c.get());
    CHECK(info.has_devx == 1);
    CHECK(info.adopted == 0);
    CHECK(info.ownership == KDEVX_FD_OWNED);
    CHECK(info.num_comp_vectors >= 1);
    CHECK(info.num_ports == 1);
    CHECK(info.cqe_version == 1);
    CHECK(info.log_uar_size == 12);
    CHECK((fcntl(kdevx_context_fd(c.get()), F_GETFD) & FD_CLOEXEC) != 0);
    check_works(c.get());
}

TEST_CASE("names, paths and files that are no mlx5 device", "[open]") {
    context_ptr c;
    kdevx_context *opened = nullptr;
    const auto *options = static_cast<const kdevx_open_options *>(nullptr);
    CHECK(call(kdevx_context_open, "mlx5_77", options, &opened) ==
          failed(ENOENT, KDEVX_CAUSE_NO_DEVICE));
    CHECK(open_by_path("/dev/infiniband/uverbs77", c) == failed(ENOENT, KDEVX_CAUSE_NO_DEVICE));
    CHECK(open_by_path("/dev/null", c) == failed(ENOTTY, KDEVX_CAUSE_NOT_MLX5));
    CHECK(open_by_path("/root", c) == failed(EISDIR, KDEVX_CAUSE_OTHER));
    file null("/dev/null");
    CHECK(open_by_fd(null, c) == failed(ENOTTY, KDEVX_CAUSE_NOT_MLX5));
    CHECK(is_open(null));
    const int closed = dup(null);
    close(closed);
    CHECK(open_by_fd(closed, c) == failed(EBADF, KDEVX_CAUSE_INVALID));
    CHECK(open_by_fd(-1, c) == failed(EBADF, KDEVX_CAUSE_INVALID));
}

TEST_CASE("another driver's uverbs device", "[open]") {
    soft_device rxe("kdevxrxe");
    context_ptr c;
    CHECK(open_by_path(rxe.node(), c) == failed(EINVAL, KDEVX_CAUSE_NOT_MLX5));
    file f(rxe.node());
    CHECK(adopt(f, c) == failed(EINVAL, KDEVX_CAUSE_NOT_MLX5));
    CHECK(devices().size() >= 1); // ours is not mistaken for it
}

TEST_CASE("a file carries one context", "[open]") {
    file f(under_test().node);
    context_ptr first, second;
    REQUIRE(open_by_fd(f, first) == ok);
    CHECK(open_by_fd(f, second) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    check_works(first.get());
    first.reset();
    // The kernel's context lasts as long as the file.
    CHECK(open_by_fd(f, second) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(adopt(f, second) == ok);
    check_works(second.get());
}

TEST_CASE("adopting a context that somebody else made", "[open]") {
    file f(under_test().node);
    context_ptr c;
    SECTION("there is none") {
        CHECK(adopt(f, c) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    }
    SECTION("with a DEVX uid") {
        REQUIRE(raw_get_context(f, true) == 0);
        REQUIRE(adopt(f, c) == ok);
        const auto info = info_of(c.get());
        CHECK(info.adopted == 1);
        CHECK(info.has_devx == 1);
        CHECK(info.uctx_caps_asked == 0);
        CHECK(info.num_comp_vectors >= 1);
        exchange pd("ALLOC_PD");
        object_ptr made;
        CHECK(create(c.get(), pd, made) == ok);
    }
    SECTION("without") {
        REQUIRE(raw_get_context(f, false) == 0);
        CHECK(adopt(f, c) == failed(EINVAL, KDEVX_CAUSE_NO_DEVX_UID));
        REQUIRE(adopt(f, c, KDEVX_DEVX_TRY) == ok);
        const auto info = info_of(c.get());
        CHECK(info.has_devx == 0);
        CHECK(info.devx_refused.cause == KDEVX_CAUSE_NO_DEVX_UID);
    }
    SECTION("what it holds survives the adopter") {
        context_ptr owner;
        REQUIRE(open_by_fd(f, owner) == ok);
        exchange pd("ALLOC_PD"), another("ALLOC_PD");
        object_ptr theirs = create(owner.get(), pd);
        REQUIRE(adopt(f, c) == ok);
        object_ptr ours = create(c.get(), another);
        ours.release(); // closing destroys it
        c.reset();
        exchange key("CREATE_MKEY");
        CHECK(call(kdevx_object_destroy, theirs.release()) == ok);
    }
}

TEST_CASE("a context without DEVX", "[open]") {
    context_ptr c = open_context(KDEVX_DEVX_NEVER);
    CHECK(info_of(c.get()).has_devx == 0);
    CHECK(info_of(c.get()).uctx_caps_asked == 0);
    check_works(c.get()); // one of the four whitelisted commands
    exchange issi("QUERY_ISSI"), pd("ALLOC_PD");
    CHECK(general(c.get(), issi) == failed(EINVAL, KDEVX_CAUSE_NO_DEVX_UID));
    object_ptr made;
    CHECK(create(c.get(), pd, made) == failed(EINVAL, KDEVX_CAUSE_NO_DEVX_UID));
    pages memory(4096);
    kdevx_umem *umem = nullptr;
    const auto *options = static_cast<const kdevx_umem_options *>(nullptr);
    CHECK(call(kdevx_umem_reg, c.get(), static_cast<void *>(memory.data()), memory.size(), options,
               &umem) == failed(EINVAL, KDEVX_CAUSE_NO_DEVX_UID));
    CHECK(alloc_uar(c.get(), KDEVX_UAR_NC)); // needs no uid
}

TEST_CASE("firmware without user contexts", "[open][no-uctx]") {
    const device bare = without_uctx();
    context_ptr c;
    CHECK(open_by_path(bare.node, c) == failed(EINVAL, KDEVX_CAUSE_FIRMWARE_NO_UCTX));
    REQUIRE(open_by_path(bare.node, c, KDEVX_DEVX_TRY) == ok);
    const auto info = info_of(c.get());
    CHECK(info.has_devx == 0);
    CHECK(info.devx_refused.cause == KDEVX_CAUSE_FIRMWARE_NO_UCTX);
    CHECK(info.devx_refused.err == EINVAL);
    exchange cap("QUERY_HCA_CAP"), pd("ALLOC_PD");
    // Not even the whitelist: the kernel has no DEVX objects for this device.
    CHECK(general(c.get(), cap) == failed(EPROTONOSUPPORT, KDEVX_CAUSE_FIRMWARE_NO_UCTX));
    object_ptr made;
    CHECK(create(c.get(), pd, made) == failed(EPROTONOSUPPORT, KDEVX_CAUSE_FIRMWARE_NO_UCTX));
    CHECK(alloc_uar(c.get(), KDEVX_UAR_NC));
    c.reset();
    CHECK(open_by_path(bare.node, c, KDEVX_DEVX_NEVER) == ok);
    CHECK(info_of(c.get()).devx_refused.cause == KDEVX_CAUSE_NONE);
}

TEST_CASE("a node without permission", "[open]") {
    const std::string node = under_test().node;
    struct stat before {};
    REQUIRE(stat(node.c_str(), &before) == 0);
    REQUIRE(chmod(node.c_str(), 0600) == 0);
    const int status = as_nobody([&] {
        kdevx_context *c = nullptr;
        kdevx_failure why{};
        const int rc = kdevx_context_open_path(node.c_str(), nullptr, &c, &why);
        return rc == -EACCES && why.cause == KDEVX_CAUSE_NO_PERMISSION && !c ? 0 : 1;
    });
    REQUIRE(chmod(node.c_str(), before.st_mode & 07777) == 0);
    CHECK(status == 0);
}

TEST_CASE("rights of the uid follow the capabilities of the process", "[open]") {
    context_ptr root = open_context();
    const auto info = info_of(root.get());
    CHECK(info.uctx_caps_asked == (KDEVX_UCTX_CAP_RAW_TX | KDEVX_UCTX_CAP_INTERNAL_DEV_RES));
    REQUIRE(info.uctx_caps_known == 1);
    CHECK((info.uctx_caps_offered & info.uctx_caps_asked) == info.uctx_caps_asked);

    const std::string node = under_test().node;
    REQUIRE(chmod(node.c_str(), 0666) == 0);
    CHECK(as_nobody([&] {
              kdevx_context *c = nullptr;
              if (kdevx_context_open_path(node.c_str(), nullptr, &c, nullptr)) return 1;
              kdevx_context_info of_nobody{};
              of_nobody.size = sizeof of_nobody;
              if (kdevx_context_get_info(c, &of_nobody, nullptr)) return 2;
              return of_nobody.uctx_caps_asked == 0 && of_nobody.has_devx == 1 ? 0 : 3;
          }) == 0);
}

TEST_CASE("fds of the capability nodes", "[open]") {
    file null("/dev/null");
    const int not_a_capability[] = {null}, closed[] = {1023};
    auto options = with_devx(KDEVX_DEVX_REQUIRE);
    options.ucap_count = 1;
    const auto with = [&](const int *fds) {
        options.ucap_fds = fds;
        kdevx_context *c = nullptr;
        const outcome got = call(kdevx_context_open_path, under_test().node.c_str(), &options, &c);
        kdevx_context_close(c);
        return got;
    };
    if (kernel() < version{6, 15}) { // the attribute is newer
        CHECK(with(not_a_capability) == failed(EPROTONOSUPPORT, KDEVX_CAUSE_KERNEL_TOO_OLD));
        CHECK(with(closed) == failed(EPROTONOSUPPORT, KDEVX_CAUSE_KERNEL_TOO_OLD));
    } else {
        CHECK(with(not_a_capability) == failed(EBADF, KDEVX_CAUSE_INVALID));
        CHECK(with(closed) == failed(EBADF, KDEVX_CAUSE_INVALID));
    }
    CHECK(with(nullptr) == failed(EINVAL, KDEVX_CAUSE_INVALID));
}

namespace {

// What needs the right of the node mlx5_perm_ctrl_local.
outcome control_rdma(kdevx_context *c) {
    exchange x("CREATE_GENERAL_OBJECT");
    x.set("obj_type", prm::object_type<"RDMA_CTRL">);
    object_ptr made;
    return create(c, x, made);
}

} // namespace

TEST_CASE("a capability node gives its right to one who may open it", "[open]") {
    constexpr const char *local = "/dev/infiniband/mlx5_perm_ctrl_local",
                         *other = "/dev/infiniband/mlx5_perm_ctrl_other_vhca";
    CHECK(control_rdma(open_context().get()) == refused(because::privileged));
    // The kernel has a node for each right that one of its devices offers; of others' functions
    // this one offers none.
    CHECK(access(other, F_OK) != 0);
    if (kernel() < version{6, 15}) {
        CHECK(access(local, F_OK) != 0);
        return;
    }
    struct stat about {};
    REQUIRE(stat(local, &about) == 0);
    CHECK((about.st_mode & 0777) == 0600);
    file right(local);
    const int fds[] = {right};
    auto options = with_devx(KDEVX_DEVX_REQUIRE);
    options.ucap_count = 1;
    options.ucap_fds = fds;
    kdevx_context *c = nullptr;
    REQUIRE(call(kdevx_context_open_path, under_test().node.c_str(), &options, &c) == ok);
    const context_ptr owner(c);
    CHECK(control_rdma(c) == ok);
}

TEST_CASE("the list of devices, and the layer that is missing", "[open]") {
    const device dut = under_test();
    const auto *options = static_cast<const kdevx_device_list_options *>(nullptr);
    kdevx_device_list *list = nullptr;
    REQUIRE(call(kdevx_device_list_get, options, &list) == ok);
    const std::unique_ptr<kdevx_device_list, decltype(&kdevx_device_list_free)> owner(
        list, kdevx_device_list_free);
    REQUIRE(kdevx_device_list_count(list) == devices().size());
    CHECK(kdevx_device_list_missing(list) == KDEVX_LAYER_NONE);
    bool found = false;
    for (std::size_t i = 0; i < kdevx_device_list_count(list); ++i) {
        const kdevx_device *d = kdevx_device_list_at(list, i);
        if (d->name != dut.name) continue;
        found = true;
        CHECK(d->node == dut.node);
        CHECK(d->bus_address == dut.bus);
        CHECK(d->driver == std::string("mlx5_core"));
        CHECK(d->is_mlx5 == 1);
        CHECK(d->missing == KDEVX_LAYER_NONE);
    }
    CHECK(found);
    CHECK(kdevx_device_list_at(list, kdevx_device_list_count(list)) == nullptr);
}
