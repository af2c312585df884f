#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The headers say of each function what a caller must know: the errnos it may return, each with its
cause; what it asks the kernel for; threads; kernels. Rules for many functions are in the comment that
a header begins with, or kdevx.h does: a paragraph that names patterns (`kdevx_*_get_info:`), or the
common errors, which a function's comment refers to by these words.

What the common errors say is what the library does with the errnos of the kernel's methods, and what
it refuses by itself is said somewhere.

And the headers keep to what every language can call: no bit fields, no function that is nowhere but
in the header, nothing included but each other and the standard's. The C++ ones have nothing else
under them.

usage: contract.py INCLUDE SRC
"""
import errno
import fnmatch
import pathlib
import re
import sys

MAY_FAIL = ("int", "int64_t")  # what is of another type cannot
ERRNO = re.compile(r"-(E[A-Z0-9]+)\b")
CAUSE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")
COMMON = "common errors"
ALL_COMMANDS = "errors of all commands"
ASKS = re.compile(r"\b(?:MLX5_IB_METHOD|UVERBS_METHOD|IB_USER_VERBS(?:_EX)?_CMD)_\w+|kernel's method"
                  r"|\bno kernel call|\bmmap of\b|by read and poll", re.I)
ASKS_NOTHING = re.compile(r"no call here makes a system call|None of these functions makes a system call"
                          r"|Nothing of this is a kernel call")  # of a whole header
TOPICS = {"threads": re.compile(r"\bThreads(?:\b.*kdevx\.h|: )|threads\b.*\bas in kdevx\.h"),
          "kernels": re.compile(r"\bkernels\b.*kdevx\.h|^ ?Kernel: |nothing of the kernel's here", re.M)}


def plain(comment):
    """Its text, a line for each paragraph."""
    lines = [re.sub(r"^\s*\* ?", "", line).strip() for line in comment.splitlines()]
    return "\n".join(" ".join(part.split("\n")) for part in re.split(r"\n\n+", "\n".join(lines)))


def head(text):
    """The comment that a header begins with."""
    comments = re.findall(r"/\*(.*?)\*/", text.split("#ifndef")[0], re.S)
    return plain("\n\n".join(c for c in comments if "SPDX" not in c))


PARTS = re.compile(r"/\*(?P<comment>.*?)\*/"
                   r"|KDEVX_PUBLIC(?P<type>[^;]*?)\b(?P<name>kdevx_\w+)\s*\((?P<arguments>[^;]*);"
                   r"|^(?:struct|enum)[^;{]*\{.*?^\};", re.S | re.M)


def functions(text):
    """(name, type, comment): the one above it, or above the functions directly before it."""
    body = text.split("#ifndef", 1)[1]
    for block in re.split(r"\n\s*\n", body):
        comment = ""
        for part in PARTS.finditer(block):
            if part["comment"] is not None:
                comment = plain(part["comment"])
            elif part["name"]:
                yield part["name"], part["type"].strip(), comment
            else:
                comment = ""


def rules(heads, name):
    """Paragraphs about all functions of such a name."""
    for paragraph in "\n".join(heads).splitlines():
        patterns = re.match(r"((?:kdevx_[\w*]+(?:, )?)+): ", paragraph)
        if patterns and any(fnmatch.fnmatchcase(name, p) for p in patterns[1].split(", ")):
            yield paragraph


def known_causes(include):
    return set(re.findall(r"KDEVX_CAUSE_(\w+)", (include / "failure.h").read_text()))


def wrong_words(where, text, causes):
    """Errnos that there are not; and after them, causes that there are not."""
    for name in ERRNO.findall(text):
        if not hasattr(errno, name):
            yield f"{where}: no errno {name}"
    for word in re.findall(r"-E[A-Z0-9]+(?:, -E[A-Z0-9]+)*\s+(" + CAUSE.pattern + r")\b", text):
        if len(word) > 1 and word not in causes:
            yield f"{where}: no cause {word}"


def lacks(name, kind, comment, heads, others):
    """What is not said of a function; `see object.h` says what that header begins with."""
    seen = [others[header] for header in re.findall(r"\bsee (\w+\.h)", comment)]
    said = "\n".join([comment, *rules(heads, name), *seen])
    if not said.strip():
        yield "has no comment"
    if kind not in MAY_FAIL:
        return
    refers = COMMON in comment.lower() or ALL_COMMANDS in comment
    if not ERRNO.search(said) and not refers:
        yield "names no errno, and no common errors"
    if not ASKS.search(said) and not ASKS_NOTHING.search(heads[0]):
        yield "does not tell what it asks the kernel for"


def wrong_header(path, heads, causes):
    text = path.read_text()
    found, about = list(functions(text)), heads[path.name]
    yield from wrong_words(path.name, plain(text), causes)
    may_fail = any(kind in MAY_FAIL for _, kind, _ in found)
    for topic, words in TOPICS.items():
        if (may_fail or path.name == "kdevx.h") and not words.search(about):
            yield f"{path.name}: nothing about {topic} where it begins"
    for name, kind, comment in found:
        for what in lacks(name, kind, comment, (about, heads["kdevx.h"]), heads):
            yield f"{path.name}: {name} {what}"


FORBIDDEN = {"a bit field": re.compile(r"\b\w+\s*:\s*\d+\s*[,;]"),
             "a function that is in the header only": re.compile(r"\binline\b"),
             "a function with a body": re.compile(r"\)\s*(?:KDEVX_NOEXCEPT\s*)?\{")}
STANDARD = re.compile(r"std\w+\.h|\w+")  # <stddef.h>, <cstring>


def wrong_form(path):
    """What callers in other languages cannot use, or what brings more along."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*|\\\n", "", path.read_text(), flags=re.S)
    if path.suffix == ".h":
        yield from (f"{path.name}: {what}" for what, words in FORBIDDEN.items() if words.search(code))
    for name in re.findall(r"^#include [<\"](.*?)[>\"]", code, re.M):
        if not name.startswith("kdevx/") and not STANDARD.fullmatch(name):
            yield f"{path.name} includes {name}"


