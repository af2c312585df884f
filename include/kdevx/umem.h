/* SPDX-License-Identifier: MIT */
/* Memory that the device reads and writes under a umem id: queues, doorbell records, mkeys.
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_UMEM_H
#define KDEVX_UMEM_H

#include <kdevx/context.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_umem;

/* What the device may do: bits of IB_UVERBS_ACCESS_*, none for read only. */
enum kdevx_umem_access {
    KDEVX_ACCESS_LOCAL_WRITE = 1 << 0,
    KDEVX_ACCESS_REMOTE_WRITE = 1 << 1, /* needs LOCAL_WRITE */
    KDEVX_ACCESS_REMOTE_READ = 1 << 2,
    KDEVX_ACCESS_RELAXED_ORDERING = 1 << 20
};

enum kdevx_umem_flags {
    /* madvise(MADV_DONTFORK) on the pages the memory touches, MADV_DOFORK when deregistered. Only
     * needed on kernels before 5.12 in a program that forks: later ones copy pinned pages at fork.
     * The advice is not counted: of two umems on one page the first deregistered lifts it. Never
     * done unless asked for. Not with dmabuf (INVALID). */
    KDEVX_UMEM_DONTFORK = 1 << 0
};

struct kdevx_umem_options {
    size_t size;
    uint32_t access; /* enum kdevx_umem_access; with options NULL: LOCAL_WRITE */
    uint32_t flags;  /* enum kdevx_umem_flags */
    /* Page sizes the kernel may choose from, bit n for 2^n bytes. 0: its own choice (4 KiB and up).
     * An object that starts inside the umem (umem_offset != 0) needs this to be exact. */
    uint64_t pgsz_bitmap;
};

/* Registers length bytes at address. The memory must stay mapped, and stays the caller's.
 * MLX5_IB_METHOD_DEVX_UMEM_REG. Needs a DEVX context.
 * -EINVAL INVALID: address NULL, length 0, they overflow, unknown access or flags, REMOTE_WRITE
 *         without LOCAL_WRITE, no page size fits
 * -EFAULT INVALID: memory that cannot be pinned
 * -ENOMEM LIMIT: RLIMIT_MEMLOCK or memory.  -EPERM NO_PERMISSION: may not lock memory at all
 * -EINVAL NO_DEVX_UID.  Others as in object.h. An errno of the firmware's status: FIRMWARE_REFUSED
 * is not told apart from the kernel's here. */
KDEVX_PUBLIC int kdevx_umem_reg(struct kdevx_context *context, void *address, size_t length,
                                const struct kdevx_umem_options *options, struct kdevx_umem **umem,
                                struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* The same for a dmabuf (memory of a GPU): length bytes from offset. The fd stays the caller's.
 * MLX5_IB_METHOD_DEVX_UMEM_REG with a file.
 * -EBADF INVALID: fd negative or closed.  -EINVAL INVALID: not a dmabuf, flags
 * -EOPNOTSUPP NOT_SUPPORTED: its exporter does not let it be pinned. */
KDEVX_PUBLIC int kdevx_umem_reg_dmabuf(struct kdevx_context *context, int fd, uint64_t offset,
                                       uint64_t length, const struct kdevx_umem_options *options,
                                       struct kdevx_umem **umem,
                                       struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* -EBUSY BUSY and whatever the firmware's refusal became (FIRMWARE_REFUSED): an object still uses
 * it; the umem is usable as before. */
KDEVX_PUBLIC int kdevx_umem_dereg(struct kdevx_umem *umem,
                                  struct kdevx_failure *why) KDEVX_NOEXCEPT;

struct kdevx_umem_info {
    size_t size;     /* set by the caller */
    uint32_t id;     /* for the *_umem_id fields of mailboxes */
    uint32_t handle; /* the kernel's */
    /* The kernel does not tell which page size it chose: never more than this, and this very one if
     * page_size_exact is 1. */
    uint64_t page_size_bound;
    uint32_t page_size_exact;
    uint32_t reserved;
    void *address; /* NULL for a dmabuf */
    uint64_t length;
};
KDEVX_PUBLIC int kdevx_umem_get_info(const struct kdevx_umem *umem, struct kdevx_umem_info *info,
                                     struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
