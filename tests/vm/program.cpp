// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "guest.hpp"

namespace kdevx::vm {

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

namespace {

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

struct running_program::streams {
    stream out, err;
};

running_program::running_program(const std::vector<std::string> &words)
    : to_(std::make_unique<streams>()), pid_(fork()) {
    if (pid_ < 0) throw std::runtime_error("fork failed");
    if (pid_ == 0) _exit(become(words, to_->out, to_->err));
}

running_program::~running_program() {
    if (pid_ < 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

bool running_program::comes_to_say(const std::string &text) const {
    const auto has_ended = [&] {
        siginfo_t ended{};
        return waitid(P_PID, id_t(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) || ended.si_pid;
    };
    const auto has_said = [&] { return to_->err.text().find(text) != std::string::npos; };
    wait_for(std::chrono::seconds(60), [&] { return has_said() || has_ended(); });
    return has_said();
}

void running_program::interrupt() const {
    kill(pid_, SIGINT);
}

said running_program::result() {
    int status = 0;
    if (waitpid(std::exchange(pid_, -1), &status, 0) < 0)
        throw std::runtime_error("waitpid failed");
    return vm::result(status, to_->out, to_->err);
}

} // namespace kdevx::vm
