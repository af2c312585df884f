// SPDX-License-Identifier: MIT
#include "command.hpp"
#include "kdevx/kdevx.h"

#include <algorithm>
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace kdevx::tool {
namespace {

using commands = std::vector<std::unique_ptr<command>>;

// In the order of --help.
commands all_commands() {
    commands all;
    for (auto make : {list_command, probe_command, caps_command, cmd_command, demo_command,
                      explain_command, schema_command, top_command, query_command, watch_command})
        all.push_back(make());
    return all;
}

std::string footer() {
    std::string text = "Exit status:\n";
    for (const exit_code_row &row : exit_codes)
        text += fmt::format("  {}  {}\n", int(row.code), row.text);
    return text + "\n'kdevx COMMAND --help' explains each command, with examples.";
}

std::string version() {
    return fmt::format("kdevx, libkdevx {}", kdevx_version());
}

void declare_common(CLI::App &app, session &s) {
    app.description("mlx5 DEVX from the command line: which devices there are, what they and the "
                    "kernel can do,\nfirmware commands by the names of the PRM.");
    app.footer(footer());
    app.add_flag("--json", s.as_json, "machine-readable output, errors included");
    app.add_option("-d,--device", s.device,
                   "ibdev name (mlx5_0) or node (/dev/infiniband/uverbs0);\n"
                   "not needed where there is only one mlx5 device")
        ->type_name("NAME");
    app.set_version_flag("--version", version());
    app.require_subcommand(1);
    app.fallthrough();
}

void declare(CLI::App &app, command &c, command *&chosen) {
    CLI::App *sub = app.add_subcommand(c.name, c.summary);
    sub->footer(c.help);
    sub->callback([&c, &chosen] { chosen = &c; });
    grammar g(*sub);
    c.declare(g);
}

// The command to run, or null where --help or --version was all that was wanted.
command *parse(const commands &all, std::vector<std::string> arguments, session &s) {
    CLI::App app{"", "kdevx"};
    command *chosen = nullptr;
    declare_common(app, s);
    for (const auto &c : all)
        declare(app, *c, chosen);
    try {
        std::reverse(arguments.begin(), arguments.end()); // CLI11 takes them from the end
        app.parse(std::move(arguments));
    } catch (const CLI::ParseError &e) {
        if (e.get_exit_code() != 0) throw usage(e.what(), "see kdevx --help");
        app.exit(e, s.out, s.err);
        return nullptr;
    }
    return chosen;
}

void report(const trouble &t, session &s) {
    if (s.as_json && !t.shown) s.out << t.to_json().dump(2) << '\n';
    s.err << "kdevx: " << t.what() << '\n';
    if (!t.hint.empty()) s.err << "       " << t.hint << '\n';
}

} // namespace

exit_code run(const std::vector<std::string> &arguments, session &s) {
    try {
        commands all = all_commands();
        if (command *c = parse(all, arguments, s)) c->run(s);
        return exit_code::ok;
    } catch (const trouble &t) {
        report(t, s);
        return t.code;
    } catch (const std::exception &e) {
        report({exit_code::failed, "FAILED", e.what()}, s);
        return exit_code::failed;
    }
}

} // namespace kdevx::tool
