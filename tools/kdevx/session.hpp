// SPDX-License-Identifier: MIT
// One run of the tool: where it reads and writes, and what holds for every command.
#pragma once

#include "exit_code.hpp"
#include "trouble.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace kdevx::tool {

struct session {
    std::ostream &out;
    std::ostream &err;
    std::string sysfs = "/sys";
    std::string dev = "/dev/infiniband";
    std::vector<std::string> syndrome_files; // read if they exist
    bool netlink = true; // ask the kernel over netlink too; a test with a made-up sysfs does not

    bool as_json = false;
    std::string device; // --device

    // A command's result: either of the two, as --json says.
    template <class Text>
    void show(const json &result, Text text) {
        if (as_json)
            out << result.dump(2) << '\n';
        else
            text(out);
    }
};

// The whole program but for main(). Never throws.
exit_code run(const std::vector<std::string> &arguments, session &s);

} // namespace kdevx::tool
