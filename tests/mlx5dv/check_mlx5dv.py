#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program of libmlx5's, and rdma-core's own, as they are and with libkdevx-mlx5dv preloaded; the
same program built for libkdevx-verbs, and one that has both; and how many system calls a first
command takes. One guest, a case for each part of the program.

Takes arguments for `lab run` after `--` (for instance `-- --kernel debian12`). rdma-core is that of
a Debian release: the kernel's own, and for the newest kernel the next release's. With KDEVX_M32,
a build directory for 32 bits, static programs of that are run on the 64-bit kernel too.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "abi"))
import debian  # noqa: E402
import mlx5dv  # noqa: E402
import sizes  # noqa: E402

SMALL = HERE.parent / "small"
BIN = "usr/local/bin"
# System calls from a process's start to the answer to its first command: by path, by name. Four of
# those by path are the library's, the others the libc's to begin with (glibc: 14).
LIMITS = {"musl": (12, 20), "glibc": (18, 24)}
NEWEST = debian.CHANNELS[-1]
NOT_REACHED = {"mlx5dv_pp_free"}  # the software HCA has no packet pacing
RELEASES = {"debian12": "debian12", "debian13": "debian13"}
M32 = os.environ.get("KDEVX_M32")
M32_CC = "i686-linux-gnu-gcc"
OPTIONS = []
PARTS = ("open", "general commands", "event queue numbers", "objects", "asynchronous queries",
         "ends of objects", "event channels", "memory", "pages of the device",
         "memory of the device", "VAR, packet pacing, ports", "verbs objects", "a QP of libmlx5's",
         "export and import", "verbs objects of an Ethernet port", "close")


def option(name, default):
    return OPTIONS[OPTIONS.index(name) + 1] if name in OPTIONS else default


