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
    chosen = [(kind, path) for kind, path in (targets(build) if build else ())
              if path.name.startswith(("kdevx", "libkdevx")) and path.name not in HOST_ONLY]
    files = programs([path for kind, path in chosen if kind == "executable"])
    for kind, path in chosen:
        if kind != "executable":
            files.update({f"{LIBRARY_DIRECTORY}/{name.name}": (name, 0o755)
                          for name in path.parent.glob(path.name.split(".so")[0] + ".so*")
                          if name.is_file()})
    return files


def programs(paths):
    """Programs under usr/local/bin and the closure of their libraries."""
    paths = [pathlib.Path(path) for path in paths]
    for path in paths:
        if not path.is_file():
            raise Failure(f"no program {path}")
    return {**libraries([path for path in paths if is_elf(path)]),
            **{f"usr/local/bin/{path.name}": (path, 0o755) for path in paths}}


def is_elf(path):
    with open(path, "rb") as source:
        return source.read(4) == b"\x7fELF"


def libraries(paths):
    """guest path -> (host path, mode) of all that the loader would map, the loader included."""
    if not paths:
        return {}
    told = subprocess.run(["ldd", *map(str, paths)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True).stdout
    lost = re.findall(r"(\S+) => not found", told)
    if lost:
        raise Failure(f"{', '.join(needing(lost, paths, told))} needs "
                      f"{', '.join(dict.fromkeys(lost))}, which this machine has not")
    found = re.findall(r"^\s*(?:(\S+) => )?(/\S+) \(0x", told, re.MULTILINE)
    return {guest_library(name, file): (file, 0o755) for name, file in found}


def needing(lost, paths, told):
    """Which programs ldd told about when it missed something: it names them if they are several."""
    parts = re.split(r"^(\S.*):$", told, flags=re.MULTILINE)[1:] if len(paths) > 1 else \
        [str(paths[0]), told]
    return [path for path, needs in zip(parts[::2], parts[1::2])
            if any(f"{name} => not found" in needs for name in lost)]


def guest_library(name, file):
    """Where a library goes: system ones stay where they are, the build's own join them."""
    path = file if not name or name.startswith("/") else \
        os.path.join(os.path.dirname(file), name)
    if path.startswith(SYSTEM):
        return path.lstrip("/")
    return f"{LIBRARY_DIRECTORY}/{os.path.basename(path)}"
