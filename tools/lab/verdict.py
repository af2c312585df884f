# SPDX-License-Identifier: MIT
"""What a run comes to: its exit status, and why."""

import console
from status import (HCA_FAILED, KERNEL_WARNED, NO_GUEST, TIMED_OUT, UNLOAD_FAILED)


def faults(guest, hca_faults, timed_out, timeout):
    """(status, text) of all that went wrong apart from the command, the gravest first."""
    session, kernel = guest.session, guest.console
    found = [(HCA_FAILED, text) for text in hca_faults]
    found += kernel_faults(session, kernel)
    if timed_out:
        found.append((TIMED_OUT, f"not over after {timeout:g} s, while {session.phase}"))
    elif session.missing is not None:
        there = ", ".join(session.missing) or "none"
        found.append((NO_GUEST, f"the kernel did not register every HCA ({there} did)"
                                + indented(kernel.tail())))
    elif not session.done and not found:
        found.append((NO_GUEST, f"the guest ended while {session.phase}"
                                + indented(kernel.tail()) + qemu_said(guest)))
    if session.stuck:
        found.append((UNLOAD_FAILED, f"a module could not be unloaded: {session.stuck}"))
    return found


def kernel_faults(session, kernel):
    lines, taints = kernel.trouble(), console.taint_names(session.taint)
    if lines:
        return [(KERNEL_WARNED, "the kernel warned:" + indented(lines))]
    if taints:
        return [(KERNEL_WARNED, f"the kernel is tainted by: {', '.join(taints)}")]
    return []


def indented(lines):
    return "".join("\n  " + line for line in lines)


def qemu_said(guest):
    with open(guest.errors, errors="replace") as text:
        return indented(text.read().splitlines()[-10:])
