#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the project and runs its test tiers side by side; `tests/run` is the way in.

The closing line counts the cases of all tiers; the exit status says whether any failed. A tier in
which no case passed counts as a failure: what was expected to run did not.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import counts
import excerpt

ROOT = pathlib.Path(__file__).resolve().parents[1]
LAB = ROOT / "tools" / "lab" / "lab"
BUILD = ROOT / "build"
SANITIZED = ROOT / "build-sanitize"
CLANG = ROOT / "build-clang"
M32 = ROOT / "build-m32"
CROSS = tuple(ROOT / f"build-{architecture}" for architecture in ("aarch64", "s390x"))
SUITES = ("unit", "cli", "mock", "hca", "golden", "compile_fail", "abi", "lab")
KERNELS = ("debian12", "debian13", "backports")
DEFAULT_KERNEL = "backports"
VM_RUNS = ROOT / "tests" / "vm" / "runs.txt"
MODEL = pathlib.Path("tools/hca/kdevx-hca")  # in a build directory
UNITY = ("-Dunity=on", "-Dunity_size=8")  # a third of the time to compile
SANITIZED_SUITES = ("unit", "mock", "hca")
CROSS_SUITES = ("unit", "mock", "golden")
CROSS_OPTIONS = ("-Dwerror=true", *UNITY, "-Doptimization=1", "-Ddebug=false")
M32_ARCHIVES = ("src/capi/libkdevx.a", "src/compat/verbs/libkdevx-verbs.a")
VM_SECONDS = 480  # per guest; a hang ends there

running = set()


@dataclasses.dataclass(frozen=True)
class Tier:
    name: str
    command: tuple
    environment: tuple = ()
    meson_log: pathlib.Path = None  # where the cases are counted, if not in the output
    builds: tuple = ()              # the build directories it needs


@dataclasses.dataclass(frozen=True)
class Result:
    tier: Tier
    counts: counts.Counts
    log: pathlib.Path
    reason: str = ""


def meson_tier(name, build, suites, environment=()):
    chosen = [word for suite in suites for word in ("--suite", suite)]
    command = ("meson", "test", "-C", str(build), "--no-rebuild", "--print-errorlogs",
               "--num-processes", "1", "--timeout-multiplier", "10", "--logbase", name, *chosen)
    return Tier(name, command, environment, build / "meson-logs" / f"{name}.json", (build,))


@dataclasses.dataclass(frozen=True)
class Boot:
    """A line of tests/vm/runs.txt: the HCAs of a guest, and the tests that are run in it."""

    name: str
    hcas: tuple
    test_filter: str


def boots(text):
    lines = (line.split("|") for line in text.splitlines()
             if line.strip() and not line.startswith("#"))
    return [Boot(name.strip(), tuple(one.strip() for one in hcas.split(";")), test_filter.strip())
            for name, hcas, test_filter in lines]


def guest_tier(name, command, model):
    """A tier that boots a guest; `model` is the build directory whose device model it gets."""
    return Tier(name, command, (("KDEVX_HCA", str(model / MODEL)),), builds=(BUILD, model))


def vm_tier(kernel, boot, model):
    """The vm tests of one boot on one kernel."""
    hcas = [word for hca in boot.hcas for word in ("--hca", hca)]
    command = (str(LAB), "run", "--kernel", kernel, "--build", str(BUILD), *hcas, "--smp", "2",
               "--timeout", str(VM_SECONDS), "--",
               "kdevx-vm-tests", "--durations", "yes", boot.test_filter)
    return guest_tier(f"vm-{kernel}-{boot.name}", command, model)


def programs_tier(name, kernel, model, m32=None):
    """Other people's programs on one kernel (tests/NAME/check_NAME.py): verbs, libmlx5's DEVX
    functions with ours in their place, UCX on those. `m32` has libraries of 32 bits to try too."""
    command = (sys.executable, str(ROOT / "tests" / name / f"check_{name}.py"),
               "--", "--kernel", kernel, "--build", str(BUILD))
    tier = guest_tier(f"{name}-{kernel}", command, model)
    if not m32:
        return tier
    return dataclasses.replace(tier, environment=(*tier.environment, ("KDEVX_M32", str(m32))),
                               builds=(*tier.builds, m32))


