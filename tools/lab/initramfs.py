# SPDX-License-Identifier: MIT
"""The guest's root: a base archive per kernel, cached, and one of this run's files after it."""

import hashlib
import os
import pathlib
import shlex
import subprocess

import cache
import cpio
import modules
import qemu

MODULES = "usr/lib/modules/guest"
HERE = pathlib.Path(__file__).parent
DIRECTORIES = ("usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "usr/local/bin", "etc", "root", "dev",
               "proc", "sys", "tmp", "run", "var/tmp", "lab/bin")
FILES = {
    "etc/passwd": "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/tmp:/bin/sh\n",
    "etc/group": "root:x:0:\nnogroup:x:65534:\n",
    "etc/hosts": "127.0.0.1 localhost kdevx-lab\n",
}
# Scripts name these by path, and the kernel asks for /sbin/modprobe. An overlay's own win.
LINKS = {"usr/bin/sh": "bash", "usr/bin/bash": "bash", "usr/bin/env": "busybox",
         "usr/sbin/modprobe": "busybox", "lab/bin/sh": "bash"}
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/lab/bin"


def base(kernel):
    """The archive that is the same for each run of a kernel; returns (path, load order)."""
    programs = userland()
    key = "\n".join([str(kernel.modules.resolve()), str(kernel.modules.stat().st_mtime_ns),
                     *(digest(HERE / name) for name in ("initramfs.py", "modules.py", "cpio.py"))])
    name = hashlib.sha256(key.encode()).hexdigest()[:16]
    target = cache.root() / "initramfs" / f"{kernel.release}-{name}"
    if not target.is_dir():
        with cache.locked(f"initramfs-{kernel.release}"):
            if not target.is_dir():
                build_base(target, kernel, programs)
    return target / "base.cpio", Orders(target)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Orders:
    """The modules to insert, in order, as base() found them."""

    NAMES = ("channel", "core", "infiniband")

    def __init__(self, directory):
        for name in self.NAMES:
            setattr(self, name, (directory / name).read_text().split())

    @classmethod
    def write(cls, directory, tree):
        inserted = []
        for name in cls.NAMES:
            order = [m for m in tree.order(getattr(modules, name.upper())) if m not in inserted]
            inserted += order
            (directory / name).write_text("\n".join(order))


def build_base(target, kernel, programs):
    tree = modules.Tree(kernel.modules, qemu.zstd())
    tree.require(modules.CORE + modules.INFINIBAND)
    with cache.fresh(target) as directory:
        directory.mkdir()
        Orders.write(directory, tree)
        with open(directory / "base.cpio", "wb") as out:
            archive = cpio.Writer(out)
            skeleton(archive, programs)
            module_files(archive, tree)
            archive.close()


def skeleton(archive, programs):
    for directory in DIRECTORIES:
        archive.directory(directory)
    for name in ("bin", "sbin", "lib", "lib64"):
        archive.link(name, f"usr/{name}")
    for name, text in FILES.items():
        archive.file(name, text.encode())
    for name in ("busybox", "bash"):
        archive.host_file(f"lab/bin/{name}", programs[name], 0o755)
    for applet in applets(programs["busybox"]):
        if applet not in ("sh", "bash"):
            archive.link(f"lab/bin/{applet}", "busybox")
    for path, program in LINKS.items():
        archive.link(path, f"/lab/bin/{program}")


def userland():
    """The guest's static programs by name.

    The shell of its scripts is bash and not busybox's: that one takes its own applets for any name
    it knows, before it looks along PATH, and an overlay's programs would never run.
    """
    root = qemu.tree("userland", ["busybox-static", "bash-static"], closure=False)
    return {"busybox": root / "usr/bin/busybox", "bash": root / "usr/bin/bash-static"}


def applets(busybox):
    done = subprocess.run([busybox, "--list"], stdout=subprocess.PIPE, text=True, check=True)
    return [name for name in done.stdout.split() if name != "busybox"]


def module_files(archive, tree):
    """The modules and a modules.dep for modprobe; init links the running release's name here."""
    names = tree.order(modules.CHANNEL + modules.CORE + modules.INFINIBAND + modules.EXTRA)
    lines = []
    for name in names:
        archive.file(f"{MODULES}/lab/{name}.ko", tree.content(name))
        needs = [m for m in reversed(tree.order([name])) if m != name]
        lines.append(f"lab/{name}.ko:" + "".join(f" lab/{m}.ko" for m in needs) + "\n")
    archive.file(f"{MODULES}/modules.dep", "".join(lines).encode())


def command_script(command, environment):
    """The guest's /lab/command: the command's words reach it unchanged."""
    lines = ["#!/lab/bin/bash", "cd /root"]
    for name, value in environment.items():
        lines.append(f"export {name}={shlex.quote(value)}")
    lines.append("exec " + " ".join(map(shlex.quote, command)))
    return "\n".join(lines) + "\n"


def config_text(values):
    return "".join(f"{name}={shlex.quote(str(value))}\n" for name, value in values.items())


def write(target, base_archive, files, overlays):
    """Joins the base archive and this run's files into target; returns its size.

    files: guest path -> (bytes or host path, mode). Later archives win over earlier ones.
    """
    with open(target, "wb") as out:
        with open(base_archive, "rb") as source:
            while chunk := source.read(1 << 20):
                out.write(chunk)
        archive = cpio.Writer(out)
        for path, (content, mode) in files.items():
            if isinstance(content, bytes):
                archive.file(cpio.merged(path), content, mode)
            else:
                archive.host_file(cpio.merged(path), content, mode)
        for overlay in overlays:
            archive.tree(overlay)
        archive.close()
    return os.path.getsize(target)
