#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `meson install` installs against debian/: each file is in exactly one package, no line of an
.install file is for nothing, and each library's symbols are those of a .symbols file.

usage: packages.py MESON BUILD
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

DEBIAN = pathlib.Path(__file__).resolve().parents[2] / "debian"


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=True).stdout


def install(meson, build, place):
    """The tree as Debian has it, whatever the prefix and the libdir of this build are."""
    run(*meson.split(), "install", "-C", build, "--no-rebuild", "--destdir", place)
    options = json.loads((pathlib.Path(build) / "meson-info/intro-buildoptions.json").read_text())
    value = {o["name"]: o["value"] for o in options}

    def move(old, new):
        if old == new:
            return
        aside = place / "aside"
        old.rename(aside)
        if new.exists():
            new.rmdir()  # only what the old one was in
        new.parent.mkdir(exist_ok=True)
        aside.rename(new)

    move(place / value["prefix"].strip("/"), place / "usr")
    if "/" not in value["libdir"]:  # Meson asks dpkg-dev for the name of the architecture
        move(place / "usr" / value["libdir"], place / "usr/lib/multiarch")
    return place


def files_in(path):
    if path.is_dir() and not path.is_symlink():
        return [p for p in path.rglob("*") if p.is_symlink() or p.is_file()]
    return [path]


def taken(root):
    """(file -> packages, lines that take nothing), as dh_install reads these lines."""
    packages, idle = collections.defaultdict(set), []
    for path in sorted(DEBIAN.glob("*.install")):
        for line in path.read_text().splitlines():
            words = line.split()
            patterns = words[:-1] if len(words) > 1 else words  # the last of several is where to
            for pattern in patterns:
                found = [file for match in root.glob(pattern) for file in files_in(match)]
                idle += [] if found else [f"{path.name}: {pattern} is nothing"]
                for file in found:
                    packages[file].add(path.stem)
    return packages, idle


def symbols_files():
    """soname -> (name of the file, symbols)"""
    found = {}
    for path in DEBIAN.glob("*.symbols"):
        for part in re.split(r"^(?=lib)", path.read_text(), flags=re.M):
            if part.strip():
                names = {line.split()[0] for line in part.splitlines()[1:] if line[:1] == " "}
                found[part.split()[0]] = (path, names)
    return found


def exported(library):
    """As dpkg-gensymbols writes them."""
    names = set()
    for line in run("nm", "-D", "--defined-only", library).splitlines():
        name = line.split()[-1].replace("@@", "@")
        names.add(name if "@" in name else f"{name}@{name if line.split()[-2] == 'A' else 'Base'}")
    return names


def wrong_symbols(root, packages):
    described = symbols_files()
    for library in sorted(p for p in root.rglob("*.so.*") if not p.is_symlink()):
        soname = re.search(r"SONAME.*\[(.*)\]", run("readelf", "-d", library))[1]
        path, names = described.pop(soname, (None, set()))
        if not path or {path.stem} != packages[library]:
            yield f"{soname} is in {packages[library]}, its symbols are in {path and path.name}"
        for name in sorted(names ^ exported(library)):
            yield f"{soname}: {name} is exported or in {path and path.name}, not both"
    yield from (f"{path.name} is about {soname}, which there is not"
                for soname, (path, _) in described.items())


def main():
    with tempfile.TemporaryDirectory() as directory:
        root = install(*sys.argv[1:], pathlib.Path(directory))
        packages, wrong = taken(root)
        everything = sorted(files_in(root))
        wrong += [f"{file.relative_to(root)} is in {sorted(packages[file]) or 'no package'}"
                  for file in everything if len(packages[file]) != 1]
        wrong += wrong_symbols(root, packages)
    print("\n".join(wrong) or f"{len(everything)} files in {len(set().union(*packages.values()))} packages")
    sys.exit(1 if wrong or not everything else 0)


if __name__ == "__main__":
    main()
