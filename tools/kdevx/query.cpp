// SPDX-License-Identifier: MIT
// kdevx query: an object of a running process, asked of the firmware through the process' own file.
#include "command.hpp"
#include "devices.hpp"
#include "inbox.hpp"
#include "numbers.hpp"
#include "similar.hpp"

#include "decode/command.hpp"
#include "decode/json.hpp"
#include "decode/text.hpp"
#include "kdevx/port.h"
#include "kdevx/prm/commands.hpp"
#include "kdevx/verbs_devx.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace kdevx::tool {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_pid = 1u << 22; // the kernel's

struct query_options {
    std::string process;
    unsigned pid = 0;
    std::string opcode;
    std::vector<std::string> fields;
    bool all = false;
};

struct request {
    const prm::command &prm;
    std::vector<std::byte> in, out;
};

request compose(const query_options &o) {
    std::vector<std::string_view> names;
    for (const prm::command &c : prm::commands) {
        if (c.cls != prm::query || !c.devx) continue;
        names.push_back(c.name);
        if (c.name != o.opcode) continue;
        inbox in(*c.in);
        in.assign("opcode", fmt::format("{:#x}", c.opcode));
        for (const std::string &f : o.fields)
            in.assign(f);
        return {c, in.bytes(), std::vector<std::byte>(c.out->size)};
    }
    throw usage("there is no query of an object called " + o.opcode, did_you_mean(o.opcode, names));
}

class descriptor {
    int fd_;

public:
    explicit descriptor(long fd) : fd_(int(fd)) {}
    descriptor(descriptor &&o) noexcept : fd_(o.release()) {}
    ~descriptor() {
        if (fd_ >= 0) close(fd_);
    }
    int get() const { return fd_; }
    int release() { return std::exchange(fd_, -1); }
};

trouble of_process(const query_options &o, const char *doing, int err) {
    const bool may_not = err == EPERM || err == EACCES;
    return {may_not ? exit_code::no_permission : exit_code::failed,
            may_not ? "NO_PERMISSION" : "FAILED",
            fmt::format("{} process {}: {}", doing, o.pid, std::strerror(err)),
            may_not ? "it takes the right to trace the process: its own user, or CAP_SYS_PTRACE"
                    : ""};
}

// The numbers of the process' descriptors that are the device's node.
std::vector<int> descriptors(const query_options &o, const std::string &node) {
    std::error_code wrong;
    std::vector<int> found;
    for (fs::directory_iterator i(fmt::format("/proc/{}/fd", o.pid), wrong), end;
         !wrong && i != end; i.increment(wrong)) {
        std::error_code gone; // meanwhile
        if (fs::read_symlink(i->path(), gone) == node)
            found.push_back(std::stoi(i->path().filename()));
    }
    if (wrong) throw of_process(o, "looking at the files of", wrong.value());
    if (found.empty())
        throw trouble(exit_code::no_device, "NO_DEVICE",
                      fmt::format("process {} has no file of {}", o.pid, node));
    return found;
}

// A part in the process' context: nothing of it ends when this does.
context adopt(const query_options &o, const descriptor &process, int number) {
    descriptor copy(syscall(SYS_pidfd_getfd, process.get(), number, 0));
    if (copy.get() < 0) throw of_process(o, "taking a file of", errno);
    kdevx_context *c = nullptr;
    kdevx_failure why{};
    if (kdevx_context_adopt_fd(copy.get(), KDEVX_FD_OWNED, nullptr, &c, &why)) {
        // A file without a context, or without DEVX, has nothing for us.
        if (why.cause == KDEVX_CAUSE_INVALID || why.cause == KDEVX_CAUSE_NO_DEVX_UID) return {};
        throw trouble("taking part in the process' context", why);
    }
    copy.release();
    return context(c);
}

