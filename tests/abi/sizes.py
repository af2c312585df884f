#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How big the library is, and a program with nothing but it.

usage: sizes.py LIBKDEVX.SO LIBKDEVX-MLX5DV.SO LIBKDEVX-VERBS.SO LIBKDEVX.A -- CC...
The program is tests/small/first_command.c, fully static, with glibc by CC and with musl by musl-gcc.
"""
import pathlib
import subprocess
import sys
import tempfile

KIB = 1024
LIMITS = {"libkdevx.so": 300 * KIB, "libkdevx-mlx5dv.so": 150 * KIB,
          "libkdevx-verbs.so": 300 * KIB, "musl": 150 * KIB, "glibc": 1024 * KIB}
ROOT = pathlib.Path(__file__).resolve().parents[2]
# musl-gcc knows musl's headers only; the kernel's are the system's.
KERNEL_HEADERS = ["-idirafter", "/usr/include", "-idirafter", "/usr/include/x86_64-linux-gnu"]
COMPILERS = {"musl": (["musl-gcc"], KERNEL_HEADERS)}


def static_program(libc, cc, archive, target):
    """Builds first_command with that libc."""
    compiler, more = COMPILERS.get(libc, (cc, []))
    command = [*compiler, "-Os", "-static", *more, "-Wl,--gc-sections", f"-I{ROOT / 'include'}",
               ROOT / "tests/small/first_command.c", archive, "-o", target]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stderr}")


def stripped(path, work):
    target = work / (path.name + ".stripped")
    subprocess.run(["strip", "-o", target, path], check=True)
    return target.stat().st_size


def main():
    split = sys.argv.index("--")
    shared, mlx5dv, verbs, archive = map(pathlib.Path, sys.argv[1:split])
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        paths = {"libkdevx.so": shared, "libkdevx-mlx5dv.so": mlx5dv, "libkdevx-verbs.so": verbs}
        for libc in ("glibc", "musl"):
            paths[libc] = work / libc
            static_program(libc, sys.argv[split + 1:], archive, paths[libc])
            if subprocess.run([paths[libc], "/dev/null"]).returncode != 1:  # not a uverbs file
                sys.exit(f"the {libc} program does not run")
        sizes = {name: stripped(path, work) for name, path in paths.items()}
    for name, size in sizes.items():
        print(f"{name}: {size} bytes, at most {LIMITS[name]}")
    sys.exit(any(size > LIMITS[name] for name, size in sizes.items()))


if __name__ == "__main__":
    main()
