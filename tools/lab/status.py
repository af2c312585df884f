# SPDX-License-Identifier: MIT
"""How lab ends: its exit statuses, its failures, and what it says on stderr."""

import sys

KERNEL_WARNED = 120  # the guest's kernel reported a warning, an oops or a hung task
UNLOAD_FAILED = 121  # mlx5_ib or mlx5_core could not be unloaded after the command
HCA_FAILED = 122     # the device model ended with an error or a sanitizer report
NO_GUEST = 123       # the guest never reached the command, or ended before the command did
TIMED_OUT = 124      # the command, or the boot, was not over at --timeout
LAB_FAILED = 125     # lab itself could not do its part: usage, network, packages, QEMU


class Failure(Exception):
    """Ends lab with a message that names the cause and what to do."""

    def __init__(self, message, status=LAB_FAILED):
        super().__init__(message)
        self.status = status


def say(text):
    print(f"lab: {text}", file=sys.stderr, flush=True)
