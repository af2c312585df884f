# SPDX-License-Identifier: MIT
"""What of a failed tier's log is shown: every failure with the lines about it, then the log's end.

A log of some hundred cases ends in their durations; who sees nothing but the closing lines does
not learn which case failed.
"""

import re

BEFORE = 6     # lines shown ahead of a failure: the case and the section it is in
AFTER = 12     # and after it: the expansion, the values, the trace
FAILURES = 20  # so many failures are shown
LAST = 20      # and so many of the log's closing lines

FAILURE = re.compile(r": FAILED:?$|^(FAIL|ERROR): |^Traceback |: runtime error: |ERROR: \w+Sanitizer"
                     r"|\b(WARNING|BUG): |SIG[A-Z]+ - |^FAILED: |: error: ")
DURATION = re.compile(r"^\d+\.\d+ s: ")


def of(text):
    """The lines of a log to show, with `...` where some are left out."""
    lines = [line for line in text.splitlines() if not DURATION.match(line)]
    failures = [i for i, line in enumerate(lines) if FAILURE.search(line)][:FAILURES]
    chosen = {i for at in failures for i in range(at - BEFORE, at + AFTER + 1)}
    chosen |= set(range(len(lines) - LAST, len(lines)))
    return list(joined(lines, sorted(i for i in chosen if 0 <= i < len(lines))))


def joined(lines, chosen):
    expected = 0
    for i in chosen:
        if i != expected:
            yield "..."
        yield lines[i]
        expected = i + 1
