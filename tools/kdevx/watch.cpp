// SPDX-License-Identifier: MIT
// kdevx watch: the device's events, as they come.
#include "command.hpp"
#include "devices.hpp"
#include "flat.hpp"
#include "mailbox.hpp"
#include "owned.hpp"
#include "similar.hpp"

#include "decode/command.hpp"
#include "decode/json.hpp"
#include "kdevx/prm/caps.hpp"
#include "kdevx/prm/event.hpp"
#include "kdevx/prm/hca.hpp"
#include "kdevx/prm/opcodes.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <fmt/format.h>

namespace kdevx::tool {
namespace {

using channel = std::unique_ptr<kdevx_event_channel, give_back<kdevx_event_channel_destroy>>;
using types = std::vector<std::uint16_t>;

struct watch_options {
    std::vector<std::string> events; // empty: all that the device offers
    unsigned count = 0;              // 0: until interrupted
};

std::string name_of(std::uint32_t type) {
    const auto name = prm::event_types.name_of(type);
    return name.empty() ? fmt::format("{:#x}", type) : std::string(name);
}

types named(const watch_options &o) {
    std::vector<std::string_view> names;
    for (const prm::value &v : prm::event_types.rows)
        names.push_back(v.name);
    types wanted;
    for (const std::string &name : o.events) {
        const prm::value *v = prm::event_types.find(name);
        if (!v) throw usage("there is no event " + name, did_you_mean(name, names));
        wanted.push_back(std::uint16_t(v->number));
    }
    return wanted;
}

// Those that belong to no object: the tool has none.
types offered(kdevx_context *c) {
    prm::mailbox<prm::query_hca_cap_in> in;
    in.set<"opcode", prm::op<"QUERY_HCA_CAP">>();
    in.set<"op_mod">(prm::cap<"DEV_EVENT"> << 1 | 1);
    std::vector<std::byte> out(prm::query_hca_cap_out.size);
    kdevx_failure why{};
    if (!general_command(c, in.bytes(), out, why)) throw trouble("capability page DEV_EVENT", why);
    const auto page = prm::view<prm::query_hca_cap_out>(out).bytes<"capability">();
    const prm::place mask = prm::find_place(prm::device_event_cap, "user_unaffiliated_events");
    types all;
    for (std::uint16_t type = 0; type < 256; ++type)
        if (mask.get(page, type / 64) >> type % 64 & 1) all.push_back(type);
    return all;
}

// A subscription takes so many types, a channel any number of subscriptions.
channel subscribe(kdevx_context *c, const types &all) {
    kdevx_event_channel *made = nullptr;
    kdevx_failure why{};
    if (kdevx_event_channel_create(c, 0, &made, &why)) throw trouble("event channel", why);
    channel owner(made);
    for (std::size_t i = 0; i < all.size(); i += KDEVX_MAX_EVENTS) {
        const std::size_t n = std::min<std::size_t>(all.size() - i, KDEVX_MAX_EVENTS);
        if (kdevx_event_subscribe(made, nullptr, all.data() + i, n, 0, &why))
            throw trouble("subscribing", why);
    }
    return owner;
}

// SIGINT and SIGTERM as an fd, so that one wait is enough.
class ending {
    int fd_;

public:
    ending() {
        sigset_t ends;
        sigemptyset(&ends);
        for (int signal : {SIGINT, SIGTERM})
            sigaddset(&ends, signal);
        sigprocmask(SIG_BLOCK, &ends, nullptr);
        fd_ = signalfd(-1, &ends, SFD_CLOEXEC);
    }
    ~ending() { close(fd_); }
    ending(const ending &) = delete;
    int fd() const { return fd_; }
};

// False: the user has had enough.
bool wait(const channel &events, const ending &end) {
    pollfd fds[] = {{kdevx_event_channel_fd(events.get()), POLLIN | POLLRDHUP, 0},
                    {end.fd(), POLLIN, 0}};
    while (poll(fds, 2, -1) < 0)
        if (errno != EINTR) return false;
    return !fds[1].revents;
}

double now() {
    using namespace std::chrono;
    return duration<double>(system_clock::now().time_since_epoch()).count();
}

void print(const kdevx_event &e, std::ostream &out) {
    std::string line = fmt::format("{:.3f} ", now());
    if (e.what == KDEVX_EVENT_OVERRUN) {
        out << line << "OVERRUN at least one event was lost before this\n";
        return;
    }
    line += name_of(e.type);
    each_field(decode::decode_eqe(std::as_bytes(std::span(e.eqe))),
               [&](const std::string &path, const decode::item &i) {
                   if (path != "event_type" && path != "owner" && path != "signature")
                       line += fmt::format(" {}={}", path, value_text(i));
               });
    out << line << '\n';
}

json to_json(const kdevx_event &e) {
    json j{{"time", now()}};
    if (e.what == KDEVX_EVENT_OVERRUN)
        j["event"] = "OVERRUN";
    else
        j["event"] = name_of(e.type);
    if (e.has_data) j["eqe"] = decode::to_json(decode::decode_eqe(std::as_bytes(std::span(e.eqe))));
    return j;
}

void run_watch(session &s, const watch_options &o) {
    types wanted = named(o);
    const ending end;
    context c = open_context(s);
    if (wanted.empty()) wanted = offered(c.get());
    if (wanted.empty())
        throw trouble(exit_code::no_devx, "NOT_SUPPORTED",
                      "the firmware offers no events without an object");
    const channel events = subscribe(c.get(), wanted);
    s.err << fmt::format("kdevx: watching {} kinds of events\n", wanted.size()) << std::flush;
    for (unsigned seen = 0; !o.count || seen < o.count;) {
        kdevx_event e{};
        e.size = sizeof e;
        kdevx_failure why{};
        if (kdevx_event_get(events.get(), KDEVX_NO_WAIT, &e, &why)) {
            if (why.cause != KDEVX_CAUSE_NOTHING_YET) throw trouble("reading an event", why);
            if (!wait(events, end)) return;
            continue;
        }
        if (e.what == KDEVX_EVENT_DEVICE_GONE)
            throw trouble(exit_code::not_executed, "DEVICE_GONE", "the device is gone");
        if (s.as_json)
            s.out << to_json(e).dump() << '\n';
        else
            print(e, s.out);
        s.out << std::flush;
        ++seen;
    }
}

constexpr const char *watch_help =
    "One line an event: the time in seconds, its PRM name, and its data in PRM names. Events of no "
    "object:\nthose of objects go to whoever holds the object. With --json each event is one line "
    "of JSON. Ends with\nthe number of events that was asked for, with SIGINT or SIGTERM, or with "
    "the device.\n\n"
    "Examples:\n"
    "  kdevx watch\n"
    "  kdevx watch PORT_CHANGE --count 1\n"
    "  kdevx watch --json | jq -c '[.time, .event]'";

struct watch_cmd final : command {
    watch_options o;

    watch_cmd() : command("watch", "the device's events, as they come", watch_help) {}
    void declare(grammar &g) override {
        g.words("EVENTS", o.events, "PORT_CHANGE, ... (default: all that the device offers)",
                "EVENT ...");
        g.number("-n,--count", o.count, {1, 1000000000},
                 "events, then end (default: until interrupted)");
    }
    void run(session &s) override { run_watch(s, o); }
};

} // namespace

std::unique_ptr<command> watch_command() {
    return std::make_unique<watch_cmd>();
}

} // namespace kdevx::tool
