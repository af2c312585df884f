// SPDX-License-Identifier: MIT
// Runs a program of the guest and keeps what it says.
#pragma once

#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kdevx::vm {

struct said {
    int status = -1; // its exit status, or -1: it ended otherwise
    std::string out, err;
};
said run_program(const std::vector<std::string> &words);
// The same as an unprivileged user.
said run_program_as_nobody(const std::vector<std::string> &words);

// One that goes on while the test does. Killed if it is still there when this goes.
class running_program {
    struct streams;
    std::unique_ptr<streams> to_;
    pid_t pid_;

public:
    explicit running_program(const std::vector<std::string> &words);
    ~running_program();
    running_program(const running_program &) = delete;

    // Whether it says so on stderr before long; false as well if it ends without.
    bool comes_to_say(const std::string &text) const;
    void interrupt() const;
    // Waits for its end.
    said result();
};

} // namespace kdevx::vm
