# SPDX-License-Identifier: MIT
"""Kernel modules: found in a modules directory, decompressed, ordered by their dependencies."""

import gzip
import lzma
import pathlib
import re
import subprocess

from status import Failure

# Loaded at boot, in this order; `optional` ones exist as modules in some kernels only.
CHANNEL = ("virtio_pci", "virtio_console")
CORE = ("mlx5_core",)
INFINIBAND = ("ib_uverbs", "ib_umad", "mlx5_ib")
# Not loaded, but there for the guest's modprobe.
EXTRA = ("rdma_ucm", "rdma_rxe", "crc32_generic", "siw", "dummy", "vgem", "udmabuf")


def normal(name):
    return name.replace("-", "_")


class Tree:
    """The modules of one kernel release."""

    def __init__(self, directory, zstd):
        self.directory = pathlib.Path(directory)
        self.zstd = zstd
        self.files = {}
        for path in self.directory.rglob("*.ko*"):
            name = re.fullmatch(r"(.+)\.ko(\.xz|\.gz|\.zst)?", path.name)
            if name:
                self.files[normal(name[1])] = path
        self.contents = {}
        builtin = self.directory / "modules.builtin"
        lines = builtin.read_text().split() if builtin.exists() else ()
        self.builtin = {normal(pathlib.Path(line).stem) for line in lines}

    def __contains__(self, name):
        return normal(name) in self.files

    def content(self, name):
        name = normal(name)
        if name not in self.contents:
            self.contents[name] = self.decompressed(self.files[name])
        return self.contents[name]

    def decompressed(self, path):
        raw = path.read_bytes()
        if path.suffix == ".xz":
            return lzma.decompress(raw)
        if path.suffix == ".gz":
            return gzip.decompress(raw)
        if path.suffix == ".zst":
            return subprocess.run([*self.zstd, "-dcq"], input=raw, stdout=subprocess.PIPE,
                                  check=True).stdout
        return raw

    def depends(self, name):
        listed = modinfo(self.content(name)).get("depends", [""])[0]
        return [normal(other) for other in listed.split(",") if other]

    def order(self, names):
        """names and all they depend on, each after what it needs; what is not a module is left
        out: it is built into the kernel, or the kernel says at insmod what it misses."""
        ordered = []

        def visit(name, path=()):
            if name in path:
                raise Failure(f"module dependency loop: {' '.join((*path, name))}")
            if name in ordered or name not in self:
                return
            for other in self.depends(name):
                visit(other, (*path, name))
            ordered.append(name)

        for name in map(normal, names):
            visit(name)
        return ordered

    def require(self, names):
        missing = [n for n in names if n not in self and normal(n) not in self.builtin]
        if missing:
            raise Failure(f"no module {', '.join(missing)} under {self.directory}: this kernel "
                          "cannot drive an mlx5 device")


def modinfo(elf):
    """The tags of a module's .modinfo section: name -> list of values.

    The tags are NUL-terminated `name=value` texts. They are looked for in the whole file, which
    spares an ELF parser: no other section holds a NUL-enclosed `depends=`.
    """
    tags = {}
    for tag, value in re.findall(rb"\0(depends|vermagic|name|license)=([^\0]*)(?=\0)", elf):
        tags.setdefault(tag.decode(), []).append(value.decode(errors="replace"))
    return tags
