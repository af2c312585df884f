/* SPDX-License-Identifier: MIT */
/* What went wrong: every function of kdevx that can fail returns 0 or -errno and fills one of
 * these. */
#ifndef KDEVX_FAILURE_H
#define KDEVX_FAILURE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define KDEVX_NOEXCEPT noexcept
#else
#define KDEVX_NOEXCEPT
#endif

#if defined(__GNUC__)
#define KDEVX_PUBLIC __attribute__((visibility("default")))
#else
#define KDEVX_PUBLIC
#endif

/* The names of what can be wrong. A cause is a fact that was looked at, never a guess from the
 * errno alone; where the errno is all there is to know, the cause is the weakest one that is true.
 */
enum kdevx_cause {
    KDEVX_CAUSE_NONE = 0,
    /* The request contradicts itself or the interface: `step` names the argument or attribute.
     * detail[0] is the value, detail[1] the bound it breaks, where these are numbers. */
    KDEVX_CAUSE_INVALID,
    /* There is no such device, node or file. */
    KDEVX_CAUSE_NO_DEVICE,
    /* Not a uverbs file, or the uverbs file of another driver. */
    KDEVX_CAUSE_NOT_MLX5,
    /* The kernel lacks this one object, method or attribute; it has others of DEVX. */
    KDEVX_CAUSE_KERNEL_TOO_OLD,
    /* The kernel has none of the DEVX objects for this device: its firmware has no user contexts
     * (log_max_uctx is 0, the setting UCTX_EN is off). */
    KDEVX_CAUSE_FIRMWARE_NO_UCTX,
    /* The context was created without DEVX, so it has no uid for the command. */
    KDEVX_CAUSE_NO_DEVX_UID,
    /* EPERM, EACCES. */
    KDEVX_CAUSE_NO_PERMISSION,
    /* The firmware executed the command and refused it. outbox_valid tells whether fw_status and
     * fw_syndrome are known: they are, except for the methods that have no outbox (destroy, umem,
     * UAR); for those the kernel made an errno of the status. */
    KDEVX_CAUSE_FIRMWARE_REFUSED,
    /* The command did not reach the firmware or no answer came back (ETIMEDOUT, ECANCELED, ENXIO,
     * or an EIO of a device that is still there). The outbox says nothing. */
    KDEVX_CAUSE_COMMAND_NOT_EXECUTED,
    /* The device was removed, or its driver unbound. It does not come back for this context. */
    KDEVX_CAUSE_DEVICE_GONE,
    /* A limit: memory, RLIMIT_MEMLOCK, file descriptors, 65535 bytes of mailbox, 1 MiB of
     * asynchronous outboxes. detail[0] is what was asked for, detail[1] the limit, if known. */
    KDEVX_CAUSE_LIMIT,
    /* Somebody uses the object: EBUSY. detail[0] is the kind and detail[1] the kernel handle of one
     * who holds it, if the library knows one (detail[0] is KDEVX_KIND_NONE if not). */
    KDEVX_CAUSE_BUSY,
    /* The device, its firmware or the platform does not have this (EOPNOTSUPP). */
    KDEVX_CAUSE_NOT_SUPPORTED,
    /* Nothing to deliver: none now (EAGAIN), or none before the deadline (ETIMEDOUT). */
    KDEVX_CAUSE_NOTHING_YET,
    /* The caller's buffer is too small; nothing was lost. detail[0] is a size that is enough. */
    KDEVX_CAUSE_SHORT_BUFFER,
    /* The context was closed, or the object destroyed, before the call. */
    KDEVX_CAUSE_CLOSED,
    /* A system call failed in a way that none of the others describes: see err. */
    KDEVX_CAUSE_OTHER
};

/* Kinds of things a context holds. */
enum kdevx_kind {
    KDEVX_KIND_NONE = 0,
    KDEVX_KIND_CONTEXT,
    KDEVX_KIND_OBJECT,
    KDEVX_KIND_CMD_COMP,
    KDEVX_KIND_UMEM,
    KDEVX_KIND_UAR,
    KDEVX_KIND_EVENT_CHANNEL,
    KDEVX_KIND_ASYNC_FD,
    KDEVX_KIND_COMP_CHANNEL,
    KDEVX_KIND_PD,
    KDEVX_KIND_MR,
    KDEVX_KIND_DM,
    KDEVX_KIND_XRCD,
    KDEVX_KIND_AH,
    KDEVX_KIND_CQ,
    KDEVX_KIND_QP,
    KDEVX_KIND_SRQ,
    KDEVX_KIND_WQ,
    KDEVX_KIND_IND_TABLE,
    KDEVX_KIND_VAR,
    KDEVX_KIND_PP,
    KDEVX_KIND_FLOW_MATCHER,
    KDEVX_KIND_FLOW,
    KDEVX_KIND_FLOW_ACTION,
    KDEVX_KIND_STEERING_ANCHOR,
    KDEVX_KIND_CLOCK,
    KDEVX_KIND_CQ_RING,
    KDEVX_KIND_SRQ_RING,
    KDEVX_KIND_QP_RING
};

/* Filled on failure; left alone on success. Every `why` may be NULL. Of no use to compare with
 * `==`: look at `cause` (enum kdevx_cause) and `err`. */
struct kdevx_failure {
    int32_t err;            /* errno, positive, as the kernel gave it; the function returned -err */
    uint32_t cause;         /* enum kdevx_cause */
    uint8_t outbox_valid;   /* 1: the firmware wrote the outbox, the next two were read from it */
    uint8_t fw_status;      /* PRM command status, else 0 */
    uint8_t qp_state_known; /* 1: a QP's state forbade it, and the next one is what was believed */
    uint8_t qp_state;       /* enum kdevx_qp_state */
    uint32_t fw_syndrome;   /* PRM syndrome, else 0 */
    const char *step; /* what failed: a kernel method, a system call or an argument; static text */
    uint64_t detail[2]; /* see the causes; FIRMWARE_REFUSED: opcode, op_mod */
};

/* "FIRMWARE_REFUSED"; "UNKNOWN" for a number that is no cause. Static text. */
KDEVX_PUBLIC const char *kdevx_cause_name(uint32_t cause) KDEVX_NOEXCEPT;

/* "BAD_PARAM_ERR" for 3: the PRM's name of a command status; "UNKNOWN" for one it does not name. */
KDEVX_PUBLIC const char *kdevx_status_name(uint8_t fw_status) KDEVX_NOEXCEPT;

/* What to do about it, in one sentence of static text; "" when there is nothing to advise. */
KDEVX_PUBLIC const char *kdevx_failure_hint(const struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* One line of text without hint and newline, for instance
 *   MLX5_IB_METHOD_DEVX_OBJ_CREATE: FIRMWARE_REFUSED, status 0x3 BAD_PARAM_ERR, syndrome 0x00317175
 * Returns the length of the whole text, of which at most size - 1 characters and a NUL are written
 * (nothing when size is 0), as snprintf does. "no failure" for NULL and for one without an errno.
 */
KDEVX_PUBLIC size_t kdevx_failure_text(const struct kdevx_failure *why, char *buffer,
                                       size_t size) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
