# SPDX-License-Identifier: MIT
"""Counting cases in what the test programs print, and what makes a tier fail."""

import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import counts  # noqa: E402
import excerpt  # noqa: E402
import tiers  # noqa: E402
from counts import Counts  # noqa: E402

JUNIT = """noise
<?xml version="1.0" encoding="UTF-8"?>
<testsuites><testsuite name="unit">
<testcase classname="a" name="one"/>
<testcase classname="a" name="two"><failure message="x == y">FAILED</failure></testcase>
<testcase classname="a" name="three"><skipped message="why"/></testcase>
</testsuite></testsuites>
noise"""


class Output(unittest.TestCase):
    def check(self, text, *expected):
        self.assertEqual(counts.of_output(text), Counts(*expected))

    def test_catch_console_of_both_versions(self):
        line = "=" * 79 + "\n"
        self.check(line + "All tests passed (124 assertions in 17 test cases)\n\n", 17)
        self.check(line + "All tests passed (1 assertion in 1 test case)\n", 1)
        self.check("test cases: 12 | 10 passed | 2 failed\nassertions: 3 | 1 passed\n", 10, 2)
        self.check("test cases:  4 |  2 passed | 1 failed | 1 skipped\n", 2, 1, 1)
        self.check("test cases: 3 | 2 passed | 1 failed as expected\n", 3)
        self.check("test cases: 1 | 1 failed\n", 0, 1)

    def test_junit(self):
        self.check(JUNIT, 1, 1, 1)

    def test_junit_cut_off_by_a_crash_counts_nothing(self):
        self.assertIsNone(counts.of_output(JUNIT[:200]))

    def test_unittest(self):
        self.check("....\nRan 4 tests in 0.1s\n\nOK\n", 4)
        self.check("Ran 9 tests in 1s\n\nFAILED (failures=1, errors=2, skipped=3)\n", 3, 3, 3)
        self.check("Ran 2 tests in 1s\n\nOK (skipped=1)\n", 1, 0, 1)

    def test_nothing_known(self):
        self.assertIsNone(counts.of_output("Segmentation fault\n"))


class Excerpt(unittest.TestCase):
    CATCH = ["-" * 79, "the case", "-" * 79, "vm.cpp:3", "." * 79, "", "vm.cpp:5: FAILED:",
             "  CHECK( a == b )", "with expansion:", "  1 == 2"]

    def shown(self, *lines):
        return excerpt.of("\n".join(lines))

    def test_a_failure_far_from_the_end_is_shown_with_its_case(self):
        noise = [f"noise {i}" for i in range(200)]
        shown = self.shown(*noise, *self.CATCH, *noise, "test cases: 2 | 1 passed | 1 failed")
        for line in self.CATCH:
            self.assertIn(line, shown)
        self.assertEqual(shown[-1], "test cases: 2 | 1 passed | 1 failed")
        self.assertEqual(shown[0], "...")
        self.assertLess(len(shown), 50)

    def test_durations_are_left_out(self):
        self.assertEqual(self.shown("0.013 s: a case", "12.100 s: another", "end"), ["end"])

    def test_a_short_log_is_shown_whole(self):
        self.assertEqual(self.shown("a", "b"), ["a", "b"])
        self.assertEqual(self.shown(), [])

    def test_what_counts_as_a_failure(self):
        rest = ["-"] * 100
        for line in ("FAIL: test_a (test_b.C)", "Traceback (most recent call last):",
                     "a.cpp:3:4: runtime error: shift", "==1==ERROR: AddressSanitizer: leak",
                     "[    3.1] WARNING: CPU: 0 PID: 7 at drivers/a.c:3", "a.cpp:3:9: error: no",
                     "FAILED: src/core/liba.a"):
            self.assertIn(line, self.shown(*rest, line, *rest))
        self.assertNotIn("3 failed", self.shown(*rest, "3 failed", *rest))

    def test_no_more_than_so_many(self):
        many = self.shown(*(self.CATCH + ["-"] * 50) * 100)
        self.assertEqual(many.count("vm.cpp:5: FAILED:"), excerpt.FAILURES)


class MesonLog(unittest.TestCase):
    @staticmethod
    def total(*tests):
        return counts.of_meson_log(json.dumps(test) for test in tests)

    def test_cases_where_there_are_some_else_the_test(self):
        self.assertEqual(self.total({"result": "OK", "stdout": JUNIT.replace("failure", "x")},
                                    {"result": "OK", "stdout": "fine"}, {"result": "FAIL"},
                                    {"result": "SKIP"}), Counts(3, 1, 2))

    def test_a_crash_after_good_cases_is_a_failure(self):
        self.assertEqual(self.total({"result": "ERROR", "stderr": "Ran 4 tests in 1s\n\nOK\n"}),
                         Counts(4, 1))

    def test_a_timeout_is_a_failure(self):
        self.assertEqual(self.total({"result": "TIMEOUT", "stdout": "x"}), Counts(0, 1))


class Judgement(unittest.TestCase):
    def judged(self, status, text):
        with tempfile.TemporaryDirectory() as place:
            log = pathlib.Path(place) / "log"
            log.write_text(text)
            return tiers.judge(tiers.Tier("t", ()), status, log)

    def test_a_tier_in_which_nothing_ran_failed(self):
        result = self.judged(0, "nothing\n")
        self.assertEqual(result.counts, Counts(0, 1))
        self.assertIn("no case ran", result.reason)
        self.assertEqual(self.judged(0, "Ran 3 tests in 1s\n\nOK (skipped=3)\n").counts.failed, 1)

    def test_a_bad_status_is_a_failure_whatever_was_counted(self):
        text = "All tests passed (3 assertions in 3 test cases)\nlab: the kernel warned\n"
        self.assertEqual(self.judged(120, text).counts, Counts(3, 1))
        self.assertEqual(self.judged(0, text).counts, Counts(3))

    def test_failed_cases_are_not_counted_twice(self):
        self.assertEqual(self.judged(1, "test cases: 3 | 1 passed | 2 failed\n").counts,
                         Counts(1, 2))


class Boots(unittest.TestCase):
    TEXT = "# name | HCAs | filter\n\nmain | inject=1 ; port=eth log_max_uctx=0 | ~[bf]\n"

    def test_a_line_is_a_guest_with_its_hcas_and_tests(self):
        self.assertEqual(tiers.boots(self.TEXT),
                         [tiers.Boot("main", ("inject=1", "port=eth log_max_uctx=0"), "~[bf]")])

    def test_it_becomes_a_run_of_the_lab(self):
        command = tiers.vm_tier("debian12", tiers.boots(self.TEXT)[0], tiers.BUILD).command
        self.assertEqual(command[4:], (
            "--build", str(tiers.BUILD), "--hca", "inject=1", "--hca", "port=eth log_max_uctx=0",
            "--smp", "2", "--timeout", str(tiers.VM_SECONDS), "--", "kdevx-vm-tests",
            "--durations", "yes", "~[bf]"))

    def test_every_boot_is_on_every_kernel(self):
        with tempfile.TemporaryDirectory() as place, \
                mock.patch("tiers.VM_RUNS", pathlib.Path(place) / "runs.txt"):
            tiers.VM_RUNS.write_text(self.TEXT + "bf | bf=1 | [bf]\n")
            names = [tier.name for tier in tiers.tiers(True) if tier.name.startswith("vm-")]
            quick = [tier.name for tier in tiers.tiers(False) if tier.name.startswith("vm-")]
        self.assertEqual(len(names), 6)
        self.assertEqual(quick, ["vm-backports-main", "vm-backports-bf"])


if __name__ == "__main__":
    unittest.main()
