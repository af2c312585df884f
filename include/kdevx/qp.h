/* SPDX-License-Identifier: MIT */
/* Queue pairs of the verbs kind. (One made by CREATE_QP is an object, object.h.)
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_QP_H
#define KDEVX_QP_H

#include <kdevx/ah.h>
#include <kdevx/cq.h>
#include <kdevx/srq.h>
#include <kdevx/wq.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_qp;

/* enum ib_uverbs_qp_type, and the two that mlx5 has besides. */
enum kdevx_qp_type {
    KDEVX_QP_RC = 2,
    KDEVX_QP_UC = 3,
    KDEVX_QP_UD = 4,
    KDEVX_QP_RAW_PACKET = 8, /* needs CAP_NET_RAW; with ind_table: RSS */
    KDEVX_QP_XRC_INI = 9,
    KDEVX_QP_XRC_TGT = 10,
    KDEVX_QP_DCT = 0x100,
    KDEVX_QP_DCI = 0x101
};

/* Bits of enum ib_qp_create_flags. */
enum kdevx_qp_create_flags {
    KDEVX_QP_BLOCK_MULTICAST_LOOPBACK = 1 << 1,
    /* These three (hca_cap.cd) go by IB_USER_VERBS_EX_CMD_CREATE_QP, which knows no async fd and no
     * dmabuf. */
    KDEVX_QP_CROSS_CHANNEL = 1 << 2, /* its WQEs may wait for and enable others */
    KDEVX_QP_MANAGED_SEND = 1 << 3,  /* its send queue runs only as far as another enables it */
    KDEVX_QP_MANAGED_RECV = 1 << 4,
    KDEVX_QP_SCATTER_FCS = 1 << 8,
    KDEVX_QP_CVLAN_STRIPPING = 1 << 9,
    KDEVX_QP_PCI_WRITE_END_PADDING = 1 << 11,
    KDEVX_QP_SQ_SIG_ALL = 1 << 12
};

/* Bits of MLX5_QP_FLAG_*. The library sets those for UARs and types itself. */
enum kdevx_qp_driver_flags {
    KDEVX_QP_SIGNATURE = 1 << 0,
    KDEVX_QP_SCATTER_CQE = 1 << 1,
    KDEVX_QP_TUNNEL_OFFLOADS = 1 << 2,
    KDEVX_QP_TIR_ALLOW_SELF_LB_UC = 1 << 6,
    KDEVX_QP_TIR_ALLOW_SELF_LB_MC = 1 << 7,
    KDEVX_QP_ALLOW_SCATTER_CQE = 1 << 8,
    KDEVX_QP_PACKET_BASED_CREDIT_MODE = 1 << 9,
    KDEVX_QP_DCI_STREAM = 1 << 11
};

struct kdevx_rss {
    uint64_t rx_hash_fields_mask; /* enum mlx5_rx_hash_fields */
    uint8_t rx_hash_function;     /* MLX5_RX_HASH_FUNC_TOEPLITZ (1) */
    uint8_t rx_key_len;           /* 40 for Toeplitz */
    uint8_t reserved[6];
    const uint8_t *rx_hash_key; /* goes to the device in this order */
};

struct kdevx_qp_options {
    size_t size;
    uint32_t type;         /* enum kdevx_qp_type */
    uint32_t create_flags; /* enum kdevx_qp_create_flags */
    uint32_t driver_flags; /* enum kdevx_qp_driver_flags */
    uint32_t user_index;   /* that its CQEs carry, 24 bits, not 0xffffff */
    uint64_t user_handle;  /* that its async events carry */
    /* The PD is an argument. XRC_TGT: xrcd alone. XRC_INI: send_cq. RSS: ind_table alone. DCT: srq
     * and recv_cq. Others: both CQs, which may be the same one, and an SRQ or not. */
    struct kdevx_cq *send_cq, *recv_cq;
    struct kdevx_srq *srq;
    struct kdevx_xrcd *xrcd;
    struct kdevx_ind_table *ind_table;
    struct kdevx_async_fd *async; /* NULL: the context's first */
    struct kdevx_uar *uar;        /* NULL: the not-cached page of the context */
    /* The size of the queues, by work requests: the library computes the rest (what a request of
     * this type takes at most: RDMA with atomics, no UMR)... */
    uint32_t max_send_wr, max_recv_wr, max_send_sge, max_recv_sge, max_inline_data;
    /* ... or by entries, if not 0: 64-byte units of the send queue, and number and log2 of the size
     * of the receive queue's entries (both or neither). Powers of two. */
    uint32_t sq_wqe_count, rq_wqe_count, rq_wqe_shift;
    uint32_t source_qpn; /* UD on InfiniBand: the QP it is an underlay of. 0: none */
    uint32_t ece_options;
    uint64_t dc_access_key;                           /* DCT */
    uint8_t dci_log_streams, dci_log_errored_streams; /* KDEVX_QP_DCI_STREAM */
    uint8_t reserved[6];
    struct kdevx_rss rss;
    /* All zero: the library's. The buffer holds the receive queue and then the send queue; only a
     * raw packet QP has two. */
    struct kdevx_buffer buffer, sq_buffer, dbrec;
};

