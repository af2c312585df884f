#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each public header compiles by itself, in every language it promises, with all warnings on; and
each public function has a comment before it."""
import pathlib
import re
import subprocess
import sys

C = [["-xc", "-std=c99"], ["-xc", "-std=c11"], ["-xc++", "-std=c++17"], ["-xc++", "-std=c++20"]]
CXX = [["-xc++", "-std=c++20", "-fno-exceptions", "-fno-rtti"]]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]


def compile_alone(compiler, language, include, name):
    command = [*compiler, *language, *WARNINGS, f"-I{include}", "-fsyntax-only", "-"]
    run = subprocess.run(command, input=f"#include <{name}>\n", capture_output=True, text=True)
    return f"{name} as {' '.join(language)}:\n{run.stderr}" if run.returncode else None


def undocumented(path):
    """A function is documented by the comment above it, or above the ones directly before it."""
    documented = False
    for block in re.split(r"\n\s*\n", path.read_text()):
        documented = "/*" in block
        for name in re.findall(r"KDEVX_PUBLIC[^;]*?\b(kdevx_\w+)\s*\(", block):
            if not documented:
                yield f"{path.name}: {name} has no comment"


def main():
    split = sys.argv.index("--")
    include, compiler = pathlib.Path(sys.argv[1]), {"c": sys.argv[2:split], "cxx": sys.argv[split + 1:]}
    wrong, checked = [], 0
    ours = include / "kdevx"
    for path in sorted([*ours.glob("*.h*"), *ours.glob("typed/*.hpp")]):
        for language in C if path.suffix == ".h" else CXX:
            which = "c" if language[0] == "-xc" else "cxx"
            checked += 1
            complaint = compile_alone(compiler[which], language, include, path.relative_to(include))
            wrong += [complaint] if complaint else []
        wrong += undocumented(path) if path.suffix == ".h" else []
    for path in sorted((include / "compat").rglob("*.h")):  # includes as rdma-core's own do
        for language in C:
            which = "c" if language[0] == "-xc" else "cxx"
            checked += 1
            complaint = compile_alone(compiler[which], language, include / "compat",
                                      path.relative_to(include / "compat"))
            wrong += [complaint] if complaint else []
    print("\n".join(wrong) or f"{checked} compilations")
    sys.exit(1 if wrong or not checked else 0)


main()
