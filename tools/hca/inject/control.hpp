// SPDX-License-Identifier: MIT
// Fault injection from the host: a socket that takes one request on a line and answers "ok" or
// "error: ..." on one. README.md lists the requests.
#pragma once

#include "inject/injector.hpp"
#include "loop.hpp"
#include "unique_fd.hpp"

#include <map>
#include <string>

namespace kdevx::hca::inject {

// A request that is not over after this many bytes is no request.
inline constexpr std::size_t max_line = 1024;
inline constexpr std::size_t max_clients = 16;

class control {
public:
    control(injector &i, loop &l, unique_fd listening);
    ~control();

    // One request, without its newline; the answer, without one.
    std::string request(const std::string &line);

private:
    struct client {
        unique_fd fd;
        std::string line;
    };
    injector &injector_;
    loop &loop_;
    unique_fd listening_;
    std::map<int, client> clients_;

    void on_connection();
    void on_readable(int fd);
    bool answer_lines(client &c);
};

} // namespace kdevx::hca::inject
