# SPDX-License-Identifier: MIT
"""Modules: their tags, their order, their compressed files."""

import gzip
import lzma
import pathlib
import tempfile
import unittest

import support
import modules
from status import Failure


class Modules(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.root = pathlib.Path(self.place.name)

    def tree(self, files):
        support.write_modules(self.root / "kernel", files)
        return modules.Tree(self.root, ["false"])

    def test_modinfo(self):
        tags = modules.modinfo(support.module("mlx5_ib", "ib_core,mlx5_core"))
        self.assertEqual(tags["depends"], ["ib_core,mlx5_core"])
        self.assertEqual(tags["name"], ["mlx5_ib"])

    def test_each_module_comes_after_what_it_needs(self):
        tree = self.tree({"mlx5-ib.ko": support.module("mlx5_ib", "ib-core,mlx5_core"),
                          "ib_core.ko.xz": lzma.compress(support.module("ib_core")),
                          "mlx5_core.ko.gz": gzip.compress(support.module("mlx5_core", "mlxfw")),
                          "mlxfw.ko": support.module("mlxfw")})
        self.assertEqual(tree.order(["mlx5_ib"]), ["ib_core", "mlxfw", "mlx5_core", "mlx5_ib"])
        self.assertEqual(tree.order(["mlxfw", "mlx5-ib"])[0], "mlxfw")

    def test_what_is_built_in_is_left_out(self):
        tree = self.tree({"a.ko": support.module("a", "builtin_one")})
        self.assertEqual(tree.order(["a", "virtio_pci"]), ["a"])
        (self.root / "modules.builtin").write_text("kernel/drivers/virtio/virtio_pci.ko\n")
        again = modules.Tree(self.root, [])
        again.require(["a", "virtio-pci"])
        with self.assertRaisesRegex(Failure, "no module mlx5_core"):
            again.require(["a", "mlx5_core"])

    def test_a_loop_is_named(self):
        tree = self.tree({"a.ko": support.module("a", "b"), "b.ko": support.module("b", "a")})
        with self.assertRaisesRegex(Failure, "a b a"):
            tree.order(["a"])


if __name__ == "__main__":
    unittest.main()
