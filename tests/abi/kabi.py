#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares kabi/ with the UAPI headers that are installed, and with those of the lab's kernels.

It also looks for what the headers have and the tables have not (but for kabi_left_out.txt).

The program given prints the comparison as static_asserts (see kabi.cpp). A wrong number must stop
the compilation: that is tried first, with each kind of check.
"""
import argparse
import pathlib
import re
import subprocess
import sys

from ifc import find_headers

LEFT_OUT = pathlib.Path(__file__).resolve().parent / "kabi_left_out.txt"


def compiles(compiler, text, include):
    where = ["-isystem", str(include)] if include else []
    run = subprocess.run([*compiler, "-std=c++20", "-w", "-fsyntax-only", *where, "-x", "c++", "-"],
                         input=text, capture_output=True, text=True)
    return run.returncode == 0, run.stderr


def wrong_versions(text):
    yield "a wrong number", text.replace("unsigned(MLX5_IB_OBJECT_DEVX_OBJ) == 4097",
                                         "unsigned(MLX5_IB_OBJECT_DEVX_OBJ) == 4098")
    yield "a wrong size", re.sub(r"(sizeof\(struct mlx5_ib_create_cq\) ==) \d+", r"\1 33", text)
    yield "a name that no header has", text.replace("MLX5_IB_METHOD_DEVX_OTHER", "MLX5_IB_METHOD_X")


def uapi_directories(given):
    """The usr/include beside each kernel's own headers."""
    for headers in find_headers(given):
        for above in headers.resolve().parents:
            if (above / "usr/include/rdma/mlx5-abi.h").is_file():
                yield above / "usr/include"
                break


def left_out():
    """Patterns of names that the tables do not have on purpose, each with its reason."""
    for line in LEFT_OUT.read_text().splitlines():
        if line and not line.startswith("#"):
            yield re.compile(line.split()[0] + "$")


def not_in_tables(text, include):
    """The enumerators of the ioctl headers that no row has."""
    rdma = pathlib.Path(include or "/usr/include") / "rdma"
    patterns = list(left_out())
    for header in ("ib_user_ioctl_cmds.h", "mlx5_user_ioctl_cmds.h"):
        names = re.findall(r"^\s+((?:UVERBS|MLX5_IB)_(?:OBJECT|METHOD|ATTR)_\w+)",
                           (rdma / header).read_text(), re.M)
        for name in names:
            if f"({name})" not in text and not any(p.match(name) for p in patterns):
                yield f"{header} has {name}, kabi/ has not"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--headers", action="append")
    parser.add_argument("generator")
    parser.add_argument("compiler", nargs="+")
    args = parser.parse_args()
    text = subprocess.run([args.generator], capture_output=True, text=True, check=True).stdout
    for what, wrong in wrong_versions(text):
        if wrong == text:
            sys.exit(f"{what}: the change found nothing to change")
        if compiles(args.compiler, wrong, None)[0]:
            sys.exit(f"{what} compiles: the comparison compares nothing")
    directories = [None, *uapi_directories(args.headers)]
    for directory in directories:
        good, errors = compiles(args.compiler, text, directory)
        if not good:
            sys.exit(f"kabi/ and {directory or 'the installed UAPI headers'} differ:\n{errors}")
        missing = list(not_in_tables(text, directory))
        if missing:
            sys.exit("\n".join(missing))
        print(f"{len(re.findall('static_assert', text))} checks against "
              f"{directory or 'the installed headers'}")


main()
