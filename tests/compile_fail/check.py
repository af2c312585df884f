#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A file compiles; with -DWRONG it does not, and the compiler says what the file expects it to say."""
import re
import subprocess
import sys


def compile_file(command, source, *extra):
    run = subprocess.run([*command, "-std=c++20", "-fsyntax-only", *extra, source],
                         capture_output=True, text=True)
    return run.returncode, run.stderr


def main():
    split = sys.argv.index("--")
    command, source = sys.argv[1:split] + sys.argv[split + 1:-1], sys.argv[-1]
    expected = re.search(r"^// expect: (.*)$", open(source).read(), re.M)
    if not expected:
        sys.exit(f"{source}: no '// expect:' line")
    status, text = compile_file(command, source)
    if status:
        sys.exit(f"{source}: must compile without WRONG\n{text}")
    status, text = compile_file(command, source, "-DWRONG")
    if not status:
        sys.exit(f"{source}: must not compile with WRONG, but does")
    if expected.group(1) not in text:
        sys.exit(f"{source}: refused, but not with '{expected.group(1)}'\n{text}")


main()
