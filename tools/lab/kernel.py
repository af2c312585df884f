# SPDX-License-Identifier: MIT
"""Kernels: packages of a channel made into a vmlinux and a directory of modules."""

import dataclasses
import json
import os
import pathlib
import re

import apt
import bzimage
import cache
import channels
import qemu
from status import Failure, say

PARTS = re.compile(r"linux-(image|binary|modules)-[0-9].*")  # an image package may be split


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A kernel that is ready to boot."""

    release: str   # what uname -r says
    version: str   # the package's version
    channel: str   # "" for a kernel given by path
    image: pathlib.Path
    modules: pathlib.Path

    def __str__(self):
        return f"{self.release} ({self.channel} {self.version})" if self.channel else self.release


def home():
    return cache.root() / "kernels"


def cached(channel_name=None):
    """The kernels in the cache, newest fetched first."""
    found = sorted(home().glob(f"{channel_name or '*'}/*/kernel.json"),
                   key=lambda path: path.stat().st_mtime, reverse=True)
    return [load(path.parent) for path in found]


def load(directory):
    facts = json.loads((directory / "kernel.json").read_text())
    return Kernel(facts["release"], facts["version"], facts["channel"], directory / "vmlinux",
                  directory / "modules")


def candidate(packages):
    """(release, version, package names) of the kernel a channel offers now, or None."""
    meta = packages.show("linux-image-amd64")
    images = [n for n in apt.dependencies(meta or {}) if re.match(r"linux-image-[0-9]", n)]
    fields = packages.show(images[0]) if images else None
    if fields is None:
        return None
    parts = [n for n in apt.dependencies(fields) if PARTS.fullmatch(n)]
    return (images[0].removeprefix("linux-image-"), fields["version"], [images[0], *parts])


def fetch(channel, update=False):
    """The channel's kernel, from the cache if it has one and update is not set."""
    with cache.locked(f"kernel-{channel.name}"):
        have = cached(channel.name)
        if have and not update:
            return have[0]
        packages = apt.Apt(channel)
        packages.update() if update else packages.ensure_lists()
        offered = candidate(packages)
        if offered is None:
            raise Failure(f"the mirror offers no linux-image-amd64 in {channel.name}")
        release, version, names = offered
        same = [k for k in have if (k.release, k.version) == (release, version)]
        return same[0] if same else build(packages, release, version, names)


def build(packages, release, version, names):
    channel = packages.channel.name
    say(f"fetching kernel {release} ({channel})")
    target = home() / channel / release
    with cache.fresh(target) as directory:
        debs = packages.download([f"{name}={version}" for name in names], directory / "debs")
        apt.unpack(debs, directory / "root")
        apt.remove_packages(directory / "debs")
        arrange(directory, release)
        facts = {"release": release, "version": version, "channel": channel}
        (directory / "kernel.json").write_text(json.dumps(facts, indent=2) + "\n")
    return load(target)


def arrange(directory, release):
    """Keeps what is needed of the unpacked packages: the vmlinux and the modules."""
    root = directory / "root"
    images = [p for p in (root / "boot" / f"vmlinuz-{release}",
                          root / "usr/lib/modules" / release / "vmlinuz") if p.is_file()]
    if not images:
        raise Failure(f"the packages of {release} hold no vmlinuz")
    image = images[0].read_bytes()
    (directory / "vmlinux").write_bytes(bootable(image))
    os.rename(root / "usr/lib/modules" / release, directory / "modules")
    cache.discard(root)


def bootable(image):
    """The vmlinux where QEMU can enter it, else the image as it is."""
    zstd = qemu.zstd()
    try:
        elf = bzimage.vmlinux(image, zstd)
    except Failure as failure:
        say(f"{failure}; booting the image itself, which takes longer")
        return image
    return elf if bzimage.has_pvh_note(elf) else image


def choose(wanted, modules=None):
    """The kernel meant by --kernel: a channel, a version prefix, or a path."""
    if modules or "/" in wanted or os.path.isfile(wanted):
        image, _, directory = wanted.partition(",")
        return by_path(image, modules or directory)
    if wanted in channels.names():
        return fetch(channels.named(wanted))
    return by_prefix(wanted)


def by_path(image, modules):
    if not modules:
        raise Failure(f"{image}: a kernel given by path needs --modules DIR (or PATH,DIR)")
    image, directory = pathlib.Path(image), pathlib.Path(modules)
    if not image.is_file():
        raise Failure(f"no kernel image {image}")
    if not directory.is_dir():
        raise Failure(f"no modules directory {directory}")
    return Kernel(image_release(image.read_bytes()) or image.name, "", "", image, directory)


def image_release(image):
    """The release in a bzImage's setup header (boot protocol: kernel_version, offset 0x20e)."""
    if image[0x202:0x206] != b"HdrS":
        return ""
    offset = 0x200 + int.from_bytes(image[0x20e:0x210], "little")
    return image[offset:offset + 128].split(b"\0")[0].decode(errors="replace").split(" ")[0]


def matches(kernel_release, version, prefix):
    return channels.has_prefix(kernel_release, prefix) or channels.has_prefix(version, prefix)


def by_prefix(prefix):
    """A cached kernel of that version, else the first channel that offers one."""
    for kernel in cached():
        if matches(kernel.release, kernel.version, prefix):
            return kernel
    offers = []
    for channel in channels.CHANNELS:
        packages = apt.Apt(channel)
        packages.ensure_lists()
        offered = candidate(packages)
        if offered and matches(offered[0], offered[1], prefix):
            return fetch(channel, update=True)
        offers.append(f"{channel.name} ({offered[1] if offered else 'none'})")
    raise Failure(f"no kernel {prefix!r}; there are: {', '.join(offers)}; or give the path of "
                  "a bzImage with --modules DIR")


def headers(kernel):
    """A directory with include/ of the kernel's headers and usr/include of its linux-libc-dev."""
    if not kernel.channel:
        raise Failure("headers come from packages: name a channel or a version one of them has")
    target = cache.root() / "headers" / f"{kernel.channel}-{kernel.version}"
    with cache.locked(f"headers-{kernel.channel}"):
        if not target.is_dir():
            build_headers(apt.Apt(channels.named(kernel.channel)), kernel, target)
    return target


def build_headers(packages, kernel, target):
    packages.ensure_lists()
    common = f"linux-headers-{kernel.release.removesuffix('-amd64')}-common"
    if not packages.show(common, kernel.version):
        raise Failure(f"the mirror has no {common} {kernel.version} any more; fetch the channel's "
                      f"present kernel with `lab setup {kernel.channel}`")
    with cache.fresh(target) as directory:
        debs = packages.download([f"{common}={kernel.version}", libc_dev(packages, kernel)],
                                 directory / "debs")
        apt.unpack(debs, directory)
        apt.remove_packages(directory / "debs")
        (directory / "include").symlink_to(f"usr/src/{common}/include")


def libc_dev(packages, kernel):
    """linux-libc-dev of the kernel's own version where the mirror has it."""
    exact = packages.show("linux-libc-dev", kernel.version)
    return f"linux-libc-dev={kernel.version}" if exact else "linux-libc-dev"
