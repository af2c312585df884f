/* SPDX-License-Identifier: MIT */
/* Rings: how a program posts work requests and takes completions itself, without the kernel. A ring
 * is the library's view of a queue that exists already: of the verbs kind (cq.h, qp.h, srq.h), or
 * made by DEVX (object.h) in memory of the caller. It belongs to no kernel object and no call here
 * makes a system call. Requests and completions are in post.h.
 *
 * Threads: posting, polling and arming may be called from any thread at any time; a ring must not
 * be destroyed, and a queue not be reset, while another thread is in such a call. There is nothing
 * of the kernel's here; common errors: kdevx.h. */
#ifndef KDEVX_RING_H
#define KDEVX_RING_H

#include <kdevx/qp.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_cq_ring;
struct kdevx_srq_ring;
struct kdevx_qp_ring;

/* ---- completion queues ---- */

struct kdevx_cq_ring_options {
    size_t size;
    void *buffer;         /* the CQEs, fresh: each one's last byte 0xf0 */
    uint64_t buffer_size; /* a power of two of CQEs, at most 2^23 of them */
    uint32_t *dbrec;      /* 8 bytes: consumer index, arm */
    void *uar;            /* base_addr of a UAR, to arm it in */
    uint32_t cqn;
    uint32_t cqe_size; /* 64 or 128 */
};

/* Of a verbs CQ, which is then in use by the ring: kdevx_cq_destroy is BUSY.
 * -EINVAL INVALID: a CQ in a dmabuf.  -ENOMEM LIMIT */
