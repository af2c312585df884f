#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every test that tests/known_bugs.txt names is in the file it names.

usage: check_known_bugs.py TABLE
"""

import pathlib
import re
import sys


def rows(table):
    for line in table.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            bug, _right, file, test = (part.strip() for part in line.split("|"))
            yield bug, file, test


def has_test(source, test):
    """A test of Catch, or what the compiler must say of a program that is wrong."""
    return (re.search(r'TEST_CASE\(\s*"' + re.escape(test) + '"', source)
            or f"\n// expect: {test}\n" in source)


def main(table):
    table = pathlib.Path(table)
    found = list(rows(table))
    wrong = [f"{bug}: {file} has no test \"{test}\"" for bug, file, test in found
             if not has_test((table.parent / file).read_text(), test)]
    print("\n".join(wrong) or f"{len(found)} tests of {len({bug for bug, _, _ in found})} bugs")
    return bool(wrong) or not found


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
