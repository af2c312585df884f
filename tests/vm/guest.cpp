// SPDX-License-Identifier: MIT
#include "guest.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace kdevx::vm {
namespace {

constexpr uid_t nobody = 65534;

device describe(const fs::path &uverbs) {
    const fs::path bus = fs::canonical(uverbs / "device");
    return {read_file(uverbs / "ibdev"), "/dev/infiniband/" + uverbs.filename().string(),
            bus.filename().string()};
}

bool is_mlx5(const fs::path &uverbs) {
    std::error_code none;
    return fs::exists(uverbs / "device", none) &&
           fs::canonical(uverbs / "device/driver", none).filename() == "mlx5_core";
}

device nth(std::size_t n, const char *what) {
    const auto all = devices();
    if (all.size() > n) return all[n];
    throw std::runtime_error("this guest has no " + std::string(what));
}

} // namespace

version kernel() {
    utsname name{};
    version v{};
    if (uname(&name) || std::sscanf(name.release, "%d.%d", &v.major, &v.minor) != 2)
        throw std::runtime_error("uname does not tell a version");
    return v;
}

std::vector<device> devices() {
    std::vector<device> found;
    const fs::path all = "/sys/class/infiniband_verbs";
    if (!fs::exists(all)) return found;
    for (const auto &entry : fs::directory_iterator(all))
        if (is_mlx5(entry.path())) found.push_back(describe(entry.path()));
    std::ranges::sort(found, {}, &device::bus);
    return found;
}

device under_test() {
    return nth(0, "mlx5 device");
}

device without_uctx() {
    return nth(1, "second HCA: these tests want one with log_max_uctx=0");
}
device with_umr() {
    return nth(1, "second HCA: these tests want one with umr_modify_entity_size_disabled=0 pg=1");
}

std::string read_file(const std::string &path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot read " + path);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

void write_file(const std::string &path, const std::string &text) {
    std::ofstream out(path);
    out << text << std::flush;
    if (!out) throw std::runtime_error("cannot write " + path);
}

void load_module(const std::string &name) {
    if (fs::exists("/sys/module/" + name)) return;
    if (std::system(("modprobe " + name).c_str()))
        throw std::runtime_error("modprobe " + name + " failed");
}

void unload_module(const std::string &name) {
    if (std::system(("rmmod " + name).c_str()))
        std::fprintf(stderr, "rmmod %s failed\n", name.c_str());
}

bool wait_for(std::chrono::milliseconds longest, const std::function<bool()> &happened) {
    const stopwatch since;
    while (!happened()) {
        if (since.passed() > longest) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

bool is_asleep(int tid) {
    const std::string stat = read_file("/proc/" + std::to_string(tid) + "/stat");
    return stat.at(stat.rfind(')') + 2) == 'S';
}

int in_child(const std::function<int()> &body) {
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) _exit(body());
    int status = 0;
    if (waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid failed");
    return status;
}

int as_nobody(const std::function<int()> &body) {
    return in_child([&] {
        if (setgid(nobody) || setuid(nobody)) return 99;
        return body();
    });
}

} // namespace kdevx::vm
