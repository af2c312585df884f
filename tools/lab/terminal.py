# SPDX-License-Identifier: MIT
"""The terminal of `lab shell`: raw while the guest has it, and the same as before afterwards."""

import contextlib
import shlex
import shutil
import sys
import termios
import tty

from status import Failure


@contextlib.contextmanager
def raw():
    """Hands every key to the guest, Ctrl-C too."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Failure("lab shell needs a terminal; use lab run")
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setraw(sys.stdin)
        # lab's own lines on stderr still end where a terminal expects it
        settings = termios.tcgetattr(sys.stdin)
        settings[1] |= termios.OPOST
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, settings)
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def sized(command):
    """The command, started on a guest terminal as large as this one."""
    columns, rows = shutil.get_terminal_size()
    line = " ".join(map(shlex.quote, command))
    return ["sh", "-c", f"stty rows {rows} columns {columns}; exec {line}"]