std::vector<std::uint32_t> handles(kdevx_context *c, std::uint16_t kind) {
    constexpr std::size_t most = 16383;
    std::vector<std::uint32_t> all(most);
    std::size_t count = 0;
    kdevx_failure why{};
    // A kind that the device does not have: work queues, on an InfiniBand port.
    if (kdevx_handles_query(c, kind, all.data(), all.size(), &count, &why) && why.err != ENOENT)
        throw trouble("listing handles", why);
    all.resize(count);
    return all;
}

// The kernel compares what the inbox names with what a handle stands for. True: it was this one.
bool ask(kdevx_context *c, std::uint32_t handle, request &r) {
    kdevx_failure why{};
    if (kdevx_handle_query(c, handle, r.in.data(), r.in.size(), r.out.data(), r.out.size(), &why) ==
        0)
        return true;
    if (why.err == EINVAL || why.err == ENOENT || why.err == EBUSY) return false;
    throw trouble(std::string(r.prm.name), why);
}

bool ask_all(kdevx_context *c, request &r) {
    constexpr std::uint16_t kinds[] = {UVERBS_OBJECT_CQ,          UVERBS_OBJECT_QP,
                                       UVERBS_OBJECT_SRQ,         UVERBS_OBJECT_WQ,
                                       UVERBS_OBJECT_RWQ_IND_TBL, MLX5_IB_OBJECT_DEVX_OBJ};
    for (std::uint16_t kind : kinds)
        for (std::uint32_t handle : handles(c, kind))
            if (ask(c, handle, r)) return true;
    return false;
}

void find(const session &s, const query_options &o, request &r) {
    const std::string node = choose_device(s).found.node;
    const descriptor process(syscall(SYS_pidfd_open, o.pid, 0));
    if (process.get() < 0) throw of_process(o, "opening", errno);
    for (int number : descriptors(o, node))
        if (context c = adopt(o, process, number); c && ask_all(c.get(), r)) return;
    throw trouble(
        exit_code::failed, "NO_OBJECT",
        fmt::format("process {} has no object that {} names by these fields", o.pid, r.prm.name),
        "kdevx top --objects lists what the kernel tracks, with its processes");
}

void run_query(session &s, const query_options &o) {
    request r = compose(o);
    find(s, o, r);
    json j{{"command", r.prm.name}};
    j["out"] = decode::to_json(decode::decode_outbox(r.in, r.out));
    s.show(j, [&](std::ostream &out) {
        out << decode::to_text(decode::decode_outbox(r.in, r.out),
                               o.all ? decode::zeros::show : decode::zeros::hide);
    });
}

constexpr const char *query_help =
    "The process' file is copied (pidfd_getfd, so the right to trace it is needed), and the query "
    "is sent through\nevery handle of it until the kernel takes it: verbs objects and firmware "
    "objects alike. FIELD=VALUE name the\nobject, as in kdevx cmd. While a query runs the process "
    "cannot destroy the object: it gets EBUSY.\n\n"
    "Examples:\n"
    "  kdevx query 4242 QUERY_QP qpn=0x41\n"
    "  kdevx query 4242 QUERY_CQ cqn=0x40 --json | jq .out.cq_context";

struct query_cmd final : command {
    query_options o;

    query_cmd()
        : command("query", "an object of a running process, as the firmware has it", query_help) {}
    void declare(grammar &g) override {
        g.word("PID", o.process, "the process that has the object", true);
        g.word("COMMAND", o.opcode, "QUERY_QP, QUERY_CQ, ...", true);
        g.words("FIELDS", o.fields, "fields of the inbox by PRM name; the rest is zero",
                "FIELD=VALUE ...");
        g.flag("-a,--all", o.all, "print fields that are zero too");
    }
    void run(session &s) override {
        const auto pid = parse_number(o.process);
        if (!pid || !*pid || *pid > most_pid)
            throw usage("PID: the number of a process is expected, not " + o.process);
        o.pid = unsigned(*pid);
        run_query(s, o);
    }
};

} // namespace

std::unique_ptr<command> query_command() {
    return std::make_unique<query_cmd>();
}

} // namespace kdevx::tool
