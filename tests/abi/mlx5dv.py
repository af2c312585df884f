#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""libkdevx-mlx5dv and libkdevx-verbs against libmlx5 and libibverbs: names with their versions,
layouts, prototypes, manual pages.

usage: mlx5dv.py TEST LIBRARY -- CC...
  names       of libkdevx-mlx5dv: table = version script = library = functions that are counted, all
              of them declared; versions as in the libmlx5 of each Debian release that has the function
  verbs       of libkdevx-verbs: version script = library = what the headers declare
  layouts     each struct and number of our headers as in each release's libibverbs-dev
  prototypes  each function's declaration fits each release's header
  porting     each function has its place in the table of docs/porting-from-libmlx5.md
  synopsis    what the manual pages declare compiles with our header and links with our library, of
              libkdevx-verbs the page of ibv_exp_post_task too

Our headers and Debian's are never on one include path: what is compared is what two programs print,
or a declaration as text.
"""
import gzip
import pathlib
import re
import subprocess
import sys
import tempfile

import debian

COMPAT = debian.ROOT / "include/compat"
HEADERS = [COMPAT / "infiniband" / name for name in ("verbs_api.h", "verbs_attr.h", "verbs.h",
                                            "mlx5dv.h")]
SOURCES = debian.ROOT / "src/compat/mlx5dv"
VERBS = debian.ROOT / "src/compat/verbs/libkdevx-verbs.map"
EXPERIMENTAL = COMPAT / "infiniband/verbs_exp.h"  # of no release
PORTING = debian.ROOT / "docs/porting-from-libmlx5.md"
OWN = re.compile("kdevx_")  # what theirs do not have
# Of these the older releases have fewer members at the end.
GROW = ("mlx5dv_context", "mlx5dv_context_attr", "mlx5dv_obj", "ibv_port_attr", "ibv_device_attr_ex")
# Theirs is a macro around a function that takes the struct of an old release.
OTHER_PROTOTYPE = {"ibv_query_port"}
TABLE = pathlib.Path(__file__).with_name("mlx5dv.txt")
SYNOPSIS_PAGES = ("obj_create", "qp_modify", "create_cmd_comp", "create_event_channel", "get_event",
                  "subscribe_devx_event", "umem_reg", "alloc_uar", "query_eqn", "obj_export",
                  "umem_export", "uar_export_dmabuf_fd")


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def table():
    rows = (line.split() for line in TABLE.read_text().splitlines() if line[:1] not in ("#", ""))
    return {name: version for version, name in rows}


def exported(library):
    """name -> versions of a library's functions."""
    text = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True,
                          check=True).stdout
    found = {}
    for kind, name, version in re.findall(r"(\w) (\w+)@@?(\S+)$", text, re.M):
        if kind != "A":
            found.setdefault(name, set()).add(version)
    return found


def version_script(path=SOURCES / "libkdevx-mlx5dv.map"):
    text = without_comments(path.read_text())
    nodes = re.findall(r"(\S+) \{\s*global:(.*?)(?:local:|\})", text, re.S)
    return {name: node for node, names in nodes for name in re.findall(r"(\w+);", names)}


# ---- our headers as text -------------------------------------------------------------------------

def our_text(headers=HEADERS):
    return "\n".join(without_comments(path.read_text()) for path in headers)


def prototypes(headers=HEADERS):
    """name -> declaration, of the functions that are not inline."""
    found = {}
    text = our_text(headers)
    for text in re.findall(r"^(?!static|#|typedef)(\w[^;{}#]*\([^;{}]*\));", text, re.M):
        name = re.search(r"(\w+)\(", text).group(1)
        found[name] = " ".join(text.split())
    return found


def members(body):
    """Of a struct or union, those of its parts by their path; a part without a name has none."""
    at = 0
    while (found := re.compile(r"\s*(?:__extension__ )?(?:(?:struct|union)\s*(\{)|([^;{}]+);)"
                               ).match(body, at)):
        at = found.end()
        if not found.group(1):
            name = re.search(r"\(\*(\w+)\)|(\w+)(?:\[\w*\])?\s*$", found.group(2))
            yield name.group(1) or name.group(2)
            continue
        depth, begin = 1, at
        while depth:
            depth += {"{": 1, "}": -1}.get(body[at], 0)
            at += 1
        part = re.compile(r"\s*(\w*)\s*;").match(body, at)
        prefix = part.group(1) and part.group(1) + "."
        yield from (prefix + m for m in members(body[begin:at - 1]))
        at = part.end()


