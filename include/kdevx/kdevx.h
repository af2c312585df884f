/* SPDX-License-Identifier: MIT */
/* kdevx: the mlx5 DEVX interface on the kernel's uverbs ioctl ABI. A plain C ABI; needs libc only.
 *
 * Rules that hold everywhere:
 * - A function that can fail returns 0 or -errno, and fills `why` if it is not NULL. The errno
 *   is the kernel's own, or the one documented for what the library refuses itself. Nothing is
 *   printed, errno is not used, no signal is raised, no environment variable is read.
 * - A struct that may grow begins with `size`, which the caller sets to its sizeof. Options of a
 *   newer program than the library are accepted as long as what the library does not know is zero
 *   (else -E2BIG INVALID). NULL options are the defaults that the struct tells.
 * - Output pointers are written on success only.
 * - Pointers are handles: an object that was destroyed is told apart (-EBADF CLOSED) as long as its
 *   context lives, though not for ever: after 64 objects have taken its place it is another one.
 * - Any function may be called from any thread. Calls on one object run at the same time; a destroy
 *   while one is in progress is -EBUSY BUSY, and so is a call while a destroy is in progress.
 * - After fork() only the parent uses a context.
 * - Kernels from 6.1 on have all that is here; where a newer one is needed the function says so,
 * and its failure on an older one is KERNEL_TOO_OLD. Facts about the kernel: docs/kabi.md. */
#ifndef KDEVX_KDEVX_H
#define KDEVX_KDEVX_H

#include <kdevx/ah.h>
#include <kdevx/buffer.h>
#include <kdevx/clock.h>
#include <kdevx/context.h>
#include <kdevx/cq.h>
#include <kdevx/device.h>
#include <kdevx/event.h>
#include <kdevx/failure.h>
#include <kdevx/flow.h>
#include <kdevx/mr.h>
#include <kdevx/object.h>
#include <kdevx/pd.h>
#include <kdevx/port.h>
#include <kdevx/post.h>
#include <kdevx/pp.h>
#include <kdevx/qp.h>
#include <kdevx/ring.h>
#include <kdevx/share.h>
#include <kdevx/srq.h>
#include <kdevx/sys.h>
#include <kdevx/uar.h>
#include <kdevx/umem.h>
#include <kdevx/var.h>
#include <kdevx/verbs_devx.h>
#include <kdevx/wq.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KDEVX_VERSION_MAJOR 0
#define KDEVX_VERSION_MINOR 1
#define KDEVX_VERSION_PATCH 0

/* "0.1.0": of the library, which may be another than the header's. */
KDEVX_PUBLIC const char *kdevx_version(void) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
