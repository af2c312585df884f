// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.hpp"

namespace kdevx::vm {
namespace {

// A file of its own for one stream of a program; gone with the object.
class stream {
    char path_[24] = "/tmp/stream-XXXXXX";
    int fd_ = mkstemp(path_);

public:
    stream() = default;
    stream(const stream &) = delete;
    ~stream() {
        close(fd_);
        unlink(path_);
    }
    int fd() const { return fd_; }
    std::string text() const {
        std::ifstream in(path_);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

int become(const std::vector<std::string> &words, const stream &out, const stream &err) {
    std::vector<char *> argv;
    for (const std::string &w : words)
        argv.push_back(const_cast<char *>(w.c_str()));
    argv.push_back(nullptr);
    dup2(out.fd(), STDOUT_FILENO);
    dup2(err.fd(), STDERR_FILENO);
    execvp(argv[0], argv.data());
    return 127;
}

said result(int status, const stream &out, const stream &err) {
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out.text(), err.text()};
}

} // namespace

said run_program(const std::vector<std::string> &words) {
    stream out, err;
    return result(in_child([&] { return become(words, out, err); }), out, err);
}

said run_program_as_nobody(const std::vector<std::string> &words) {
    stream out, err;
    return result(as_nobody([&] { return become(words, out, err); }), out, err);
}

} // namespace kdevx::vm
