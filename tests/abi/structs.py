#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the tables of queue elements with the C structs of the kernel's qp.h and device.h.

structs.txt says which row is which member; the compiler says where the member is. The headers are
found as ifc.py finds them; those of the newest kernel count.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import ifc

HEADERS = ("qp.h", "device.h")
TABLES = ("wqe.hpp", "cqe.hpp", "bsf.hpp")
PROGRAM = """
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include "kdevx/prm/bsf.hpp"
#include "kdevx/prm/cqe.hpp"
#include "kdevx/prm/mkey.hpp"
#include "kdevx/prm/wqe.hpp"
#define struct_group(name, ...) struct { __VA_ARGS__ }
#define DECLARE_FLEX_ARRAY(type, name) type name[0]
namespace kernel {
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using __be16 = u16;
using __be32 = u32;
using __be64 = std::uint64_t;
%(structs)s
}
using namespace kdevx;
int compared = 0, wrong = 0;
std::set<std::string> named;

void complain(const prm::layout_base &l, const std::string &what) {
    std::printf("%%s: %%s\\n", std::string(l.name).c_str(), what.c_str());
    ++wrong;
}
void begin(const prm::layout_base &l, std::size_t size) {
    named.clear();
    if (l.size != size) complain(l, "has " + std::to_string(l.size) + " bytes, the struct " + std::to_string(size));
}
void row(const prm::layout_base &l, const char *path, bool fills, std::size_t at, std::size_t size) {
    const prm::place p = prm::find_place(l, path);
    named.insert(path);
    ++compared;
    if (p.row.name.empty()) return complain(l, std::string("no row ") + path);
    const std::uint64_t from = p.row.first_bit(), to = p.row.end_bit();
    const bool good = fills ? from == at * 8 && to == (at + size) * 8
                            : from >= at * 8 && to <= (at + size) * 8;
    if (!good) complain(l, std::string(path) + " is not where its member is");
}
void all_named(const prm::layout_base &l, const prm::layout_base &part, const std::string &prefix) {
    for (const prm::field &f : part.rows) {
        const std::string path = prefix + std::string(f.name);
        if (f.nested) all_named(l, *f.nested, path + ".");
        else if (!named.count(path)) complain(l, path + " is not in structs.txt");
    }
}
int main() {
%(checks)s
    std::printf("%%d rows compared\\n", compared);
    return wrong != 0 || compared == 0;
}
"""


def structs_of(path):
    """The structs at the top level of a header, in their order, that need no other header."""
    text = ifc.without_comments(path.read_text())
    found = {}
    for m in re.finditer(r"^struct (\w+) \{\n.*?^\}[^;\n]*;", text, re.M | re.S):
        found[m.group(1)] = m.group(0)
    return found


def parse(path):
    """[(layout, struct, [(members, fills, rows)])], and the layouts without a struct."""
    layouts, without = [], []
    for line in path.read_text().splitlines():
        line = line.split("#")[0].rstrip()
        if not line:
            continue
        if line.startswith("none "):
            without += re.split(r"\s{3,}", line[5:])[0].split()
        elif line.startswith(" "):
            members, sign, rows = re.match(r"\s+([^=:]+?)\s*([=:])\s*(.*)", line).groups()
            layouts[-1][2].append((members.split(), sign == "=", rows.split()))
        else:
            layouts.append((*line.split(), []))
    return layouts, without


def checks_of(layouts):
    lines = []
    for layout, struct, members in layouts:
        table, kernel = f"prm::{layout}", f"kernel::{struct}"
        lines.append(f"    begin({table}, sizeof({kernel}));")
        for names, fills, rows in members:
            at = f"offsetof({kernel}, {names[0]})"
            size = " + ".join(f"sizeof(std::declval<{kernel}>().{n})" for n in names)
            lines += [f'    row({table}, "{r}", {str(fills).lower()}, {at}, {size});' for r in rows]
        lines.append(f'    all_named({table}, {table}, "");')
    return lines


def forgotten(layouts, without):
    """Layouts of the tables that structs.txt does not mention."""
    known = {layout for layout, _, _ in layouts} | set(without)
    prm = ifc.ROOT / "include/kdevx/prm"
    ours = {n for t in TABLES
            for n in re.findall(r"^inline constexpr layout (\w+)\{", (prm / t).read_text(), re.M)}
    return sorted(ours - known)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--headers", action="append", default=[], help="a kernel's; oldest first")
    parser.add_argument("compiler", nargs="+")
    options = parser.parse_args()
    directory = ifc.find_headers(options.headers)[-1]
    layouts, without = parse(ifc.HERE / "structs.txt")
    if forgotten(layouts, without):
        sys.exit(f"not in structs.txt: {' '.join(forgotten(layouts, without))}")
    available = {}
    for header in HEADERS:
        available |= structs_of(directory / header)
    wanted = [struct for _, struct, _ in layouts] + ["mlx5_bsf_inl"]  # a part of mlx5_bsf
    missing = [s for s in wanted if s not in available]
    if missing:
        sys.exit(f"{directory} has no struct {' '.join(missing)}")
    structs = "\n".join(text for name, text in available.items() if name in wanted)
    with tempfile.TemporaryDirectory() as work:
        source, program = pathlib.Path(work) / "structs.cpp", pathlib.Path(work) / "structs"
        source.write_text(PROGRAM % {"structs": structs, "checks": "\n".join(checks_of(layouts))})
        subprocess.run([*options.compiler, "-std=c++20", "-w", f"-I{ifc.ROOT / 'include'}", source,
                        "-o", program], check=True)
        run = subprocess.run([program], text=True, capture_output=True)
    print(f"{directory}\n{run.stdout}", end="")
    sys.exit(run.returncode)


main()
