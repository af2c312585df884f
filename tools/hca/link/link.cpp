// SPDX-License-Identifier: MIT
#include "link/link.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace kdevx::hca::link {

// In the class that name is a function.
using frame_request = struct request;

link::link(loop &l, logger &log, engine::engine &e, std::vector<std::uint16_t> lids)
    : loop_(l), log_(log), engine_(e), ours_(std::move(lids)) {
    engine_.set_peer(this);
}

link::~link() {
    engine_.set_peer(nullptr);
    stop_listening();
    if (stream_) loop_.forget(stream_.get());
}

// ---- coming together

std::string link::meet(const std::string &path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) return path + " is too long for a socket";
    path.copy(address.sun_path, path.size());
    const auto *to = reinterpret_cast<const sockaddr *>(&address);
    // Both may find nobody there; then one of them is the first to take the place.
    for (int attempt = 0; attempt < 2; ++attempt) {
        unique_fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (!fd) return path + ": " + std::strerror(errno);
        if (::connect(fd.get(), to, sizeof address) == 0) {
            attach(std::move(fd));
            return {};
        }
        if (errno == ECONNREFUSED) ::unlink(path.c_str()); // of one who has left
        if (::bind(fd.get(), to, sizeof address) != 0 || ::listen(fd.get(), 1) != 0) continue;
        path_ = path;
        listening_ = std::move(fd);
        loop_.watch(listening_.get(), [this] {
            unique_fd accepted(
                ::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
            if (!accepted) return;
            stop_listening();
            attach(std::move(accepted));
        });
        return {};
    }
    return path + ": " + std::strerror(errno);
}

void link::stop_listening() {
    if (!listening_) return;
    loop_.forget(listening_.get());
    listening_ = {};
    ::unlink(path_.c_str());
}

void link::attach(unique_fd stream) {
    stream_ = std::move(stream);
    loop_.watch(stream_.get(), [this] { read_in(); });
    send(encode(hello{.lids = ours_}));
}

void link::hang_up(const char *why) {
    log_.line("link: {}", why);
    loop_.forget(stream_.get());
    stream_ = {};
    theirs_.clear();
    in_.clear();
    out_.clear();
    for (const auto &[ticket, qpn] : std::exchange(asked_, {}))
        engine_.answered(qpn, ticket, {.what = engine::verdict::lost});
}

// ---- sending

bool link::has(std::uint16_t lid) const {
    return std::ranges::find(theirs_, lid) != theirs_.end();
}

void link::request(const engine::packet &p, std::uint64_t ticket) {
    if (ticket == 0 && out_.size() > max_backlog) return;
    if (ticket) asked_.emplace(ticket, p.source_qpn);
    send(encode(frame_request{.ticket = ticket, .packet = p}));
}

void link::send(std::vector<std::byte> frame) {
    if (!stream_) return;
    const bool was_empty = out_.empty();
    out_.insert(out_.end(), frame.begin(), frame.end());
    if (was_empty) write_out();
}

// What does not fit now goes when there is room again.
void link::write_out() {
    while (!out_.empty()) {
        const ssize_t n = ::send(stream_.get(), out_.data(), out_.size(), MSG_NOSIGNAL);
        if (n <= 0) break; // full, or gone: the next read tells which
        out_.erase(out_.begin(), out_.begin() + n);
    }
    if (out_.empty())
        loop_.forget_writable(stream_.get());
    else
        loop_.watch_writable(stream_.get(), [this] { write_out(); });
}

// ---- receiving

void link::read_in() {
    std::array<std::byte, 65536> some;
    const ssize_t n = ::recv(stream_.get(), some.data(), some.size(), 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) return hang_up("the other side has left");
    in_.insert(in_.end(), some.begin(), some.begin() + n);
    if (!take_frames() && stream_) hang_up("the other side does not speak this language");
}

bool link::take_frames() {
    std::size_t at = 0;
    const std::span<const std::byte> all(in_);
    while (all.size() - at >= head_size) {
        const auto h = decode_head(all.subspan(at).first<head_size>());
        if (!h) return false;
        if (all.size() - at - head_size < h->length) break;
        if (!take(*h, all.subspan(at + head_size, h->length))) return false;
        at += head_size + h->length;
    }
    in_.erase(in_.begin(), in_.begin() + std::ptrdiff_t(at));
    return true;
}

bool link::take(const head &h, std::span<const std::byte> body) {
    switch (h.what) {
    case kind::hello:
        return take_hello(body);
    case kind::request:
        return take_request(body);
    case kind::reply:
        return take_reply(body);
    }
    return false;
}

// Two ports with one LID could not be told apart.
bool link::take_hello(std::span<const std::byte> body) {
    const auto h = decode_hello(body);
    if (!h) return false;
    for (std::uint16_t lid : h->lids)
        if (std::ranges::find(ours_, lid) != ours_.end()) {
            log_.line("link: both sides have LID {}: start one of them with another lid=", lid);
            return false;
        }
    theirs_ = h->lids;
    log_.line("link: up, {} ports at the other side", theirs_.size());
    return true;
}

bool link::take_request(std::span<const std::byte> body) {
    const auto r = decode_request(body);
    if (!r || theirs_.empty()) return false;
    engine::answer a = engine_.respond(r->packet);
    if (r->ticket)
        send(encode(
            reply{.ticket = r->ticket, .qpn = r->packet.source_qpn, .answer = std::move(a)}));
    return true;
}

bool link::take_reply(std::span<const std::byte> body) {
    const auto r = decode_reply(body);
    if (!r || asked_.erase(r->ticket) == 0) return false;
    engine_.answered(r->qpn, r->ticket, r->answer);
    return true;
}

} // namespace kdevx::hca::link
