#!/usr/bin/env python3
"""Every test of kdevx-vm-tests is in some boot of runs.txt, and every boot has one. Hidden tests, which
are the bench's, are in none: a filter that only leaves out takes them in.

usage: check_runs.py RUNS KDEVX-VM-TESTS
"""

import pathlib
import subprocess
import sys


def names(program, *test_filter):
    """The tests that a filter selects; Catch's status of a list is their number in 2.x."""
    done = subprocess.run([program, "--list-test-names-only", *test_filter],
                          stdout=subprocess.PIPE, text=True)
    return {line.strip() for line in done.stdout.splitlines() if line.strip()}


def boots(runs):
    for line in pathlib.Path(runs).read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, _hcas, test_filter = (part.strip() for part in line.split("|"))
            yield name, test_filter


def main(runs, program):
    everything, reached, wrong = names(program, "~[.]"), set(), []
    for name, test_filter in boots(runs):
        selected = names(program, test_filter)
        reached |= selected
        if not selected:
            wrong.append(f"boot {name}: no test matches {test_filter}")
    wrong += [f"no boot runs: {name}" for name in sorted(everything - reached)]
    wrong += [f"it is hidden, and a boot runs it: {name}" for name in sorted(reached - everything)]
    if not everything:
        wrong.append("no tests at all")
    print("\n".join(wrong) or f"{len(everything)} tests, each in a boot")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
