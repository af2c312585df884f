# SPDX-License-Identifier: MIT
"""A run: kernel, device models and guest brought together, and everything cleared away after."""

import contextlib
import dataclasses
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

import built
import cache
import guest
import hca
import initramfs
import kernel
import qemu
import session
import verdict
from status import Failure, say

TIMEOUT = 120
FOREVER = 365 * 24 * 3600
PREFIX = "kdevx-lab."
BASE_MEMORY = 1024
# The guest is emulated, on a machine that may be busy:
KERNEL_ARGUMENTS = " ".join((
    "console=ttyS0", "panic=-1", "rdinit=/lab/init",
    # The TSC cannot be calibrated then (time once ran 29 times too fast); the HPET needs not to be.
    "tsc=unstable", "clocksource=hpet",
    # A processor that gets no time for 20 s is no lock-up here.
    "rcupdate.rcu_cpu_stall_timeout=60", "watchdog_thresh=30",
    # Boot time spent on what the lab is not about.
    "cryptomgr.notests", "mitigations=off"))
KEPT_LOGS = 20
KVM_SECONDS = 20  # a guest that has not said a word by then will not under this KVM


@dataclasses.dataclass
class Plan:
    """What `lab run` was asked for."""

    command: list
    kernel: str
    modules: str = None
    hcas: tuple = ("",)
    link: bool = False
    control: str = None
    overlays: tuple = ()
    tools: tuple = ()
    environment: dict = dataclasses.field(default_factory=dict)
    build: str = None
    timeout: float = TIMEOUT
    memory: int = None
    processors: int = 1
    load: str = "all"
    wait: bool = True
    unload: bool = True
    show_console: bool = False
    kvm: bool = False
    tty: bool = False
    stdin: bool = False
    verbose: bool = False


def run(plan):
    """Runs the plan; returns the exit status."""
    selected = kernel.choose(plan.kernel, plan.modules)
    sweep(pathlib.Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}.") as name, unharried():
        try:
            return Run(plan, selected, pathlib.Path(name)).perform()
        except Failure as failure:
            kept = keep_logs(pathlib.Path(name))
            raise Failure(f"{failure}\nlab: logs: {kept}", failure.status) if kept else failure


def sweep(temporary):
    """Removes what runs that were killed have left."""
    for path in temporary.glob(f"{PREFIX}*"):
        owner = path.name.removeprefix(PREFIX).split(".")[0]
        if owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
            shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def unharried():
    """A second signal must not cut short the clearing away that the first has started."""
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)


