#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The lab with a real guest: what the stand-ins of test_run.py cannot show.

Takes arguments for `lab run` after `--` (for instance `-- --kernel 6.1`).
"""

import hashlib
import pathlib
import subprocess
import sys
import tempfile
import unittest

import support

OPTIONS = []


class Guest(unittest.TestCase):
    def lab(self, *options, feed=None):
        done = subprocess.run([str(support.LAB / "lab"), "run", "--no-hca", *OPTIONS, *options],
                              input=feed, capture_output=True, timeout=180)
        return done.returncode, done.stdout, done.stderr.decode()

    def test_streams_words_overlay_tool_and_status(self):
        """One boot for all that a command sees and gives back."""
        script = ("sha256sum >/dev/stderr; head -c 8000000 /dev/urandom >/tmp/x; "
                  "sha256sum </tmp/x >/dev/stderr; cat /tmp/x; "
                  'echo "$A|$1|$#" >&2; wc -c </lib/deep/file >&2; tar --version >&2; '
                  "sleep 1000 & kill -9 $$")
        feed = bytes(range(256)) * 5000
        with tempfile.TemporaryDirectory() as place:
            below = pathlib.Path(place) / "lib" / "deep"
            below.mkdir(parents=True)
            (below / "file").write_bytes(b"z" * 70000000)
            status, out, err = self.lab("--overlay", place, "--tool", "/usr/bin/tar", "--stdin",
                                        "--env", "A=x y", "--", "sh", "-c", script, "sh", "a  b", "",
                                        feed=feed)
        self.assertEqual((status, len(out)), (128 + 9, 8000000))
        for text in (hashlib.sha256(feed).hexdigest(), hashlib.sha256(out).hexdigest(),
                     "x y|a  b|2\n", "70000000\n", "(GNU tar)",
                     "ended what the command left running"):
            self.assertIn(text, err)

    def test_a_kernel_panic_is_told(self):
        status, _, err = self.lab("--", "sh", "-c", "echo c >/proc/sysrq-trigger")
        self.assertEqual(status, 120)
        self.assertIn("sysrq triggered crash", err)

    def test_a_warning_of_a_running_kernel_is_told(self):
        status, _, err = self.lab("--", "sh", "-c", "echo 512 >/proc/sys/kernel/tainted")
        self.assertEqual(status, 120)
        self.assertIn("tainted by: warning", err)

    def test_the_command_that_is_not_there(self):
        status, _, err = self.lab("--", "nosuch")
        self.assertEqual(status, 127)
        self.assertIn("nosuch: not found", err)


if __name__ == "__main__":
    if "--" in sys.argv:
        at = sys.argv.index("--")
        OPTIONS, sys.argv = sys.argv[at + 1:], sys.argv[:at]
    unittest.main(verbosity=2)
