# SPDX-License-Identifier: MIT
"""Where the packages come from: the machine's own apt sources, or $KDEVX_MIRROR."""

import dataclasses
import os
import pathlib
import re

from status import Failure

CODENAMES = ("bookworm", "trixie", "forky", "sid", "oldstable", "stable", "testing", "unstable")
KEYRINGS = ("debian-archive-keyring.pgp", "debian-archive-keyring.gpg")


@dataclasses.dataclass(frozen=True)
class Source:
    uri: str
    suites: tuple
    components: tuple


def parse_one_line(text):
    """The sources of a one-line-style file: `deb [options] URI suite component...`."""
    line_form = re.compile(r"^\s*deb\s+(?:\[[^]]*\]\s*)?(\S+)\s+(\S+)\s*([^#]*)")
    found = (line_form.match(line) for line in text.splitlines())
    return [Source(m[1], (m[2],), tuple(m[3].split())) for m in found if m]


def parse_stanzas(text):
    """The stanzas of a deb822 text as dictionaries with lower-case keys."""
    stanzas, key = [{}], None
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        if not line.strip():
            stanzas.append({})
        elif line[0] in " \t" and key:
            stanzas[-1][key] += " " + line.strip()
        elif ":" in line:
            key, value = line.split(":", 1)
            key = key.strip().lower()
            stanzas[-1][key] = value.strip()
    return [stanza for stanza in stanzas if stanza]


def parse_deb822(text):
    """The enabled binary sources of a deb822-style file."""
    sources = []
    for stanza in parse_stanzas(text):
        disabled = stanza.get("enabled", "yes").lower() in ("no", "false", "0", "off")
        if disabled or "deb" not in stanza.get("types", "").split():
            continue
        suites = tuple(stanza.get("suites", "").split())
        components = tuple(stanza.get("components", "").split())
        sources += [Source(uri, suites, components) for uri in stanza.get("uris", "").split()]
    return sources


def machine_sources(etc=pathlib.Path("/etc/apt")):
    files = [etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))]
    sources = []
    for path in filter(pathlib.Path.is_file, files):
        if path.suffix in (".list", ".sources") and os.access(path, os.R_OK):
            parse = parse_deb822 if path.suffix == ".sources" else parse_one_line
            sources += parse(path.read_text(errors="replace"))
    return sources


def is_archive(source):
    """Whether a source serves Debian's own main component (others use the code names too)."""
    releases = {suite.split("-")[0].split("/")[0] for suite in source.suites}
    return "main" in source.components and bool(releases & set(CODENAMES))


def is_security(source):
    return any(suite.endswith(("-security", "/updates")) for suite in source.suites)


def best(sources):
    """Of several, the one whose path looks like Debian's own comes first."""
    own = [s for s in sources if re.search(r"/debian(-security)?/?$", s.uri)]
    return (own or sources or [None])[0]


def archive(sources=None):
    """The URI of the Debian archive."""
    given = os.environ.get("KDEVX_MIRROR")
    if given:
        return given
    known = machine_sources() if sources is None else sources
    chosen = best([s for s in known if is_archive(s) and not is_security(s)])
    if chosen is None:
        raise Failure("no Debian mirror in this machine's apt configuration; set KDEVX_MIRROR to "
                      "the URI of one (it serves dists/trixie)")
    return chosen.uri


def security(sources=None):
    """The URI of the security archive, or None where the machine knows none."""
    if os.environ.get("KDEVX_MIRROR"):
        return os.environ.get("KDEVX_SECURITY_MIRROR")
    known = machine_sources() if sources is None else sources
    chosen = best([s for s in known if is_archive(s) and is_security(s)])
    return chosen.uri if chosen else None


def keyring(directory=pathlib.Path("/usr/share/keyrings")):
    """Debian's archive keyring, or None: then apt trusts what the machine trusts."""
    present = [directory / name for name in KEYRINGS if (directory / name).is_file()]
    return present[0] if present else None
