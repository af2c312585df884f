# SPDX-License-Identifier: MIT
"""The archives for the guest's root, read back by a reader of the test's own."""

import io
import os
import pathlib
import stat
import tempfile
import unittest

import support  # noqa: F401
import cpio


def read(data):
    """path -> (mode, content) of a newc archive, in order."""
    entries, at = {}, 0
    while True:
        fields = [int(data[at + 6 + 8 * i:at + 14 + 8 * i], 16) for i in range(13)]
        assert data[at:at + 6] == b"070701"
        mode, size, name_size = fields[1], fields[6], fields[11]
        name = data[at + 110:at + 110 + name_size - 1].decode()
        start = (at + 110 + name_size + 3) & ~3
        at = (start + size + 3) & ~3
        if name == "TRAILER!!!":
            return entries
        assert name not in entries, name
        entries[name] = (mode, data[start:start + size])


class Cpio(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.root = pathlib.Path(self.place.name)
        self.out = io.BytesIO()
        self.archive = cpio.Writer(self.out)

    def entries(self):
        self.archive.close()
        self.assertEqual(len(self.out.getvalue()) % 512, 0)
        return read(self.out.getvalue())

    def test_files_bring_their_directories_once(self):
        self.archive.file("usr/bin/a", b"one", 0o755)
        self.archive.file("usr/bin/b", b"", 0o644)
        entries = self.entries()
        self.assertEqual(list(entries), ["usr", "usr/bin", "usr/bin/a", "usr/bin/b"])
        self.assertEqual(entries["usr/bin/a"], (stat.S_IFREG | 0o755, b"one"))

    def test_a_tree_keeps_modes_links_and_pipes(self):
        (self.root / "etc").mkdir(mode=0o700)
        (self.root / "etc" / "f").write_bytes(b"x" * 5000)
        (self.root / "etc" / "f").chmod(0o4711)
        (self.root / "etc" / "l").symlink_to("f")
        os.mkfifo(self.root / "etc" / "p")
        self.archive.tree(self.root)
        entries = self.entries()
        self.assertEqual(entries["etc"][0], stat.S_IFDIR | 0o700)
        self.assertEqual(entries["etc/f"], (stat.S_IFREG | 0o4711, b"x" * 5000))
        self.assertEqual(entries["etc/l"], (stat.S_IFLNK | 0o777, b"f"))
        self.assertTrue(stat.S_ISFIFO(entries["etc/p"][0]))

    def test_lib_and_bin_are_laid_into_usr(self):
        (self.root / "lib" / "x").mkdir(parents=True)
        (self.root / "lib" / "x" / "up").symlink_to("../../etc/z")
        (self.root / "lib" / "x" / "file").write_bytes(b"1")
        (self.root / "usr" / "bin").mkdir(parents=True)
        (self.root / "bin").symlink_to("usr/bin")
        self.archive.tree(self.root)
        entries = self.entries()
        self.assertEqual(entries["usr/lib/x/file"][1], b"1")
        self.assertEqual(entries["usr/lib/x/up"][1], b"/etc/z")
        self.assertFalse({"lib", "bin"} & set(entries))

    def test_a_file_that_shrinks_does_not_shift_the_rest(self):
        path = self.root / "f"
        path.write_bytes(b"abcd")
        with open(path, "rb") as data:
            data.read(2)
            self.archive.file("f", data)
        self.archive.file("g", b"g")
        entries = self.entries()
        self.assertEqual(entries["f"][1], b"cd\0\0")
        self.assertEqual(entries["g"][1], b"g")


if __name__ == "__main__":
    unittest.main()
