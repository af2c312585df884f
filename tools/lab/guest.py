# SPDX-License-Identifier: MIT
"""The guest: QEMU, its ports, and the loop that carries their bytes until the run is over."""

import contextlib
import os
import select
import selectors
import socket
import sys
import threading
import time

import process
import qemu
from console import Console

CHUNK = 1 << 16
PIPE_PIECE = 4096       # a writable pipe takes this much without blocking
LAST_LINES_SECONDS = 2  # after `done`, for what is still on its way
ESCAPE = b"\x1d"        # Ctrl-] ends an interactive guest

# The ports' numbers are those init uses; hvc0 is the terminal of `lab shell`.
PORTS = {"terminal": 0, "control": 1, "out": 2, "err": 3, "stdin": 4}


class TimedOut(Exception):
    """The deadline has passed."""


class OutputClosed(Exception):
    """Nobody reads lab's output any more."""


def port_devices(fds):
    """QEMU's options for the serial line and the virtio ports; fds: port name -> fd of QEMU."""
    options = ["-chardev", f"socket,id=console,fd={fds['console']}", "-serial", "chardev:console",
               "-device", "virtio-serial-pci,max_ports=8"]
    for name, number in PORTS.items():
        if name in fds:
            kind = "virtconsole" if name == "terminal" else "virtserialport"
            options += ["-chardev", f"socket,id={name},fd={fds[name]}",
                        "-device", f"{kind},chardev={name},nr={number},name=lab.{name}"]
    return options


class Guest:
    """One QEMU process and everything connected to it."""

    def __init__(self, command, log, deadline, session, tty=False, stdin=False, mirror=None):
        self.deadline = deadline
        self.stdin = stdin
        self.session = session
        self.console = Console(log, mirror)
        self.counts = {"out": 0, "err": 0}
        self.ports, far = {}, {}
        names = ["console", *(n for n in PORTS if tty or n != "terminal")]
        for name in names:
            self.ports[name], far[name] = socket.socketpair()
        fds = {name: end.fileno() for name, end in far.items()}
        self.errors = log.name + ".qemu"
        with open(self.errors, "wb") as errors:
            self.process = process.start([*command, *port_devices(fds)], stdout=errors,
                                         stderr=errors, pass_fds=tuple(fds.values()))
        for end in far.values():
            end.close()

    def handlers(self):
        return {"console": self.console.feed, "control": self.session.feed,
                "out": lambda data: self.output("out", 1, data),
                "err": lambda data: self.output("err", 2, data),
                "terminal": lambda data: emit(1, data, self.deadline)}

    def output(self, name, fd, data):
        self.counts[name] += len(data)
        emit(fd, data, self.deadline)

    def carry(self, watched=lambda: None):
        """Carries bytes until the guest is done or gone, or watched() says something is wrong;
        raises TimedOut at the deadline."""
        self.start_input()
        with selectors.DefaultSelector() as selector:
            for name, handler in self.handlers().items():
                if name in self.ports:
                    selector.register(self.ports[name], selectors.EVENT_READ, handler)
            while selector.get_map() and not self.over() and not watched():
                self.turn(selector)

    def turn(self, selector):
        wait = min(0.5, max(0, self.deadline - time.monotonic()))
        for key, _events in selector.select(wait):
            data = received(key.fileobj)
            if data:
                key.data(data)
            else:
                selector.unregister(key.fileobj)
        if self.deadline <= time.monotonic():
            raise TimedOut

    def over(self):
        if self.session.missing is not None:
            return True
        if not self.session.done:
            return False
        complete = (self.counts["out"], self.counts["err"]) == self.session.sizes
        since = time.monotonic() - self.session.began - self.session.times[-1][1]
        return (complete and self.console.ended) or since > LAST_LINES_SECONDS

    def start_input(self):
        terminal = self.ports.get("terminal")
        if terminal or self.stdin:
            target = terminal or self.ports["stdin"]
            threading.Thread(target=feed_input, args=(target, bool(terminal)), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_exception):
        process.stop(self.process)
        for name, handler in self.handlers().items():
            if name in self.ports:
                drain(self.ports[name], handler)
        for port in self.ports.values():
            port.close()


def received(port):
    try:
        return port.recv(CHUNK)
    except ConnectionError:
        return b""


def drain(port, handler):
    """Takes what an ended QEMU had still put into the port."""
    port.setblocking(False)
    with contextlib.suppress(BlockingIOError, ConnectionError, TimedOut, OutputClosed):
        while data := port.recv(CHUNK):
            handler(data)


def emit(fd, data, deadline):
    """Writes to lab's own output; a reader that has stopped reading must not stop the clock."""
    view = memoryview(data)
    while view:
        if not select.select([], [fd], [], max(0, deadline - time.monotonic()))[1]:
            raise TimedOut
        try:
            view = view[os.write(fd, view[:PIPE_PIECE]):]
        except BrokenPipeError as error:
            raise OutputClosed from error


def feed_input(port, interactive):
    """Carries lab's stdin into the guest; its end is the guest's end of file."""
    with contextlib.suppress(OSError):
        while data := os.read(sys.stdin.fileno(), CHUNK):
            if interactive and ESCAPE in data:
                break
            port.sendall(data)
        if interactive:
            os.kill(os.getpid(), 15)
        port.shutdown(socket.SHUT_WR)
