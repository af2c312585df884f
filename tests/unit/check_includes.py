#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who may include whom (docs/architecture.md), and that one file makes the system calls."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
PUBLIC = {"kdevx"}     # include/kdevx/*.h, result.hpp and the C++ face
PRM = {"kdevx/prm"}
# folder: what its files may include of ours
ALLOWED = {
    "include/kdevx/prm": PRM,
    "include/kdevx": PUBLIC | PRM,
    "kabi": {"kabi"},
    "src/base": {"base"} | PUBLIC,
    "src/uverbs": {"base", "kabi", "uverbs"} | PUBLIC | PRM,
    "src/core": {"base", "kabi", "uverbs", "wq", "core"} | PUBLIC | PRM,
    "src/capi": {"base", "kabi", "uverbs", "wq", "core", "capi"} | PUBLIC | PRM,
    "src/compat/mlx5dv": {"base", "kabi", "uverbs", "core", "compat/mlx5dv"} | PUBLIC | PRM,
    "src/compat/dlsym": {"compat/dlsym"},
    "src/compat/verbs": {"base", "kabi", "uverbs", "core", "compat/mlx5dv", "compat/verbs"} | PUBLIC | PRM,
    "include/compat/infiniband": {"infiniband"},
    "src/wq": {"base", "wq"} | PUBLIC | PRM,
    "src/decode": {"base", "kabi", "decode"} | PRM,
    "src/netlink": {"base", "netlink"} | PUBLIC,
    "tools/hca": {"base", "hca", "firmware", "memory", "engine", "vfio_user"} | PRM,
    "tools/kdevx": {"kabi", "decode", "netlink", "wq"} | PUBLIC | PRM,
}
# Only names that are ours are looked at; what is not of these comes from the system.
OURS = {"base", "kabi", "uverbs", "core", "capi", "wq", "compat/dlsym", "compat/mlx5dv", "compat/verbs", "decode", "netlink",
        "kdevx", "kdevx/prm"}
CALLS = re.compile(r"(?<![\w.>])::(open|ioctl|read|write|poll|mmap|munmap|close|fcntl|madvise|access|"
                   r"readlink|syscall|clock_gettime)\s*\(")
THE_ONE_FILE = "src/uverbs/sys.cpp"
ONE_TABLE = ("src/base", "src/uverbs", "src/core", "src/capi", "src/compat",
             "src/wq")


def sources(folder):
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix in (".h", ".hpp", ".cpp"):
            yield path


def owner(path):
    """The longest folder of ALLOWED that holds it."""
    relative = path.relative_to(ROOT).as_posix()
    return max((f for f in ALLOWED if relative.startswith(f + "/")), key=len)


def folder_of(included):
    return included.rpartition("/")[0]


def wrong_includes(path):
    allowed = ALLOWED[owner(path)]
    for included in re.findall(r'^#include ["<]([^">]+)[">]', path.read_text(), re.M):
        folder = folder_of(included)
        if folder in OURS and folder not in allowed:
            yield f"{path.relative_to(ROOT)} includes {included}"


def wrong_calls(path):
    for call in CALLS.findall(path.read_text()):
        yield f"{path.relative_to(ROOT)} calls ::{call}: only {THE_ONE_FILE} may"


def main():
    wrong, looked_at = [], 0
    for folder in ALLOWED:
        for path in sources(folder):
            if owner(path) == folder:
                looked_at += 1
                wrong += wrong_includes(path)
    for folder in ONE_TABLE:
        for path in sources(folder):
            if path != ROOT / THE_ONE_FILE:
                wrong += wrong_calls(path)
    if not CALLS.search((ROOT / THE_ONE_FILE).read_text()):
        wrong.append(f"{THE_ONE_FILE} makes no system call: the pattern finds nothing")
    print("\n".join(wrong) or f"{looked_at} files")
    sys.exit(1 if wrong or not looked_at else 0)


main()