def compiled(*words, cc="gcc"):
    done = subprocess.run([cc, "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", *words,
                           "-Wl,--allow-shlib-undefined"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"the program does not compile:\n{done.stderr}")


def manual(packages, target):
    """A header with what the SYNOPSIS of each manual page of that release declares, and a macro for
    each function that is declared; a program that includes it uses them as they are declared there."""
    functions = mlx5dv.prototypes_of_pages(packages)
    target.write_text("#include <infiniband/mlx5dv.h>\n" + "".join(
        f"{text};\n#define SYNOPSIS_{name} 1\n" for name, text in functions.items()))
    return set(functions)


def build(packages, sources, target, *more):
    """A program of libmlx5's, with the headers and libraries of that release."""
    libraries = packages / debian.LIBRARIES
    compiled("-isystem", packages / "usr/include", *sources, "-o", target,
             libraries / "libmlx5.so.1", libraries / "libibverbs.so.1", *more)


def build_for_verbs(sources, target, *more):
    """The same with nothing of rdma-core's."""
    library = pathlib.Path(option("--build", debian.ROOT / "build")) / "src/compat/verbs"
    compiled(f"-I{debian.ROOT}/include/compat", *sources, "-o", target,
             library / "libkdevx-verbs.so.0", *more)


def build_m32(root, declarations):
    """Static, of 32 bits: the program for libkdevx-verbs, and the least that a program does."""
    libraries = pathlib.Path(M32) / "src"
    compiled(f"-I{debian.ROOT}/include/compat", "-static", "-include", declarations, *sorted(HERE.glob("*.c")),
             "-o", root / BIN / "program_verbs.m32", libraries / "compat/verbs/libkdevx-verbs.a",
             cc=M32_CC)
    sizes.static_program("m32", [M32_CC], libraries / "capi/libkdevx.a",
                         root / BIN / "first_command.m32")


def build_by_name(packages, work, target):
    """A program that is linked with libc only, and looks for what this release has of the table."""
    theirs = mlx5dv.exported(packages / debian.LIBRARIES / "libmlx5.so.1")
    rows = [(version, name) for name, version in mlx5dv.table().items()
            if version in theirs.get(name, ())]
    (work / "functions.h").write_text("".join(f'{{"{v}", "{n}"}},\n' for v, n in rows))
    subprocess.run(["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", f"-I{work}",
                    HERE / "by_name/by_name.c", "-o", target], check=True)
    return {version for version, _ in rows}, len(rows)


def sections(text, sign):
    """What follows each line that begins with the sign, by the line."""
    words = re.split(rf"^{sign} (.*)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(words[::2], words[1::2]))


def needed(program):
    text = subprocess.run(["readelf", "-d", program], capture_output=True, text=True,
                          check=True).stdout
    return re.findall(r"NEEDED.*\[(.*)\]", text)


def imported(program):
    text = subprocess.run(["nm", "-D", "-u", program], capture_output=True, text=True,
                          check=True).stdout
    return set(re.findall(r" U (\w+)", text))


class Preloaded(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        kernel = option("--kernel", "backports")
        packages = debian.rdma_core(RELEASES.get(kernel, NEWEST))
        cls.old_header = kernel == "debian12"
        with tempfile.TemporaryDirectory() as place:
            root = pathlib.Path(place)
            program = root / BIN / "program"
            program.parent.mkdir(parents=True)
            theirs, ours = root / "theirs.h", root / "ours.h"
            cls.declared = manual(packages, theirs)
            manual(debian.rdma_core(NEWEST), ours)
            build(packages, sorted(HERE.glob("*.c")), program, "-include", theirs)
            build(packages, [SMALL / "first_command_verbs.c"], root / BIN / "first_command_verbs")
            cls.versions, cls.by_version = build_by_name(packages, root, root / BIN / "by_name")
            verbs = root / BIN / "program_verbs"
            build_for_verbs(sorted(HERE.glob("*.c")), verbs, "-include", ours)
            cls.needed = needed(verbs)
            theirs = root / debian.LIBRARIES / "libtheirs.so"
            theirs.parent.mkdir(parents=True)
            build(packages, [HERE / "together/theirs.c"], theirs, "-shared", "-fPIC",
                  "-Wl,-soname,libtheirs.so")
            build_for_verbs([HERE / "together/together.c"], root / BIN / "together", theirs)
            archive = pathlib.Path(option("--build", debian.ROOT / "build")) / "src/capi/libkdevx.a"
            for libc in LIMITS:
                sizes.static_program(libc, ["gcc"], archive, root / BIN / f"first_command.{libc}")
            if M32:
                build_m32(root, ours)
            cls.used = imported(program) & set(mlx5dv.table())
            shutil.copy(HERE / "in_guest", root / "in_guest")
            done = subprocess.run(
                [debian.LAB, "run", "--timeout", "240", "--hca", "", "--hca", "port=eth",
                 "--overlay", packages, "--overlay", place, *OPTIONS, "--", "sh", "/in_guest"],
                capture_output=True, text=True, timeout=300)
        cls.status, cls.log = done.returncode, done.stderr
        cls.runs = sections(done.stdout, "#")

    def ran(self, name):
        found = self.runs.get(f"{name} 0")
        why = self.text(f"{name}.err") if found is None else ""
        self.assertIsNotNone(found, f"{name} failed: {why}; there are: {list(self.runs)}\n{self.log}")
        return found

    def text(self, name):
        """What it printed, whatever its status."""
        found = [text for key, text in self.runs.items() if key.rsplit(" ", 1)[0] == name]
        self.assertTrue(found, f"{name} did not run\n{self.log}")
        return found[0]

    def calls(self, name):
        return {f: int(n) for f, n in re.findall(r"kdevx: (\w+): (\d+) calls", self.text(name + ".err"))}

    def test_the_guest_ended_well(self):
        self.assertEqual(self.status, 0, self.log)

    def test_the_program_ended_well(self):
        for name in ("program", "program.preloaded", "program.verbs"):
            self.assertEqual(list(sections(self.ran(name), "@")), list(PARTS))

    def check(self, part):
        plain = sections(self.text("program"), "@").get(part)
        taken_over = sections(self.text("program.preloaded"), "@").get(part)
        alone = sections(self.text("program.verbs"), "@").get(part)
        self.assertNotIn("(wrong)", plain or "(wrong)")
        self.assertEqual(plain, taken_over)
        # What an old release's header has no name for, the program does at the end of a part.
        self.assertEqual(plain, alone[:len(plain)] if self.old_header else alone)

    def test_every_function_of_the_program_is_ours(self):
        self.assertGreater(len(self.used), 30)
        self.assertEqual(self.used - set(self.calls("program.preloaded")), NOT_REACHED)
        self.assertEqual(self.calls("program"), {})

    def test_what_the_manual_declares_is_called(self):
        """Each function of a SYNOPSIS, declared as it is there, by either program."""
        self.assertGreaterEqual(len(self.declared), 30)
        for name in ("program.preloaded", "program.verbs"):
            self.assertEqual(self.declared - set(self.calls(name)), set(), name)

    def test_it_needs_nothing_of_rdma_core(self):
        self.assertEqual(sorted(self.needed), ["libc.so.6", "libkdevx-verbs.so.0"])

    def test_both_libraries_in_one_process(self):
        """Whichever is loaded first, each part of it has the library that it was linked with."""
        for name in ("together", "together.theirs_first"):
            text = self.ran(name)
            self.assertNotIn("(wrong)", text)
            self.assertIn("object of another library", text)
            self.assertIn("ours ends: 0", text)

    def test_devinfo_is_the_same(self):
        self.assertEqual(self.ran("devinfo"), self.ran("devinfo.preloaded"))
        self.assertIn("hca_id:\tmlx5_1", self.ran("devinfo"))

    def test_libmlx5_itself_comes_to_us(self):
        """It asks for capabilities while it opens a context."""
        self.assertGreater(self.calls("devinfo.preloaded").get("mlx5dv_devx_general_cmd", 0), 0)

    def test_pingpong_goes_on_over_libmlx5s_queues(self):
        """Both ends are preloaded, and check the data."""
        self.assertIn("100 iters in", self.ran("pingpong.preloaded"))
        self.assertEqual(self.ran("pingpong.server"), "")
        self.assertGreater(self.calls("pingpong.preloaded").get("mlx5dv_devx_general_cmd", 0), 0)

    def test_a_program_that_looks_up_names_is_taken_over(self):
        self.assertEqual(self.ran("by_name"), self.ran("by_name.preloaded"))
        self.assertGreater(self.calls("by_name.preloaded").get("mlx5dv_devx_umem_reg", 0), 0)
        # Opening the context is libmlx5's affair, and sends commands of its own by way of us.
        self.assertGreater(self.calls("by_name.preloaded").get("ibv_close_device", 0), 0)

    def test_and_one_that_looks_them_up_by_version(self):
        """Each function of libmlx5's by the MLX5_1.x that it has there."""
        self.assertGreaterEqual(len(self.versions), 5)
        self.assertGreater(self.by_version, 30)
        for name, ours in (("by_name", 0), ("by_name.mlx5dv", 0), ("by_name.preloaded", self.by_version)):
            self.assertIn(f"by version, in libkdevx-mlx5dv: {ours}\n", self.text(name + ".err"))

    def test_it_is_not_unless_it_is_asked_for(self):
        self.assertEqual(self.ran("by_name"), self.ran("by_name.mlx5dv"))
        self.assertNotIn("mlx5dv_devx_umem_reg", self.calls("by_name.mlx5dv"))

    def system_calls(self, name):
        """Up to the answer: the last ioctl of the uverbs file."""
        self.ran(name)
        lines = [line for line in self.text(name + ".err").splitlines() if "(" in line]
        return 1 + max(n for n, line in enumerate(lines) if "RDMA_VERBS_IOCTL" in line)

    def test_few_system_calls(self):
        for libc, (by_path, by_name) in LIMITS.items():
            self.ran(f"life.{libc}")
            counts = (self.system_calls(f"path.{libc}"), self.system_calls(f"name.{libc}"))
            print(f"{libc}: {counts[0]} system calls by path, {counts[1]} by name")
            self.assertLessEqual(counts[0], by_path, self.text(f"path.{libc}.err"))
            self.assertLessEqual(counts[1], by_name, self.text(f"name.{libc}.err"))
            self.assertEqual(counts[1], self.system_calls(f"second.{libc}"))  # of how many ever
        theirs = self.system_calls("libmlx5")
        print(f"libibverbs and libmlx5: {theirs}")
        self.assertGreater(theirs, 100)


def of_32_bits(self):
    """On the kernel of 64 bits they do what those of 64 do."""
    self.ran("life.m32")
    expected = sections(self.ran("program.verbs"), "@")
    expected["export and import"] = "this libmlx5 has them: 0\n"  # found by dlopen only
    self.assertEqual(sections(self.ran("program.m32"), "@"), expected)


if M32:
    Preloaded.test_programs_of_32_bits = of_32_bits


def add_case(name):
    words = re.sub(r"\W+", "_", name)
    setattr(Preloaded, f"test_part_{words}", lambda self: self.check(name))


for _part in PARTS:
    add_case(_part)

if __name__ == "__main__":
    if "--" in sys.argv:
        at = sys.argv.index("--")
        OPTIONS, sys.argv = sys.argv[at + 1:], sys.argv[:at]
    unittest.main(verbosity=2)