def structs():
    """(struct, members) of each struct; what is there for the layout only is left out."""
    for name, body in re.findall(r"^struct (\w+) \{(.*?)^\};", our_text(), re.M | re.S):
        yield name, [m for m in members(body) if not m.startswith("reserved_")]


def numbers():
    text = our_text()
    for body in re.findall(r"enum (?:\w+ )?\{(.*?)\}", text, re.S):
        yield from re.findall(r"\b([A-Z]\w+)", re.sub(r"=[^,]*", "", body))
    yield from re.findall(r"#define (MLX5DV_\w+)", text)


# ---- tests ---------------------------------------------------------------------------------------

def test_names(library, _cc):
    rows, ours = table(), exported(library)
    counted = re.findall(r'^    "(\w+)",', (SOURCES / "functions.hpp").read_text(), re.M)
    wrong = [] if version_script() == rows else [differ("the version script", version_script(), rows)]
    if {name: {v} for name, v in rows.items()} != ours:
        wrong.append(f"the library exports {ours}")
    if set(rows) - set(prototypes()):
        wrong.append(f"in the table and not declared: {sorted(set(rows) - set(prototypes()))}")
    if set(counted) | {"kdevx_mlx5dv_calls"} != set(rows) or len(set(counted)) != len(counted):
        wrong.append(f"counted or in the table, not both: {sorted(set(counted) ^ set(rows))}")
    for channel in debian.CHANNELS:
        theirs = exported(debian.rdma_core(channel) / debian.LIBRARIES / "libmlx5.so.1")
        wrong += [f"{channel}: {name} is {theirs[name]} there, {rows[name]} here"
                  for name in rows if name in theirs and rows[name] not in theirs[name]]
        lacking = [name for name in theirs if "devx_" in name and "_dr_" not in name and name not in rows]
        wrong += [f"{channel}: libmlx5 has {name}" for name in lacking]
    missing = [n for n, v in rows.items() if v.startswith("MLX5") and n not in theirs]
    wrong += [f"the newest libmlx5 has no {name}" for name in missing]
    return wrong, f"{len(rows)} functions"


def meant(cell):
    """Names that a cell of the table in the porting guide may mean: `_x` is another end of a name that
    is there, a word another part of it."""
    words = re.findall(r"`(\w+)`", cell)
    names = {word for word in words if word.startswith(("mlx5dv_", "ibv_"))}
    whole = set(names)
    for word in (word for word in words if word not in whole):
        for parts in [name.split("_") for name in names]:
            if word.startswith("_"):
                names |= {"_".join(parts[:n]) + word for n in range(1, len(parts))}
            else:
                names |= {"_".join([*parts[:n], word, *parts[n + k:]])
                          for n in range(1, len(parts)) for k in (1, 2)}
    return whole, names


def test_porting(_library, _cc):
    cells = [line.split("|")[1] for line in PORTING.read_text().splitlines()
             if line.startswith("| `")]
    whole = set().union(*(meant(cell)[0] for cell in cells))
    names = set().union(*(meant(cell)[1] for cell in cells))
    ours = {name.removeprefix("_") for name in table() if not OWN.match(name)}
    wrong = [f"{name} has no row in {PORTING.name}" for name in sorted(ours - names)]
    wrong += [f"{PORTING.name} has {name}, which is not ours" for name in sorted(whole - ours)]
    return wrong, f"{len(ours)} functions in {len(cells)} rows"


def test_verbs(library, _cc):
    script, wrong = version_script(VERBS), []
    declared = set(prototypes([*HEADERS, EXPERIMENTAL])) - {"kdevx_mlx5dv_calls"}
    if {name: {node} for name, node in script.items()} != exported(library):
        wrong.append(f"the library exports {exported(library)}")
    if set(script.values()) != {"KDEVX_VERBS_0"}:
        wrong.append("a name of another version, which libibverbs' users would find")
    if set(script) != declared:
        wrong.append(f"declared or exported, not both: {sorted(set(script) ^ declared)}")
    return wrong, f"{len(script)} functions"


