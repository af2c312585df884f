# SPDX-License-Identifier: MIT
"""The built programs that go into the guest, with the libraries they need."""

import json
import os
import pathlib
import re
import subprocess

from status import Failure

SOURCE = pathlib.Path(__file__).resolve().parents[2]
HOST_ONLY = ("kdevx-hca",)
SYSTEM = ("/usr/lib/", "/usr/lib64/", "/lib/", "/lib64/")
LIBRARY_DIRECTORY = "usr/lib/x86_64-linux-gnu"  # where the guest's loader looks by itself


def directory(given):
    """The Meson build directory: --build, or the default one beside the source tree, or None."""
    path = pathlib.Path(given) if given else SOURCE / "build"
    if (path / "meson-info" / "intro-targets.json").is_file():
        return path
    if given:
        raise Failure(f"{given} is no configured Meson build directory")
    return None


def targets(build):
    """(type, file) of every program and shared library of the project that has been built."""
    listed = json.loads((build / "meson-info" / "intro-targets.json").read_text())
    for target in listed:
        for name in target["filename"]:
            path = pathlib.Path(name)
            if target["type"] in ("executable", "shared library") and path.is_file():
                yield target["type"], path


def for_guest(build):
    """guest path -> (host path, mode) of the kdevx programs and libraries of a build directory."""
    files = {}
    for kind, path in targets(build) if build else ():
        if not path.name.startswith(("kdevx", "libkdevx")) or path.name in HOST_ONLY:
            continue
        if kind == "executable":
            files.update(program(path))
        else:
            files.update({f"{LIBRARY_DIRECTORY}/{name.name}": (name, 0o755)
                          for name in path.parent.glob(path.name.split(".so")[0] + ".so*")
                          if name.is_file()})
    return files


def program(path):
    """A program under usr/local/bin and the closure of its libraries."""
    path = pathlib.Path(path)
    if not path.is_file():
        raise Failure(f"no program {path}")
    return {**libraries(path), f"usr/local/bin/{path.name}": (path, 0o755)}


def libraries(path):
    """guest path -> (host path, mode) of all that the loader would map, the loader included."""
    with open(path, "rb") as source:
        if source.read(4) != b"\x7fELF":
            return {}
    done = subprocess.run(["ldd", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    lost = re.findall(r"(\S+) => not found", done.stdout)
    if lost:
        raise Failure(f"{path} needs {', '.join(lost)}, which this machine has not")
    found = re.findall(r"^\s*(?:(\S+) => )?(/\S+) \(0x", done.stdout, re.MULTILINE)
    return {guest_library(name, file): (file, 0o755) for name, file in found}


def guest_library(name, file):
    """Where a library goes: system ones stay where they are, the build's own join them."""
    path = file if not name or name.startswith("/") else \
        os.path.join(os.path.dirname(file), name)
    if path.startswith(SYSTEM):
        return path.lstrip("/")
    return f"{LIBRARY_DIRECTORY}/{os.path.basename(path)}"
