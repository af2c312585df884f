#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each public header compiles by itself, in every language it promises, with all warnings on.

`headers.py c` takes what is C too, `headers.py cxx` the headers of the C++ face, which are slower.
"""
import pathlib
import subprocess
import sys

C = [["-xc", "-std=c99"], ["-xc", "-std=c11"], ["-xc++", "-std=c++17"], ["-xc++", "-std=c++20"]]
CXX = [["-xc++", "-std=c++20", "-fno-exceptions", "-fno-rtti"]]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]


def compile_alone(compiler, language, include, name):
    command = [*compiler, *language, *WARNINGS, f"-I{include}", "-fsyntax-only", "-"]
    run = subprocess.run(command, input=f"#include <{name}>\n", capture_output=True, text=True)
    return f"{name} as {' '.join(language)}:\n{run.stderr}" if run.returncode else None


def headers(which, include):
    """(directory to include from, header, languages)"""
    ours = include / "kdevx"
    if which == "cxx":
        for path in sorted([*ours.glob("*.hpp"), *ours.glob("typed/*.hpp")]):
            yield include, path, CXX
        return
    for path in sorted(ours.glob("*.h")):
        yield include, path, C
    for path in sorted((include / "compat").rglob("*.h")):  # includes as rdma-core's own do
        yield include / "compat", path, C


def main():
    split = sys.argv.index("--")
    which, include = sys.argv[1], pathlib.Path(sys.argv[2])
    compiler = {"-xc": sys.argv[3:split], "-xc++": sys.argv[split + 1:]}
    wrong, checked = [], 0
    for root, path, languages in headers(which, include):
        for language in languages:
            checked += 1
            wrong.append(compile_alone(compiler[language[0]], language, root, path.relative_to(root)))
    wrong = [complaint for complaint in wrong if complaint]
    print("\n".join(wrong) or f"{checked} compilations")
    sys.exit(1 if wrong or not checked else 0)


main()
