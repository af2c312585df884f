#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs the library somewhere, and builds a C and a C++ program against what was installed: shared
by pkg-config, and fully static; and one of libmlx5's functions. Each is run, with no device about."""
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM_C = """
#include <kdevx/kdevx.h>
int main(void) {
    struct kdevx_failure why = {0};
    struct kdevx_context *c = 0;
    int r = kdevx_context_open_path("/dev/null", 0, &c, &why);
    return !(r < 0 && why.cause == KDEVX_CAUSE_NOT_MLX5 && kdevx_version()[0]);
}
"""
PROGRAM_CXX = """
#include <kdevx/kdevx.hpp>
int main() {
    kdevx::result<kdevx::context> c = kdevx::context::open_path("/dev/null");
    return !(!c && c.failure().cause == KDEVX_CAUSE_NOT_MLX5);
}
"""

PROGRAM_MLX5DV = """
#include <errno.h>
#include <infiniband/mlx5dv.h>
int main(void) {
    struct ibv_context c = {.cmd_fd = 1000};
    char in[16] = {1}, out[16];
    return mlx5dv_devx_general_cmd(&c, in, 16, out, 16) != EBADF;
}
"""

PROGRAM_VERBS = """
#include <infiniband/verbs_exp.h>
int main(void) {
    int count = -1;
    struct ibv_device **list = ibv_get_device_list(&count);
    if (!list || list[count]) return 1;
    ibv_free_device_list(list);
    struct ibv_context foreign = {.cmd_fd = 1000};
    return ibv_exp_post_task(&foreign, NULL, NULL) != EXDEV;
}
"""


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def try_program(compiler, source, name, flags, work, environment):
    path = work / name
    path.write_text(source)
    program = path.with_suffix("")
    run(*compiler, path, "-o", program, *flags)
    run(program, env=environment)


def main():
    split = sys.argv.index("--")
    meson, build, cc, cxx = sys.argv[1], sys.argv[2], sys.argv[3:split], sys.argv[split + 1:]
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        run(*meson.split(), "install", "-C", build, "--no-rebuild", "--destdir", root)
        config = next(root.rglob("kdevx.pc")).parent
        library = next(root.rglob("libkdevx.a")).parent
        environment = dict(os.environ, PKG_CONFIG_LIBDIR=str(config), LD_LIBRARY_PATH=str(library),
                           PKG_CONFIG_SYSROOT_DIR=str(root))
        pkg_config = lambda *a, of="kdevx": run("pkg-config", *a, of, env=environment).split()
        shared = pkg_config("--cflags", "--libs")
        static = ["-static", *pkg_config("--cflags", "--libs", "--static")]
        for flags, suffix in ((shared, "shared"), (static, "static")):
            try_program(cc, PROGRAM_C, f"c_{suffix}.c", flags, root, environment)
            try_program(cxx, PROGRAM_CXX, f"cxx_{suffix}.cpp", ["-std=c++20", *flags], root,
                        environment)
        mlx5dv = pkg_config("--cflags", "--libs", of="kdevx-mlx5dv")
        try_program(cc, PROGRAM_MLX5DV, "mlx5dv.c", mlx5dv, root, environment)
        verbs = pkg_config("--cflags", "--libs", of="kdevx-verbs")
        try_program(cc, PROGRAM_VERBS, "verbs.c", verbs, root, environment)
        verbs = ["-static", *pkg_config("--cflags", "--libs", "--static", of="kdevx-verbs")]
        try_program(cc, PROGRAM_VERBS, "verbs_static.c", verbs, root, environment)
        preload = dict(environment, LD_PRELOAD=str(library / "libkdevx-dlsym.so.0"))
        run(root / "mlx5dv", env=preload)
    print("shared and static, C and C++, libmlx5's functions, libibverbs'")


main()