/* UVERBS_METHOD_QP_CREATE (kernel >= 5.8) or IB_USER_VERBS_EX_CMD_CREATE_QP.
 * -EINVAL INVALID: what does not go together, each by its name; sizes or flags that the device does
 *         not have
 * -EPERM NO_PERMISSION: RAW_PACKET without CAP_NET_RAW.  -EOPNOTSUPP NOT_SUPPORTED: type
 * -ENOMEM LIMIT.  -EFAULT INVALID: a buffer that is not mapped.  -EPROTONOSUPPORT KERNEL_TOO_OLD */
KDEVX_PUBLIC int kdevx_qp_create(struct kdevx_pd *pd, const struct kdevx_qp_options *options,
                                 struct kdevx_qp **qp, struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* One without a PD: XRC_TGT. UVERBS_METHOD_QP_CREATE, errors as above; -EINVAL INVALID: another
 * type. */
KDEVX_PUBLIC int kdevx_qp_create_xrc_tgt(struct kdevx_context *context,
                                         const struct kdevx_qp_options *options,
                                         struct kdevx_qp **qp,
                                         struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* -EBUSY BUSY: a flow leads to it, or a call on it is in progress. */
KDEVX_PUBLIC int kdevx_qp_destroy(struct kdevx_qp *qp, struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* enum ib_qp_state */
enum kdevx_qp_state {
    KDEVX_QPS_RESET = 0,
    KDEVX_QPS_INIT = 1,
    KDEVX_QPS_RTR = 2,
    KDEVX_QPS_RTS = 3,
    KDEVX_QPS_SQD = 4,
    KDEVX_QPS_SQE = 5,
    KDEVX_QPS_ERR = 6,
    KDEVX_QPS_UNKNOWN = 7
};

enum kdevx_qp_ids {
    KDEVX_QP_HAS_QPN = 1 << 0,
    KDEVX_QP_HAS_DCTN = 1 << 1, /* once it is RTR */
    KDEVX_QP_HAS_TIRN = 1 << 2,
    KDEVX_QP_HAS_TISN = 1 << 3,
    KDEVX_QP_HAS_RQN = 1 << 4,
    KDEVX_QP_HAS_SQN = 1 << 5,
    KDEVX_QP_HAS_TIR_ICM_ADDR = 1 << 6
};

struct kdevx_qp_info {
    size_t size; /* set by the caller */
    uint32_t handle;
    uint32_t type; /* enum kdevx_qp_type */
    uint32_t ids;  /* enum kdevx_qp_ids: which of these are known */
    uint32_t qpn, dctn, tirn, tisn, rqn, sqn;
    uint64_t tir_icm_addr;
    /* What the library believes: the last transition that went through it, the verbs way or by
     * DEVX, or what QUERY_QP last said. Errors and other users of the QP change it unseen. */
    uint32_t state; /* enum kdevx_qp_state */
    uint32_t ece_options;
    uint32_t sq_wqe_count, rq_wqe_count, rq_wqe_shift; /* as in the options */
    uint32_t sq_offset; /* of the send queue in memory.buffer; 0 in a raw packet QP's sq_buffer */
    struct kdevx_queue_memory memory;
};
KDEVX_PUBLIC int kdevx_qp_get_info(const struct kdevx_qp *qp, struct kdevx_qp_info *info,
                                   struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* enum ib_qp_attr_mask */
enum kdevx_qp_attr_mask {
    KDEVX_QP_STATE = 1 << 0,
    KDEVX_QP_CUR_STATE = 1 << 1,
    KDEVX_QP_EN_SQD_ASYNC_NOTIFY = 1 << 2,
    KDEVX_QP_ACCESS_FLAGS = 1 << 3,
    KDEVX_QP_PKEY_INDEX = 1 << 4,
    KDEVX_QP_PORT = 1 << 5,
    KDEVX_QP_QKEY = 1 << 6,
    KDEVX_QP_AV = 1 << 7,
    KDEVX_QP_PATH_MTU = 1 << 8,
    KDEVX_QP_TIMEOUT = 1 << 9,
    KDEVX_QP_RETRY_CNT = 1 << 10,
    KDEVX_QP_RNR_RETRY = 1 << 11,
    KDEVX_QP_RQ_PSN = 1 << 12,
    KDEVX_QP_MAX_QP_RD_ATOMIC = 1 << 13,
    KDEVX_QP_ALT_PATH = 1 << 14,
    KDEVX_QP_MIN_RNR_TIMER = 1 << 15,
    KDEVX_QP_SQ_PSN = 1 << 16,
    KDEVX_QP_MAX_DEST_RD_ATOMIC = 1 << 17,
    KDEVX_QP_PATH_MIG_STATE = 1 << 18,
    KDEVX_QP_DEST_QPN = 1 << 20,
    KDEVX_QP_RATE_LIMIT = 1 << 25
};

struct kdevx_qp_attr {
    size_t size; /* set by the caller */
    uint32_t qkey, rq_psn, sq_psn, dest_qp_num, access_flags, rate_limit;
    uint16_t pkey_index, alt_pkey_index;
    uint8_t qp_state, cur_qp_state; /* enum kdevx_qp_state */
    uint8_t path_mtu;               /* enum ib_mtu: 1 is 256 bytes, 5 is 4096 */
    uint8_t path_mig_state, en_sqd_async_notify, sq_draining;
    uint8_t max_rd_atomic, max_dest_rd_atomic, min_rnr_timer;
    uint8_t port_num, timeout, retry_cnt, rnr_retry, alt_port_num, alt_timeout;
    uint8_t reserved[5];
    struct kdevx_address ah, alt_ah;
    uint32_t ece_options; /* modify: 0 leaves them */
    uint32_t max_send_wr, max_recv_wr, max_send_sge, max_recv_sge, max_inline_data; /* query */
    /* modify, with RATE_LIMIT */
    uint32_t max_burst_sz;
    uint16_t typical_pkt_sz, reserved2;
};

/* IB_USER_VERBS_EX_CMD_MODIFY_QP. The kernel keeps a state of its own, which does not follow
 * transitions by DEVX: having used those, give CUR_STATE with each.
 * -EINVAL INVALID: also, without asking the kernel, CUR_STATE and STATE between which no transition
 * leads. -EOPNOTSUPP NOT_SUPPORTED, -ENOSYS NOT_SUPPORTED (RSS): no such thing for this QP. */
KDEVX_PUBLIC int kdevx_qp_modify(struct kdevx_qp *qp, const struct kdevx_qp_attr *attr,
                                 uint32_t attr_mask, struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* IB_USER_VERBS_CMD_QUERY_QP. -ENOSYS NOT_SUPPORTED: RSS. */
KDEVX_PUBLIC int kdevx_qp_query(struct kdevx_qp *qp, uint32_t attr_mask, struct kdevx_qp_attr *attr,
                                struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* QUERY_QP and the transitions by DEVX, of a DCT QUERY_DCT, of a raw packet QP the commands of its
 * RQ, SQ, TIR and TIS; not of an RSS QP (the kernel does not match its TIR). But for that see
 * verbs_devx.h.
 * -EOPNOTSUPP NOT_SUPPORTED, without asking the kernel: XRC_TGT, whose handle the kernel (seen in
 * 6.1's source and on 7.3) looks up in memory that is not the QP's, so that the answer is chance.
 * A refusal with status BAD_QP_STATE comes with the state that the library believed
 * (kdevx_failure.qp_state). */
KDEVX_PUBLIC int kdevx_qp_devx_query(struct kdevx_qp *qp, const void *in, size_t in_size, void *out,
                                     size_t out_size, struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_qp_devx_modify(struct kdevx_qp *qp, const void *in, size_t in_size,
                                      void *out, size_t out_size,
                                      struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
