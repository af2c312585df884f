/* SPDX-License-Identifier: MIT */
/* Protection domain and XRC domain.
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_PD_H
#define KDEVX_PD_H

#include <kdevx/context.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_pd;
struct kdevx_xrcd;

/* IB_USER_VERBS_CMD_ALLOC_PD by UVERBS_METHOD_INVOKE_WRITE. -ENOMEM, -EAGAIN LIMIT. */
KDEVX_PUBLIC int kdevx_pd_alloc(struct kdevx_context *context, struct kdevx_pd **pd,
                                struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* UVERBS_METHOD_PD_DESTROY. -EBUSY BUSY: a verbs object uses it, detail names one;
 * FIRMWARE_REFUSED: a firmware object does (an mkey, a queue made by DEVX), which the kernel does
 * not know of. The PD is usable as before. */
KDEVX_PUBLIC int kdevx_pd_dealloc(struct kdevx_pd *pd, struct kdevx_failure *why) KDEVX_NOEXCEPT;

struct kdevx_pd_info {
    size_t size;     /* set by the caller */
    uint32_t handle; /* the kernel's; 0 is as good as any other */
    uint32_t pdn;    /* for the pd fields of mailboxes */
};
KDEVX_PUBLIC int kdevx_pd_get_info(const struct kdevx_pd *pd, struct kdevx_pd_info *info,
                                   struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* An XRC domain of this context alone. IB_USER_VERBS_CMD_OPEN_XRCD, UVERBS_METHOD_XRCD_DESTROY.
 * -EOPNOTSUPP NOT_SUPPORTED: the device has no XRC. */
KDEVX_PUBLIC int kdevx_xrcd_open(struct kdevx_context *context, struct kdevx_xrcd **xrcd,
                                 struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* One that all processes share which open it by the same file (by its inode);
 * IB_USER_VERBS_CMD_OPEN_XRCD. The fd stays the caller's. `flags`: O_CREAT and O_EXCL of open(2),
 * as there. -EAGAIN INVALID: nobody has opened it yet. -EINVAL INVALID: O_EXCL, and somebody has.
 * -EBADF INVALID: fd. */
KDEVX_PUBLIC int kdevx_xrcd_open_shared(struct kdevx_context *context, int fd, uint32_t flags,
                                        struct kdevx_xrcd **xrcd,
                                        struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* -EBUSY BUSY: an SRQ or a QP uses it. */
KDEVX_PUBLIC int kdevx_xrcd_close(struct kdevx_xrcd *xrcd,
                                  struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* The kernel's handle, or -EBADF; no kernel call. */
KDEVX_PUBLIC int64_t kdevx_xrcd_handle(const struct kdevx_xrcd *xrcd) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
