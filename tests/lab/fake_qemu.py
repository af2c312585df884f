#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stands in for QEMU: reads lab's command line and plays the guest that FAKE_GUEST names.

It connects to the device models' sockets, as QEMU does, and speaks on the ports it was given.
"""

import json
import os
import re
import socket
import sys
import time


def options(argv, name):
    return [value for option, value in zip(argv, argv[1:]) if option == name]


def ports(argv):
    found = (re.match(r"socket,id=(\w+),fd=(\d+)", text) for text in options(argv, "-chardev"))
    return {m[1]: socket.socket(fileno=int(m[2])) for m in found}


def connect_devices(argv):
    links = []
    for text in options(argv, "-device"):
        if text.startswith("{"):
            link = socket.socket(socket.AF_UNIX)
            link.connect(json.loads(text)["socket"]["path"])
            links.append(link)
    return links


class Guest:
    def __init__(self, argv):
        self.links = connect_devices(argv)
        self.port = ports(argv)

    def tell(self, *lines):
        self.port["control"].sendall("".join(line + "\n" for line in lines).encode())

    def console(self, text):
        self.port["console"].sendall(text.encode() + b"\n")

    def boot(self):
        self.tell("release 1.2.3-fake", "inserted", "ready")

    def finish(self, status=0, out=b"", err=b"", taint=0):
        self.tell(f"exit {status} {len(out)} {len(err)}", f"taint {taint}", "done")
        # After `done`, on purpose: the ports are not ordered among each other.
        time.sleep(0.05)
        self.port["out"].sendall(out)
        self.port["err"].sendall(err)
        self.console("[ 9.9] lab: end")
        time.sleep(60)


def plain(guest):
    guest.boot()
    guest.finish(7, bytes(range(256)) * 1000, b"to stderr\n")


def warned(guest):
    guest.boot()
    guest.console("[ 1.0] WARNING: CPU: 0 PID: 1 at x.c:1")
    guest.finish(3)


def tainted(guest):
    guest.boot()
    guest.finish(0, taint=1 << 9)


def stuck(guest):
    guest.boot()
    guest.tell("stuck rmmod: mlx5_ib: Resource temporarily unavailable")
    guest.finish()


def missing(guest):
    guest.tell("release 1.2.3-fake", "inserted", "missing mlx5_0 ")
    time.sleep(60)


def panic(guest):
    guest.boot()
    guest.console("[ 2.0] Kernel panic - not syncing: test")


def gone(guest):
    guest.console("[ 0.1] hello")


def hang(guest):
    guest.boot()
    guest.port["out"].sendall(b"before\n")
    time.sleep(600)


def echo(guest):
    guest.boot()
    data = b""
    while chunk := guest.port["stdin"].recv(4096):
        data += chunk
    guest.finish(0, data.upper())


def left(guest):
    guest.boot()
    guest.tell("left 12 13")
    guest.finish()


def devices(guest):
    """Gives back how lab made the devices that have a structure for an option."""
    guest.boot()
    found = [text for text in options(sys.argv, "-device") if text.startswith("{")]
    guest.finish(0, "\n".join(found).encode())


def config(guest):
    """Gives back the configuration and command that lab put into the initramfs."""
    guest.boot()
    with open(options(sys.argv, "-initrd")[0], "rb") as initrd:
        data = initrd.read()
    found = re.findall(rb"channel='[^\0]*unload=[^\0]*|#!/lab/bin/bash\ncd /root[^\0]*", data)
    guest.finish(0, b"\n".join(found))


if __name__ == "__main__":
    if "vfio-user-pci,help" in sys.argv:
        sys.exit(int(os.environ.get("FAKE_OLD", "0")))
    globals()[os.environ["FAKE_GUEST"]](Guest(sys.argv))