def differ(what, one, other):
    return f"{what}: {sorted(set(one.items()) ^ set(other.items()))}"


def printer():
    """A program that prints what is to be compared; what a header does not have, it leaves out."""
    lines = ["#include <infiniband/mlx5dv.h>", "#include <stdio.h>", "int main(void) {"]
    for name, parts in structs():
        if name not in GROW:
            lines.append(f'printf("sizeof {name} %zu\\n", sizeof(struct {name}));')
        for member in parts:
            at = f"offsetof(struct {name}, {member}), sizeof(((struct {name} *)0)->{member})"
            lines.append(f'printf("{name}.{member} %zu %zu\\n", {at});')
    lines += [f'printf("{n} %lld\\n", (long long){n});' for n in numbers()]
    return lines + ["return 0; }"]


def printed(cc, include, lines, work):
    """Its output by what each line is about. Lines that do not compile are of something newer than
    the header."""
    absent = []
    while True:
        source, program = work / "layout.c", work / "layout"
        source.write_text("\n".join(lines))
        done = subprocess.run([*cc, "-std=gnu11", f"-I{include}", source, "-o", program],
                              capture_output=True, text=True)
        if done.returncode == 0:
            break
        wrong = {int(n) - 1 for n in re.findall(r"layout\.c:(\d+):\d+: error", done.stderr)}
        if not wrong or absent:
            sys.exit(f"{include}:\n{done.stderr}")
        absent = [re.search(r'"(?:sizeof )?(\S+)', lines[n]).group(1) for n in sorted(wrong)]
        lines = [line for n, line in enumerate(lines) if n not in wrong]
    text = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return {line.rsplit(" ", line.count(" ") - line.startswith("sizeof"))[0]: line
            for line in text.splitlines()}, absent


def test_layouts(_library, cc):
    lines, wrong = printer(), []
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        ours, lacking = printed(cc, COMPAT, lines, work)
        wrong += [f"our own header lacks {name}" for name in lacking]
        for channel in debian.CHANNELS:
            theirs, absent = printed(cc, debian.rdma_core(channel) / "usr/include", lines, work)
            wrong += [f"{channel}: {theirs[key]}; ours {ours[key]}" for key in theirs
                      if theirs[key] != ours[key]]
            print(f"{channel}: {len(theirs)} compared, {len(absent)} newer than it")
        wrong += [f"the newest header lacks {name}" for name in absent]
    return wrong, f"{len(ours)} structs, members and numbers"


def compile_text(cc, include, text, *more):
    with tempfile.TemporaryDirectory() as directory:
        source = pathlib.Path(directory) / "text.c"
        source.write_text(text)
        return subprocess.run([*cc, "-std=gnu11", "-Wall", "-Wextra", "-Wno-unused", "-Werror",
                               f"-I{include}", source, "-o", f"{directory}/text", *more],
                              capture_output=True, text=True)


def test_prototypes(_library, cc):
    wrong, compared = [], 0
    for channel in debian.CHANNELS:
        include = debian.rdma_core(channel) / "usr/include"
        theirs = "".join((include / "infiniband" / n).read_text() for n in ("mlx5dv.h", "verbs.h"))
        known = {n: p for n, p in prototypes().items()
                 if re.search(rf"\b{n}\(", theirs) and n not in OTHER_PROTOTYPE}
        compared += len(known)
        text = "#include <infiniband/mlx5dv.h>\n" + "".join(f"#undef {n}\n{p};\n"
                                                            for n, p in known.items())
        done = compile_text(cc, include, text, "-c")
        if done.returncode:
            wrong.append(f"{channel}:\n{done.stderr}")
        print(f"{channel}: {len(known)} declarations")
    missing = set(prototypes()) - set(known) - OTHER_PROTOTYPE
    wrong += [f"the newest header has no {name}" for name in sorted(missing) if not OWN.match(name)]
    return wrong, f"{compared} declarations"


