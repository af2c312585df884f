// SPDX-License-Identifier: MIT
#include "grammar.hpp"

#include <CLI/CLI.hpp>

namespace kdevx::tool {

grammar &grammar::word(const char *names, std::string &value, const char *help, bool required) {
    app_.add_option(names, value, help)->required(required);
    return *this;
}

grammar &grammar::words(const char *names, std::vector<std::string> &values, const char *help,
                        const char *type) {
    app_.add_option(names, values, help)->type_name(type);
    return *this;
}

grammar &grammar::flag(const char *names, bool &value, const char *help) {
    app_.add_flag(names, value, help);
    return *this;
}

namespace {
template <class T>
void add_number(CLI::App &app, const char *names, T &value, range<T> allowed, const char *help) {
    app.add_option(names, value, help)->check(CLI::Range(allowed.least, allowed.most));
}
} // namespace

grammar &grammar::number(const char *names, std::size_t &value, range<std::size_t> allowed,
                         const char *help) {
    add_number(app_, names, value, allowed, help);
    return *this;
}
grammar &grammar::number(const char *names, unsigned &value, range<unsigned> allowed,
                         const char *help) {
    add_number(app_, names, value, allowed, help);
    return *this;
}
grammar &grammar::number(const char *names, double &value, range<double> allowed,
                         const char *help) {
    add_number(app_, names, value, allowed, help);
    return *this;
}

} // namespace kdevx::tool
