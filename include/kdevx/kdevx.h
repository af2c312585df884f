/* SPDX-License-Identifier: MIT */
/* kdevx: the mlx5 DEVX interface on the kernel's uverbs ioctl ABI. A plain C ABI; needs libc only.
 *
 * Rules that hold everywhere:
 * - A function that can fail returns 0 or -errno, and fills `why` if it is not NULL. The errno
 *   is the kernel's own, or the one documented for what the library refuses itself. Nothing is
 *   printed, errno is not used, no signal is raised, no environment variable is read.
 * - A struct that may grow begins with `size`, which the caller sets to its sizeof. NULL options
 *   are the defaults that the struct tells.
 * - Output pointers are written on success only.
 * - What a function makes is the caller's, and ends by the function that says so in the same
 *   header. Memory that is given for a call may go after it; options say where something must stay
 *   longer.
 * - Sizes and lengths are in bytes where they do not say otherwise; mailboxes are the PRM's, big
 *   endian; everything else is in host order.
 * - Pointers are handles: an object that was destroyed is told apart (-EBADF CLOSED) as long as its
 *   context lives, though not for ever: after 64 objects have taken its place it is another one.
 * - Numbers and names of enums are the kernel's or the PRM's; each header says of which.
 *
 * Threads: any function may be called from any thread. Calls on one object run at the same time; a
 * destroy while one is in progress is -EBUSY BUSY, and so is a call while a destroy is in progress.
 * After fork() only the parent uses a context.
 *
 * Kernel: 6.1 and later have all that is here; where a newer one is needed the function says so,
 * and its failure on an older one is -EPROTONOSUPPORT KERNEL_TOO_OLD. (An older number tells since
 * when the kernel has it, for those who port it back.) Names like MLX5_IB_METHOD_DEVX_OBJ_CREATE
 * are the kernel's, of what a function asks it for. Facts about the kernel: docs/kabi.md.
 *
 * Common errors, of every function that returns 0 or -errno, besides those that it names:
 * -EINVAL INVALID: an argument, which step names: NULL where something must be; an object of
 *         another kind or context; the size of a struct, shorter than any version of it
 * -E2BIG  INVALID: a struct of a newer program, with something in it that the library does not know
 * -EBADF  CLOSED: the object was destroyed, or its context closed, before the call
 * -EBUSY  BUSY: another thread is just destroying it
 * -ENOMEM LIMIT: no memory for the library's own part
 *
 * And of those that name what they ask the kernel for, when the kernel says so:
 * -EINVAL, -EFAULT, -EBADF, -ENOENT  INVALID: an argument, in a way that the library leaves to it
 * -EINVAL, -EOPNOTSUPP  NO_DEVX_UID: context without DEVX
 * -EPROTONOSUPPORT  KERNEL_TOO_OLD, FIRMWARE_NO_UCTX, NOT_SUPPORTED: the kernel lacks it; the
 *         kernel has none of DEVX for this device; the device has not what it needs
 * -EOPNOTSUPP, -ENOSYS  NOT_SUPPORTED
 * -EPERM, -EACCES  NO_PERMISSION
 * -EREMOTEIO  FIRMWARE_REFUSED: the firmware's status and syndrome are in `why`
 * -ETIMEDOUT, -ECANCELED, -ENXIO, -EIO  COMMAND_NOT_EXECUTED: by the firmware
 * -EIO, -ENODEV  DEVICE_GONE.  -ENOTTY NOT_MLX5
 * -ENOMEM, -EAGAIN, -ENOSPC, -EMFILE, -ENFILE  LIMIT
 * -EBUSY  BUSY: others use it. Any other errno OTHER.
 *
 * kdevx_*_get_info: no kernel call. A shorter size gets the fields it has room for, a longer one
 * zeros. -EINVAL INVALID: info is NULL, or its size too small for the first fields.  -EBADF CLOSED
 *
 * kdevx_*_destroy, kdevx_*_free, kdevx_*_close, kdevx_*_dereg, kdevx_*_dealloc: end it, by the
 * kernel's method or command of that name; the pointer is dead afterwards. If that fails it is
 * alive and usable as before. A device that is gone took everything along, and after its context
 * was closed only memory is left: both are a success.
 * -EINVAL INVALID: NULL.  -EBADF CLOSED: destroyed before
 * -EBUSY  BUSY: a call on it is in progress, or somebody uses it: detail tells whom, if it is known
 * Any other errno FIRMWARE_REFUSED: of the firmware's refusal the kernel leaves nothing but
 * this. */
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
