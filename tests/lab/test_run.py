# SPDX-License-Identifier: MIT
"""`lab run` as its users see it: output, exit statuses, timeouts, nothing left behind.

QEMU and the device model are stand-ins (fake_qemu.py, fake_hca.py); the rest is the real lab.
"""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import support

HERE = pathlib.Path(__file__).parent
MODULES = {"mlx5_core.ko": support.module("mlx5_core"),
           "ib_uverbs.ko": support.module("ib_uverbs", "ib_core"),
           "ib_core.ko": support.module("ib_core"),
           "ib_umad.ko": support.module("ib_umad", "ib_core"),
           "mlx5_ib.ko": support.module("mlx5_ib", "ib_core,mlx5_core")}


def alive(marker):
    """Processes whose environment has the marker."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if marker.encode() in (process / "environ").read_bytes():
                found.append(process.name)
        except OSError:
            continue
    return found


class Lab(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """A cache with the guest's programs, shared: each run then finds its base archive there."""
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.cache = pathlib.Path(place.name)
        programs = cls.cache / "userland" / "usr" / "bin"
        programs.mkdir(parents=True)
        for name in ("busybox", "bash-static"):
            (programs / name).write_text("#!/bin/sh\necho sh\necho env\n")
            (programs / name).chmod(0o755)
        (cls.cache / "vmlinux").write_bytes(b"\x7fELF")
        support.write_build(cls.cache / "build")
        support.write_modules(cls.cache / "modules", MODULES)

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name)
        self.temporary = self.root / "tmp"
        self.temporary.mkdir()
        self.modules = self.cache / "modules"

    def command(self, *options, command=("true",), verb="run"):
        kernel = f"{self.cache}/vmlinux,{self.modules}"
        return [str(support.LAB / "lab"), verb, "--kernel", kernel,
                "--build", f"{self.cache}/build", *options, "--", *command]

    def environment(self, guest, **more):
        return {"PATH": os.environ["PATH"], "KDEVX_CACHE": str(self.cache),
                "KDEVX_QEMU": str(HERE / "fake_qemu.py"), "KDEVX_HCA": str(HERE / "fake_hca.py"),
                "TMPDIR": str(self.temporary), "FAKE_GUEST": guest, **more}

    def kept_logs(self):
        return sorted(self.cache.glob("logs/*"))

    def lab(self, guest, *options, command=("true",), feed=None, **more):
        done = subprocess.run(self.command(*options, command=command), input=feed,
                              env=self.environment(guest, **more), capture_output=True, timeout=50)
        self.assertEqual(list(self.temporary.iterdir()), [], "left in the temporary directory")
        self.assertEqual(alive(str(self.temporary)), [], "processes left")
        return done.returncode, done.stdout, done.stderr.decode()


class Statuses(Lab):
    def test_the_commands_output_and_status_pass_unchanged(self):
        before = self.kept_logs()
        status, out, err = self.lab("plain")
        self.assertEqual((status, out), (7, bytes(range(256)) * 1000))
        self.assertIn("to stderr\n", err)
        self.assertIn("lab: kernel 1.2.3-fake\n", err)
        self.assertEqual(self.kept_logs(), before)

    def test_a_kernel_warning_fails_and_is_shown(self):
        status, _, err = self.lab("warned")
        self.assertEqual(status, 120)
        self.assertIn("WARNING: CPU: 0 PID: 1 at x.c:1", err)
        self.assertIn("own exit status was 3", err)
        logs = pathlib.Path(err.split("logs: ")[1].strip())
        self.assertIn("WARNING", (logs / "console.log").read_text())

    def test_a_taint_fails_even_if_the_console_lost_the_warning(self):
        status, _, err = self.lab("tainted")
        self.assertEqual(status, 120)
        self.assertIn("tainted by: warning", err)

    def test_a_panic_is_a_kernel_warning(self):
        status, _, err = self.lab("panic")
        self.assertEqual(status, 120)
        self.assertIn("Kernel panic", err)

    def test_modules_that_stay(self):
        status, _, err = self.lab("stuck")
        self.assertEqual(status, 121)
        self.assertIn("mlx5_ib: Resource temporarily unavailable", err)

    def test_an_hca_that_does_not_register(self):
        status, _, err = self.lab("missing", "--hca", "a=1", "--hca", "b=2")
        self.assertEqual(status, 123)
        self.assertIn("(mlx5_0 did)", err)

    def test_a_guest_that_ends_early(self):
        status, _, err = self.lab("gone")
        self.assertEqual(status, 123)
        self.assertIn("while booting", err)
        self.assertIn("[ 0.1] hello", err)

    def test_processes_left_behind_are_named(self):
        status, _, err = self.lab("left")
        self.assertEqual(status, 0)
        self.assertIn("(pids 12, 13)", err)


