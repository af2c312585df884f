# SPDX-License-Identifier: MIT
"""Writes the newc cpio archives that the kernel unpacks into its root file system."""

import os
import posixpath
import stat

MERGED = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")  # links to usr/... in the guest


def merged(path):
    """A path below the root as the merged-/usr layout has it.

    The kernel would replace the guest's link `lib` by an overlay's directory `lib`, and with it
    lose everything the link led to.
    """
    path = path.strip("/")
    return "usr/" + path if path.split("/")[0] in MERGED else path


class Writer:
    """Appends entries to a file object; close() writes the trailer."""

    def __init__(self, out):
        self.out = out
        self.inode = 0
        self.size = 0
        self.directories = set()

    def entry(self, path, mode, data=b"", rdev=(0, 0)):
        """One entry, owned by root, dated 0; data is bytes or an open file."""
        self.inode += 1
        name = path.encode(errors="surrogateescape") + b"\0"
        length = len(data) if isinstance(data, bytes) else os.fstat(data.fileno()).st_size
        fields = (self.inode, mode, 0, 0, 1, 0, length, 0, 0, *rdev, len(name), 0)
        self.write(b"070701" + b"".join(b"%08X" % field for field in fields) + name)
        self.pad()
        self.copy(data, length)
        self.pad()

    def copy(self, data, length):
        if isinstance(data, bytes):
            self.write(data)
            return
        end = self.size + length
        while self.size < end:
            # A file that grows or shrinks meanwhile must not shift all that follows.
            chunk = data.read(min(1 << 20, end - self.size))
            self.write(chunk or b"\0" * (end - self.size))

    def write(self, data):
        self.out.write(data)
        self.size += len(data)

    def pad(self, boundary=4):
        self.write(b"\0" * (-self.size % boundary))

    def parents(self, path):
        parent = posixpath.dirname(path)
        if parent and parent not in self.directories:
            self.parents(parent)
            self.directory(parent)

    def directory(self, path, mode=0o755):
        path = path.strip("/")
        self.parents(path)
        if path not in self.directories:
            self.directories.add(path)
            self.entry(path, stat.S_IFDIR | mode)

    def file(self, path, data, mode=0o644):
        self.parents(path)
        self.entry(path, stat.S_IFREG | mode, data)

    def link(self, path, target):
        self.parents(path)
        self.entry(path, stat.S_IFLNK | 0o777, os.fsencode(target))

    def host_file(self, path, source, mode=None):
        with open(source, "rb") as data:
            bits = stat.S_IMODE(os.fstat(data.fileno()).st_mode) if mode is None else mode
            self.file(path, data, bits)

    def tree(self, directory):
        """A host directory's tree, laid over the root. Sockets are left out."""
        for place, names, files in os.walk(directory):
            below = os.path.relpath(place, directory)
            below = "" if below == "." else below
            for name in sorted(names):
                self.tree_entry(os.path.join(place, name), posixpath.join(below, name))
            for name in sorted(files):
                self.tree_entry(os.path.join(place, name), posixpath.join(below, name))

    def tree_entry(self, source, path):
        status = os.lstat(source)
        kind, target = stat.S_IFMT(status.st_mode), merged(path)
        if kind == stat.S_IFLNK:
            self.tree_link(source, path, target)
        elif kind == stat.S_IFDIR:
            self.directory(target, stat.S_IMODE(status.st_mode))
        elif kind == stat.S_IFREG:
            self.parents(target)
            self.host_file(target, source)
        elif kind in (stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO):
            device = (os.major(status.st_rdev), os.minor(status.st_rdev))
            self.parents(target)
            self.entry(target, status.st_mode, rdev=device)

    def tree_link(self, source, path, target):
        if path in MERGED:
            return
        leads = os.readlink(source)
        if target != path and not leads.startswith("/"):
            # It moved one level down: what was relative to /lib is not relative to /usr/lib.
            leads = posixpath.normpath(posixpath.join("/", posixpath.dirname(path), leads))
        self.link(target, leads)

    def close(self):
        self.entry("TRAILER!!!", 0)
        self.pad(512)
