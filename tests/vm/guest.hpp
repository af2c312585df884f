// SPDX-License-Identifier: MIT
// The machine that the tests run on: its kernel, its devices, and waiting for things to happen.
#pragma once

#include <chrono>
#include <compare>
#include <functional>
#include <string>
#include <vector>

namespace kdevx::vm {

struct version {
    int major, minor;
    auto operator<=>(const version &) const = default;
};
// Of the running kernel, by uname. Tests state by it what differs from release to release.
version kernel();

struct device {
    std::string name; // mlx5_0
    std::string node; // /dev/infiniband/uverbs0
    std::string bus;  // 0000:00:01.0
};
// The mlx5 devices by sysfs, in the order of the bus. Found without the library.
std::vector<device> devices();
// The device that the tests are about: the first of the bus.
device under_test();
// The device of the second HCA, which has log_max_uctx=0. Tests that use it are tagged [no-uctx].
device without_uctx();
// The device of the second HCA, on which the driver fills memory keys by UMR. Tests that use it are
// tagged [umr].
device with_umr();

std::string read_file(const std::string &path);
void write_file(const std::string &path, const std::string &text);
void load_module(const std::string &name);
void unload_module(const std::string &name);

// True as soon as `happened` says so, false if it never does.
bool wait_for(std::chrono::milliseconds longest, const std::function<bool()> &happened);

// Whether a thread or process sleeps in the kernel, by /proc.
bool is_asleep(int tid);

class stopwatch {
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();

public:
    std::chrono::milliseconds passed() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now() - began_);
    }
};

// Runs `body` in a child process and returns its wait status; the child ends with what `body`
// returns. Catch's own checks are of no use in there.
int in_child(const std::function<int()> &body);
// The same as an unprivileged user.
int as_nobody(const std::function<int()> &body);

} // namespace kdevx::vm
