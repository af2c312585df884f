# SPDX-License-Identifier: MIT
"""Which kernel is meant, and what is cut out of its image."""

import gzip
import lzma
import os
import pathlib
import struct
import tempfile
import unittest
from unittest import mock

import support  # noqa: F401
import apt
import bzimage
import channels
import kernel
from status import Failure

ELF = b"\x7fELF" + bytes(60) + struct.pack("<III", 4, 8, 18) + b"Xen\0" + bytes(8)


def bzimage_of(packed, release=b"7.3.4+deb13-amd64 (builder) #1"):
    """A bzImage with one setup sector beside the boot sector."""
    image = bytearray(1024)
    image[0x1f1] = 1
    image[0x202:0x206] = b"HdrS"
    struct.pack_into("<H", image, 0x20e, 0x100)
    struct.pack_into("<II", image, 0x248, 16, len(packed))
    image[0x300:0x300 + len(release)] = release
    return bytes(image) + bytes(16) + packed + b"trailing"


class Prefixes(unittest.TestCase):
    def test_a_prefix_ends_at_a_number(self):
        self.assertTrue(channels.has_prefix("6.1.192-3", "6.1"))
        self.assertTrue(channels.has_prefix("6.1.0-57-amd64", "6.1.0-57"))
        self.assertFalse(channels.has_prefix("6.12.118-1", "6.1"))
        self.assertFalse(channels.has_prefix("6.1.192-3", "6.1.19"))
        self.assertFalse(channels.has_prefix("16.1", "6.1"))

    def test_an_unknown_channel_is_answered_with_the_known(self):
        with self.assertRaisesRegex(Failure, "debian12, debian13, backports, unstable"):
            channels.named("debian11")


class Paths(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.image = os.path.join(self.place.name, "bzImage")
        pathlib.Path(self.image).write_bytes(bzimage_of(gzip.compress(ELF)))

    def test_path_with_modules_in_either_notation(self):
        for one in (kernel.choose(self.image, self.place.name),
                    kernel.choose(f"{self.image},{self.place.name}")):
            self.assertEqual(one.release, "7.3.4+deb13-amd64")
            self.assertEqual(str(one.modules), self.place.name)

    def test_path_without_modules_or_of_nothing(self):
        with self.assertRaisesRegex(Failure, "--modules"):
            kernel.choose(self.image)
        with self.assertRaisesRegex(Failure, "no modules directory"):
            kernel.choose(self.image, "/nowhere")
        with self.assertRaisesRegex(Failure, "no kernel image"):
            kernel.choose("/nowhere/bzImage", self.place.name)


class Offers(unittest.TestCase):
    META = {"version": "7.3.4-1", "depends": "linux-base-amd64, linux-image-7.3.4-amd64 (= 7.3.4-1)"}
    IMAGE = {"version": "7.3.4-1", "depends": "dracut | initramfs-tools (>= 0.1), "
             "linux-binary-7.3.4-amd64 (= 7.3.4-1), linux-modules-7.3.4-amd64 (= 7.3.4-1)"}

    def test_a_split_image_package_brings_its_parts(self):
        packages = mock.Mock()
        packages.show.side_effect = [self.META, self.IMAGE]
        self.assertEqual(kernel.candidate(packages),
                         ("7.3.4-amd64", "7.3.4-1",
                          ["linux-image-7.3.4-amd64", "linux-binary-7.3.4-amd64",
                           "linux-modules-7.3.4-amd64"]))

    def test_no_metapackage_no_offer(self):
        packages = mock.Mock()
        packages.show.return_value = None
        self.assertIsNone(kernel.candidate(packages))

    def test_dependencies_name_the_first_of_each_alternative(self):
        self.assertEqual(apt.dependencies({"depends": "a (>= 1) | b, c:any, d", "pre-depends": "e"}),
                         ["e", "a", "c", "d"])


class Images(unittest.TestCase):
    def test_the_vmlinux_comes_out_of_gzip_and_xz(self):
        for pack in (gzip.compress, lzma.compress):
            # the kernel's build appends the unpacked size
            image = bzimage_of(pack(ELF) + struct.pack("<I", len(ELF)))
            self.assertEqual(bzimage.vmlinux(image, []), ELF)
            self.assertEqual(kernel.bootable(image), ELF)

    def test_an_unknown_payload_boots_as_it_is(self):
        image = bzimage_of(b"LZ4?" + bytes(100))
        with self.assertRaisesRegex(Failure, "4c5a343f"):
            bzimage.vmlinux(image, [])
        with mock.patch("kernel.say"):
            self.assertEqual(kernel.bootable(image), image)

    def test_no_pvh_note_no_vmlinux(self):
        image = bzimage_of(gzip.compress(b"\x7fELF" + bytes(100)))
        self.assertEqual(kernel.bootable(image), image)

    def test_what_is_no_bzimage(self):
        for image in (b"", b"MZ", bytes(5000)):
            with self.assertRaisesRegex(Failure, "HdrS"):
                bzimage.payload(image)


if __name__ == "__main__":
    unittest.main()
