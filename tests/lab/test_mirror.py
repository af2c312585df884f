# SPDX-License-Identifier: MIT
"""Which mirror is taken from the machine's apt configuration."""

import os
import pathlib
import tempfile
import unittest
from unittest import mock

import support  # noqa: F401
import mirror
from status import Failure

DEB822 = """\
# a comment
Types: deb deb-src
URIs: http://one.example/debian http://two.example/debian
Suites: bookworm bookworm-updates
Components: main
 contrib

Types: deb
URIs: http://sec.example/debian-security
Suites: bookworm-security
Components: main

Enabled: no
Types: deb
URIs: http://off.example/debian
Suites: trixie
Components: main

Types: deb-src
URIs: http://src.example/debian
Suites: trixie
Components: main
"""


class Parsing(unittest.TestCase):
    def test_deb822_gives_one_source_per_uri(self):
        sources = mirror.parse_deb822(DEB822)
        self.assertEqual([s.uri for s in sources],
                         ["http://one.example/debian", "http://two.example/debian",
                          "http://sec.example/debian-security"])
        self.assertEqual(sources[0].suites, ("bookworm", "bookworm-updates"))
        self.assertEqual(sources[0].components, ("main", "contrib"))

    def test_one_line_with_options_and_comments(self):
        text = ("# deb http://no.example/debian sid main\n"
                "deb [arch=amd64 signed-by=/k] http://a.example/debian trixie main contrib # x\n"
                "deb-src http://no.example/debian trixie main\n"
                "  deb\thttp://b.example/debian  sid  main\n")
        self.assertEqual(mirror.parse_one_line(text),
                         [mirror.Source("http://a.example/debian", ("trixie",), ("main", "contrib")),
                          mirror.Source("http://b.example/debian", ("sid",), ("main",))])

    def test_both_kinds_of_files_are_read_and_others_not(self):
        with tempfile.TemporaryDirectory() as name:
            etc = pathlib.Path(name)
            (etc / "sources.list.d").mkdir()
            (etc / "sources.list").write_text("deb http://a.example/debian sid main\n")
            (etc / "sources.list.d" / "x.sources").write_text(DEB822)
            (etc / "sources.list.d" / "y.list.save").write_text("deb http://s.example/ sid main\n")
            uris = [s.uri for s in mirror.machine_sources(etc)]
        self.assertEqual(uris[0], "http://a.example/debian")
        self.assertEqual(len(uris), 4)


@mock.patch.dict(os.environ, clear=False)
class Choice(unittest.TestCase):
    def setUp(self):
        for name in ("KDEVX_MIRROR", "KDEVX_SECURITY_MIRROR"):
            os.environ.pop(name, None)

    def test_debians_own_archive_is_preferred_to_others_with_the_same_suites(self):
        sources = [mirror.Source("https://vendor.example/apt", ("bookworm",), ("main",)),
                   mirror.Source("http://a.example/debian/", ("bookworm",), ("main",))]
        self.assertEqual(mirror.archive(sources), "http://a.example/debian/")

    def test_repositories_without_main_or_with_other_suites_are_none(self):
        sources = [mirror.Source("https://d.example/linux/debian", ("bookworm",), ("stable",)),
                   mirror.Source("https://u.example/ubuntu", ("noble",), ("main",))]
        with self.assertRaisesRegex(Failure, "KDEVX_MIRROR"):
            mirror.archive(sources)

    def test_security_is_apart_from_the_archive(self):
        sources = mirror.parse_deb822(DEB822)
        self.assertEqual(mirror.archive(sources), "http://one.example/debian")
        self.assertEqual(mirror.security(sources), "http://sec.example/debian-security")
        self.assertIsNone(mirror.security(sources[:1]))

    def test_the_environment_wins(self):
        os.environ["KDEVX_MIRROR"] = "http://m.example/d"
        self.assertEqual(mirror.archive([]), "http://m.example/d")
        self.assertIsNone(mirror.security(mirror.parse_deb822(DEB822)))
        os.environ["KDEVX_SECURITY_MIRROR"] = "http://m.example/s"
        self.assertEqual(mirror.security([]), "http://m.example/s")


if __name__ == "__main__":
    unittest.main()
