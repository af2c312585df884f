# SPDX-License-Identifier: MIT
"""Overlays: directory trees laid over the guest's root, made from Debian packages or given."""

import hashlib
import os

import apt
import cache
from status import Failure


def checked(directories):
    for directory in directories:
        if not os.path.isdir(directory):
            raise Failure(f"--overlay {directory}: no such directory")
    return tuple(directories)


def fetch(channel, packages, refresh=False):
    """A directory with the packages and everything they depend on, from the cache if it is there."""
    names = sorted(set(packages))
    key = hashlib.sha256(" ".join(names).encode()).hexdigest()[:12]
    target = cache.root() / "overlays" / f"{channel.name}-{names[0]}-{key}"
    with cache.locked(f"overlay-{target.name}"):
        if refresh or not target.is_dir():
            build(apt.Apt(channel), names, target)
    return target


def build(packages, names, target):
    packages.ensure_lists()
    debs = target.with_name(target.name + ".debs")
    cache.discard(debs)
    with cache.fresh(target) as directory:
        try:
            apt.unpack(packages.download_closure(names, debs), directory)
        finally:
            cache.discard(debs)