def synopsis(page):
    """The code of a manual page's SYNOPSIS, as it is."""
    text = gzip.open(page, "rt").read()
    text = re.search(r"SYNOPSIS(.*?)\n\.SH", text, re.S).group(1)
    text = re.sub(r"\\f\[?\w*\]?|\\f\w", "", text)
    return re.sub(r"^\.\w+.*$", "", text, flags=re.M).replace("\\-", "-").replace("\\(aq", "'")


def declarations(text):
    """(functions, structs) of a synopsis. Some pages lack the semicolon after a prototype."""
    text = re.sub(r"#include.*|//.*", "", without_comments(text))
    bodies = re.findall(r"struct (\w+) (\{.*?\n\})", text, re.S)
    text = re.sub(r"(struct|enum) \w+ \{.*?\n\};?", "", text, flags=re.S)
    functions = re.findall(r"((?:struct|int|void|ssize_t)[\w\s\*]*?\b_?(?:mlx5dv|ibv)_\w+\s*\([^)]*\))", text)
    return functions, bodies


# Its page came with MLNX_OFED and is packaged no more.
POST_TASK = """
struct ibv_exp_task {
    enum ibv_exp_task_type task_type;
    struct {
        struct ibv_qp *qp;
        union {
            struct ibv_exp_send_wr *send_wr;
            struct ibv_recv_wr *recv_wr;
        };
    } item;
    struct ibv_exp_task *next;
    uint32_t comp_mask;
};
int ibv_exp_post_task(struct ibv_context *context, struct ibv_exp_task *task_list,
                      struct ibv_exp_task **bad_task);
"""


def page_texts(packages):
    """(page, its synopsis) of those that a release has."""
    for name in SYNOPSIS_PAGES:
        path = packages / f"usr/share/man/man3/mlx5dv_devx_{name}.3.gz"
        if path.exists():
            yield name, synopsis(path)


def prototypes_of_pages(packages):
    """name -> declaration, of all functions in the synopses of a release."""
    texts = [declarations(text)[0] for _, text in page_texts(packages)]
    return {re.search(r"(\w+)\s*\(", f).group(1): " ".join(f.split()) for fs in texts for f in fs}


def synopses(library):
    found = list(page_texts(debian.rdma_core(debian.CHANNELS[-1])))
    missing = set(SYNOPSIS_PAGES) - {name for name, _ in found}
    if missing:
        sys.exit(f"the newest release has no page {missing}")
    for name, text in found:
        yield name, "mlx5dv.h", text
    if "kdevx-verbs" in library:
        yield "ibv_exp_post_task", "verbs_exp.h", POST_TASK


def test_synopsis(library, cc):
    wrong, total, pages = [], 0, list(synopses(library))
    for name, header, text in pages:
        functions, bodies = declarations(text)
        total += len(functions)
        names = [re.search(r"(\w+)\s*\(", f).group(1) for f in functions]
        lines = [f"#include <infiniband/{header}>", "#include <stdio.h>"]
        lines += [f"{' '.join(f.split())};" for f in functions]
        for struct, body in bodies:  # a second definition, by another name, of the same layout
            same = [f"sizeof(struct {struct})"]
            same += [f"offsetof(struct {struct}, {member})" for member in members(
                without_comments(re.sub(r"//.*", "", body)).strip("{}\n "))]
            lines += [f"struct man_{struct} {body};"]
            lines += [f'_Static_assert({one.replace("struct ", "struct man_")} == {one}, "{one}");'
                      for one in same]
        lines += ["int main(void) {", *(f'printf("%p", (void *){n});' for n in names), "return 0; }"]
        done = compile_text(cc, COMPAT, "\n".join(lines) + "\n", library)
        if done.returncode or not functions:
            wrong.append(f"{name}: {done.stderr or 'no function in its synopsis'}")
    return wrong, f"{total} functions of {len(pages)} pages"


def main():
    split = sys.argv.index("--")
    test, library = sys.argv[1:split]
    wrong, summary = globals()[f"test_{test}"](library, sys.argv[split + 1:])
    print("\n".join(wrong) or summary)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
