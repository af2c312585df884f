# SPDX-License-Identifier: MIT
"""The channels: the Debian releases whose kernels the lab knows."""

import dataclasses
import re

from status import Failure


@dataclasses.dataclass(frozen=True)
class Channel:
    name: str
    suites: tuple     # every suite that packages may come from
    pin: str          # the suite preferred over the others, or "" for the newest version of all
    security: str     # the suite of the security archive, or ""
    about: str


CHANNELS = (
    Channel("debian12", ("bookworm", "bookworm-updates"), "", "bookworm-security",
            "Debian 12 (6.1)"),
    Channel("debian13", ("trixie", "trixie-updates"), "", "trixie-security",
            "Debian 13 (6.12)"),
    Channel("backports", ("trixie", "trixie-backports"), "trixie-backports", "",
            "Debian 13 backports, the default"),
    Channel("unstable", ("unstable",), "", "",
            "Debian unstable"),
)
DEFAULT = "backports"


def names():
    return [channel.name for channel in CHANNELS]


def named(name):
    for channel in CHANNELS:
        if channel.name == name:
            return channel
    raise Failure(f"no channel {name!r}; there are {', '.join(names())}")


def has_prefix(version, prefix):
    """Whether prefix is version cut at a boundary: 6.1 is one of 6.1.192, not of 6.12.3."""
    return bool(re.match(re.escape(prefix) + r"(?![0-9])", version))
