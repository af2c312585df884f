// SPDX-License-Identifier: MIT
// kdevx top: who uses what of a device, by the kernel's resource tracking.
#include "command.hpp"
#include "devices.hpp"
#include "netlink.hpp"
#include "table.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fstream>
#include <map>

#include <fmt/format.h>

namespace kdevx::tool {
namespace {

struct top_options {
    double interval = 2; // seconds
    unsigned count = 0;  // rounds; 0: until interrupted
    bool objects = false;
};

struct owner {
    std::uint32_t pid; // 0: the kernel
    std::string name;
    auto operator<=>(const owner &) const = default;
};
using per_kind = std::array<std::uint64_t, KDEVX_NL_KINDS>;

struct usage_of_device {
    netlink_device device;
    std::vector<std::pair<std::string, std::uint64_t>> totals;
    std::map<owner, per_kind> owners;
    std::vector<kdevx_nl_resource> objects;
};

std::string command_of(std::uint32_t pid) {
    std::ifstream comm(fmt::format("/proc/{}/comm", pid));
    std::string name;
    std::getline(comm, name);
    return name.empty() ? "(gone)" : name;
}

owner owner_of(const kdevx_nl_resource &r) {
    if (r.present & KDEVX_NL_HAS_PID) return {r.pid, command_of(r.pid)};
    return {0, r.owner[0] ? fmt::format("[{}]", r.owner) : "[exiting]"};
}

usage_of_device look(netlink &nl, const netlink_device &device) {
    usage_of_device u{device, nl.summary(device.device.index), {}, {}};
    for (unsigned k = 0; k < KDEVX_NL_KINDS; ++k)
        for (const kdevx_nl_resource &r : nl.resources(device.device.index, kdevx_nl_kind(k))) {
            ++u.owners[owner_of(r)][k];
            u.objects.push_back(r);
        }
    return u;
}

json to_json(const kdevx_nl_resource &r) {
    json j{{"kind", kdevx_nl_kind_name(r.kind)}, {"id", r.id}};
    auto add = [&](unsigned bit, const char *name, auto value) {
        if (r.present & bit) j[name] = value;
    };
    if (r.owner[0]) j["kernel_owner"] = r.owner;
    add(KDEVX_NL_HAS_PID, "pid", r.pid);
    add(KDEVX_NL_HAS_CTXN, "ctxn", r.ctxn);
    add(KDEVX_NL_HAS_PDN, "pdn", r.pdn);
    if (r.kind != KDEVX_NL_CQ) add(KDEVX_NL_HAS_CQN, "cqn", r.cqn);
    add(KDEVX_NL_HAS_PORT, "port", r.port);
    if (r.kind == KDEVX_NL_QP) {
        const char *type = kdevx_nl_qp_type_name(r.type), *state = kdevx_nl_qp_state_name(r.state);
        add(KDEVX_NL_HAS_TYPE, "type", type ? json(type) : json(r.type));
        add(KDEVX_NL_HAS_STATE, "state", state ? json(state) : json(r.state));
    }
    add(KDEVX_NL_HAS_REMOTE_QPN, "remote_qpn", r.remote_qpn);
    add(KDEVX_NL_HAS_PSN, "sq_psn", r.sq_psn);
    add(KDEVX_NL_HAS_CQE, "cqe", r.cqe);
    add(KDEVX_NL_HAS_USERS, "users", r.users);
    add(KDEVX_NL_HAS_LENGTH, "length", r.length);
    add(KDEVX_NL_HAS_KEYS, "lkey", r.lkey);
    add(KDEVX_NL_HAS_KEYS, "rkey", r.rkey);
    return j;
}

json to_json(const usage_of_device &u, bool with_objects) {
    json totals = json::object(), owners = json::array(), objects = json::array();
    for (const auto &[kind, count] : u.totals)
        totals[kind] = count;
    for (const auto &[who, counts] : u.owners) {
        json j{{"pid", who.pid}, {"name", who.name}};
        for (unsigned k = 0; k < KDEVX_NL_KINDS; ++k)
            j[kdevx_nl_kind_name(kdevx_nl_kind(k))] = counts[k];
        owners.push_back(j);
    }
    json j{{"device", u.device.device.name}, {"total", totals}, {"owners", owners}};
    for (const kdevx_nl_resource &r : u.objects)
        objects.push_back(to_json(r));
    if (with_objects) j["objects"] = objects;
    return j;
}

void print_owners(const usage_of_device &u, std::ostream &out) {
    std::vector<std::string> heading{"PID", "COMMAND"};
    for (unsigned k = 0; k < KDEVX_NL_KINDS; ++k)
        heading.push_back(kdevx_nl_kind_name(kdevx_nl_kind(k)));
    table t(heading);
    for (const auto &[who, counts] : u.owners) {
        std::vector<std::string> row{who.pid ? std::to_string(who.pid) : "", who.name};
        for (std::uint64_t n : counts)
            row.push_back(n ? std::to_string(n) : "");
        t.add(row);
    }
    t.print(out);
}

// One line an object: "qp 291 pid=4242 pdn=4 type=RC state=RTS".
void print_objects(const usage_of_device &u, std::ostream &out) {
    for (const kdevx_nl_resource &r : u.objects) {
        const json fields = to_json(r);
        std::string line;
        for (const auto &[key, value] : fields.items()) {
            std::string text = value.is_string() ? value.get<std::string>() : value.dump();
            bool bare = key == "kind" || key == "id";
            line += (line.empty() ? "" : " ") + (bare ? text : key + "=" + text);
        }
        out << line << '\n';
    }
}

void print(const usage_of_device &u, bool with_objects, std::ostream &out) {
    out << u.device.device.name << ':';
    for (const auto &[kind, count] : u.totals)
        out << ' ' << kind << '=' << count;
    out << "\n\n";
    print_owners(u, out);
    if (!with_objects) return;
    out << '\n';
    print_objects(u, out);
}

netlink_device choose(netlink &nl, const session &s) {
    std::string name = choose_device(s).name();
    for (const netlink_device &d : nl.devices())
        if (name == d.device.name || (d.uverbs && name == s.dev + "/" + d.uverbs->name)) return d;
    throw trouble(exit_code::no_device, "NO_DEVICE", name + " is not known to RDMA netlink",
                  "it may have gone just now, or live in another network namespace");
}

// Until the next round; false when a signal that ends the program came.
bool wait(double seconds, const sigset_t &ends) {
    timespec time{std::time_t(seconds), long((seconds - double(long(seconds))) * 1e9)};
    return sigtimedwait(&ends, nullptr, &time) < 0 && errno == EAGAIN;
}

void run_top(session &s, const top_options &o) {
    sigset_t ends;
    sigemptyset(&ends);
    for (int signal : {SIGINT, SIGTERM})
        sigaddset(&ends, signal);
    sigprocmask(SIG_BLOCK, &ends, nullptr);
    netlink nl;
    netlink_device device = choose(nl, s);
    for (unsigned round = 0;;) {
        usage_of_device u = look(nl, device);
        if (s.as_json)
            s.out << to_json(u, o.objects).dump(o.count == 1 ? 2 : -1) << '\n';
        else
            print(u, o.objects, s.out);
        s.out << std::flush;
        if (++round == o.count || !s.out || !wait(o.interval, ends)) return;
        if (!s.as_json) s.out << '\n';
    }
}

constexpr const char *top_help =
    "What the kernel tracks: verbs objects and contexts. Objects made through DEVX are not "
    "among them,\nthe contexts that hold them are. Kernel users stand in brackets. Keys of "
    "MRs are shown only to\nCAP_NET_ADMIN. With --json each of several rounds is "
    "one line.\n\n"
    "Examples:\n"
    "  kdevx top\n"
    "  kdevx top --count 1 --json\n"
    "  kdevx top --count 1 --objects | grep '^qp.*state=ERR'";

struct top_cmd final : command {
    top_options o;

    top_cmd() : command("top", "who uses what of a device, live", top_help) {}
    void declare(grammar &g) override {
        g.number("-i,--interval", o.interval, {0.01, 86400.0},
                 "seconds between rounds (default 2)");
        g.number("-n,--count", o.count, {1, 1000000000},
                 "rounds, then end (default: until interrupted)");
        g.flag("-o,--objects", o.objects, "also one line an object");
    }
    void run(session &s) override { run_top(s, o); }
};

} // namespace

std::unique_ptr<command> top_command() {
    return std::make_unique<top_cmd>();
}

} // namespace kdevx::tool
