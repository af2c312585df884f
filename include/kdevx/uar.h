/* SPDX-License-Identifier: MIT */
/* User access region: the page of the device that doorbells are rung in.
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_UAR_H
#define KDEVX_UAR_H

#include <kdevx/context.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_uar;

enum kdevx_uar_type {
    KDEVX_UAR_BF = 0,          /* write-combining, BlueFlame; a page of its own */
    KDEVX_UAR_NC = 1,          /* not cached; one page that all such UARs of the context share */
    KDEVX_UAR_NC_DEDICATED = 2 /* not cached; a page of its own */
};

/* Allocates and maps one of the first type of the list that the kernel grants: what it got is in
 * the info. If all fail, the failure of the last is reported. The ladder stops early only when the
 * device is gone or the context is closed. No DEVX uid is needed.
 * MLX5_IB_METHOD_UAR_OBJ_ALLOC.
 * -EINVAL INVALID: no types, or an unknown one
 * -EOPNOTSUPP NOT_SUPPORTED: BF where the platform has no write combining (virtual machines)
 * -ENOMEM LIMIT: the device's BAR has no page left (firmware setting PF_LOG_BAR_SIZE) */
KDEVX_PUBLIC int kdevx_uar_alloc(struct kdevx_context *context, const uint32_t *types, size_t count,
                                 struct kdevx_uar **uar, struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* Unmaps it and gives it back (the shared NC page with its last user).
 * -EBUSY BUSY: a verbs queue was given it, or a call on it is in progress (said by the library: the
 * kernel would unmap it under the queue). The kernel does not tell when the firmware refuses to
 * take back a page that a queue made by DEVX still uses; the page is lost then until the driver is
 * loaded again. Destroy queues first. */
KDEVX_PUBLIC int kdevx_uar_free(struct kdevx_uar *uar, struct kdevx_failure *why) KDEVX_NOEXCEPT;

struct kdevx_uar_info {
    size_t size;       /* set by the caller */
    uint32_t type;     /* enum kdevx_uar_type: what it is */
    uint32_t page_id;  /* for the uar_page fields of mailboxes */
    uint32_t handle;   /* the kernel's */
    uint32_t length;   /* of the mapping */
    void *base_addr;   /* of the mapping; CQ doorbell at + 0x20 */
    void *reg_addr;    /* base_addr + 0x800: the doorbell register */
    uint64_t mmap_off; /* of the uverbs file */
    uint32_t bf_size; /* bytes of one BlueFlame buffer; 0: only 8-byte doorbells, never BlueFlame */
    uint32_t reserved;
};
KDEVX_PUBLIC int kdevx_uar_get_info(const struct kdevx_uar *uar, struct kdevx_uar_info *info,
                                    struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
