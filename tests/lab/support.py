# SPDX-License-Identifier: MIT
"""What the lab's tests share: the lab's modules on the path, and a small module file."""

import json
import pathlib
import sys

LAB = pathlib.Path(__file__).resolve().parents[2] / "tools" / "lab"
sys.dont_write_bytecode = True
sys.path.insert(0, str(LAB))


def module(name, depends=""):
    """Bytes with a .modinfo as modules have it, among bytes that resemble none."""
    tags = ("license=GPL", f"depends={depends}", f"name={name}", "vermagic=1.2.3 SMP")
    return b"\x7fELF rest\0" + b"\0".join(tag.encode() for tag in tags) + b"\0 more"


def write_build(directory, *targets):
    """A configured build directory as far as the lab looks; targets: (type, file)."""
    (directory / "meson-info").mkdir(parents=True)
    listed = [{"type": kind, "filename": [str(file)]} for kind, file in targets]
    (directory / "meson-info" / "intro-targets.json").write_text(json.dumps(listed))


def write_modules(directory, files):
    """files: name with its ending -> content."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (directory / name).write_bytes(content)
