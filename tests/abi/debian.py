# SPDX-License-Identifier: MIT
"""rdma-core as Debian packages it: headers, libraries, manual pages and programs of three releases."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAB = ROOT / "tools/lab/lab"
# Of Debian 12, 13 and the next one: rdma-core 44, 56 and 65 when this was written.
CHANNELS = ("debian12", "debian13", "unstable")
PACKAGES = ("ibverbs-providers", "ibverbs-utils", "libibverbs-dev", "strace")
LIBRARIES = "usr/lib/x86_64-linux-gnu"


def rdma_core(channel):
    """The directory with the packages of that channel; the lab fetches them once."""
    done = subprocess.run([LAB, "overlay", "--channel", channel, *PACKAGES], capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(f"no rdma-core of {channel}:\n{done.stderr}")
    return pathlib.Path(done.stdout.split("\n")[-2])
