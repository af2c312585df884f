// SPDX-License-Identifier: MIT
// The device goes away under a program: what its calls and its waits say, and that it can come back.
#include "async.hpp"
#include "faults.hpp"
#include "raw.hpp"

#include <algorithm>
#include <atomic>
#include <fcntl.h>
#include <poll.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <thread>
#include <unistd.h>

using namespace kdevx;
using namespace kdevx::vm;
using namespace std::chrono_literals;

namespace {

const expectation gone = failed(EIO, KDEVX_CAUSE_DEVICE_GONE);

// Takes the device under test off the PCI bus; it is back when this ends.
class pulled_device {
    device was_ = under_test();
    bool out_ = false;

public:
    ~pulled_device() {
        if (out_) put_back();
    }
    void pull() {
        write_file("/sys/bus/pci/devices/" + was_.bus + "/remove", "1");
        out_ = true;
    }
    bool is_there() const {
        const auto all = devices();
        return std::ranges::find(all, was_.bus, &device::bus) != all.end() &&
               access(under_test().node.c_str(), F_OK) == 0;
    }
    void put_back() {
        out_ = false;
        write_file("/sys/bus/pci/rescan", "1");
        CHECK(wait_for(30s, [&] { return is_there(); }));
    }
    const device &was() const { return was_; }
};

// Waits in a thread of its own for what `wait` returns.
template <class Result>
class waiter {
    std::atomic<pid_t> tid_ = 0;
    Result result_{};
    std::thread thread_;

public:
    template <class F>
    explicit waiter(F wait) : thread_([this, wait] {
        tid_ = gettid();
        result_ = wait();
    }) {}
    ~waiter() {
        if (thread_.joinable()) thread_.join();
    }
    bool asleep() const {
        return wait_for(5s, [this] { return tid_ != 0 && is_asleep(tid_); });
    }
    Result result() {
        thread_.join();
        return result_;
    }
};

int get_for_ever(kdevx_cmd_comp *comp) {
    std::byte out[asker::answer_size];
    kdevx_completion c{};
    c.size = sizeof c;
    kdevx_failure why{};
    const int rc = kdevx_cmd_comp_get(comp, out, sizeof out, KDEVX_FOREVER, &c, &why);
    return rc == -EIO && why.cause == KDEVX_CAUSE_DEVICE_GONE ? -EIO : 1;
}

int raw_cmd_fd(int file) {
    raw alloc(MLX5_IB_OBJECT_DEVX_ASYNC_CMD_FD, MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC);
    REQUIRE(alloc.handle(MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE).send(file) == 0);
    return int(alloc.data(MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE));
}

int read_result(int fd) {
    char room[512];
    return read(fd, room, sizeof room) < 0 ? -errno : 1;
}

void check_calls_say_gone(asker &a) {
    kdevx_context *c = a.on().context();
    exchange issi("QUERY_ISSI"), pd("ALLOC_PD");
    object_ptr none;
    CHECK(general(c, issi) == gone);
    CHECK(create(c, pd, none) == gone);
    CHECK(a.query_now() == gone);
    CHECK(a.ask(2) == gone);
    std::uint32_t eqn = 0;
    CHECK(call(kdevx_eqn_query, c, 0u, &eqn) == gone);
    pages memory(4096);
    kdevx_umem *u = nullptr;
    const auto *options = static_cast<const kdevx_umem_options *>(nullptr);
    CHECK(call(kdevx_umem_reg, c, static_cast<void *>(memory.data()), memory.size(), options, &u) ==
          gone);
    const std::uint32_t nc = KDEVX_UAR_NC_DEDICATED;
    kdevx_uar *page = nullptr;
    CHECK(call(kdevx_uar_alloc, c, &nc, std::size_t(1), &page) == gone);
    kdevx_cmd_comp *comp = nullptr;
    CHECK(call(kdevx_cmd_comp_create, c, &comp) == gone);
}

void check_comp_says_gone(kdevx_cmd_comp *comp) {
    for (int i = 0; i < 3; ++i) { // every time, and never EAGAIN
        CHECK(take(comp, KDEVX_NO_WAIT).got == gone);
        CHECK(take(comp, 100).got == gone);
    }
    pollfd p{kdevx_cmd_comp_fd(comp), POLLIN | POLLRDHUP, 0};
    CHECK(poll(&p, 1, 0) == 1);
    CHECK((p.revents & POLLRDHUP) != 0);
    CHECK(read_result(kdevx_cmd_comp_fd(comp)) == -EAGAIN); // what the kernel says to this fd
}

} // namespace