def tiers(everything):
    """All tiers; the long ones first, so that the short ones fill what is left."""
    kernels = KERNELS if everything else (DEFAULT_KERNEL,)
    strict = (("ASAN_OPTIONS", "detect_leaks=1"),
              ("UBSAN_OPTIONS", "halt_on_error=1:print_stacktrace=1"))
    model = SANITIZED if everything else BUILD
    chosen = [vm_tier(kernel, boot, model)
              for boot in boots(VM_RUNS.read_text()) for kernel in kernels]
    of_32_bits = {"mlx5dv": M32} if everything else {}
    chosen += [programs_tier(name, kernel, model, of_32_bits.get(name))
               for name in ("verbs", "mlx5dv", *(("ucx",) if everything else ()))
               for kernel in kernels]
    chosen += [Tier("guest", (sys.executable, str(ROOT / "tests" / "lab" / "check_guest.py")))]
    chosen += [meson_tier(suite, BUILD, [suite]) for suite in reversed(SUITES)]
    if everything:
        chosen += [meson_tier("thorough", BUILD, ["thorough"]),
                   meson_tier("sanitize", SANITIZED, SANITIZED_SUITES, strict),
                   meson_tier("clang", CLANG, ["unit", "mock"]),
                   *(meson_tier(name_of(cross), cross, CROSS_SUITES) for cross in CROSS)]
    return chosen


def run(command, log, environment=()):
    """Runs a command with its output in a log; returns its exit status."""
    with open(log, "wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=True,
                                   env={**os.environ, **dict(environment)})
        running.add(process)
        status = process.wait()
        running.discard(process)
    return status


def stop(_signal, _frame):
    for process in list(running):
        os.killpg(process.pid, signal.SIGTERM)
    os._exit(130)


def perform(tier):
    """Runs one tier and counts its cases."""
    log = BUILD / "test-logs" / f"{tier.name}.log"
    if tier.meson_log:
        tier.meson_log.unlink(missing_ok=True)
    began = time.monotonic()
    status = run(tier.command, log, tier.environment)
    result = judge(tier, status, log)
    say(f"{tier.name:20} {result.counts} ({time.monotonic() - began:.0f} s){result.reason}")
    return result


def judge(tier, status, log):
    if tier.meson_log:
        lines = tier.meson_log.read_text().splitlines() if tier.meson_log.exists() else []
        found = counts.of_meson_log(lines)
    else:
        found = counts.of_output(log.read_text(errors="replace")) or counts.Counts()
    found = found.judged(status == 0)
    if found.passed == 0 and found.failed == 0:
        return Result(tier, found + counts.Counts(failed=1), log, ": no case ran")
    return Result(tier, found, log)


def build(directory, *options, environment=(), targets=list, switches=("tests", "tools")):
    """Configures a build directory once and builds targets() of it, or all; ends the run if that
    fails. What is switched off there by hand is switched on again."""
    log = BUILD / "test-logs" / f"build-{directory.name}.log"
    began = time.monotonic()
    if not (directory / "build.ninja").exists():
        must_run(["meson", "setup", str(directory), str(ROOT), *options], log, environment)
    elif not is_on(directory, switches):
        must_run(["meson", "configure", str(directory), *(f"-D{name}=true" for name in switches)],
                 log)
    must_run(["ninja", "-C", str(directory), *targets()], log, environment)
    say(f"built {directory.name} ({time.monotonic() - began:.0f} s)")


def must_run(command, log, environment=()):
    if run(command, log, environment) != 0:
        show(log)
        sys.exit(f"{' '.join(command)} failed; the whole log: {log}")


