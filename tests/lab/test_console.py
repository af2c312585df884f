# SPDX-License-Identifier: MIT
"""What on the kernel's console fails a run, and what does not."""

import io
import unittest

import support  # noqa: F401
import console

BAD = ("WARNING: CPU: 0 PID: 99 at drivers/net/foo.c:12 bar+0x1/0x2 [mlx5_core]",
       "BUG: kernel NULL pointer dereference, address: 0000000000000000",
       "Oops: 0002 [#1] PREEMPT SMP NOPTI",
       "Oops: general protection fault, probably for non-canonical address 0x1: 0000 [#1] SMP",
       "UBSAN: array-index-out-of-bounds in drivers/x.c:1:2",
       "INFO: task kdevx:12 blocked for more than 120 seconds.",
       "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
       "watchdog: BUG: soft lockup - CPU#0 stuck for 22s!",
       "Kernel panic - not syncing: Fatal exception",
       "refcount_t: underflow; use-after-free.",
       "list_del corruption. prev->next should be 0, but was 1",
       "Unable to handle kernel paging request")
GOOD = ("mlx5_core 0000:00:02.0: mlx5_cmd_out_err:835:(pid 99): CREATE_CQ(0x400) op_mod(0x0) "
        "failed, status bad parameter(0x3), syndrome (0x0), err(-22)",
        "infiniband mlx5_0: create_qp:3021:(pid 7): Create QP type 2 failed",
        "mlx5_core 0000:00:02.0: E-Switch: Total vports 1, per vport: max uc(0) max mc(0)",
        "systemd: warning: nothing", "lab: end")


class Console(unittest.TestCase):
    def setUp(self):
        self.log = io.BytesIO()
        self.console = console.Console(self.log)

    def test_each_kind_of_trouble_is_found(self):
        for text in BAD:
            one = console.Console(io.BytesIO())
            one.feed(f"[    1.5] quiet\n[    2.0] {text}\nmore\n".encode())
            self.assertEqual(one.trouble(), [f"[    2.0] {text}", "more"])

    def test_the_drivers_complaints_about_refused_commands_are_none(self):
        self.console.feed("".join(f"[    1.0] {text}\n" for text in GOOD).encode())
        self.assertEqual(self.console.trouble(), [])
        self.assertTrue(self.console.ended)

    def test_lines_come_together_from_pieces(self):
        for byte in b"[ 1.0] WARNING: x\r\nnext":
            self.console.feed(bytes([byte]))
        self.assertEqual(self.console.trouble(), ["[ 1.0] WARNING: x"])
        self.assertEqual(self.log.getvalue(), b"[ 1.0] WARNING: x\r\nnext")

    def test_the_repeated_log_is_not_looked_through_again(self):
        self.console.feed(b"lab: kernel log\n[ 0.1] WARNING: x\n[ 9.0] lab: end\n")
        self.assertEqual(self.console.trouble(), [])
        self.assertTrue(self.console.ended)

    def test_taints(self):
        self.assertEqual(console.taint_names(0), [])
        self.assertEqual(console.taint_names(1 << 12 | 1 << 13), [])  # foreign, unsigned module
        self.assertEqual(console.taint_names(1 << 9 | 1 << 7), ["oops", "warning"])


if __name__ == "__main__":
    unittest.main()