TEST_CASE("the device is removed while its users wait", "[removal]") {
    asker a;
    const int fd = raw_cmd_fd(kdevx_context_fd(a.on().context()));
    cmd_comp_ptr second = create_cmd_comp(a.on().context());
    pulled_device device;
    {
        waiter<int> for_ever([&] { return get_for_ever(second.get()); });
        waiter<int> reading([&] { return read_result(fd); });
        waiter<int> polling([&] {
            pollfd p{a.fd(), POLLIN | POLLRDHUP, 0};
            return poll(&p, 1, 20000) == 1 ? p.revents : -1;
        });
        REQUIRE((for_ever.asleep() && reading.asleep() && polling.asleep()));
        device.pull();
        CHECK(for_ever.result() == -EIO);
        CHECK(reading.result() == -EIO);
        CHECK((polling.result() & POLLRDHUP) != 0);
    }
    check_calls_say_gone(a);
    check_comp_says_gone(a.comp());
    // A doorbell into the mapping that was: no device, and no fault.
    const auto page = info_of(a.on().uar());
    *reinterpret_cast<volatile std::uint64_t *>(page.reg_addr) = 0;
    CHECK(access(device.was().node.c_str(), F_OK) != 0);
    kdevx_context *late = nullptr;
    const auto *options = static_cast<const kdevx_open_options *>(nullptr);
    CHECK(call(kdevx_context_open_path, device.was().node.c_str(), options, &late) ==
          failed(ENOENT, KDEVX_CAUSE_NO_DEVICE));
    close(fd);

    device.put_back();
    asker fresh;
    CHECK(fresh.query_now() == ok);
    check_calls_say_gone(a); // it does not come back for the old context
    // All that the old one held can be let go of: the bench checks it.
}

TEST_CASE("answers that nobody took are lost with the device", "[removal]") {
    asker a;
    REQUIRE(a.ask(1) == ok);
    pollfd p{a.fd(), POLLIN, 0};
    REQUIRE(poll(&p, 1, 5000) == 1);
    pulled_device device;
    device.pull();
    check_comp_says_gone(a.comp());
}

TEST_CASE("the driver lets go of the device and takes it again", "[removal]") {
    const device was = under_test();
    asker a;
    const std::string driver = "/sys/bus/pci/drivers/mlx5_core/";
    write_file(driver + "unbind", was.bus);
    check_calls_say_gone(a);
    check_comp_says_gone(a.comp());
    kdevx_device_list *list = nullptr;
    const auto *options = static_cast<const kdevx_device_list_options *>(nullptr);
    REQUIRE(call(kdevx_device_list_get, options, &list) == ok);
    for (std::size_t i = 0; i < kdevx_device_list_count(list); ++i)
        CHECK(kdevx_device_list_at(list, i)->bus_address != was.bus);
    kdevx_device_list_free(list);
    write_file(driver + "bind", was.bus);
    CHECK(wait_for(30s, [&] { return under_test().bus == was.bus; }));
    asker fresh;
    CHECK(fresh.query_now() == ok);
}

TEST_CASE("a device that is removed with commands in flight", "[removal]") {
    asker a;
    pulled_device device;
    {
        faults f;
        f.delay("QUERY_CQ", 700ms);
        REQUIRE(a.ask(1) == ok);
        const stopwatch since;
        device.pull(); // waits for the command
        CHECK(since.passed() >= 500ms);
        check_comp_says_gone(a.comp());
    }
    device.put_back();
    asker fresh;
    CHECK(fresh.query_now() == ok);
}
