# SPDX-License-Identifier: MIT
"""Debian packages without root: apt with directories of its own, dpkg-deb to unpack."""

import os
import re
import shutil
import subprocess
import tempfile
import time

import cache
import mirror
import process
from status import Failure, say

QUIET_SECONDS = 2  # a download that is over by then says nothing
LISTS_AGE = 24 * 3600

CONFIG = """\
Dir::Etc::SourceList "{home}/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
Dir::State "{home}/state";
Dir::State::Lists "{home}/lists";
Dir::State::Status "{home}/state/status";
Dir::Cache "{home}/cache";
Dir::Cache::pkgcache "pkgcache.bin";
Dir::Cache::srcpkgcache "";
Dir::Log "{home}/log";
APT::Architecture "amd64";
#clear APT::Architectures;
APT::Architectures {{ "amd64"; }};
APT::Default-Release "{pin}";
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::PDiffs "false";
Acquire::GzipIndexes "false";
Acquire::Retries "2";
Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Install-Pkgs;
#clear DPkg::Post-Invoke;
"""


class Progress:
    """Turns apt's status lines into a line on stderr every few seconds."""

    def __init__(self, what):
        self.what = what
        self.next = time.monotonic() + QUIET_SECONDS

    def line(self, text):
        parts = text.split(":", 3)
        if parts[0] == "dlstatus" and len(parts) == 4 and time.monotonic() >= self.next:
            self.next = time.monotonic() + QUIET_SECONDS
            say(f"{self.what}: {float(parts[2]):.0f}% {parts[3].strip()}")


class Apt:
    """One channel's packages."""

    def __init__(self, channel):
        self.channel = channel
        self.home = cache.root() / "apt" / channel.name
        self.configured = False

    def configure(self):
        if self.configured:
            return
        for name in ("lists/partial", "cache/archives/partial", "state", "log"):
            (self.home / name).mkdir(parents=True, exist_ok=True)
        (self.home / "state/status").touch()  # nothing is installed, and apt puts its lock beside it
        write_changed(self.home / "apt.conf", CONFIG.format(home=self.home, pin=self.channel.pin))
        write_changed(self.home / "sources.list", "".join(self.sources()))
        self.configured = True

    def sources(self):
        key = mirror.keyring()
        options = f"[signed-by={key}] " if key else ""
        for suite in self.channel.suites:
            yield f"deb {options}{mirror.archive()} {suite} main\n"
        if self.channel.security and mirror.security():
            yield f"deb {options}{mirror.security()} {self.channel.security} main\n"

    def environment(self):
        return dict(os.environ, LC_ALL="C.UTF-8", DEBIAN_FRONTEND="noninteractive")

    def command(self, program, *arguments):
        # -c is read after the machine's own files: these keep their proxies, and we our directories
        return [program, "-c", str(self.home / "apt.conf"), *arguments]

    def run(self, what, program, *arguments, cwd=None):
        """Runs an apt command that may download; on failure raises what apt said."""
        self.configure()
        with cache.locked(f"apt-{self.channel.name}"), tempfile.TemporaryFile("w+") as output:
            status = self.follow(Progress(what), program, arguments, output, cwd)
            output.seek(0)
            if status != 0:
                raise Failure(f"{what} failed:\n{complaint(output.read())}\n"
                              "  is the network up? KDEVX_MIRROR names another mirror")

    def follow(self, progress, program, arguments, output, cwd):
        """Runs a command, shows its progress as apt reports it; returns its exit status."""
        feed, apt_end = os.pipe()
        argv = self.command(program, "-q", "-o", f"APT::Status-Fd={apt_end}", *arguments)
        try:
            running = process.start(argv, cwd=cwd, env=self.environment(), stdout=output,
                                    stderr=output, pass_fds=(apt_end,))
        except FileNotFoundError as error:
            raise Failure(f"{program} is missing: the lab needs Debian's apt") from error
        finally:
            os.close(apt_end)
        with process.stopping(running), os.fdopen(feed) as lines:
            for text in lines:
                progress.line(text)
            return running.wait()

    def query(self, *command):
        self.configure()
        done = subprocess.run(self.command(*command), env=self.environment(),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
        return done.stdout

    def stamp(self):
        return self.home / "lists" / "updated"

    def has_lists(self):
        return self.stamp().exists()

    def update(self):
        """Fetches the package lists; apt verifies them with the archive's signatures."""
        self.run(f"package lists of {self.channel.name}", "apt-get", "update",
                 "-o", "APT::Update::Error-Mode=any")
        self.stamp().touch()

    def ensure_lists(self):
        if not self.has_lists() or time.time() - self.stamp().stat().st_mtime > LISTS_AGE:
            self.update()

    def show(self, package, version=None):
        """The fields of a package's candidate (or of the version given), or None."""
        wanted = f"{package}={version}" if version else package
        text = self.query("apt-cache", "show", "--no-all-versions", wanted)
        stanzas = mirror.parse_stanzas(text)
        return stanzas[0] if stanzas else None

    def download(self, packages, directory):
        """Fetches exactly these packages (name or name=version) into directory."""
        directory.mkdir(parents=True, exist_ok=True)
        self.run(f"fetching {packages[0]}", "apt-get", "download", *packages, cwd=directory)
        return sorted(directory.glob("*.deb"))

    def download_closure(self, packages, directory):
        """Fetches packages and everything they depend on into directory."""
        (directory / "partial").mkdir(parents=True, exist_ok=True)
        self.run(f"fetching {' '.join(packages)}", "apt-get", "install", "-y", "--download-only",
                 "-o", f"Dir::Cache::archives={directory}", *packages)
        return sorted(directory.glob("*.deb"))


def write_changed(path, text):
    """Writes a file unless it says so already: apt's own cache is void when a source is newer."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def complaint(text):
    """apt's error lines, or all it said where it marked none."""
    marked = [line for line in text.splitlines() if line.startswith(("E:", "W:", "Err:"))]
    return "\n".join("  " + line for line in (marked or text.splitlines()[-20:]))


def dependencies(fields):
    """The names of a package's dependencies, the first of each alternative."""
    wanted = ", ".join(filter(None, (fields.get("pre-depends"), fields.get("depends"))))
    return [re.split(r"[\s:(|]", term.strip())[0] for term in wanted.split(",") if term.strip()]


def unpack(packages, directory, patterns=()):
    """Unpacks .deb files over each other; with patterns, only the members that match."""
    directory.mkdir(parents=True, exist_ok=True)
    for name in ("bin", "sbin", "lib", "lib64"):
        (directory / "usr" / name).mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(directory / name):
            (directory / name).symlink_to(f"usr/{name}")
    for package in packages:
        unpack_one(package, directory, patterns)


def unpack_one(package, directory, patterns):
    # --keep-directory-symlink: Debian 12 packages still ship /lib, which is a link to usr/lib here
    tar = ["tar", "-x", "-C", str(directory), "--keep-directory-symlink", "--no-same-owner",
           "--wildcards", *patterns]
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)],
                          stdout=subprocess.PIPE) as source:
        done = subprocess.run(tar, stdin=source.stdout, stderr=subprocess.PIPE, text=True)
    missing_only = patterns and "Not found in archive" in done.stderr
    if source.returncode != 0 or (done.returncode != 0 and not missing_only):
        raise Failure(f"cannot unpack {package.name}: {done.stderr.strip()}")


def remove_packages(directory):
    shutil.rmtree(directory, ignore_errors=True)
