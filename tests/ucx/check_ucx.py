#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""UCX of Debian 13 with libkdevx-mlx5dv preloaded: its queue pairs, CQs and memory are made by DEVX, so
messages go only if those calls do what libmlx5's do. One guest, a case for each program.

Takes arguments for `lab run` after `--` (for instance `-- --kernel debian12`).
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
PACKAGES = ("ibverbs-providers", "libucx0", "ucx-utils")
# Support of other makers' GPUs, and what it needs: most of the packages' bytes.
LEFT_OUT = ("libLLVM*", "libamd*", "libz3*", "libhsa*", "*rocm*", "gconv", "share")
OPTIONS = []
# Made and ended by DEVX in each conversation.
CONVERSING = ("obj_create", "obj_modify", "obj_destroy", "umem_reg", "umem_dereg", "alloc_uar",
              "query_eqn", "create_event_channel", "subscribe_devx_event", "general_cmd")


def packages(place):
    """The packages' files below place, without what is left out."""
    done = subprocess.run([LAB, "overlay", "--channel", "debian13", *PACKAGES],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"no UCX:\n{done.stderr}")
    shutil.copytree(done.stdout.split("\n")[-2], place, symlinks=True,
                    ignore=shutil.ignore_patterns(*LEFT_OUT))


def sections(text):
    words = re.split(r"^@ (.*)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(words[::2], words[1::2]))


def lasting(text):
    """Without what differs from one run to the next: times, process numbers, free memory."""
    return re.sub(r"^\[\d+\.\d+\] \[[^]]*\]|<= \d+K$", "", text, flags=re.MULTILINE)


class Ucx(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as place:
            root = pathlib.Path(place) / "root"
            packages(root)
            shutil.copy(HERE / "in_guest", root / "in_guest")
            done = subprocess.run([LAB, "run", "--timeout", "400", "--overlay", root, *OPTIONS, "--",
                                   "sh", "/in_guest"], capture_output=True, text=True, timeout=500)
        cls.status, cls.log, cls.runs = done.returncode, done.stderr, sections(done.stdout)

    def ran(self, name):
        found = self.runs.get(f"{name} 0")
        self.assertIsNotNone(found, f"{name} failed: {list(self.runs)}\n{self.told(name)}\n{self.log}")
        return found

    def told(self, name):
        return self.runs.get(f"{name}.err 0", "")

    def calls(self, name):
        return {f: int(n) for f, n in re.findall(r"kdevx: mlx5dv_devx_(\w+): (\d+) calls", self.told(name))}

    def test_the_guest_ended_well(self):
        self.assertEqual(self.status, 0, self.log)

    def test_info_is_the_same(self):
        plain, taken_over = map(lasting, (self.ran("info"), self.ran("info.preloaded")))
        self.assertEqual(plain, taken_over)
        self.assertIn("Transport: rc_mlx5", taken_over)
        self.assertGreater(self.calls("info.preloaded").get("obj_create", 0), 0)

    def check_conversation(self, name):
        self.assertRegex(self.ran(name), r"(?m)^Final: +100 ")
        missing = [f for f in CONVERSING if not self.calls(name).get(f)]
        self.assertEqual(missing, [], self.calls(name))

    def test_messages_of_the_transport(self):
        self.check_conversation("transport")

    def test_rdma_writes(self):
        self.check_conversation("rdma")

    def test_messages_of_the_protocol(self):
        self.check_conversation("protocol")


if __name__ == "__main__":
    if "--" in sys.argv:
        at = sys.argv.index("--")
        OPTIONS, sys.argv = sys.argv[at + 1:], sys.argv[:at]
    unittest.main(verbosity=2)
