// SPDX-License-Identifier: MIT
#include "inject/control.hpp"

#include "kdevx/prm/event.hpp"
#include "kdevx/prm/opcodes.hpp"
#include "text.hpp"

#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <sys/socket.h>

namespace kdevx::hca::inject {
namespace {

// A name of the table, or a number.
std::optional<std::uint64_t> named(const prm::values_base &table, const std::string &word) {
    if (const prm::value *v = table.find(std::string_view(word))) return v->number;
    return parse_number(word);
}

// "verb subject key=number..." as it was typed.
struct words {
    std::string verb, subject, wrong;
    std::map<std::string, std::string> keys;

    std::uint64_t take(const std::string &key, std::uint64_t otherwise) {
        auto found = keys.find(key);
        if (found == keys.end()) return otherwise;
        auto v = parse_number(found->second);
        if (!v) wrong = key + "= takes a number, not " + found->second;
        keys.erase(found);
        return v.value_or(0);
    }
};

words split(const std::string &line) {
    words w;
    std::istringstream in(line);
    in >> w.verb;
    for (std::string word; in >> word;) {
        auto equals = word.find('=');
        if (equals != std::string::npos)
            w.keys[word.substr(0, equals)] = word.substr(equals + 1);
        else if (w.subject.empty())
            w.subject = word;
        else
            w.wrong = "what is " + word + "?";
    }
    return w;
}

// Hexadecimal digits, two for each byte.
std::optional<std::vector<std::byte>> hex_bytes(const std::string &digits) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        char *end = nullptr;
        const std::string pair = digits.substr(i, 2);
        bytes.push_back(std::byte(std::strtoul(pair.c_str(), &end, 16)));
        if (*end) return std::nullopt;
    }
    return digits.size() % 2 ? std::nullopt : std::optional(bytes);
}

std::string add_rule(injector &i, words &w) {
    rule r;
    r.what = w.verb == "fail" ? rule::fail : w.verb == "hang" ? rule::hang : rule::delay;
    auto opcode = named(prm::opcodes, w.subject);
    if (!opcode || *opcode > 0xffff) return "which opcode is " + w.subject + "?";
    r.opcode = std::uint16_t(*opcode);
    r.nth = std::uint32_t(w.take("nth", 1));
    r.count = std::uint32_t(w.take("count", 1));
    r.status = std::uint8_t(w.take("status", 1));
    r.syndrome = std::uint32_t(w.take("syndrome", 0));
    r.time = std::chrono::milliseconds(w.take("ms", 0));
    if (!w.wrong.empty() || !w.keys.empty()) return {};
    return i.add(r) ? "" : "no such rule can be added: nth, count and status are not 0";
}

std::string raise(injector &i, words &w) {
    auto type = named(prm::event_types, w.subject);
    if (!type || *type > 0xff) return "which event is " + w.subject + "?";
    const auto subtype = std::uint8_t(w.take("subtype", 0));
    auto found = w.keys.extract("data");
    auto data = hex_bytes(found.empty() ? "" : found.mapped());
    if (!data) return "data= takes pairs of hexadecimal digits";
    if (!w.wrong.empty() || !w.keys.empty()) return {};
    return i.faults.event(std::uint8_t(*type), subtype, *data);
}

std::string set_link(injector &i, words &w) {
    if (w.subject != "up" && w.subject != "down") return "link takes up or down";
    return i.faults.link(unsigned(w.take("port", 1)), w.subject == "up");
}

std::string run(injector &i, words &w) {
    if (w.verb == "fail" || w.verb == "delay" || w.verb == "hang") return add_rule(i, w);
    if (w.verb == "event") return raise(i, w);
    if (w.verb == "link") return set_link(i, w);
    if (w.verb == "drop")
        return i.faults.drop_completions(std::uint32_t(w.take("cqn", 0)),
                                         std::uint32_t(w.take("count", 1)));
    if (w.verb == "iseg")
        return i.faults.init_segment(std::uint32_t(w.take("offset", 0)),
                                     std::uint32_t(w.take("value", 0)));
    if (w.verb == "unplug") return i.faults.unplug(), "";
    if (w.verb == "close") return i.faults.close(), "";
    if (w.verb == "forget") return i.forget(), "";
    return "no request " + w.verb +
           "; there are fail, delay, hang, event, link, drop, iseg, unplug, close, forget";
}

} // namespace

control::control(injector &i, loop &l, unique_fd listening)
    : injector_(i), loop_(l), listening_(std::move(listening)) {
    loop_.watch(listening_.get(), [this] { on_connection(); });
}

control::~control() {
    loop_.forget(listening_.get());
    for (const auto &[fd, c] : clients_)
        loop_.forget(fd);
}

std::string control::request(const std::string &line) {
    words w = split(line);
    std::string wrong = w.wrong.empty() ? run(injector_, w) : w.wrong;
    if (wrong.empty()) wrong = w.wrong;
    if (wrong.empty() && !w.keys.empty()) wrong = w.verb + " takes no " + w.keys.begin()->first;
    return wrong.empty() ? "ok" : "error: " + wrong;
}

void control::on_connection() {
    unique_fd fd(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!fd || clients_.size() == max_clients) return;
    const int n = fd.get();
    clients_[n].fd = std::move(fd);
    loop_.watch(n, [this, n] { on_readable(n); });
}

void control::on_readable(int fd) {
    client &c = clients_.at(fd);
    char piece[256];
    ssize_t n = ::recv(fd, piece, sizeof piece, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n > 0) c.line.append(piece, std::size_t(n));
    if (n > 0 && answer_lines(c)) return;
    loop_.forget(fd);
    clients_.erase(fd);
}

bool control::answer_lines(client &c) {
    for (auto end = c.line.find('\n'); end != std::string::npos; end = c.line.find('\n')) {
        const std::string answer = request(c.line.substr(0, end)) + "\n";
        c.line.erase(0, end + 1);
        if (::send(c.fd.get(), answer.data(), answer.size(), MSG_NOSIGNAL) < 0) return false;
    }
    return c.line.size() <= max_line;
}

} // namespace kdevx::hca::inject
