# SPDX-License-Identifier: MIT
"""Which of a build's files go into the guest, and the libraries that go with them."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest
from unittest import mock

import support

import built  # noqa: E402
from status import Failure  # noqa: E402

PROGRAM = shutil.which("ls")


class Programs(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name)

    def file(self, name, content=b"#!/bin/sh\n"):
        (self.root / name).write_bytes(content)
        return self.root / name

    def missing(self, told, *paths):
        done = subprocess.CompletedProcess([], 1, stdout=told)
        with mock.patch.object(built.subprocess, "run", return_value=done):
            with self.assertRaises(Failure) as caught:
                built.programs(paths)
        return str(caught.exception)

    def test_a_program_brings_its_libraries_and_the_loader(self):
        files = built.programs([PROGRAM])
        self.assertEqual(files["usr/local/bin/ls"], (pathlib.Path(PROGRAM), 0o755))
        names = {path.rpartition("/")[2] for path in files}
        self.assertIn("libc.so.6", names)
        self.assertTrue([name for name in names if name.startswith("ld-linux")], names)

    def test_several_are_asked_about_at_once(self):
        one = built.programs([PROGRAM])
        with mock.patch.object(built.subprocess, "run", wraps=subprocess.run) as run:
            both = built.programs([PROGRAM, shutil.which("cat"), self.file("script")])
        self.assertEqual(run.call_count, 1)
        self.assertEqual(set(both), set(one) | {"usr/local/bin/cat", "usr/local/bin/script"})

    def test_a_script_needs_nothing(self):
        self.assertEqual(list(built.programs([self.file("script")])), ["usr/local/bin/script"])

    def test_what_is_missing_is_named_with_who_needs_it(self):
        self.assertIn("no program /nowhere", self.missing("", "/nowhere"))
        a, b = (self.file(name, b"\x7fELF") for name in "ab")
        lost = "\tlibx.so.1 => not found\n"
        self.assertEqual(self.missing(lost, a),
                         f"{a} needs libx.so.1, which this machine has not")
        self.assertEqual(self.missing(f"{a}:\n\tstatically linked\n{b}:\n{lost}", a, b),
                         f"{b} needs libx.so.1, which this machine has not")

    def test_of_a_build_what_is_kdevxs_and_not_the_hosts(self):
        names = ("kdevx", "kdevx-hca", "other", "kdevx-not-built")
        for name in names[:-1]:
            self.file(name)
        self.file("libkdevx.so.0")
        support.write_build(self.root / "build", ("shared library", self.root / "libkdevx.so.0"),
                            *(("executable", self.root / name) for name in names))
        self.assertEqual(set(built.for_guest(built.directory(self.root / "build"))),
                         {"usr/local/bin/kdevx", "usr/lib/x86_64-linux-gnu/libkdevx.so.0"})


if __name__ == "__main__":
    unittest.main()
