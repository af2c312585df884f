#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Manual pages of section 3 out of the headers, whose comments are the manual of the library.

usage: header_pages.py page HEADER     prints the page kdevx-NOUN(3) of NOUN.h
       header_pages.py names HEADER... prints PAGE FUNCTION, a line for each function
"""

import pathlib
import re
import sys
import textwrap

PUBLIC = r"\b(?:KDEVX_PUBLIC|KDEVX_NL_API)\b"
WRAPPING = re.compile(r'^(#\s*(if|ifdef|ifndef|else|elif|endif|include)\b|extern "C" \{|\}$'
                      r"|#define KDEVX_(\w+_H|PUBLIC|NOEXCEPT|NL_API)\b)")
COMMENT = re.compile(r"^/\*(.*?)\*/\s*", re.S)
DATE = "November 30, 2026"
LICENCE = "SPDX-License-Identifier"


def page_of(header):
    stem = header.stem.removeprefix("kdevx-") if header.stem != "kdevx" else "api"
    return f"kdevx-{stem}"


def functions(text):
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return re.findall(PUBLIC + r"[^;]*?\b(kdevx_\w+)\s*\(", code)


def without_wrapping(text):
    """The header without what makes it one: guards, includes, linkage."""
    kept, inside = [], False
    for line in text.replace("\\\n", " ").splitlines():
        if inside or not WRAPPING.match(line):
            kept.append(line)
        # Braces of a struct; those of extern "C" are wrapping.
        opens = line.endswith("{") and not line.startswith((" ", 'extern "C"'))
        inside = (inside or opens) and line[:1] != "}"
    return "\n".join(kept)


def split(block):
    """The comments that a block begins with, and the code under them."""
    comments = []
    while found := COMMENT.match(block):
        comments.append(found.group(1))
        block = block[found.end():]
    return comments, block.rstrip()


def lines_of(comment):
    return [re.sub(r"^\s*\* ?", "", line).rstrip() if number else line.strip()
            for number, line in enumerate(comment.splitlines())]


def escaped(line):
    line = line.replace("\\", "\\e")
    return "\\&" + line if line[:1] in (".", "'") else line


def points(comment):
    """Paragraphs, and the points of lists: an errno or a `-` begins one, deeper lines go on. What
    stands apart in an example keeps its lines; those begin with a blank here."""
    lines, example = [], False
    for line in lines_of(comment):
        deep = line.startswith("     ")
        goes_on = lines[-1:] and lines[-1].startswith("- ")  # a point, in lines under its first word
        example = line.startswith("  ") and not goes_on and (
            example or not deep or lines[-1:] == [""])
        if example:
            lines.append(line)
        elif line.startswith("-") or not line.strip() or not lines or lines[-1][:1] == " ":
            lines.append(line.strip())
        else:
            lines[-1] = f"{lines[-1]} {line.strip()}".strip()
    return [line for line in lines if line.strip()]


def prose(comment):
    out = []
    for line in points(comment):
        if not line.startswith(" "):
            out += [".Pp", *sentences(line)]
        elif out[-1:] == [".Ed"]:
            out[-1:] = [escaped(line), ".Ed"]
        else:
            out += [".Bd -literal", escaped(line), ".Ed"]
    return out


def sentences(paragraph):
    """mdoc wants each sentence on a line of its own, and none too long."""
    text = re.sub(r"([.!?:;]|\.\))  ?(?=\S)", r"\1\n", " ".join(paragraph.split()))
    return [escaped(line) for sentence in text.splitlines()
            for line in textwrap.wrap(sentence, 78, break_long_words=False,
                                      break_on_hyphens=False)]


def macro_text(text):
    """Words that mdoc would take for macros of its own are those of two or three letters."""
    return " ".join(re.sub(r"^(?=[A-Z%.,:;()\[\]?!|][a-z0-9]?[a-z]?$)", r"\\&", escaped(word))
                    for word in text.replace('"', "\\(dq").split())


def trimmed(words):
    """A paragraph needs no macro where one begins anyhow."""
    return [word for word, before in zip(words, [".Pp", *words])
            if word != ".Pp" or before != ".Pp"]


def literal(code):
    code = re.sub(PUBLIC + r" ?", "", code).replace(" KDEVX_NOEXCEPT", "")
    code = re.sub(r"(?<=,)\n {16,}", "\n    ", code)
    return [".Bd -literal", *map(escaped, code.splitlines()), ".Ed"]


def description(text):
    out = []
    for block in re.split(r"\n\s*\n", without_wrapping(text)):
        comments, code = split(block.strip())
        for comment in comments:
            if LICENCE not in comment and not re.match(r"\s*----", comment):
                out += [".Pp", *prose(comment)]
        if code:
            out += literal(code)
    return trimmed(out)


def summary(text):
    """The first sentence of the header's own comment."""
    about = next(c for c in split(text.split("#ifndef")[0])[0] if LICENCE not in c)
    sentence = re.split(r"(?<=\.)\s", " ".join(" ".join(lines_of(about)).split()))[0]
    return sentence.rstrip(".:")


def page(header):
    text = header.read_text()
    names = functions(text) or [page_of(header)]
    library = "libkdevx-nl" if header.stem == "kdevx-nl" else "libkdevx"
    others = "kdevx-context" if header.stem == "kdevx" else "kdevx-api"
    return "\n".join([
        '.\\" Made from ' + header.name + ": change it there.", f".Dd {DATE}",
        f".Dt {page_of(header).upper()} 3", ".Os", ".Sh NAME",
        *(f".Nm {name} ," for name in names[:-1]), f".Nm {names[-1]}",
        f".Nd {macro_text(summary(text))}", ".Sh LIBRARY", library, ".Sh SYNOPSIS",
        f".In kdevx/{header.name}", ".Sh DESCRIPTION", *description(text), ".Sh SEE ALSO",
        ".Xr kdevx 1 ,", f".Xr {others} 3"]) + "\n"


def main(what, *headers):
    for header in map(pathlib.Path, headers):
        if what == "page":
            sys.stdout.write(page(header))
        else:
            for name in functions(header.read_text()):
                print(page_of(header), name)


main(*sys.argv[1:])