class Hcas(Lab):
    def test_a_device_model_that_cannot_start(self):
        status, _, err = self.lab("plain", FAKE_HCA="dead")
        self.assertEqual(status, 122)
        self.assertIn("cannot: deliberately", err)

    def test_a_device_model_that_crashes_ends_the_run(self):
        began = time.monotonic()
        status, _, err = self.lab("hang", FAKE_HCA="crash")
        self.assertEqual(status, 122)
        self.assertIn("hca0 ended with status -6", err)
        self.assertLess(time.monotonic() - began, 300)

    def test_a_sanitizer_report_fails_the_run(self):
        status, _, err = self.lab("plain", FAKE_HCA="sanitizer")
        self.assertEqual(status, 122)
        self.assertIn("runtime error: index 9", err)

    def test_a_device_model_that_stays_is_ended(self):
        status, _, err = self.lab("plain", FAKE_HCA="stays")
        self.assertEqual(status, 122)
        self.assertIn("did not end", err)

    def test_options_reach_each_device_model(self):
        status, _, err = self.lab("warned", "--hca", "port=ib,ports=2", "--hca", "port=eth x=y",
                                  "--link", "--control", f"{self.root}/c")
        self.assertEqual(status, 120)
        logs = pathlib.Path(err.split("logs: ")[1].strip())
        first, second = ((logs / f"hca{i}.log").read_text() for i in (0, 1))
        self.assertIn(f"--control {self.root}/c index=0 port=ib ports=2 link=", first)
        self.assertIn(f"--control {self.root}/c.1 index=1 port=eth x=y link=", second)
        self.assertEqual(first.split("link=")[1], second.split("link=")[1])

    def test_none(self):
        self.assertEqual(self.lab("plain", "--no-hca", FAKE_HCA="dead")[0], 7)


class Ends(Lab):
    def test_a_hang_ends_at_the_timeout(self):
        began = time.monotonic()
        status, out, err = self.lab("hang", "--timeout", "5")
        self.assertEqual((status, out), (124, b"before\n"))
        self.assertIn("not over after 5 s, while running the command", err)
        self.assertLess(time.monotonic() - began, 300)

    def test_signals_leave_nothing_behind(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with subprocess.Popen(self.command(), env=self.environment("hang"),
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as lab:
                self.assertEqual(lab.stdout.readline(), b"before\n")
                lab.send_signal(number)
                lab.communicate(timeout=20)
            self.assertEqual(lab.returncode, 128 + number)
            self.assertEqual(list(self.temporary.iterdir()), [])
            self.assertEqual(alive(str(self.temporary)), [])

    def test_a_killed_lab_takes_its_processes_with_it(self):
        with subprocess.Popen(self.command(), env=self.environment("hang"),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as lab:
            self.assertEqual(lab.stdout.readline(), b"before\n")
            lab.kill()
        end = time.monotonic() + 10
        while alive(str(self.temporary)) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(alive(str(self.temporary)), [])
        self.lab("plain")  # looks for leftovers itself: the next run has removed them

    def test_a_reader_that_goes_away_ends_the_run(self):
        with subprocess.Popen(self.command(), env=self.environment("plain"),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as lab:
            lab.stdout.close()
            lab.stderr.read()
        self.assertEqual(lab.returncode, 128 + signal.SIGPIPE)
        self.assertEqual(list(self.temporary.iterdir()), [])


class Inputs(Lab):
    def test_stdin_goes_in_when_asked_for(self):
        status, out, _ = self.lab("echo", "--stdin", feed=b"abc" * 50000)
        self.assertEqual((status, out), (0, b"ABC" * 50000))

    def test_words_of_the_command_reach_the_guest_as_they_are(self):
        words = ("a b", "$HOME", "it's", "--", "")
        _, out, _ = self.lab("config", "--env", "X=1 2", command=words)
        self.assertIn(b"""exec 'a b' '$HOME' 'it'"'"'s' -- ''""", out)
        self.assertIn(b"export X='1 2'", out)

    def test_what_is_loaded_and_waited_for(self):
        _, out, _ = self.lab("config", "--hca", "a=1", "--hca", "a=2", "--no-unload")
        self.assertIn(b"modules='mlx5_core ib_core ib_uverbs ib_umad mlx5_ib'\nhcas=2\nunload=0",
                      out)
        _, out, _ = self.lab("config", "--load", "core")
        self.assertIn(b"modules=mlx5_core\nhcas=0\nunload=1", out)

    def test_only_with_blueflame_the_processor_waits_for_its_writes(self):
        _, out, _ = self.lab("devices", "--hca", "a=1", "--hca", "port=eth bf=1", "--hca", "bf=0")
        waits = [json.loads(line).get("x-no-posted-writes", False) for line in out.splitlines()]
        self.assertEqual(waits, [False, True, False])

    def test_overlays_and_tools_come_after_the_base(self):
        overlay = self.root / "overlay"
        overlay.mkdir()
        (overlay / "marker").write_text("channel='over' unload=0")
        _, out, _ = self.lab("config", "--overlay", str(overlay), "--tool", "/bin/true")
        self.assertIn(b"channel='over' unload=0", out)


class Refusals(Lab):
    def refused(self, text, *options, guest="plain", **more):
        status, out, err = self.lab(guest, *options, **more)
        self.assertEqual((status, out), (125, b""))
        self.assertIn(text, err)

    def test_bad_options(self):
        self.refused("'port' is not key=value", "--hca", "port")
        self.refused("no such directory", "--overlay", "/nowhere")
        self.refused("no program /nowhere", "--tool", "/nowhere")
        self.refused("no configured Meson build", "--build", "/nowhere")
        self.refused("invalid choice", "--load", "some")
        self.refused("unrecognized arguments", "--frobnicate")
        self.refused("needs a command", command=())

    def test_bad_programs(self):
        self.refused("10.1 or newer", FAKE_OLD="1")
        self.refused("cannot run QEMU", KDEVX_QEMU="/nowhere/qemu")
        self.refused("cannot be run", KDEVX_HCA="/nowhere/hca")

    def test_a_kernel_without_the_modules(self):
        self.modules = self.root / "modules"
        support.write_modules(self.modules, dict(list(MODULES.items())[:-1]))
        self.refused("no module mlx5_ib")

    def test_a_cache_that_cannot_be_made(self):
        self.refused("set KDEVX_CACHE", KDEVX_CACHE="/proc/nowhere")


if __name__ == "__main__":
    unittest.main()
