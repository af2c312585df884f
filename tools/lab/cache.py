# SPDX-License-Identifier: MIT
"""The cache directory: where everything fetched or built lives, and how processes share it."""

import contextlib
import fcntl
import os
import pathlib
import shutil

from status import Failure, say


def root():
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    path = pathlib.Path(os.environ.get("KDEVX_CACHE") or os.path.join(home, "kdevx"))
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"cannot make the cache {path}: {error.strerror}; set KDEVX_CACHE to a "
                      "directory that can be written") from error
    return path.resolve()


@contextlib.contextmanager
def locked(name):
    """Holds the lock called name against every other lab process that uses this cache."""
    directory = root() / "lock"
    directory.mkdir(exist_ok=True)
    with open(directory / name, "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another lab that prepares {name}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def fresh(target):
    """A path beside target to build in; it becomes target only when the block ends well.

    The caller holds the lock, so a leftover of a killed process may be removed.
    """
    partial = target.with_name(target.name + ".partial")
    discard(partial)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        yield partial
        retire(target)
        os.rename(partial, target)
    finally:
        discard(partial)


def retire(target):
    """Takes an old directory away in one step: its readers see the old one or the new one."""
    if target.is_dir() and not target.is_symlink():
        old = target.with_name(target.name + ".old")
        discard(old)
        os.rename(target, old)
        discard(old)


def discard(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
