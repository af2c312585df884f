/* SPDX-License-Identifier: MIT */
/* Completion queues of the verbs kind. (One made by CREATE_CQ is an object, object.h.)
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_CQ_H
#define KDEVX_CQ_H

#include <kdevx/buffer.h>
#include <kdevx/event.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_cq;

enum kdevx_cq_flags {
    KDEVX_CQ_TIMESTAMP_COMPLETION = 1 << 0,
    KDEVX_CQ_IGNORE_OVERRUN = 1 << 1, /* the owner never lets it overrun: it need not tell how far
                                         it has read */
    KDEVX_CQ_CQE_128B_PAD = 1 << 8,   /* cqe_size 128: 64-byte entries are padded, not in halves */
    KDEVX_CQ_REAL_TIME_TS = 1 << 9    /* kernel >= 6.1: timestamps of the real-time clock */
};

#define KDEVX_MAX_CQE ((1u << 24) - 1)

struct kdevx_cq_options {
    size_t size;
    uint32_t cqe;      /* 1 to KDEVX_MAX_CQE; there will be the next power of two above it */
    uint32_t cqe_size; /* 64 or 128; 0 is 64 */
    uint32_t comp_vector;
    uint32_t flags;                     /* enum kdevx_cq_flags */
    uint64_t user_handle;               /* comes back with its events */
    struct kdevx_comp_channel *channel; /* NULL: none */
    struct kdevx_async_fd *async;       /* NULL: the context's first */
    struct kdevx_uar *uar;              /* to arm it in; NULL: the not-cached page of the context */
    struct kdevx_buffer buffer, dbrec;  /* all zero: the library's */
    uint8_t cqe_comp_en;                /* 1: compressed CQEs */
    uint8_t cqe_comp_res_format;        /* enum mlx5_ib_cqe_comp_res_format */
    uint8_t reserved[6];
};

/* UVERBS_METHOD_CQ_CREATE, kernel >= 4.18.
 * -EINVAL INVALID: cqe, cqe_size, comp_vector, flags; a buffer that is too short; an object of
 *         another context; more entries than the device has (hca_cap.log_max_cq_sz)
 * -EFAULT INVALID: a buffer that is not mapped.  -ENOMEM LIMIT: RLIMIT_MEMLOCK or memory
 * -EOPNOTSUPP NOT_SUPPORTED: compression, padding.  -EPROTONOSUPPORT KERNEL_TOO_OLD: a dmabuf, or a
 *         UAR with a page id above 65535 */
KDEVX_PUBLIC int kdevx_cq_create(struct kdevx_context *context,
                                 const struct kdevx_cq_options *options, struct kdevx_cq **cq,
                                 struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* -EBUSY BUSY: a QP, SRQ or WQ uses it, detail names one; or a call on it is in progress. */
KDEVX_PUBLIC int kdevx_cq_destroy(struct kdevx_cq *cq, struct kdevx_failure *why) KDEVX_NOEXCEPT;

struct kdevx_cq_info {
    size_t size; /* set by the caller */
    uint32_t handle, cqn;
    uint32_t cqe; /* entries, a power of two */
    uint32_t cqe_size;
    struct kdevx_queue_memory memory;
};
KDEVX_PUBLIC int kdevx_cq_get_info(const struct kdevx_cq *cq, struct kdevx_cq_info *info,
                                   struct kdevx_failure *why) KDEVX_NOEXCEPT;

struct kdevx_cq_ring; /* ring.h */

struct kdevx_cq_resize_options {
    size_t size;
    uint32_t cqe; /* as when it was created */
    uint32_t reserved;
    /* That polls it; it takes over what was not polled. NULL: the program reads the entries itself,
     * and does that; then both buffers must be its own. */
    struct kdevx_cq_ring *ring;
    struct kdevx_buffer buffer; /* all zero: the library's. Memory only, no dmabuf */
};

/* A CQ of another size, entries of the same. Completions may come and be polled meanwhile; none is
 * lost. The library gives its old buffer back; one of the program's is the program's again.
 * IB_USER_VERBS_CMD_RESIZE_CQ. Nothing is changed by a failure.
 * -EINVAL INVALID: cqe (also more than the device has; the size it has already, with a new buffer);
 *         ring (not the one that polls it, or missing); buffer; CQ_TOO_SMALL: poll first;
 *         CQ_WAITED_FOR: a WAIT on it has not come to its end
 * -EBUSY BUSY: another thread resizes it, or creates its ring.  -ENOMEM LIMIT
 * -EFAULT INVALID: a buffer that is not mapped (with a ring it is written to: SIGSEGV) */
KDEVX_PUBLIC int kdevx_cq_resize(struct kdevx_cq *cq, const struct kdevx_cq_resize_options *options,
                                 struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* An event after `count` completions, or `period` microseconds after the first one that it did not
 * tell of. IB_USER_VERBS_EX_CMD_MODIFY_CQ. -EOPNOTSUPP NOT_SUPPORTED */
KDEVX_PUBLIC int kdevx_cq_moderate(struct kdevx_cq *cq, uint16_t count, uint16_t period,
                                   struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* QUERY_CQ and MODIFY_CQ of it by DEVX, see verbs_devx.h. */
KDEVX_PUBLIC int kdevx_cq_devx_query(struct kdevx_cq *cq, const void *in, size_t in_size, void *out,
                                     size_t out_size, struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_cq_devx_modify(struct kdevx_cq *cq, const void *in, size_t in_size,
                                      void *out, size_t out_size,
                                      struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
