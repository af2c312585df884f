// SPDX-License-Identifier: MIT
// kdevx-hca: a ConnectX device model behind a vfio-user socket.
#include "firmware/syndromes.hpp"
#include "hca.hpp"
#include "inject/control.hpp"
#include "link/link.hpp"
#include "loop.hpp"
#include "options.hpp"
#include "vfio_user/server.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace {

using namespace kdevx::hca;

constexpr const char *usage =
    "usage: kdevx-hca --socket PATH [--log PATH] [--control PATH] [key=value...]\n"
    "       kdevx-hca --syndromes\n"
    "\n"
    "Serves one ConnectX HCA to one vfio-user client (QEMU's vfio-user-pci) on the socket that it\n"
    "makes at PATH, and exits when the client leaves.\n"
    "\n"
    "  --socket PATH   where to listen\n"
    "  --log PATH      one line for each command and event; - is stderr\n"
    "  --control PATH  a socket that takes fault injection commands (see README.md)\n"
    "  --syndromes     print the syndromes of refused commands and what they mean\n"
    "\n";

int fail(const std::string &why) {
    std::fprintf(stderr, "kdevx-hca: %s\n", why.c_str());
    return 2;
}

// Empty, or what is wrong.
std::string parse(int argc, char **argv, options &o) {
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        std::string *path = word == "--socket"    ? &o.socket
                            : word == "--log"     ? &o.log
                            : word == "--control" ? &o.control
                                                  : nullptr;
        if (path && ++i == argc) return word + " takes a path";
        if (path) {
            *path = argv[i];
        } else if (word.starts_with("-")) {
            return "no option " + word + "; --help lists them";
        } else if (std::string wrong = set_option(o, word); !wrong.empty()) {
            return wrong;
        }
    }
    return o.socket.empty() ? "--socket PATH is missing" : "";
}

unique_fd listen_at(const std::string &path, std::string &wrong) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        wrong = path + " is too long for a socket";
        return {};
    }
    path.copy(address.sun_path, path.size());
    unique_fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ::unlink(path.c_str());
    if (!fd || ::bind(fd.get(), reinterpret_cast<sockaddr *>(&address), sizeof address) != 0 ||
        ::listen(fd.get(), 1) != 0) {
        wrong = path + ": " + std::strerror(errno);
        return {};
    }
    return fd;
}

// The client is the one whose connection comes first.
unique_fd accept_one(const unique_fd &listening) {
    int fd;
    do
        fd = ::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC);
    while (fd < 0 && errno == EINTR);
    return unique_fd(fd);
}

int serve(const options &o, logger &log) {
    std::string wrong;
    unique_fd listening = listen_at(o.socket, wrong), controlled;
    if (wrong.empty() && !o.control.empty()) controlled = listen_at(o.control, wrong);
    if (!wrong.empty()) return fail(wrong);
    unique_fd client = accept_one(listening);
    ::unlink(o.socket.c_str());
    if (!client) return fail(o.socket + ": " + std::strerror(errno));

    loop l;
    hca device(o, l, log);
    vfio_user::server server(std::move(client), device, log);
    std::optional<inject::control> control;
    std::optional<kdevx::hca::link::link> cable;
    if (!o.link.empty()) {
        cable.emplace(l, log, device.firmware().engine, device.lids());
        wrong = cable->meet(o.link);
        if (!wrong.empty()) return fail(wrong);
    }
    if (controlled) control.emplace(device.faults(), l, std::move(controlled));
    l.watch(server.fd(), [&] {
        if (!server.on_readable()) l.stop();
    });
    l.run();
    control.reset();
    if (!o.control.empty()) ::unlink(o.control.c_str());
    log.line("the client has left");
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    const std::string first = argc > 1 ? argv[1] : "";
    if (first == "--help" || first == "-h") {
        std::printf("%skeys:\n%s", usage, option_help().c_str());
        return 0;
    }
    if (first == "--syndromes") {
        std::fputs(kdevx::hca::firmware::syndromes_as_text().c_str(), stdout);
        return 0;
    }
    options o;
    if (std::string wrong = parse(argc, argv, o); !wrong.empty()) return fail(wrong);
    logger log;
    if (!o.log.empty() && !log.open(o.log)) return fail(o.log + ": " + std::strerror(errno));
    std::signal(SIGPIPE, SIG_IGN);
    return serve(o, log);
}
