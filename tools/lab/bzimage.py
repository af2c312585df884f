# SPDX-License-Identifier: MIT
"""Cuts the vmlinux out of a bzImage: booted by its PVH note it saves the decompressor's seconds."""

import lzma
import struct
import subprocess
import zlib

from status import Failure

SETUP_SECTS, MAGIC, PAYLOAD_OFFSET, PAYLOAD_LENGTH = 0x1f1, 0x202, 0x248, 0x24c


def payload(image):
    """The compressed payload, found by the fields of the boot protocol's setup header."""
    if len(image) < 0x260 or image[MAGIC:MAGIC + 4] != b"HdrS":
        raise Failure("not a bzImage: it has no HdrS header")
    start = ((image[SETUP_SECTS] or 4) + 1) * 512
    offset, = struct.unpack_from("<I", image, PAYLOAD_OFFSET)
    length, = struct.unpack_from("<I", image, PAYLOAD_LENGTH)
    return image[start + offset:start + offset + length]


def vmlinux(image, zstd):
    """The ELF file inside; zstd is the command line of a zstd program."""
    packed = payload(image)
    if packed[:6] == b"\xfd7zXZ\0":
        return lzma.LZMADecompressor().decompress(packed)
    if packed[:2] == b"\x1f\x8b":
        return zlib.decompressobj(31).decompress(packed)
    if packed[:4] == b"\x28\xb5\x2f\xfd":
        return unzstd(packed, zstd)
    raise Failure(f"the kernel image's payload is compressed with something unknown "
                  f"({packed[:4].hex()}); gzip, xz and zstd are known")


def unzstd(packed, zstd):
    # The kernel build appends the unpacked size to the frame; zstd takes that for a broken frame.
    done = subprocess.run([*zstd, "-dcq"], input=packed[:-4], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise Failure(f"zstd cannot unpack the kernel: {done.stderr.decode().strip()}")
    return done.stdout


def has_pvh_note(elf):
    """Whether QEMU can enter this ELF file directly (XEN_ELFNOTE_PHYS32_ENTRY, type 18)."""
    return elf[:4] == b"\x7fELF" and struct.pack("<III", 4, 8, 18) + b"Xen\0" in elf \
        or struct.pack("<III", 4, 4, 18) + b"Xen\0" in elf
