#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares kinds, sizes and mandatory of kabi/ with the declarations in a kernel's source.

The headers have the numbers only. The source is KDEVX_KERNEL_SOURCE, an unpacked tree or Debian's
linux-source-*.tar.xz; without it the newest of /usr/src/linux-source-*.tar.xz.
"""
import glob
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIP = 77
FILES = ["drivers/infiniband/core/uverbs_std_types*.c", "drivers/infiniband/hw/mlx5/*.c"]
# The size that the kernel writes as sizeof, where it is not a plain number.
SIZES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "struct ib_uverbs_sge": 16,
         "struct ib_uverbs_query_port_resp_ex": 48, "struct ib_uverbs_gid_entry": 32,
         "struct ib_uverbs_qp_cap": 20, "struct mlx5_ib_match_params": 640,
         "struct ib_uverbs_destroy_cq_resp": 8, "struct ib_uverbs_destroy_qp_resp": 4,
         "struct ib_uverbs_destroy_srq_resp": 4, "struct mlx5_ib_uapi_query_port": 40,
         "struct mlx5_ib_alloc_ucontext_resp": 72, "general_obj_in_cmd_hdr": 16,
         "general_obj_out_cmd_hdr": 16, "set_add_copy_action_in_auto": 8,
         "set_pp_rate_limit_context": 48, "struct ib_uverbs_buffer_desc": 32}
# Declared PTR_IN, but its handler writes through the pointer.
ODD = {"MLX5_IB_ATTR_STEERING_ANCHOR_FT_ID"}
# One number under two names: the source uses the name of the other method.
ALIAS = {("MLX5_IB_METHOD_DESTROY_FLOW", "MLX5_IB_ATTR_CREATE_FLOW_HANDLE"):
         "MLX5_IB_ATTR_DESTROY_FLOW_HANDLE",
         ("MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY", "MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE"):
         "MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE",
         ("MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY", "MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN"):
         "MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN"}


def arguments(text):
    """Of a macro call, split at the commas of the outermost level."""
    depth, current = 0, ""
    for c in text:
        depth += {"(": 1, ")": -1}.get(c, 0)
        if c == "," and depth == 0:
            yield current.strip()
            current = ""
        else:
            current += c
    yield current.strip()


def calls(text, macro):
    for match in re.finditer(rf"\b{macro}\s*\(", text):
        depth, end = 1, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield list(arguments(text[match.end():end - 1]))


def size_of(expression):
    name = re.sub(r"^(sizeof|MLX5_ST_SZ_BYTES|MLX5_UN_SZ_BYTES)\s*\(\s*(.*?)\s*\)$", r"\2",
                  expression)
    return int(name) if name.isdigit() else SIZES[name]


def extent(spec):
    macro, inside = re.match(r"(UVERBS_ATTR_\w+)\s*\((.*)\)$", spec).groups()
    first, *rest = arguments(inside)
    if macro == "UVERBS_ATTR_TYPE":
        return size_of(first), size_of(first)
    if macro == "UVERBS_ATTR_SIZE":
        return size_of(first), size_of(rest[0])
    return size_of(first), 0xffff  # MIN_SIZE, STRUCT


def row(attr):
    macro, inside = re.match(r"UVERBS_ATTR_(\w+)\s*\((.*)\)$", attr).groups()
    name, *rest = arguments(inside) if inside else [""]
    mandatory = "UA_MANDATORY" in rest
    if macro in ("PTR_IN", "PTR_OUT"):
        return name, macro.lower(), *extent(rest[0]), mandatory
    if macro in ("CONST_IN", "FLAGS_IN", "RAW_FD"):
        return name, macro.lower(), 0, 0, mandatory
    if macro == "ENUM_IN":
        return name, "enum_in", None, None, mandatory
    if macro == "IDRS_ARR":
        least, most = (4 * (int(n) if n.isdigit() else 2) for n in rest[2:4])
        return name, "handles", least, most, mandatory
    access = rest[1]
    kinds = {"IDR": {"UVERBS_ACCESS_NEW": "new_handle", "UVERBS_ACCESS_DESTROY": "destroy"},
             "FD": {"UVERBS_ACCESS_NEW": "new_fd"}}
    return name, kinds[macro].get(access, {"IDR": "handle", "FD": "fd"}[macro]), 0, 0, mandatory


def declared(text):
    """{(method, attribute): row} of one source file."""
    found = {}
    methods = [(a[0], a[1:]) for m in ("DECLARE_UVERBS_NAMED_METHOD",
                                       "DECLARE_UVERBS_NAMED_METHOD_DESTROY")
               for a in calls(text, m)]
    methods += [(a[2], a[3:]) for a in calls(text, "ADD_UVERBS_ATTRIBUTES_SIMPLE")]
    for method, attrs in methods:
        for attr in attrs:
            if attr.startswith("UVERBS_ATTR_UHW"):
                found[method, "UVERBS_ATTR_UHW_IN"] = ("UVERBS_ATTR_UHW_IN", "ptr_in", 0, 0xffff, 0)
                found[method, "UVERBS_ATTR_UHW_OUT"] = ("", "ptr_out", 0, 0xffff, 0)
            else:
                r = row(attr)
                found[method, ALIAS.get((method, r[0]), r[0])] = r
    return found


def tables(generator):
    lines = subprocess.run([generator, "--rows"], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    for line in lines:
        method, attr, kind, least, most, mandatory, since = line.split()
        yield method, attr, (kind, int(least), int(most), int(mandatory)), since


def differences(generator, source):
    for method, attr, mine, since in tables(generator):
        if (method, attr) not in source:
            if since == "6.1":  # every kernel that can be asked is newer
                yield f"{method}: {attr} is not in the source"
            continue
        _, kind, least, most, mandatory = source[method, attr]
        theirs = (kind, mine[1] if least is None else least, mine[2] if most is None else most,
                  int(mandatory))
        if mine[0] == "ptr_out":  # the kernel checks the least only
            theirs = (*theirs[:2], mine[2], theirs[3])
        if attr not in ODD and mine != theirs:
            yield f"{method}: {attr}: ours {mine}, the kernel's {theirs}"
    known = {(m, a) for m, a, *_ in tables(generator)}
    methods = {m for m, _ in known}
    for method, attr in source:
        if method in methods and (method, attr) not in known:
            yield f"{method}: {attr} of the source is not in kabi/"


def unpack(archive, where):
    patterns = [f"*/{f}" for f in FILES]
    subprocess.run(["tar", "xf", archive, "-C", where, "--wildcards", *patterns], check=True)
    return next(pathlib.Path(where).iterdir())


def read(tree):
    found = {}
    for pattern in FILES:
        for path in tree.glob(pattern):
            text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
            text = "\n".join(l for l in text.split("\n") if not l.lstrip().startswith("#"))
            found |= declared(re.sub(r"\s+", " ", text))
    return found


def main():
    generator = sys.argv[1]
    source = os.environ.get("KDEVX_KERNEL_SOURCE") or max(
        glob.glob("/usr/src/linux-source-*.tar.xz"), default=None)
    if not source:
        print("skipped: no kernel source; install linux-source or set KDEVX_KERNEL_SOURCE")
        sys.exit(SKIP)
    with tempfile.TemporaryDirectory() as work:
        tree = pathlib.Path(source)
        found = read(tree if tree.is_dir() else unpack(source, work))
    wrong = list(differences(generator, found))
    print("\n".join(wrong) or f"{len(found)} attributes of {source} agree")
    sys.exit(1 if wrong else 0)


main()
