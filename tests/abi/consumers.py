#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that find the installed libraries as CMake does, and the sources as a Meson subproject: each
is built and run, with no device about.

usage: consumers.py cmake MESON BUILD
       consumers.py subproject MESON SOURCE
"""

import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = """
#include <kdevx/kdevx.h>
int main(void) {
    struct kdevx_failure why = {0};
    struct kdevx_context *c = 0;
    int r = kdevx_context_open_path("/dev/null", 0, &c, &why);
    return !(r < 0 && why.cause == KDEVX_CAUSE_NOT_MLX5);
}
"""
FACE = """
#include <errno.h>
#include <infiniband/mlx5dv.h>
int main(void) {
    struct ibv_context c = {.cmd_fd = 1000};
    char in[16] = {1}, out[16];
    return mlx5dv_devx_general_cmd(&c, in, 16, out, 16) != EBADF;
}
"""
CMAKE = """
cmake_minimum_required(VERSION 3.18)
project(consumer C)
find_package(kdevx 0.1.0 REQUIRED)
if(NOT kdevx_VERSION MATCHES "^0[.]1[.]")
    message(FATAL_ERROR "version ${kdevx_VERSION}")
endif()
find_package(kdevx 9.0 QUIET)
if(kdevx_FOUND)
    message(FATAL_ERROR "0.1 was taken for 9.0")
endif()
foreach(target kdevx kdevx_static)
    add_executable(${target} program.c)
    target_link_libraries(${target} PRIVATE kdevx::${target})
endforeach()
foreach(target kdevx-mlx5dv kdevx-verbs kdevx-verbs_static)
    add_executable(${target} face.c)
    target_link_libraries(${target} PRIVATE kdevx::${target})
endforeach()
"""
MESON = """
project('consumer', 'c', 'cpp', default_options: ['optimization=0', 'unity=on'])
kdevx = dependency('kdevx', fallback: 'kdevx',
    default_options: ['tools=false', 'tests=false'])
executable('program', 'program.c', dependencies: kdevx)
executable('face', 'face.c', dependencies: dependency('kdevx-mlx5dv'))
"""


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def written(root, file, text):
    (root / file).write_text(text)
    (root / "program.c").write_text(PROGRAM)
    (root / "face.c").write_text(FACE)


def by_cmake(root, meson, build):
    prefix = root / "installed"
    run(*meson.split(), "install", "-C", build, "--no-rebuild", "--destdir", prefix)
    config = next(prefix.rglob("kdevxConfig.cmake")).parent
    written(root, "CMakeLists.txt", CMAKE)
    run("cmake", "-G", "Ninja", "-S", root, "-B", root / "build", f"-Dkdevx_DIR={config}")
    run("cmake", "--build", root / "build")
    library = next(prefix.rglob("libkdevx.so")).parent
    programs = ["kdevx", "kdevx_static", "kdevx-mlx5dv", "kdevx-verbs", "kdevx-verbs_static"]
    for program in programs:
        run(root / "build" / program, env={**os.environ, "LD_LIBRARY_PATH": str(library)})
    return programs


def as_subproject(root, meson, source):
    written(root, "meson.build", MESON)
    (root / "subprojects").mkdir()
    (root / "subprojects" / "kdevx").symlink_to(source)
    run(*meson.split(), "setup", root / "build", root)
    run("ninja", "-C", root / "build", "program", "face")
    for program in ("program", "face"):
        run(root / "build" / program)
    return ["program", "face"]


def main(how, *arguments):
    with tempfile.TemporaryDirectory() as directory:
        ways = {"cmake": by_cmake, "subproject": as_subproject}
        print("built and run:", *ways[how](pathlib.Path(directory), *arguments))


main(*sys.argv[1:])
