/* SPDX-License-Identifier: MIT */
/* Receive work queues of the verbs kind, and the indirection tables that spread packets over them.
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_WQ_H
#define KDEVX_WQ_H

#include <kdevx/cq.h>
#include <kdevx/pd.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_wq;
struct kdevx_ind_table;

/* Bits of enum ib_uverbs_wq_flags. */
enum kdevx_wq_flags {
    KDEVX_WQ_CVLAN_STRIPPING = 1 << 0,
    KDEVX_WQ_SCATTER_FCS = 1 << 1,
    KDEVX_WQ_DELAY_DROP = 1 << 2, /* needs CAP_SYS_RAWIO */
    KDEVX_WQ_PCI_WRITE_END_PADDING = 1 << 3
};

struct kdevx_wq_options {
    size_t size;
    uint32_t max_wr, max_sge;
    uint32_t rq_wqe_count, rq_wqe_shift; /* instead of these, if not 0; both or neither */
    uint32_t flags;                      /* enum kdevx_wq_flags */
    uint32_t user_index;
    uint32_t wq_signature; /* 1: WQEs carry signatures */
    /* Striding RQ if striding is 1: log2 of the bytes of a stride and of the strides of an entry.
     */
    uint32_t striding, single_stride_log_num_of_bytes, single_wqe_log_num_of_strides;
    uint32_t two_byte_shift_en;
    uint32_t reserved;
    uint64_t user_handle;
    struct kdevx_cq *cq;
    struct kdevx_async_fd *async;
    struct kdevx_buffer buffer, dbrec; /* all zero: the library's */
};

/* A receive queue, in state RESET. UVERBS_METHOD_WQ_CREATE, kernel >= 5.8.
 * -EINVAL INVALID: sizes or flags that the device does not have; no CQ; a buffer that is too short
 * -EPERM NO_PERMISSION: DELAY_DROP without CAP_SYS_RAWIO.  -EOPNOTSUPP NOT_SUPPORTED: flags,
 *         striding, an InfiniBand port.  -ENOMEM LIMIT */
KDEVX_PUBLIC int kdevx_wq_create(struct kdevx_pd *pd, const struct kdevx_wq_options *options,
                                 struct kdevx_wq **wq, struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* -EBUSY BUSY: an indirection table uses it, or a call on it is in progress. */
KDEVX_PUBLIC int kdevx_wq_destroy(struct kdevx_wq *wq, struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* enum ib_wq_state */
enum kdevx_wq_state { KDEVX_WQS_RESET = 0, KDEVX_WQS_RDY = 1, KDEVX_WQS_ERR = 2 };

struct kdevx_wq_info {
    size_t size; /* set by the caller */
    uint32_t handle, rqn;
    uint32_t wqe_count, wqe_shift;
    struct kdevx_queue_memory memory; /* no UAR */
};
KDEVX_PUBLIC int kdevx_wq_get_info(const struct kdevx_wq *wq, struct kdevx_wq_info *info,
                                   struct kdevx_failure *why) KDEVX_NOEXCEPT;

enum kdevx_wq_attr_mask {
    KDEVX_WQ_STATE = 1 << 0,
    KDEVX_WQ_CUR_STATE = 1 << 1,
    KDEVX_WQ_FLAGS = 1 << 2
};
struct kdevx_wq_attr {
    uint32_t state, cur_state; /* enum kdevx_wq_state */
    uint32_t flags, flags_mask;
};
/* IB_USER_VERBS_EX_CMD_MODIFY_WQ. Without CUR_STATE the kernel takes the state that it believes.
 * -EINVAL INVALID: mask, states between which no transition leads.  -EOPNOTSUPP NOT_SUPPORTED:
 *         flags */
KDEVX_PUBLIC int kdevx_wq_modify(struct kdevx_wq *wq, const struct kdevx_wq_attr *attr,
                                 uint32_t attr_mask, struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* QUERY_RQ and MODIFY_RQ by DEVX, see verbs_devx.h. */
KDEVX_PUBLIC int kdevx_wq_devx_query(struct kdevx_wq *wq, const void *in, size_t in_size, void *out,
                                     size_t out_size, struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_wq_devx_modify(struct kdevx_wq *wq, const void *in, size_t in_size,
                                      void *out, size_t out_size,
                                      struct kdevx_failure *why) KDEVX_NOEXCEPT;

#define KDEVX_MAX_LOG_IND_TABLE_SIZE 12

/* A table of 2^log_size WQs, all of one context; one may be there more than once.
 * IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL.
 * -EINVAL INVALID: log_size beyond KDEVX_MAX_LOG_IND_TABLE_SIZE or the device's
 * (hca_cap.log_max_rqt_size); a WQ that is NULL or of another context */
KDEVX_PUBLIC int kdevx_ind_table_create(struct kdevx_context *context, uint32_t log_size,
                                        struct kdevx_wq *const *wqs, struct kdevx_ind_table **table,
                                        struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* -EBUSY BUSY: an RSS QP uses it, or a call on it is in progress. */
KDEVX_PUBLIC int kdevx_ind_table_destroy(struct kdevx_ind_table *table,
                                         struct kdevx_failure *why) KDEVX_NOEXCEPT;
struct kdevx_ind_table_info {
    size_t size; /* set by the caller */
    uint32_t handle, rqtn, log_size, reserved;
};
KDEVX_PUBLIC int kdevx_ind_table_get_info(const struct kdevx_ind_table *table,
                                          struct kdevx_ind_table_info *info,
                                          struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* QUERY_RQT and MODIFY_RQT by DEVX, see verbs_devx.h. */
KDEVX_PUBLIC int kdevx_ind_table_devx_query(struct kdevx_ind_table *table, const void *in,
                                            size_t in_size, void *out, size_t out_size,
                                            struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_ind_table_devx_modify(struct kdevx_ind_table *table, const void *in,
                                             size_t in_size, void *out, size_t out_size,
                                             struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
