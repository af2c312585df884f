#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stands in for kdevx-hca: serves one client, and fails as FAKE_HCA says."""

import os
import signal
import socket
import sys


def option(name):
    return sys.argv[sys.argv.index(name) + 1]


def main():
    how = os.environ.get("FAKE_HCA", "good")
    if how == "dead":
        sys.exit("cannot: deliberately")
    with open(option("--log"), "w") as log:
        print(*sys.argv, file=log)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(option("--socket"))
    listener.listen(1)
    client, _ = listener.accept()
    if how == "crash":
        os.kill(os.getpid(), signal.SIGABRT)
    while client.recv(4096):
        pass
    if how == "sanitizer":
        print("x.cpp:1:2: runtime error: index 9 out of bounds", file=sys.stderr)
    if how == "stays":
        signal.pause()


if __name__ == "__main__":
    main()
