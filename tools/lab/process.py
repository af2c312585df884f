# SPDX-License-Identifier: MIT
"""Child processes that never outlive lab."""

import contextlib
import ctypes
import signal
import subprocess

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)


def tie_to_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def start(command, **options):
    """Starts a process in a session of its own (the terminal's Ctrl-C is lab's alone to handle)
    that the kernel ends when lab dies, however lab dies."""
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True,
                            preexec_fn=tie_to_parent, **options)


def stop(process):
    """Ends a process without asking it: a guest that hangs never powers off."""
    if process.poll() is None:
        process.kill()
    process.wait()


@contextlib.contextmanager
def stopping(process):
    """Ends the process with the block, if it has not ended by itself."""
    try:
        yield process
    finally:
        stop(process)