def programs_of(directory, suites):
    """What the tests of some suites need to be built."""
    info = directory / "meson-info"
    files = {target["id"]: target["filename"]
             for target in json.loads((info / "intro-targets.json").read_text())}
    wanted = {f"kdevx:{suite}" for suite in suites}
    needed = {file for test in json.loads((info / "intro-tests.json").read_text())
              if wanted & set(test["suite"]) for id in test["depends"] for file in files[id]}
    return sorted(str(pathlib.Path(file).relative_to(directory)) for file in needed)


def is_on(directory, switches):
    options = json.loads((directory / "meson-info" / "intro-buildoptions.json").read_text())
    return all(o["value"] for o in options if o["name"] in switches)


def name_of(directory):
    """The machine that a build directory is for."""
    return directory.name.removeprefix("build-")


def cross_build(directory, *options, targets, switches=()):
    """Of another machine: by Debian's cross compiler, and run by qemu-user."""
    build(directory, "--cross-file", str(ROOT / "tests" / "cross" / f"{name_of(directory)}.ini"),
          *CROSS_OPTIONS, "-Dtools=false", *options, targets=targets, switches=switches)


def build_all(chosen):
    """Builds what the chosen tiers need."""
    (BUILD / "test-logs").mkdir(parents=True, exist_ok=True)
    needed = {directory for tier in chosen for directory in tier.builds}
    if BUILD in needed:
        build(BUILD, "-Dwerror=true", *UNITY)
    if SANITIZED in needed:
        # b_lundef: the sanitizers' own symbols come from the program, not from the library
        build(SANITIZED, *UNITY, "-Db_sanitize=address,undefined", "-Db_lundef=false", "-Doptimization=1",
              targets=lambda: [str(MODEL), *programs_of(SANITIZED, SANITIZED_SUITES)])
    if CLANG in needed:
        build(CLANG, "-Dwerror=true", *UNITY, "-Doptimization=0", "-Ddebug=false",
              environment=(("CC", "clang"), ("CXX", "clang++")))
    if M32 in needed:
        # file by file, as the library is shipped: each names what it needs
        cross_build(M32, "-Dtests=false", "-Dunity=off", targets=lambda: M32_ARCHIVES)
    for directory in (cross for cross in CROSS if cross in needed):
        cross_build(directory, targets=lambda: programs_of(directory, CROSS_SUITES),
                    switches=("tests",))


def fetch_kernels():
    """The newest kernel of each channel, so that --all says something about today's."""
    log = BUILD / "test-logs" / "kernels.log"
    if run([str(LAB), "setup", *KERNELS], log) != 0:
        show(log)
        sys.exit("the kernels could not be fetched")
    say(log.read_text().rstrip())


def say(text):
    print(text, flush=True)


def show(log):
    for line in excerpt.of(log.read_text(errors="replace")):
        say(f"    {line}")


def summary(results):
    for result in results:
        if result.counts.failed:
            say(f"\n{result.tier.name}: {result.counts}{result.reason}; of {result.log}:")
            show(result.log)
    total = sum((result.counts for result in results), counts.Counts())
    say(f"\n{total}")
    return 1 if total.failed else 0


def arguments():
    parser = argparse.ArgumentParser(prog="tests/run", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every kernel and compiler: what CI runs")
    parser.add_argument("--jobs", type=int, default=2, help="tiers at a time (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="name the tiers and end")
    parser.add_argument("tiers", nargs="*", metavar="TIER", help="only these tiers")
    return parser.parse_args()


def main():
    options = arguments()
    chosen = tiers(options.all)
    unknown = set(options.tiers) - {tier.name for tier in chosen}
    if unknown:
        sys.exit(f"no tier {', '.join(sorted(unknown))}; --list names them")
    chosen = [tier for tier in chosen if not options.tiers or tier.name in options.tiers]
    if options.list:
        say("\n".join(tier.name for tier in chosen))
        return 0
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    build_all(chosen)
    if options.all:
        fetch_kernels()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return summary(list(pool.map(perform, chosen)))


if __name__ == "__main__":
    sys.exit(main())
