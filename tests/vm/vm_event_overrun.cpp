// SPDX-License-Identifier: MIT
// Events that the kernel had no memory to keep.
#include "events.hpp"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

// A setting of the kernel, until this goes. What it takes to set it back is there from the start.
class kernel_setting {
    std::string before_;
    int fd_;

    void put(const std::string &value) {
        if (pwrite(fd_, value.data(), value.size(), 0) != ssize_t(value.size())) std::abort();
    }

public:
    kernel_setting(const char *path, const std::string &value)
        : before_(read_file(path)), fd_(open(path, O_WRONLY | O_CLOEXEC)) {
        put(value);
    }
    ~kernel_setting() {
        put(before_);
        close(fd_);
    }
    kernel_setting(const kernel_setting &) = delete;
};

std::uint64_t free_kib() {
    const std::string text = read_file("/proc/meminfo");
    const std::string name = "MemFree:";
    return std::stoull(text.substr(text.find(name) + name.size()));
}

// The kernel is told to keep back more than there is, so that even an interrupt, which may take
// most of what is kept back, finds nothing. Whoever can wait would be made to: nothing that takes
// memory may be done meanwhile.
class no_memory_in_interrupts {
    kernel_setting reserve_{"/proc/sys/vm/min_free_kbytes", std::to_string(free_kib() * 8)};
};

// The kernel's complaint is what is wanted, and not for the console. It prints from a thread of its
// own and tells nobody when it has done so: the console stays silent for the rest of this boot,
// which is the test's own (runs.txt).
void silence_the_console() {
    const int fd = open("/proc/sys/kernel/printk", O_WRONLY | O_CLOEXEC);
    REQUIRE(pwrite(fd, "1", 1, 0) == 1);
    close(fd);
}

constexpr unsigned subscriptions = 4000;

// Many, so that what the kernel's caches still have is not enough; and behind them one that takes
// no memory, and tells that the others have had their turn.
class crowd {
    bench bench_;
    object_ptr cq_ = bench_.create(bench_.cq());
    event_channel_ptr channel_ = make_channel(bench_.context());
    int last_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

    bool has_come(int timeout_ms) {
        pollfd p{last_, POLLIN, 0};
        std::uint64_t n = 0;
        return poll(&p, 1, timeout_ms) == 1 && read(last_, &n, sizeof n) == sizeof n;
    }

public:
    crowd() {
        for (unsigned i = 0; i < subscriptions; ++i)
            REQUIRE(subscribe(channel_, cq_.get(), {"CQ_ERROR"}, i) == ok);
        const std::uint16_t error = prm::event<"CQ_ERROR">;
        REQUIRE(call(kdevx_event_subscribe_fd, channel_.get(), last_, cq_.get(), &error,
                     std::size_t(1)) == ok);
    }
    ~crowd() { close(last_); }
    crowd(const crowd &) = delete;

    void announce(std::chrono::milliseconds delay) {
        const std::uint32_t cqn = info_of(cq_.get()).device_id & 0xffffff;
        raise_event_later(bench_.context(), "CQ_ERROR", of_cq(cqn), delay);
    }
    bool has_come_already() { return has_come(0); }
    bool comes() { return has_come(60'000); }
    std::vector<kdevx_event> drain() {
        std::vector<kdevx_event> all;
        auto e = sized<kdevx_event>();
        while (kdevx_event_get(channel_.get(), KDEVX_NO_WAIT, &e, nullptr) == 0)
            all.push_back(e);
        return all;
    }
};

} // namespace

TEST_CASE("events that the kernel had no memory for are told of, once", "[events][overrun]") {
    silence_the_console();
    crowd c;
    const auto all_come = [&] {
        c.announce(std::chrono::milliseconds(1));
        return c.comes() && c.drain().size() == subscriptions;
    };
    REQUIRE(all_come());
    // The memory is taken away just before it is due; earlier if that was too late.
    bool in_time = false, has_come = false;
    for (std::chrono::milliseconds before(20); !in_time; before *= 2) {
        constexpr std::chrono::milliseconds rest(200);
        c.drain();
        c.announce(rest + before);
        std::this_thread::sleep_for(rest);
        const no_memory_in_interrupts now;
        in_time = !c.has_come_already();
        has_come = in_time && c.comes();
    }
    REQUIRE(has_come);
    const std::vector<kdevx_event> got = c.drain();
    REQUIRE_FALSE(got.empty());
    CHECK(got.front().what == KDEVX_EVENT_OVERRUN);
    CHECK(got.size() < subscriptions);
    CHECK(std::count_if(got.begin(), got.end(), [](auto &e) {
              return e.what == KDEVX_EVENT_RAISED;
          }) == std::ptrdiff_t(got.size() - 1));
    CHECK(all_come()); // as before
}
