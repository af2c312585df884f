// SPDX-License-Identifier: MIT
// What a command takes on its command line. A front for CLI11, which no other file includes: its
// headers cost seconds a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kdevx::tool {

template <class T>
struct range {
    T least, most;
};

class grammar {
    CLI::App &app_;

public:
    explicit grammar(CLI::App &app) : app_(app) {}

    // `names` as CLI11 has it: "NAME" for a positional, "-x,--long" for an option.
    grammar &word(const char *names, std::string &value, const char *help, bool required = false);
    // Any number of them; `type` is what --help calls one.
    grammar &words(const char *names, std::vector<std::string> &values, const char *help,
                   const char *type = "TEXT");
    grammar &flag(const char *names, bool &value, const char *help);
    grammar &number(const char *names, std::size_t &value, range<std::size_t> allowed,
                    const char *help);
    grammar &number(const char *names, unsigned &value, range<unsigned> allowed, const char *help);
    grammar &number(const char *names, double &value, range<double> allowed, const char *help);
};

} // namespace kdevx::tool
