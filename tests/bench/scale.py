#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an object costs does not depend on how many there are: scale.py PROGRAM.

PROGRAM is kdevx-scale-bench. Callgrind counts the instructions of the library for making and ending
the first thousand of so many objects, and for the last thousand; the kernel's part is not counted.
Exit status 1: they differ, or an object takes more memory than docs/scale.md says; 77: no valgrind.
"""
import re
import shutil
import subprocess
import sys
import tempfile

# How many, and the kinds by the bytes of the context that each takes at most.
KINDS = (
    (100_000, 66, "pd object umem"),
    (2_000, 66, "event_channel async_fd comp_channel xrcd ah var pp flow_matcher "
                "flow_action steering_anchor"),
    (2_000, 130, "cmd_comp ind_table uar mr flow"),
    (2_000, 194, "dm cq srq wq"),
    (2_000, 258, "qp"),
)
THOUSAND = 1000
MOST_DIFFERENCE = 0.01


def run(program, kind, count, first):
    """Instructions for each of a thousand objects from `first` on, and the memory of each of all."""
    with tempfile.NamedTemporaryFile() as out:
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}",
                               "--toggle-collect=*counted_make*",
                               "--toggle-collect=*counted_end*",
                               "--toggle-collect=*uncounted_answer*", program, kind, str(count), str(first), str(first + THOUSAND)],
                              capture_output=True, text=True)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not collected:
        sys.exit(f"{program} {kind} under callgrind failed:\n{done.stdout}{done.stderr}")
    return int(collected.group(1)) / THOUSAND, float(done.stdout)


def main():
    if not shutil.which("valgrind"):
        print("skipped: no valgrind (Debian package valgrind)")
        sys.exit(77)
    good = True
    for kind, count, most_bytes in ((kind, count, most) for count, most, kinds in KINDS
                                    for kind in kinds.split()):
        first, memory = run(sys.argv[1], kind, count, 0)
        last, _ = run(sys.argv[1], kind, count, count - THOUSAND)
        same = abs(last - first) <= MOST_DIFFERENCE * first and first > 1
        small = memory <= most_bytes
        good = good and same and small
        print(f"{kind:15} {first:7.1f} instructions for the first of {count}, {last:7.1f} for the "
              f"last{'' if same else ': THEY DIFFER'}; {memory:.1f} bytes"
              f"{'' if small else f': MORE THAN {most_bytes}'}")
    sys.exit(0 if good else 1)


main()
