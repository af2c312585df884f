# SPDX-License-Identifier: MIT
"""The device models: one kdevx-hca process per HCA of the guest."""

import os
import pathlib
import re
import subprocess
import time

import process
from status import HCA_FAILED, Failure

START_SECONDS = 20
END_SECONDS = 10  # a device model whose QEMU has gone ends by itself
SHOWN = 60           # lines of its stderr, enough for a sanitizer report
LISTENING = 0x10000  # __SO_ACCEPTCON in /proc/net/unix
SANITIZER = re.compile(rb"ERROR: \w+Sanitizer|runtime error:|WARNING: \w+Sanitizer")


def parse_options(text):
    """The words `key=value` of one --hca, separated by commas or spaces."""
    words = re.split(r"[,\s]+", text.strip()) if text.strip() else []
    for word in words:
        if not re.fullmatch(r"[A-Za-z_][\w.-]*=\S+", word):
            raise Failure(f"--hca: {word!r} is not key=value")
    return words


def program(build):
    given = os.environ.get("KDEVX_HCA")
    path = pathlib.Path(given) if given else build / "tools/hca/kdevx-hca" if build else None
    if path is None or not os.access(path, os.X_OK):
        where = f"{path} cannot be run" if path else "there is no build directory"
        raise Failure(f"no device model: {where}; build the project, name its build directory "
                      "with --build, or set KDEVX_HCA; --no-hca boots without one")
    return path.resolve()


class Hca:
    """One device model: its process, socket, log and what it wrote to stderr."""

    def __init__(self, binary, place, index, options, control=None):
        self.name = f"hca{index}"
        # A doorbell that carries its WQE is several writes. If they were posted, the processor could
        # be many WQEs ahead of them; QEMU held up in the middle of one would then look like the end
        # of a plain doorbell, which stands for all of those.
        self.blueflame = "bf=1" in options
        self.socket = place / f"{self.name}.sock"
        self.log = place / f"{self.name}.log"
        self.errors = place / f"{self.name}.stderr"
        command = [str(binary), "--socket", str(self.socket), "--log", str(self.log)]
        command += ["--control", str(control)] if control else []
        command += [f"index={index}"]
        with open(self.errors, "wb") as errors:
            self.process = process.start([*command, *options], stdout=errors, stderr=errors)

    def wait_listening(self):
        """Waits until the socket listens, seen in /proc: a connection would be taken for QEMU."""
        end = time.monotonic() + START_SECONDS
        while not is_listening(self.socket):
            if self.process.poll() is not None:
                raise Failure(f"{self.name} ended at once with status {self.process.returncode}"
                              + self.complaint(), HCA_FAILED)
            if time.monotonic() > end:
                raise Failure(f"{self.name} does not listen after {START_SECONDS} s", HCA_FAILED)
            time.sleep(0.005)

    def complaint(self):
        text = self.errors.read_bytes().decode(errors="replace").rstrip()
        return "".join("\n  " + line for line in text.splitlines()[-SHOWN:])

    def end(self):
        """Lets the process end after its client has gone; returns what was wrong, or None."""
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.stop(self.process)
            return f"{self.name} did not end {END_SECONDS} s after QEMU had"
        return self.fault()

    def stop(self):
        process.stop(self.process)

    def fault(self):
        """What is wrong with the process by its exit status and sanitizer reports, or None."""
        status = self.process.poll()
        if status:
            return f"{self.name} ended with status {status}{self.complaint()}"
        if SANITIZER.search(self.errors.read_bytes()):
            return f"{self.name}: a sanitizer reported{self.complaint()}"
        return None


def is_listening(path):
    with open("/proc/net/unix") as table:
        next(table)
        for line in table:
            fields = line.split()
            if len(fields) > 7 and fields[7] == str(path):
                return bool(int(fields[3], 16) & LISTENING)
    return False