def in_the_library(source):
    """errno -> causes, of the function that makes one of the other."""
    body = re.search(r"kdevx_cause cause_of\(.*?\n\}", source, re.S)[0]
    unknown = re.search(r"kdevx_cause unknown_to_the_kernel\(.*?\n\}", source, re.S)[0]
    body = body.replace("unknown_to_the_kernel", " ".join(re.findall(r"KDEVX_CAUSE_\w+", unknown)))
    found = {}
    for cases, then in re.findall(r"((?:case E\w+:[^\n]*\s*)+)(return .*?;)", body, re.S):
        for name in re.findall(r"case (E\w+)", cases):
            found[name] = set(re.findall(r"KDEVX_CAUSE_(\w+)", then))
    return found


def in_the_header(general, causes):
    """The same of the paragraph about what the kernel says."""
    paragraph = next(p for p in general.splitlines() if p.startswith("And of those that name"))
    found = {}
    for names, then in re.findall(r"((?:-E\w+(?:, )?)+)\s+(.*?)(?= -E|$)", paragraph):
        for name in ERRNO.findall(names):
            found.setdefault(name, set()).update(w for w in CAUSE.findall(then)
                                                 if w in causes - {"OTHER"})
    return found


def refused(sources):
    """(errno, cause) -> a file in which the library fails by itself in this way."""
    return {(name, cause): path.name for folder in ("base", "uverbs", "core", "capi")
            for path in sorted((sources / folder).glob("*.[ch]pp"))
            for cause, name in re.findall(r"fail\(KDEVX_CAUSE_(\w+),\s*(E[A-Z0-9]+)\b",
                                          path.read_text())}


def said(include, causes):
    """All (errno, cause) that the headers name."""
    for path in include.glob("*.h"):
        text = " ".join(plain(path.read_text()).split())
        for names, then in re.findall(r"((?:-E[A-Z0-9]+(?:, )?)+):?\s+(.*?)(?=\s-E[A-Z0-9]|$)", text):
            yield from ((name, word) for name in ERRNO.findall(names)
                        for word in CAUSE.findall(then) if word in causes)


def unsaid(include, sources, causes):
    known = set(said(include, causes))
    for (name, cause), where in sorted(refused(sources).items()):
        if (name, cause) not in known:
            yield f"no header names -{name} {cause}, of {where}"


def differences(one, other):
    for name in sorted(set(one) | set(other)):
        if one.get(name) != other.get(name):
            yield (f"-{name}: the library says {sorted(one.get(name, []))}, kdevx.h "
                   f"{sorted(other.get(name, []))}")


def main():
    include, sources = pathlib.Path(sys.argv[1]) / "kdevx", pathlib.Path(sys.argv[2])
    diagnosis = sources / "uverbs/diagnosis.cpp"
    heads = {path.name: head(path.read_text()) for path in include.glob("*.h")}
    causes, wrong, count = known_causes(include), [], 0
    for path in sorted(include.glob("*.h")):
        if path.name != "kdevx-nl.h":  # another library's, with rules of its own
            wrong += wrong_header(path, heads, causes)
            count += len(list(functions(path.read_text())))
    for path in sorted([*include.glob("*.h"), *include.rglob("*.hpp")]):
        wrong += wrong_form(path)
    wrong += unsaid(include, sources, causes)
    wrong += differences(in_the_library(diagnosis.read_text()), in_the_header(heads["kdevx.h"], causes))
    print("\n".join(wrong) or f"{count} functions")
    sys.exit(1 if wrong or not count else 0)


main()
