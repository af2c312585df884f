#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that know nothing of kdevx, on the software HCA: one guest, a case for each program.

Takes arguments for `lab run` after `--` (for instance `-- --kernel 6.1`).
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
LAB = HERE.parents[1] / "tools" / "lab" / "lab"
PACKAGES = ("ibverbs-utils", "perftest")
HCAS = ("--link", "--hca", "lid=1", "--hca", "lid=17 guid=0x6b64657678010000")
OPTIONS = []


def programs():
    """name -> (words, pattern) of programs.txt."""
    lines = (HERE / "programs.txt").read_text().splitlines()
    rows = [[word.strip() for word in line.split("|")] for line in lines
            if line and not line.startswith("#")]
    return {name: (words, pattern) for name, words, pattern in rows}


def overlay():
    """The directory with the packages' programs and libraries."""
    done = subprocess.run([LAB, "overlay", *PACKAGES], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def results(output):
    """words -> (server's status, client's status, the client's output)."""
    parts = re.split(r"^= (.*) = (\d+) = (\d+)$", output, flags=re.MULTILINE)[1:]
    return {words: (int(server), int(client), text)
            for words, server, client, text in zip(*(parts[n::4] for n in range(4)))}


class Verbs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as place:
            root = pathlib.Path(place)
            shutil.copy(HERE / "in_guest", root / "in_guest")
            words = [words for words, _ in programs().values()]
            (root / "programs").write_text("".join(line + "\n" for line in words))
            done = subprocess.run(
                [LAB, "run", "--timeout", "480", *HCAS, "--overlay", overlay(),
                 "--overlay", place, *OPTIONS, "--", "sh", "/in_guest", "/programs"],
                capture_output=True, text=True, timeout=600)
        cls.status, cls.log = done.returncode, done.stderr
        cls.results = results(done.stdout)

    def test_the_guest_ended_well(self):
        self.assertEqual(self.status, 0, self.log)

    def check(self, words, pattern):
        self.assertIn(words, self.results, self.log)
        server, client, text = self.results[words]
        self.assertEqual((server, client), (0, 0), text)
        self.assertRegex(text, re.compile(pattern, re.MULTILINE))


def add_case(name, words, pattern):
    setattr(Verbs, f"test_{name}", lambda self: self.check(words, pattern))


for _name, (_words, _pattern) in programs().items():
    add_case(_name, _words, _pattern)

if __name__ == "__main__":
    if "--" in sys.argv:
        at = sys.argv.index("--")
        OPTIONS, sys.argv = sys.argv[at + 1:], sys.argv[:at]
    unittest.main(verbosity=2)