KDEVX_PUBLIC int kdevx_cq_ring_create(struct kdevx_cq *cq, struct kdevx_cq_ring **ring,
                                      struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* Of a CQ made by CREATE_CQ. What the options name must outlive the ring.
 * -EINVAL INVALID: `step` says what does not fit (BAD_RING_SIZE, BAD_MEMORY, BAD_NUMBER) */
KDEVX_PUBLIC int kdevx_cq_ring_create_devx(struct kdevx_context *context,
                                           const struct kdevx_cq_ring_options *options,
                                           struct kdevx_cq_ring **ring,
                                           struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* -EBUSY BUSY: a QP or SRQ ring completes here. */
KDEVX_PUBLIC int kdevx_cq_ring_destroy(struct kdevx_cq_ring *ring,
                                       struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* A resize: begin, MODIFY_CQ with the new memory, finish; or abort if that command failed. Between
 * begin and finish polling goes on, and no WAIT on this CQ can be posted (CQ_RESIZING). The new
 * buffer is marked as the device's here. After finish the old one is the caller's again.
 * -EINVAL INVALID: CQ_RESIZING, BAD_RING_SIZE (also CQEs smaller than before), BAD_MEMORY,
 *         CQ_TOO_SMALL (poll first), CQ_WAITED_FOR (a WAIT counts on what is still to come) */
KDEVX_PUBLIC int kdevx_cq_ring_begin_resize(struct kdevx_cq_ring *ring, void *buffer,
                                            uint64_t buffer_size, uint32_t cqe_size,
                                            struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_cq_ring_finish_resize(struct kdevx_cq_ring *ring,
                                             struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_cq_ring_abort_resize(struct kdevx_cq_ring *ring,
                                            struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* ---- shared receive queues ---- */

struct kdevx_srq_ring_options {
    size_t size;
    void *buffer;
    uint64_t buffer_size;
    uint32_t *dbrec;
    uint32_t srqn;   /* or RMP number */
    uint32_t stride; /* bytes of an entry: a power of two from 32 on */
    uint32_t max_sge;
    /* XRC and others that belong to no QP of this process: the CQ they complete to, and the number
     * that their CQEs carry (the user index it was made with). */
    uint32_t user_index;
    struct kdevx_cq_ring *cq;
};

/* Of a verbs SRQ. `cq`: where an XRC or TM one completes to, NULL for a basic one.
 * -EINVAL INVALID: cq, or an SRQ in a dmabuf.  -ENOMEM LIMIT */
KDEVX_PUBLIC int kdevx_srq_ring_create(struct kdevx_srq *srq, struct kdevx_cq_ring *cq,
                                       struct kdevx_srq_ring **ring,
                                       struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_srq_ring_create_devx(struct kdevx_context *context,
                                            const struct kdevx_srq_ring_options *options,
                                            struct kdevx_srq_ring **ring,
                                            struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* -EBUSY BUSY: a QP ring receives from it. */
KDEVX_PUBLIC int kdevx_srq_ring_destroy(struct kdevx_srq_ring *ring,
                                        struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* ---- queue pairs ---- */

/* Which operations and which segments its WQEs have. */
enum kdevx_transport {
    KDEVX_TRANSPORT_RC = 0,
    KDEVX_TRANSPORT_UC = 1,
    KDEVX_TRANSPORT_UD = 2,
    KDEVX_TRANSPORT_XRC = 3, /* initiator */
    KDEVX_TRANSPORT_DCI = 4,
    KDEVX_TRANSPORT_LOCAL = 5 /* reaches no wire: waits, enables and changes memory keys */
};

enum kdevx_qp_ring_flags {
    KDEVX_QP_RING_SIGNAL_ALL = 1 << 0, /* every send request has a CQE */
    /* The device lets the producer run ahead of the consumer (qpc.oi): the program knows itself
     * when there is room, QUEUE_FULL is not looked for. */
    KDEVX_QP_RING_IGNORE_OVERFLOW = 1 << 1,
    /* SEND_EN counts work requests and not WQEBBs: docs/decisions/0001-send-en-index-unit.md */
    KDEVX_QP_RING_ENABLE_BY_REQUEST = 1 << 2,
    KDEVX_QP_RING_BLUE_FLAME = 1 << 3, /* also for requests without inline data */
    /* DEVX only, as the QP context says. */
    KDEVX_QP_RING_MASTER = 1 << 4,         /* cd_master */
    KDEVX_QP_RING_MANAGED_SEND = 1 << 5,   /* cd_slave_send */
    KDEVX_QP_RING_MANAGED_RECV = 1 << 6,   /* cd_slave_receive */
    KDEVX_QP_RING_WQE_SIGNATURE = 1 << 7,  /* wq_signature */
    KDEVX_QP_RING_WRITE_COMBINING = 1 << 8 /* how the UAR is mapped; bf_size needs it */
};

struct kdevx_qp_ring_options {
    size_t size;
    struct kdevx_cq_ring *send_cq, *recv_cq; /* NULL where it has no such queue */
    struct kdevx_srq_ring *srq;              /* in place of its own receive queue */
    uint32_t flags;                          /* enum kdevx_qp_ring_flags */
    /* At most these in one request. 0: what a verbs QP was made with, else 1 and none. */
    uint32_t max_send_sge, max_recv_sge, max_inline_data;
    /* Bytes of one BlueFlame buffer of the UAR, which no other ring may use then; 0: doorbells
     * only. */
    uint32_t bf_size;
    /* The rest is read from a verbs QP, and for one made by DEVX it is: */
    uint32_t qpn;       /* or SQ number */
    uint32_t transport; /* enum kdevx_transport */
    uint32_t state;     /* enum kdevx_qp_state */
    void *sq_buffer;
    uint64_t sq_size; /* a power of two of 64 bytes, at most 32768 of them; 0: no send queue */
    void *rq_buffer;
    uint64_t rq_size;   /* a power of two of strides, at most 32768 of them; 0: none */
    uint32_t rq_stride; /* bytes of an entry: a power of two from 16 on */
    uint32_t reserved;
    uint32_t *dbrec; /* 8 bytes: receive counter, send counter */
    void *uar;       /* base_addr of the UAR of the QP */
    void *uar_reg;   /* reg_addr */
};

/* Of a verbs QP other than DCT, XRC_TGT and RSS, which post nothing. The ring follows the state
 * that the library believes the QP to be in.
 * -EINVAL INVALID: send_cq, recv_cq, srq (not a ring of the QP's), flags, a QP in a dmabuf */
KDEVX_PUBLIC int kdevx_qp_ring_create(struct kdevx_qp *qp,
                                      const struct kdevx_qp_ring_options *options,
                                      struct kdevx_qp_ring **ring,
                                      struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* Of a QP, SQ or RQ made by DEVX. What the options name must outlive the ring.
 * -EINVAL INVALID: `step` says what does not fit (BAD_RING_SIZE, BAD_MEMORY, BAD_NUMBER) */
KDEVX_PUBLIC int kdevx_qp_ring_create_devx(struct kdevx_context *context,
                                           const struct kdevx_qp_ring_options *options,
                                           struct kdevx_qp_ring **ring,
                                           struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_qp_ring_destroy(struct kdevx_qp_ring *ring,
                                       struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* Tells the ring of a transition that it cannot see: of a QP made by DEVX. (Without effect on the
 * ring of a verbs QP, but for RESET.) RESET empties the queues: poll the CQs dry before, what is
 * left there is told as STRAY_COMPLETION. -EINVAL INVALID: no such state */
KDEVX_PUBLIC int kdevx_qp_ring_set_state(struct kdevx_qp_ring *ring, uint32_t state,
                                         struct kdevx_failure *why) KDEVX_NOEXCEPT;

struct kdevx_qp_ring_info {
    size_t size; /* set by the caller */
    uint32_t qpn;
    uint32_t sq_wqebbs, sq_free_wqebbs; /* 64-byte units of the send queue */
    uint32_t sq_producer;               /* not wrapped */
    uint32_t rq_entries, rq_posted;     /* the latter not wrapped */
    uint32_t state;                     /* enum kdevx_qp_state */
};
KDEVX_PUBLIC int kdevx_qp_ring_get_info(const struct kdevx_qp_ring *ring,
                                        struct kdevx_qp_ring_info *info,
                                        struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
