#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library's names: declared = in the version script = exported; and what it needs is libc's."""
import pathlib
import re
import subprocess
import sys

# All of libc's that the library calls. A name that is not here is looked at before it is added: the
# test is there so that nothing of the C++ runtime comes along unnoticed, and nothing that prints,
# ends the process or reads the environment.
LIBC = set("""
    __errno_location access atoi clock_gettime close fcntl fcntl64 free ioctl madvise malloc
    memcmp memcpy memmove memset mmap mmap64 munmap open open64 poll pthread_mutex_destroy
    pthread_mutex_lock pthread_mutex_unlock read readlink sem_destroy sem_init sem_post sem_wait
    snprintf strchr strcmp strcspn strlen strncmp strrchr strtol syscall sysconf vsnprintf
    __stack_chk_fail __memcpy_chk __memset_chk __snprintf_chk __vsnprintf_chk __read_chk __poll_chk
    __readlink_chk __open64_2 __open_2
""".split()) | {"_GLOBAL_OFFSET_TABLE_"}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def declared(include):
    for header in pathlib.Path(include, "kdevx").glob("*.h"):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        if "KDEVX_PUBLIC" in text:
            yield from re.findall(r"KDEVX_PUBLIC[^;]*?\b(kdevx_\w+)\s*\(", text)


def in_map(path):
    text = pathlib.Path(path).read_text()
    return re.findall(r"^\s+(kdevx_\w+);", text[:text.index("local:")], re.M)


def exported(library):
    for line in run("nm", "-D", "--defined-only", library).splitlines():
        name = line.split()[-1].split("@")[0]
        if line.split()[-2] != "A":  # the version node itself
            yield name


def undefined(archive):
    """Of all members together, without what other members define."""
    names, own = set(), set()
    for line in run("nm", archive).splitlines():
        words = line.split()
        if len(words) >= 2 and words[-2] == "U":
            names.add(words[-1])
        elif len(words) == 3:
            own.add(words[-1])
    return names - own


def main():
    include, version_script, library, archive = sys.argv[1:]
    sets = {"headers": list(declared(include)), "map": in_map(version_script),
            "library": list(exported(library))}
    wrong = [f"{where}: {name} twice" for where, names in sets.items()
             for name in sorted(set(names)) if names.count(name) > 1]
    everywhere = set().union(*sets.values())
    wrong += [f"{name} is not in {where}" for where, names in sets.items()
              for name in sorted(everywhere - set(names))]
    wrong += [f"the archive needs {name}, which is not known to be libc's"
              for name in sorted(undefined(archive) - LIBC)]
    needed = re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", library))
    wrong += [f"the library needs {name}" for name in needed if not name.startswith("libc.")]
    print("\n".join(wrong) or f"{len(everywhere)} names, needs {' '.join(needed)}")
    sys.exit(1 if wrong or not everywhere or not needed else 0)


main()
