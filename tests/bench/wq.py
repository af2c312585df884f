#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Instructions per operation of the data path, counted by callgrind: wq.py PROGRAM.

PROGRAM is kdevx-wq-bench. Each of its bench_* functions is counted in a run of its own. The limits
are what the whole library may spend (60 % of libmlx5, rdma-core 65); this is the part of it below
the public interface, so there must be room left. Exit status 1: over a limit; 77: no valgrind.
"""
import re
import shutil
import subprocess
import sys
import tempfile

ROUNDS = 500
LIST = 16
# name, operations in a round, limit
OPERATIONS = (
    ("bench_post_inline_64", 1, 177),
    ("bench_empty_poll", 1, 57),
    ("bench_poll_success", 1, None),
    ("bench_post_gather_64", 1, None),
    ("bench_one_by_one", LIST, None),
    ("bench_post_task", LIST, None),
)


def instructions(program, function):
    with tempfile.NamedTemporaryFile() as out:
        run = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}",
                              f"--toggle-collect=*{function}*", program, str(ROUNDS)],
                             capture_output=True, text=True)
    collected = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode or not collected:
        sys.exit(f"{program} under callgrind failed:\n{run.stdout}{run.stderr}")
    return int(collected.group(1)) / ROUNDS


def main():
    if not shutil.which("valgrind"):
        print("skipped: no valgrind (Debian package valgrind)")
        sys.exit(77)
    cost, good = {}, True
    for name, operations, limit in OPERATIONS:
        cost[name] = instructions(sys.argv[1], name) / operations
        over = limit is not None and cost[name] > limit
        good = good and not over and cost[name] > 1
        print(f"{name:22} {cost[name]:7.1f} instructions"
              f"{f', at most {limit}' if limit else ''}{': TOO MANY' if over else ''}")
    ratio = cost["bench_post_task"] / cost["bench_one_by_one"]
    print(f"post_task is {100 * ratio - 100:+.0f} % of posting one by one, at most +10 %")
    sys.exit(0 if good and ratio <= 1.1 else 1)


main()
