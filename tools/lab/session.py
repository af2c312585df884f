# SPDX-License-Identifier: MIT
"""What the guest's init tells on its control port, a line at a time (the other end: init)."""

import time


class Session:
    """The facts of one boot as far as the guest has told them."""

    def __init__(self, on_release=lambda release: None):
        self.on_release = on_release
        self.began = time.monotonic()
        self.times = []          # (word, seconds since the start)
        self.release = None      # the kernel that runs
        self.phase = "booting"
        self.missing = None      # the HCAs that did register, when some did not
        self.status = None       # of the command
        self.sizes = (0, 0)      # bytes the command wrote to stdout and stderr
        self.left = []           # processes the command left behind
        self.stuck = None        # why a module could not be unloaded
        self.taint = 0
        self.done = False
        self.partial = b""

    def feed(self, data):
        *lines, self.partial = (self.partial + data).split(b"\n")
        for line in lines:
            word, _, rest = line.decode(errors="replace").partition(" ")
            self.times.append((word, time.monotonic() - self.began))
            getattr(self, "heard_" + word)(rest)

    def heard_release(self, rest):
        self.release, self.phase = rest, "loading modules"
        self.on_release(rest)

    def heard_inserted(self, _rest):
        self.phase = "waiting for the HCAs to register"

    def heard_missing(self, rest):
        self.missing = rest.split()

    def heard_ready(self, _rest):
        self.phase = "running the command"

    def heard_left(self, rest):
        self.left = rest.split()

    def heard_exit(self, rest):
        status, out, err = map(int, rest.split())
        self.status, self.sizes, self.phase = status, (out, err), "unloading the modules"

    def heard_stuck(self, rest):
        self.stuck = rest

    def heard_taint(self, rest):
        self.taint = int(rest)

    def heard_done(self, _rest):
        self.done, self.phase = True, "ending"
