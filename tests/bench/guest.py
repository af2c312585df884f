#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Instructions of the public data path beside libmlx5's, counted by callgrind in a guest, and the
messages a second that the software HCA passes through it: guest.py BUILD PROGRAM [LAB-OPTION...].

PROGRAM is kdevx-bench-ours. Its twin is compiled here, for rdma-core of the next Debian release.
Exit status 1: over a limit.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "abi"))
import debian  # noqa: E402

ROUNDS, BATCH = 50, 16  # so many that the names that are looked up at first count little
# operation, the most that ours may be of theirs
BESIDE = {"bench_post": 0.6, "bench_empty_poll": 0.6, "bench_poll_success": 1.0}
OURS = ("bench_one_by_one", "bench_post_task")
TASK_RATIO = 1.1
MESSAGES = 2000  # a second, on doorbells without write combining


def twin(packages, target):
    libraries = packages / debian.LIBRARIES
    subprocess.run(["gcc", "-std=gnu11", "-O2", "-g", "-Wall", "-Wextra", "-Werror",
                    "-isystem", packages / "usr/include", HERE / "guest/theirs.c", "-o", target,
                    libraries / "libibverbs.so.1", "-Wl,--allow-shlib-undefined"], check=True)


def overlay(*packages):
    done = subprocess.run([debian.LAB, "overlay", *packages], capture_output=True, text=True,
                          check=True)
    return done.stdout.strip().split("\n")[-1]


def measure(build, program, options):
    """(program, operation) -> what was printed."""
    packages = debian.rdma_core("unstable")
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place)
        (root / "usr/local/bin").mkdir(parents=True)
        twin(packages, root / "usr/local/bin/kdevx-bench-theirs")
        shutil.copy(program, root / "usr/local/bin/kdevx-bench-ours")
        shutil.copy(HERE / "guest/in_guest", root / "in_guest")
        done = subprocess.run(
            [debian.LAB, "run", "--build", build, "--timeout", "900", "--hca", "",
             "--overlay", overlay("valgrind"), "--overlay", packages, "--overlay", place, *options,
             "--", "sh", "/in_guest", str(ROUNDS), *BESIDE, *OURS],
            capture_output=True, text=True)
    parts = re.split(r"^# (\S+) (\S+) (\d+)\n", done.stdout, flags=re.MULTILINE)[1:]
    failed = [text for status, text in zip(parts[2::4], parts[3::4]) if status != "0"]
    if done.returncode or failed:
        sys.exit("\n".join(failed) + done.stderr)
    return {(who, what): text for who, what, text in zip(parts[::4], parts[1::4], parts[3::4])}


def instructions(text):
    return int(re.search(r"Collected : (\d+)", text).group(1)) / ROUNDS / BATCH


def rate(text):
    return int(re.search(r"(\d+) messages a second", text).group(1))


def main():
    build, program, *options = sys.argv[1:]
    found = measure(build, program, options)
    good = True

    def say(what, ours, theirs, fine, limit):
        nonlocal good
        good = good and fine
        print(f"{what:20} {ours:8.1f} {theirs:8.1f}   {limit}{'' if fine else ': MISSED'}")

    print(f"{'':20} {'kdevx':>8} {'libmlx5':>8}")
    for what, most in BESIDE.items():
        ours, theirs = (instructions(found[who, what]) for who in ("ours", "theirs"))
        say(what, ours, theirs, 1 < ours <= most * theirs,
            f"{100 * ours / theirs:.0f} %, at most {100 * most:.0f} %")
    one, task = (instructions(found["ours", what]) for what in OURS)
    print(f"{'':20} {'task':>8} {'singly':>8}")
    say("a request", task, one, 1 < task <= TASK_RATIO * one,
        f"{100 * task / one - 100:+.0f} %, at most {100 * TASK_RATIO - 100:+.0f} %")
    ours, theirs = (rate(found[who, "rate"]) for who in ("ours", "theirs"))
    print(f"{'':20} {'kdevx':>8} {'libmlx5':>8}")
    say("messages a second", ours, theirs, ours >= MESSAGES, f"at least {MESSAGES}")
    sys.exit(0 if good else 1)


main()
