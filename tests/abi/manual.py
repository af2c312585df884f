#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every function that the library exports and every option that a tool's --help names has its place in
a manual page, and no page names what is not there; mandoc finds nothing wrong with the pages.

usage: manual.py functions MAP PAGE...    PAGE: of section 3
       manual.py options TOOL PAGE        TOOL: a program with --help
"""

import pathlib
import re
import shutil
import subprocess
import sys


def in_map(path):
    text = pathlib.Path(path).read_text()
    return set(re.findall(r"^\s+(kdevx_\w+);", text[:text.index("local:")], re.M))


def named(page):
    return set(re.findall(r"^\.Nm (kdevx_\w+)", pathlib.Path(page).read_text(), re.M))


def difference(wanted, found, what, where):
    return ([f"{what} {name} is not in {where}" for name in sorted(wanted - found)]
            + [f"{where} has {what} {name}, which does not exist" for name in sorted(found - wanted)])


def wrong_functions(version_script, *pages):
    exported = in_map(version_script)
    # libkdevx-nl has a page too, and no version script: all that its header declares is exported.
    found = {name for page in pages for name in named(page) if not name.startswith("kdevx_nl_")}
    print(f"{len(exported)} functions, {len(pages)} pages")
    return difference(exported, found, "function", "the pages")


def help_of(*command):
    return subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout


def options_of(text):
    """-x, --long and key= at the beginning of a line of help."""
    options = set()
    for line in text.splitlines():
        if found := re.match(r"^\s+((?:-\w,)?\s?-[\w,-]+|[\w.]+=)", line):
            options |= set(re.findall(r"--?[a-z][a-z-]*|[a-z_]+(?:=|\.(?=[A-Z]))", found.group(1)))
    return options


def commands_of(text):
    """Of the list under `Subcommands:`."""
    part = text.partition("Subcommands:")[2].partition("\n\n")[0]
    return re.findall(r"^  (\w+) ", part, re.M)


def options_in(page):
    text = re.sub(r"\\&|\\-", "", page)
    options = {"-" + word for line in re.findall(r"^\.It Fl (.*)$", text, re.M)
               for word in re.split(r"[ ,]+", re.sub(r" Ar .*", "", line)) if word}
    keys = re.findall(r"^\.It Cm ([\w.]+) Ns", text, re.M)
    return options | {key if key.endswith(".") else key + "=" for key in keys}


def wrong_options(tool, path):
    page = pathlib.Path(path).read_text()
    overview = help_of(tool)
    commands = commands_of(overview)
    options = {"--help"} | options_of(overview).union(*(options_of(help_of(tool, c)) for c in commands))
    print(f"{len(commands)} commands, {len(options)} options")
    return (["--help lists no options"] if len(options) < 4 else []) + difference(
        options, options_in(page), "option", path) + difference(
        set(commands), set(re.findall(r"^\.It Cm (\w+)(?=$| O)", page, re.M)), "command",
        path)


def lint(*pages):
    if not shutil.which("mandoc"):
        return ["mandoc is missing: install the package of that name"]
    done = subprocess.run(["mandoc", "-Tlint", "-W", "warning", *pages], capture_output=True,
                          text=True)
    return done.stdout.splitlines()


def main(what, *arguments):
    wrong = {"functions": wrong_functions, "options": wrong_options}[what](*arguments)
    wrong += lint(*arguments[1:])
    print("\n".join(wrong))
    return bool(wrong)


sys.exit(main(*sys.argv[1:]))
