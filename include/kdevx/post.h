/* SPDX-License-Identifier: MIT */
/* Work requests, completions, and lists of tasks over several queue pairs. None of these functions
 * makes a system call. Those that post return 0 or -errno; a request that is refused leaves its
 * ring as it was, those before it are posted and the device is told of them.
 *
 * A ring that has ended is told; that a pointer is a ring at all is left to the compiler, here and
 * nowhere else.
 *
 * Failures of this header are INVALID (-EINVAL), LIMIT (-ENOMEM: QUEUE_FULL) or CLOSED; `step` is
 * the name of the reason, for instance ENABLE_BEYOND_POSTED, and kdevx_failure_hint() says what to
 * do about it. Threads: as ring.h says; there is nothing of the kernel's here. */
#ifndef KDEVX_POST_H
#define KDEVX_POST_H

#include <kdevx/ah.h>
#include <kdevx/ring.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_sge {
    uint64_t addr;
    uint32_t length; /* at most 2^31 - 1 */
    uint32_t lkey;
};

enum kdevx_send_op {
    KDEVX_SEND = 0,
    KDEVX_SEND_IMM,
    KDEVX_SEND_INVAL,
    KDEVX_RDMA_WRITE,
    KDEVX_RDMA_WRITE_IMM,
    KDEVX_RDMA_READ,
    KDEVX_ATOMIC_CAS,
    KDEVX_ATOMIC_ADD,
    KDEVX_MASKED_CAS,
    KDEVX_MASKED_ADD,
    KDEVX_NOP,
    KDEVX_LOCAL_INVAL,
    KDEVX_UMR,
    KDEVX_WAIT_CQ,
    KDEVX_WAIT_DATA,
    KDEVX_WAIT_TIME,
    KDEVX_SEND_ENABLE,
    KDEVX_RECV_ENABLE
};

/* The first four have the values of IBV_SEND_*. */
enum kdevx_send_flags {
    KDEVX_SEND_FENCE = 1 << 0, /* after all earlier RDMA reads and atomics */
    KDEVX_SEND_SIGNALED = 1 << 1,
    KDEVX_SEND_SOLICITED = 1 << 2,
    KDEVX_SEND_INLINE = 1 << 3,
    KDEVX_SEND_STRONG_FENCE = 1 << 4, /* after everything earlier */
    /* Ends a group of WAITs on one CQ, or ENABLEs of one queue. All requests of a group count from
     * the same base, and the largest count of the group is added to it. */
    KDEVX_SEND_WAIT_ENABLE_LAST = 1 << 5
};

/* Where a datagram goes, as its WQE holds it. */
struct kdevx_av {
    uint64_t words[6];
};

/* On InfiniBand; `dmac` NULL. On Ethernet: the MAC address that kdevx_ah_get_info tells.
 * -EINVAL INVALID: sl, static_rate, flow_label, sgid_index: a number that has no place */
KDEVX_PUBLIC int kdevx_av_make(const struct kdevx_address *address, const uint8_t dmac[6],
                               struct kdevx_av *av, struct kdevx_failure *why) KDEVX_NOEXCEPT;

struct kdevx_rdma {
    uint64_t remote_addr;
    uint32_t rkey;
};
/* The old value goes to the request's one SGE, whose length is that of the operand: 8, or 4 for a
 * masked one. */
struct kdevx_atomic {
    uint64_t remote_addr;
    uint32_t rkey;
    uint64_t swap_or_add, compare;
    /* Masked: which bits are swapped and compared; of an addition: after which bits a carry
     * stops. */
    uint64_t swap_mask, compare_mask;
};
struct kdevx_wait_cq {
    struct kdevx_cq_ring *cq;
    uint32_t count; /* completions after those that earlier groups waited for */
};
struct kdevx_wait_data {
    uint64_t addr; /* of eight bytes, aligned to eight; WAIT_TIME takes none */
    uint32_t lkey;
    uint8_t condition; /* PRM wait_condition */
    uint8_t invert;
    uint8_t fail_to_error_cqe; /* 1: complete with an error instead of trying again */
    uint64_t value, mask;
};
struct kdevx_enable {
    struct kdevx_qp_ring *target;
    uint32_t count; /* requests after those that earlier groups enabled; 0: all that are posted */
};
/* Changes a memory key. */
struct kdevx_umr {
    uint32_t mkey;
    uint32_t flags;      /* enum kdevx_umr_flags */
    uint64_t mkey_mask;  /* what of the context is changed, PRM mkey_mask */
    const void *context; /* an mkc: 64 bytes */
    uint32_t check;      /* PRM umr_check */
    uint32_t xlt_at_lkey;
    uint64_t xlt_offset; /* in octowords */
    const void *xlt;     /* entries to put into the WQE... */
    size_t xlt_size;
    uint64_t xlt_at; /* ... or where they are, if xlt_at_length is not 0 */
    uint32_t xlt_at_length;
    uint32_t bsf_size;
    const void *bsf; /* signature description behind inline entries */
};
enum kdevx_umr_flags { KDEVX_UMR_TRANSLATION_OFFSET = 1 << 0 };

struct kdevx_send_wr {
    uint64_t wr_id;
    const struct kdevx_send_wr *next;
    const struct kdevx_sge *sg_list;
    uint32_t num_sge;
    uint8_t op; /* enum kdevx_send_op */
    uint8_t reserved[3];
    uint32_t flags;       /* enum kdevx_send_flags */
    uint32_t imm_or_rkey; /* immediate data in host order, or the key to invalidate */
    union {
        struct kdevx_rdma rdma;
        struct kdevx_atomic atomic;
        struct kdevx_wait_cq wait;
        struct kdevx_wait_data wait_data;
        struct kdevx_enable enable;
        const struct kdevx_umr *umr;
    } u;
    /* UD and DC */
    const struct kdevx_av *av;
    uint32_t remote_qpn; /* or DCT number */
    uint32_t remote_qkey;
    uint64_t dc_key;
    uint32_t xrc_srqn;
};

