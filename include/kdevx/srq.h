/* SPDX-License-Identifier: MIT */
/* Shared receive queues of the verbs kind.
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_SRQ_H
#define KDEVX_SRQ_H

#include <kdevx/cq.h>
#include <kdevx/pd.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_srq;

/* enum ib_uverbs_srq_type */
enum kdevx_srq_type {
    KDEVX_SRQ_BASIC = 0,
    KDEVX_SRQ_XRC = 1, /* xrcd and cq */
    KDEVX_SRQ_TM = 2   /* tag matching: cq, max_num_tags */
};

struct kdevx_srq_options {
    size_t size;
    uint32_t type; /* enum kdevx_srq_type */
    uint32_t max_wr, max_sge;
    uint32_t limit;        /* an event when fewer are left; 0: none */
    uint32_t max_num_tags; /* TM */
    uint32_t user_index;   /* XRC and TM, as of a QP */
    uint32_t wq_signature; /* 1: WQEs carry signatures */
    uint32_t reserved;
    uint64_t user_handle;
    struct kdevx_xrcd *xrcd;
    struct kdevx_cq *cq;
    struct kdevx_async_fd *async;
    struct kdevx_buffer buffer, dbrec; /* all zero: the library's */
};

/* UVERBS_METHOD_SRQ_CREATE, kernel >= 5.8.
 * -EINVAL INVALID: max_wr, max_sge or a type that the device does not have; what does not go with
 *         the type; a buffer that is too short.  -EFAULT INVALID: one that is not mapped
 * -ENOMEM LIMIT.  -EOPNOTSUPP NOT_SUPPORTED: type */
KDEVX_PUBLIC int kdevx_srq_create(struct kdevx_pd *pd, const struct kdevx_srq_options *options,
                                  struct kdevx_srq **srq, struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* -EBUSY BUSY: a QP uses it, or a call on it is in progress. */
KDEVX_PUBLIC int kdevx_srq_destroy(struct kdevx_srq *srq, struct kdevx_failure *why) KDEVX_NOEXCEPT;

struct kdevx_srq_info {
    size_t size; /* set by the caller */
    uint32_t handle, srqn;
    uint32_t type;
    uint32_t wqe_count; /* entries, a power of two; all but one can be posted */
    uint32_t wqe_shift; /* log2 of their size */
    uint32_t max_sge;
    struct kdevx_queue_memory memory; /* no UAR: posting moves the receive counter */
};
KDEVX_PUBLIC int kdevx_srq_get_info(const struct kdevx_srq *srq, struct kdevx_srq_info *info,
                                    struct kdevx_failure *why) KDEVX_NOEXCEPT;

struct kdevx_srq_attr {
    uint32_t max_wr, max_sge, limit;
};
/* Arms the limit event. IB_USER_VERBS_CMD_MODIFY_SRQ (IB_SRQ_LIMIT; mlx5 resizes no SRQ).
 * -EINVAL INVALID: limit not below the number of entries */
KDEVX_PUBLIC int kdevx_srq_set_limit(struct kdevx_srq *srq, uint32_t limit,
                                     struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* IB_USER_VERBS_CMD_QUERY_SRQ. Common errors only. */
KDEVX_PUBLIC int kdevx_srq_query(struct kdevx_srq *srq, struct kdevx_srq_attr *attr,
                                 struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* By DEVX, see verbs_devx.h: of a basic SRQ QUERY_RMP and MODIFY_RMP (QUERY_SRQ on firmware without
 * ISSI), of an XRC SRQ QUERY_XRC_SRQ and ARM_XRC_SRQ, of a tag matching one the commands of XRQ. */
KDEVX_PUBLIC int kdevx_srq_devx_query(struct kdevx_srq *srq, const void *in, size_t in_size,
                                      void *out, size_t out_size,
                                      struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_srq_devx_modify(struct kdevx_srq *srq, const void *in, size_t in_size,
                                       void *out, size_t out_size,
                                       struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
