#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints syndrome files as one C++ string: shipped.py SYNDROMES.TXT... SOFTWARE-HCA.DEF

The software HCA keeps its syndromes in a table of its own, for its own sake; each row of it becomes a
line here.
"""
import pathlib
import re
import sys

ROW = re.compile(r'^SYNDROME\(\w+,\s*(0x[0-9a-f]+),\s*"\w+",\s*"([^"]*)"\)', re.M)


def lines_of(path):
    text = path.read_text()
    if path.suffix != ".def":
        return text
    rows = ROW.findall(text)
    if len(rows) != len(re.findall(r"^SYNDROME\(", text, re.M)):
        sys.exit(f"{path}: a row is not of the form SYNDROME(name, 0xnumber, \"status\", \"text\")")
    return "".join(f"{number} | * | {meaning} | kdevx-hca\n" for number, meaning in rows)


for name in sys.argv[1:]:
    print(f'R"syndromes({lines_of(pathlib.Path(name))})syndromes"')