class Run:
    """One execution of a plan in a directory of its own."""

    def __init__(self, plan, selected, place):
        self.plan = plan
        self.kernel = selected
        self.place = place
        self.build = built.directory(plan.build)
        self.initrd = place / "initrd"
        self.timed_out = False

    def perform(self):
        size = self.write_initrd()
        self.memory = self.plan.memory or max(BASE_MEMORY, 512 + 3 * (size >> 20))
        attempts = ["kvm", "tcg"] if self.plan.kvm and kvm_usable() else ["tcg"]
        for accelerator in attempts:
            finished, faults = self.attempt(accelerator)
            if finished.session.release or accelerator == attempts[-1]:
                break
            say("KVM does not run the guest here; once more with TCG")
        return self.report(finished, faults)

    def write_initrd(self):
        base, orders = initramfs.base(self.kernel)
        files = built.for_guest(self.build)
        files.update(built.programs(self.plan.tools))
        script = initramfs.command_script(self.plan.command, self.environment())
        files["lab/command"] = (script.encode(), 0o755)
        files["lab/config"] = (initramfs.config_text(self.config(orders)).encode(), 0o644)
        files["lab/init"] = (initramfs.HERE / "init", 0o755)
        return initramfs.write(self.initrd, base, files, self.plan.overlays)

    def environment(self):
        return {"PATH": initramfs.PATH, "HOME": "/root", "TERM": os.environ.get("TERM", "dumb"),
                **self.plan.environment}

    def config(self, orders):
        plan = self.plan
        loads = {"none": [], "core": orders.core, "all": orders.core + orders.infiniband}
        expected = len(plan.hcas) if plan.load == "all" and plan.wait else 0
        return {"channel": " ".join(orders.channel), "modules": " ".join(loads[plan.load]),
                "hcas": expected, "unload": int(plan.unload), "tty": int(plan.tty),
                "stdin": int(plan.stdin)}

    def attempt(self, accelerator):
        """Boots once; returns the guest that has ended and what the device models complain of."""
        models = []
        try:
            self.start_models(models)
            with open(self.place / "console.log", "wb") as log, \
                    self.boot(self.command(accelerator, models), log) as running:
                self.carry(running, lambda: self.hopeless(accelerator, running, models))
            ended = [model.end() for model in models]
        finally:
            for model in models:
                model.stop()
        return running, [fault for fault in ended if fault]

    def boot(self, command, log):
        deadline = time.monotonic() + self.plan.timeout
        return guest.Guest(command, log, deadline, session.Session(self.announce),
                           self.plan.tty, self.plan.stdin, self.mirror())

    def announce(self, release):
        say(f"kernel {self.kernel if release == self.kernel.release else release}")

    def carry(self, running, watched):
        try:
            running.carry(watched)
        except guest.TimedOut:
            self.timed_out = True

    def hopeless(self, accelerator, running, models):
        """Whether the run need not go on: a device model is gone, or KVM gets nowhere."""
        silent = time.monotonic() - running.session.began > KVM_SECONDS
        return any(model.fault() for model in models) or (
            accelerator == "kvm" and silent and not running.session.release)

    def mirror(self):
        return sys.stderr.buffer if self.plan.show_console else None

    def start_models(self, models):
        if not self.plan.hcas:
            return
        binary = hca.program(self.build)
        for index, options in enumerate(map(hca.parse_options, self.plan.hcas)):
            linked = [f"link={self.place}/link"] if self.plan.link else []
            control = numbered(self.plan.control, index)
            models.append(hca.Hca(binary, self.place, index, [*options, *linked], control))
        for model in models:
            model.wait_listening()

    def command(self, accelerator, models):
        level = "loglevel=7" if self.plan.show_console else "quiet loglevel=5"
        devices = [option for model in models
                   for option in qemu.hca_device(model.socket, not model.blueflame)]
        return [*qemu.find().command,
                *qemu.machine(self.memory, self.plan.processors, accelerator), *devices,
                "-kernel", str(self.kernel.image), "-initrd", str(self.initrd),
                "-append", f"{KERNEL_ARGUMENTS} {level}"]

    def report(self, finished, hca_faults):
        """Says what went wrong and where the logs are; returns the exit status."""
        told = finished.session
        if self.plan.verbose:
            say("; ".join(f"{word} {seconds:.1f} s" for word, seconds in told.times))
        if told.left:
            say(f"ended what the command left running (pids {', '.join(told.left)})")
        faults = verdict.faults(finished, hca_faults, self.timed_out, self.plan.timeout)
        for _status, text in faults:
            say(text)
        if not faults:
            return told.status
        if told.status is not None:
            say(f"the command's own exit status was {told.status}")
        say(f"logs: {keep_logs(self.place)}")
        return faults[0][0]


def kvm_usable():
    usable = os.access("/dev/kvm", os.R_OK | os.W_OK)
    if not usable:
        say("/dev/kvm cannot be opened; using TCG")
    return usable


def numbered(path, index):
    """The control socket of an HCA: the path given for the first, PATH.1 ... for the others."""
    return f"{path}.{index}" if path and index else path


def keep_logs(place):
    """Moves a run's logs out of its temporary directory; the oldest kept ones go."""
    logs = [path for path in place.iterdir()
            if path.suffix in (".log", ".stderr", ".qemu") and path.stat().st_size]
    if not logs:
        return None
    home = cache.root() / "logs"
    target = home / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    target.mkdir(parents=True)
    for path in logs:
        shutil.move(path, target)
    for old in sorted(home.iterdir())[:-KEPT_LOGS]:
        shutil.rmtree(old, ignore_errors=True)
    return target
