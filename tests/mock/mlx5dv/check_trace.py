#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What KDEVX_TRACE makes of a program's calls, on stderr.  usage: check_trace.py PROGRAM"""

import os
import re
import shlex
import subprocess
import sys

WRAPPER = shlex.split(os.environ.get("MESON_EXE_WRAPPER", ""))  # for programs of another machine


def run(program, trace):
    return subprocess.run([*WRAPPER, program], env={**os.environ, "KDEVX_TRACE": trace}, check=True,
                          capture_output=True, text=True)


def told(program, trace):
    return run(program, trace).stderr.splitlines()


def main(program):
    wrong = []
    refused = re.search(r"^refused with (\d+)$", run(program, "").stdout, re.MULTILINE)[1]
    expected = {
        "count": ("kdevx: mlx5dv_devx_general_cmd: 2 calls", "kdevx: ibv_close_device: 1 calls"),
        "calls": (f"kdevx: mlx5dv_devx_general_cmd: errno {refused}",
                  "kdevx: mlx5dv_devx_general_cmd: passed on 0",
                  "kdevx: mlx5dv_devx_create_eq: passed on 95"),
        "nonsense": ("kdevx: KDEVX_TRACE=nonsense is neither count nor calls",)}
    for trace, lines in expected.items():
        output = told(program, trace)
        wrong += [f"{trace}: no line {line}" for line in lines if line not in output]
    if told(program, ""):
        wrong.append("it says something unasked")
    print("\n".join(wrong) or f"{len(expected)} kinds of trace")
    return bool(wrong)


sys.exit(main(sys.argv[1]))
