#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the tables of include/kdevx/prm with the kernel's own mlx5_ifc.h, at compile time.

The headers of a kernel are a directory that contains mlx5_ifc.h, or include/linux/mlx5/mlx5_ifc.h.
They are taken from --headers, else from KDEVX_KERNEL_HEADERS (directories separated by ':', oldest
first), else from the lab, which fetches those of Debian 12 and of the newest kernel it knows.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LAB = ROOT / "tools/lab/lab"
LAB_KERNELS = ("debian12", "backports")
HELP = """give directories with mlx5_ifc.h, oldest first, by one of
    meson configure BUILD -Dkernel_headers=DIR,DIR
    KDEVX_KERNEL_HEADERS=DIR:DIR
(they are in Debian's linux-headers-*-common packages, below usr/src/*/include/linux/mlx5)"""


def fetch_from_lab():
    found = []
    for kernel in LAB_KERNELS:
        run = subprocess.run([LAB, "headers", "--kernel", kernel], capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"no kernel headers: '{LAB} headers --kernel {kernel}' failed:\n"
                     f"{run.stderr}\n{HELP}")
        found.append(run.stdout.split("\n")[-2])
    return found


def mlx5_directory(given):
    for below in (".", "include/linux/mlx5", "linux/mlx5"):
        if (pathlib.Path(given) / below / "mlx5_ifc.h").is_file():
            return pathlib.Path(given) / below
    sys.exit(f"no kernel headers: {given} has no mlx5_ifc.h\n{HELP}")


def find_headers(given):
    given = given or [d for d in os.environ.get("KDEVX_KERNEL_HEADERS", "").split(":") if d]
    return [mlx5_directory(d) for d in given or fetch_from_lab()]


def without_comments(text):
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S))


def enums_of(path):
    """The enums of a header that includes half the kernel, without the rest of it."""
    number = r"(?:MLX5_\w+|(?:0[xX])?[0-9a-fA-F]+[uUlL]*|BIT|BIT_ULL|[()|<+\s-])+"
    one = rf"\s*[A-Z]\w*\s*(?:={number})?"
    text = without_comments(path.read_text())
    return "\n".join(re.findall(rf"^enum\s*\w*\s*\{{{one}(?:,{one})*,?\s*\}};", text, re.M))


def layouts_of(path):
    """A header of layouts as it is, but for what C++ does not take: a flexible array inside."""
    text = re.sub(r"^#include[^\n]*", "", without_comments(path.read_text()), flags=re.M)
    guard = re.search(r"#ifndef (\w+)", text).group(1)
    return f"#undef {guard}\n" + text.replace("[]", "[0]")


def one_header(directory):
    """What stands inside a namespace: the layouts, and the enums of other headers."""
    layouts = ("mlx5_ifc_fpga.h", "mlx5_ifc.h", "mlx5_ifc_vdpa.h")
    enums = ("device.h", "driver.h", "qp.h", "cq.h")
    return "\n".join([layouts_of(directory / n) for n in layouts] +
                     [enums_of(directory / n) for n in enums])


def tables(extra):
    """Every layout and every table of numbers, by the text of the headers."""
    ours = sorted((ROOT / "include/kdevx/prm").glob("*.hpp"))
    lines = [f'#include "{h}"' for h in ours + extra] + ["#define ALL_TABLES \\"]
    for h in ours + extra:
        text = h.read_text()
        for variable, name in re.findall(r'^inline constexpr layout (\w+)\{\s*"(\w+)"', text, re.M):
            if h in ours and variable != name:
                sys.exit(f"{h}: the layout {variable} calls itself {name}")
            lines.append(f'    LAYOUT("{h.name}", {variable}) \\')
        for variable in re.findall(r"^inline constexpr values (\w+)\{", text, re.M):
            lines.append(f"    VALUES({variable}) \\")
    return "\n".join(lines) + "\n\n"


def marked(files, mark):
    return [line for f in files for line in re.findall(rf"^// {mark}: (.*)$", f.read_text(), re.M)]


def compare(compiler, headers, extra, work):
    """All complaints, one per line."""
    compiler = [*compiler, "-std=c++20", f"-I{ROOT / 'include'}", f"-I{HERE}", f"-I{work}"]
    (work / "tables.inc").write_text(tables(extra))
    listed = (HERE / "ifc_exceptions.txt").read_text()
    (work / "exceptions").write_text("\n".join([listed, *marked(extra, "exception"), ""]))
    for i, h in enumerate(headers):
        (work / f"header_{i}.h").write_text(one_header(h))
    walk, checks = work / "ifc_checks", work / "checks.cpp"
    subprocess.run([*compiler, HERE / "ifc_checks.cpp", "-o", walk], check=True)
    printed = subprocess.run([walk, work / "exceptions", str(len(headers))], capture_output=True,
                             text=True)
    checks.write_text(printed.stdout)
    compiled = subprocess.run([*compiler, "-fsyntax-only", "-w", "-ferror-limit=0"
                               if "clang" in compiler_name(compiler) else "-fmax-errors=0", checks],
                              capture_output=True, text=True)
    print(f"{printed.stdout.count('static_assert(')} comparisons with {' and '.join(map(str, headers))}")
    complaints = re.findall(r"error: (.*)", compiled.stderr) + printed.stderr.splitlines()
    if not complaints and (compiled.returncode or printed.returncode):
        complaints = [compiled.stderr + printed.stderr]
    return complaints


def compiler_name(compiler):
    run = subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()[0]


def judge_wrong(complaints, expected):
    """Every table that is wrong on purpose is named, and no other."""
    missed = [e for e in expected if not any(e in c for c in complaints)]
    other = [c for c in complaints if not any(e in c for e in expected)]
    for m in missed:
        print(f"not found: {m}")
    for o in other:
        print(f"not expected: {o}")
    return not missed and not other and bool(expected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--headers", action="append", default=[], help="a kernel's; oldest first")
    parser.add_argument("--wrong", action="append", default=[], type=pathlib.Path,
                        help="a header with tables that the comparison must find wrong")
    parser.add_argument("compiler", nargs="+")
    options = parser.parse_args()
    headers = find_headers(options.headers)
    wrong = [w.resolve() for w in options.wrong]
    with tempfile.TemporaryDirectory() as work:
        complaints = compare(options.compiler, headers, wrong, pathlib.Path(work))
    if wrong:
        good = judge_wrong(complaints, marked(wrong, "expect"))
        print(f"{len(complaints)} wrong tables and lines found")
    else:
        good = not complaints
        print("\n".join(complaints) or "all agree")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
