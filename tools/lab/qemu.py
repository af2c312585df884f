# SPDX-License-Identifier: MIT
"""QEMU: the host's if it has the vfio-user client, else Debian's, unpacked into the cache."""

import json
import os
import shutil
import subprocess

import apt
import cache
import channels
from status import Failure, say

PROGRAM = "qemu-system-x86_64"
LIBRARIES = "usr/lib/x86_64-linux-gnu"


class Qemu:
    """A QEMU that has vfio-user-pci, as the beginning of a command line."""

    def __init__(self, command, about):
        self.command = command
        self.about = about


def foreign(root, program, *options):
    """The command line that runs a program of an unpacked Debian tree with its own loader."""
    loader = root / LIBRARIES / "ld-linux-x86-64.so.2"
    return [str(loader), "--library-path", str(root / LIBRARIES), str(root / program), *options]


def find():
    """The QEMU to use; the packaged one is fetched when nothing else will do."""
    given = os.environ.get("KDEVX_QEMU")
    if given:
        return from_host(given, required=True)
    host = shutil.which(PROGRAM)
    return (from_host(host) if host else None) or packaged()


def from_host(program, required=False):
    try:
        done = subprocess.run([program, "-device", "vfio-user-pci,help"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        raise Failure(f"cannot run QEMU {program}: {error.strerror}") from error
    if done.returncode == 0:
        return Qemu([program], program)
    if required:
        raise Failure(f"{program} has no device vfio-user-pci: QEMU 10.1 or newer is needed; unset "
                      "KDEVX_QEMU to have Debian's fetched")
    return None


def packaged():
    root = tree("qemu", ["qemu-system-x86", "zstd"])
    shares = [option for name in ("qemu", "seabios") for option in ("-L", f"{root}/usr/share/{name}")]
    return Qemu(foreign(root, f"usr/bin/{PROGRAM}", *shares), "packaged")


def tree(name, packages, closure=True):
    """An unpacked tree of packages of the default channel, with all they depend on or alone."""
    target = cache.root() / name
    with cache.locked(name):
        if not target.is_dir():
            say(f"fetching {packages[0]} into the cache")
            build_tree(target, packages, closure)
    return target


def build_tree(target, names, closure):
    packages = apt.Apt(channels.named(channels.DEFAULT))
    packages.ensure_lists()
    fetch = packages.download_closure if closure else packages.download
    with cache.fresh(target) as directory:
        debs = fetch(names, directory / "debs")
        apt.unpack(debs, directory)
        apt.remove_packages(directory / "debs")


def zstd():
    """The command line of a zstd program (Debian's newer kernels are compressed with it)."""
    host = shutil.which("zstd")
    if host:
        return [host]
    with_qemu = cache.root() / "qemu"
    root = with_qemu if with_qemu.is_dir() else tree("zstd", ["zstd"])
    return foreign(root, "usr/bin/zstd")


def machine(memory, processors, accelerator):
    """The options of the virtual machine itself."""
    return ["-accel", accelerator, "-machine", "q35,usb=off,vmport=off", "-m", str(memory),
            "-smp", str(processors), "-cpu", "host" if accelerator == "kvm" else "max,-monitor",
            "-object", f"memory-backend-memfd,id=mem,size={memory}M,share=on",
            "-machine", "memory-backend=mem", "-nodefaults", "-no-user-config", "-display", "none",
            "-no-reboot"]


def hca_device(socket, posted):
    """The PCI device of one HCA. Posted: the processor goes on before its write has come in."""
    # JSON, because the socket address is a structure
    device = {"driver": "vfio-user-pci", "socket": {"type": "unix", "path": str(socket)}}
    if not posted:
        device["x-no-posted-writes"] = True
    return ["-device", json.dumps(device)]

