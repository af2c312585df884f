# SPDX-License-Identifier: MIT
"""The guest's kernel console: kept in a file, and looked through for what must not be there."""

import re

TROUBLE = re.compile(
    r"WARNING: |\bBUG: |kernel BUG at|Oops[: ]|UBSAN: |KASAN: |KCSAN: |KFENCE: |"
    r"INFO: task .* blocked for more than|rcu: INFO: |general protection fault[,:]|"
    r"Kernel panic|refcount_t: |list_(?:add|del) corruption|possible circular locking|"
    r"unable to handle|Unable to handle|soft lockup|hard LOCKUP|scheduling while atomic|"
    r"Call Trace:|bad page|Bad page|leaked\b.*\bobjects|DMA-API:")
END = "lab: end"
DUMP = "lab: kernel log"
# WARN, die (oops), lockup and bad page: bits of /proc/sys/kernel/tainted
TAINTS = {5: "bad page", 7: "oops", 9: "warning", 14: "lockup"}
SHOWN = 30


class Console:
    """Takes the serial line's bytes as they come."""

    def __init__(self, log, mirror=None):
        self.log = log
        self.mirror = mirror
        self.partial = b""
        self.lines = []
        self.ended = False   # the guest's last line has come: nothing it said before is missing
        self.dumped = False  # what follows repeats the kernel's log

    def feed(self, data):
        self.log.write(data)
        self.log.flush()
        if self.mirror:
            self.mirror.write(data)
            self.mirror.flush()
        *lines, self.partial = (self.partial + data).split(b"\n")
        for line in lines:
            self.line(line.decode(errors="replace").rstrip("\r"))

    def line(self, text):
        self.dumped = self.dumped or DUMP in text
        self.ended = self.ended or text.rstrip().endswith(END)
        if not self.dumped:
            self.lines.append(text)

    def trouble(self):
        """The lines from the first that must not be there on, or nothing."""
        for number, text in enumerate(self.lines):
            if TROUBLE.search(text):
                return self.lines[number:number + SHOWN]
        return []

    def tail(self):
        return [line for line in self.lines if line.strip()][-SHOWN:]


def taint_names(value):
    return [name for bit, name in TAINTS.items() if value >> bit & 1]
