// SPDX-License-Identifier: MIT
// A command of the tool; each is one file that defines one of the functions below.
#pragma once

#include "grammar.hpp"
#include "session.hpp"

#include <memory>

namespace kdevx::tool {

struct command {
    const char *name;
    const char *summary; // one line, for `kdevx --help`
    const char *help;    // what `kdevx NAME --help` says below the options, examples last

    command(const char *n, const char *s, const char *h) : name(n), summary(s), help(h) {}
    virtual ~command() = default;

    virtual void declare(grammar &) {}
    virtual void run(session &s) = 0; // throws trouble
};

std::unique_ptr<command> list_command();
std::unique_ptr<command> probe_command();
std::unique_ptr<command> caps_command();
std::unique_ptr<command> cmd_command();
std::unique_ptr<command> demo_command();
std::unique_ptr<command> explain_command();
std::unique_ptr<command> schema_command();
std::unique_ptr<command> top_command();
std::unique_ptr<command> query_command();
std::unique_ptr<command> watch_command();

} // namespace kdevx::tool
