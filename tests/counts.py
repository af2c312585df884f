# SPDX-License-Identifier: MIT
"""Counts test cases in what test programs print: Catch2's reporters, Python's unittest, meson's log."""

import dataclasses
import json
import re
import xml.etree.ElementTree as xml


@dataclasses.dataclass(frozen=True)
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other):
        return Counts(self.passed + other.passed, self.failed + other.failed,
                      self.skipped + other.skipped)

    def __str__(self):
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"

    def judged(self, well):
        """With a failure added where the program failed and no case of it did (a crash)."""
        return self if well or self.failed else self + Counts(failed=1)


def of_output(text):
    """The cases a program reports, or None where it reports none in a known form."""
    for form in (of_junit, of_catch, of_unittest):
        counts = form(text)
        if counts is not None:
            return counts
    return None


def of_junit(text):
    found = re.search(r"<testsuites?\b.*</testsuites?>", text, re.DOTALL)
    try:
        cases = list(xml.fromstring(found[0]).iter("testcase")) if found else None
    except xml.ParseError:
        return None
    if cases is None:
        return None
    failed = sum(any(case.find(tag) is not None for tag in ("failure", "error")) for case in cases)
    skipped = sum(case.find("skipped") is not None for case in cases)
    return Counts(len(cases) - failed - skipped, failed, skipped)


def of_catch(text):
    """The last line of Catch2's console and compact reporters, of version 2 and 3."""
    good = re.findall(r"^All tests passed \(.* in (\d+) test cases?\)", text, re.MULTILINE)
    mixed = re.findall(r"^test cases: *(\d+)((?: *\| *\d+ [a-z ]+)*)", text, re.MULTILINE)
    if mixed:
        parts = {what.strip(): int(n) for n, what in re.findall(r"(\d+) ([a-z ]+)", mixed[-1][1])}
        expected = parts.get("failed as expected", 0)
        return Counts(parts.get("passed", 0) + expected, parts.get("failed", 0),
                      parts.get("skipped", 0))
    return Counts(passed=int(good[-1])) if good else None


def of_unittest(text):
    ran = re.findall(r"^Ran (\d+) tests? in ", text, re.MULTILINE)
    if not ran:
        return None
    ended = re.findall(r"^(?:OK|FAILED)(?: \((.*)\))?$", text, re.MULTILINE)
    parts = dict(part.split("=") for part in ended[-1].split(", ")) if ended and ended[-1] else {}
    failed = sum(int(parts.get(name, 0)) for name in ("failures", "errors", "unexpected successes"))
    skipped = int(parts.get("skipped", 0))
    return Counts(int(ran[-1]) - failed - skipped, failed, skipped)


def of_meson_log(lines):
    """The cases of a meson testlog.json: those a test reports, or the test itself as one."""
    total = Counts()
    for test in map(json.loads, lines):
        result = test["result"]
        if result == "SKIP":
            total += Counts(skipped=1)
            continue
        well = result in ("OK", "EXPECTEDFAIL")
        output = test.get("stdout", "") + "\n" + test.get("stderr", "")
        reported = of_output(output)
        total += reported.judged(well) if reported else Counts(int(well), int(not well))
    return total
