// SPDX-License-Identifier: MIT
// The surroundings of the tool: streams and environment are looked at here and nowhere else.
#include "session.hpp"

#include <cstdlib>
#include <iostream>

namespace {

std::vector<std::string> syndrome_files() {
    std::vector<std::string> files{"/etc/kdevx/syndromes"};
    const char *config = std::getenv("XDG_CONFIG_HOME"), *home = std::getenv("HOME");
    if (config && *config)
        files.push_back(std::string(config) + "/kdevx/syndromes");
    else if (home && *home)
        files.push_back(std::string(home) + "/.config/kdevx/syndromes");
    return files;
}

} // namespace

int main(int argc, char **argv) {
    kdevx::tool::session s{std::cout, std::cerr};
    s.syndrome_files = syndrome_files();
    return int(kdevx::tool::run({argv + 1, argv + argc}, s));
}
