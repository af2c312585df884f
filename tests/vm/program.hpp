// SPDX-License-Identifier: MIT
// Runs a program of the guest and keeps what it says.
#pragma once

#include <string>
#include <vector>

namespace kdevx::vm {

struct said {
    int status = -1; // its exit status, or -1: it ended otherwise
    std::string out, err;
};
said run_program(const std::vector<std::string> &words);
// The same as an unprivileged user.
said run_program_as_nobody(const std::vector<std::string> &words);

} // namespace kdevx::vm