struct kdevx_recv_wr {
    uint64_t wr_id;
    const struct kdevx_recv_wr *next;
    const struct kdevx_sge *sg_list;
    uint32_t num_sge;
};

/* `bad`, if not NULL: the first request that was refused, and is left alone on success.
 * -EINVAL INVALID: a request that the queue cannot have or that contradicts itself
 * -ENOMEM LIMIT: QUEUE_FULL: poll first.  -EBADF CLOSED */
KDEVX_PUBLIC int kdevx_post_send(struct kdevx_qp_ring *qp, const struct kdevx_send_wr *list,
                                 const struct kdevx_send_wr **bad,
                                 struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_post_recv(struct kdevx_qp_ring *qp, const struct kdevx_recv_wr *list,
                                 const struct kdevx_recv_wr **bad,
                                 struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_post_srq_recv(struct kdevx_srq_ring *srq, const struct kdevx_recv_wr *list,
                                     const struct kdevx_recv_wr **bad,
                                     struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* ---- completions ---- */

/* What was completed: an enum kdevx_send_op, or one of these. */
enum kdevx_completed {
    KDEVX_COMPLETED_RECV = 0x80,
    KDEVX_COMPLETED_RECV_RDMA_IMM = 0x81,
    KDEVX_COMPLETED_SIGNATURE_ERROR = 0x82, /* no work request: imm_or_rkey is the memory key */
    KDEVX_COMPLETED_UNKNOWN = 0xff
};

enum kdevx_wc_flags {
    KDEVX_WC_HAS_IMM = 1 << 0,
    KDEVX_WC_HAS_INVAL = 1 << 1, /* imm_or_rkey was invalidated by the peer */
    KDEVX_WC_HAS_GRH = 1 << 2,   /* in the first 40 bytes of the buffer (UD) */
    KDEVX_WC_SOLICITED = 1 << 3
};

struct kdevx_wc {
    uint64_t wr_id;
    struct kdevx_qp_ring *qp; /* NULL for a receive of an XRC SRQ, and where `problem` says so */
    uint32_t qpn;
    uint32_t byte_len;    /* of a receive, read or atomic */
    uint32_t imm_or_rkey; /* in host order */
    uint32_t src_qp;
    uint16_t slid, wqe_counter;
    uint8_t what;  /* enum kdevx_completed */
    uint8_t flags; /* enum kdevx_wc_flags */
    uint8_t sl, path_bits;
    uint8_t syndrome;     /* 0: success; its name and meaning are below */
    uint8_t vendor_error; /* of the device */
    /* Why the completion belongs to no work request, 0 if it does: a number that
     * kdevx_wc_problem_name() names. */
    uint8_t problem;
    uint8_t reserved;
};

/* Takes what has completed, oldest first: returns how many, at most `room`; 0 if there is nothing,
 * also for room 0 or no `out`; -EBADF for a ring that was destroyed. */
KDEVX_PUBLIC int kdevx_poll_cq(struct kdevx_cq_ring *cq, struct kdevx_wc *out,
                               int room) KDEVX_NOEXCEPT;

/* Asks for an event at the completion channel. Returns 1 if there is a completion to poll already
 * (poll, do not sleep), 0 if not: one who sleeps only after 0 misses nothing. -EBADF */
KDEVX_PUBLIC int kdevx_arm_cq(struct kdevx_cq_ring *cq, int solicited_only) KDEVX_NOEXCEPT;
/* After each event that was taken from the channel, before the next arming. 0 or -EBADF */
KDEVX_PUBLIC int kdevx_acknowledge_cq_event(struct kdevx_cq_ring *cq) KDEVX_NOEXCEPT;

/* "REMOTE_ACCESS_ERR", and what it means; "UNKNOWN" and "". Static text. */
KDEVX_PUBLIC const char *kdevx_syndrome_name(uint8_t syndrome) KDEVX_NOEXCEPT;
KDEVX_PUBLIC const char *kdevx_syndrome_text(uint8_t syndrome) KDEVX_NOEXCEPT;
KDEVX_PUBLIC const char *kdevx_wc_problem_name(uint8_t problem) KDEVX_NOEXCEPT;

/* ---- tasks ---- */

enum kdevx_task_type { KDEVX_TASK_SEND = 0, KDEVX_TASK_RECV = 1 };

struct kdevx_task {
    uint32_t type;      /* enum kdevx_task_type */
    uint32_t comp_mask; /* 0 */
    struct kdevx_qp_ring *qp;
    const struct kdevx_send_wr *sends;
    const struct kdevx_recv_wr *recvs;
    const struct kdevx_task *next;
};

/* Which task was refused, and which of its requests; NULL where the task itself was. */
struct kdevx_bad_task {
    const struct kdevx_task *task;
    const struct kdevx_send_wr *send;
    const struct kdevx_recv_wr *recv;
};

/* Posts the tasks in order. The first that is refused ends the list: what was posted before it
 * stays and the device is told of it; what comes after it is not looked at. The device is told
 * when all WQEs of the list are visible, so a master may enable any of them. `bad`, if not NULL, is
 * always written. QPs are of the one context; calls of several threads are one after the other.
 * -EINVAL: also COMP_MASK_NOT_ZERO, UNKNOWN_TASK_TYPE, and a QP of another context ("qp") */
KDEVX_PUBLIC int kdevx_post_task(struct kdevx_context *context, const struct kdevx_task *list,
                                 struct kdevx_bad_task *bad,
                                 struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
