// SPDX-License-Identifier: MIT
// Runs the whole tool in this process and keeps what it says.
#pragma once

#include "../unit/catch.hpp"
#include "tools/kdevx/session.hpp"

#include <sstream>

namespace test {

struct outcome {
    kdevx::tool::exit_code code;
    std::string out, err;

    nlohmann::json json() const { return nlohmann::json::parse(out); }
    bool says(const std::string &text) const { return err.find(text) != std::string::npos; }
    bool prints(const std::string &text) const { return out.find(text) != std::string::npos; }
};

inline outcome tool_in(const std::string &sysfs, const std::string &dev,
                       const std::vector<std::string> &arguments) {
    std::ostringstream out, err;
    kdevx::tool::session s{out, err};
    s.sysfs = sysfs;
    s.dev = dev;
    s.netlink = false;
    kdevx::tool::exit_code code = kdevx::tool::run(arguments, s);
    return {code, out.str(), err.str()};
}

// On a machine that has nothing at all.
inline outcome tool(const std::vector<std::string> &arguments) {
    return tool_in("/nonexistent/sys", "/nonexistent/dev", arguments);
}

} // namespace test
