/* SPDX-License-Identifier: MIT */
/* Firmware commands and the objects they make.
 *
 * Mailboxes are the PRM's, big-endian, 16 to 65535 bytes each. The kernel puts its own uid into the
 * inbox, and *_umem_valid bits into those that describe queues.
 *
 * When a command fails, the outbox means something only if why->outbox_valid is 1 (EREMOTEIO). Then
 * fw_status and fw_syndrome were read from it and the caller's `out` holds all of it. In every
 * other case the content of `out` is not the firmware's and is not to be looked at.
 *
 * Errors of all commands, besides the common ones and what each says:
 * -EINVAL INVALID: in or out NULL, a length below 16, or what the kernel refuses without asking the
 *         firmware: an opcode this method does not take, an id that is not this object's
 * -E2BIG  LIMIT: a length above 65535
 * -EINVAL NO_DEVX_UID, -EOPNOTSUPP NO_DEVX_UID: context without DEVX
 * -EPROTONOSUPPORT FIRMWARE_NO_UCTX, KERNEL_TOO_OLD
 * -EREMOTEIO FIRMWARE_REFUSED, outbox valid
 * -ETIMEDOUT, -ECANCELED, -ENXIO, -EIO COMMAND_NOT_EXECUTED.  -EIO DEVICE_GONE
 * -ENOMEM, -EAGAIN LIMIT.  -EBUSY BUSY.  -EFAULT INVALID.  -EBADF CLOSED
 *
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_OBJECT_H
#define KDEVX_OBJECT_H

#include <kdevx/context.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_object;
struct kdevx_cmd_comp;

/* A command that makes no object: opcodes 0xb00 to 0xcff, and the queries that the kernel lists
 * (QUERY_HCA_CAP, QUERY_ADAPTER, QUERY_LAG, ... see docs/kabi.md). Four of those also work without
 * a DEVX uid: QUERY_HCA_CAP, QUERY_HCA_VPORT_CONTEXT, QUERY_ESW_VPORT_CONTEXT,
 * QUERY_ESW_FUNCTIONS. MLX5_IB_METHOD_DEVX_OTHER. -EINVAL INVALID: any other opcode; for the rest,
 * errors of all commands. */
KDEVX_PUBLIC int kdevx_general_cmd(struct kdevx_context *context, const void *in, size_t in_size,
                                   void *out, size_t out_size,
                                   struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* CREATE_*, ALLOC_* and the like. The kernel remembers how to destroy it.
 * MLX5_IB_METHOD_DEVX_OBJ_CREATE. On failure *object is untouched and nothing was made.
 * -EINVAL INVALID: an opcode that makes nothing; for the rest, errors of all commands. */
KDEVX_PUBLIC int kdevx_object_create(struct kdevx_context *context, const void *in, size_t in_size,
                                     void *out, size_t out_size, struct kdevx_object **object,
                                     struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* QUERY_* and MODIFY_* (QP transitions among them) of this object: the inbox must carry its id.
 * MLX5_IB_METHOD_DEVX_OBJ_QUERY and _MODIFY. -EINVAL INVALID: an opcode or an id that does not go
 * with the object; for the rest, errors of all commands. */
KDEVX_PUBLIC int kdevx_object_query(struct kdevx_object *object, const void *in, size_t in_size,
                                    void *out, size_t out_size,
                                    struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_object_modify(struct kdevx_object *object, const void *in, size_t in_size,
                                     void *out, size_t out_size,
                                     struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* Destroys it; the pointer is dead afterwards. If that fails the object is alive and usable as
 * before. MLX5_IB_METHOD_DEVX_OBJ_DESTROY. NULL is -EINVAL INVALID.
 * -EBUSY BUSY: a call on it is in progress in another thread, or the firmware has users of it.
 * Any other errno FIRMWARE_REFUSED (the status became the errno: there is no outbox), DEVICE_GONE
 * (then it is gone as well, and this succeeds), CLOSED (already destroyed). */
KDEVX_PUBLIC int kdevx_object_destroy(struct kdevx_object *object,
                                      struct kdevx_failure *why) KDEVX_NOEXCEPT;

struct kdevx_object_info {
    size_t size;        /* set by the caller */
    uint32_t handle;    /* the kernel's; 0 is as good as any other */
    uint16_t opcode;    /* of the command that created it */
    uint16_t obj_type;  /* CREATE_GENERAL_OBJECT, else 0 */
    uint32_t device_id; /* the dword at byte 8 of the creating outbox: qpn, cqn, obj_id, ... */
    uint32_t reserved;
};
KDEVX_PUBLIC int kdevx_object_get_info(const struct kdevx_object *object,
                                       struct kdevx_object_info *info,
                                       struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* ---- asynchronous queries -------------------------------------------------------------------- */

/* A queue of answers to asynchronous queries, with an fd (non-blocking, close-on-exec).
 * MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC. Common errors only. */
KDEVX_PUBLIC int kdevx_cmd_comp_create(struct kdevx_context *context, struct kdevx_cmd_comp **comp,
                                       struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* Waits for commands in flight (the kernel does) and drops their answers. -EBUSY BUSY: a call on it
 * is in progress in another thread. */
KDEVX_PUBLIC int kdevx_cmd_comp_destroy(struct kdevx_cmd_comp *comp,
                                        struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* For poll and epoll: readable (POLLIN) when an answer is there. Ask for POLLRDHUP as well: that,
 * and nothing else, tells that the device is gone. Never read it or close it, and leave it
 * non-blocking. -EBADF once destroyed; no kernel call. */
KDEVX_PUBLIC int kdevx_cmd_comp_fd(const struct kdevx_cmd_comp *comp) KDEVX_NOEXCEPT;
/* Queries whose answer was not taken yet. */
KDEVX_PUBLIC uint32_t kdevx_cmd_comp_in_flight(const struct kdevx_cmd_comp *comp) KDEVX_NOEXCEPT;

/* Sends a QUERY_* whose outbox of out_size bytes will arrive at `comp`, which must be of the same
 * context. wr_id comes back with it and need not be unique. Answers may overtake each other.
 * MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY.
 * -EAGAIN LIMIT: more than 1 MiB of outboxes not taken yet; take one and try again
 * -EINVAL INVALID: also a query of a general object on kernels that limit those (6.1) */
KDEVX_PUBLIC int kdevx_object_query_async(struct kdevx_object *object, const void *in,
                                          size_t in_size, size_t out_size, uint64_t wr_id,
                                          struct kdevx_cmd_comp *comp,
                                          struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* What became of an asynchronous query. The kernel does not say whether the command was executed
 * at all: if not (a timeout, a reset), the outbox is all zero, which would read as success. */
enum kdevx_verdict {
    KDEVX_VERDICT_OK = 0,          /* executed, status 0 */
    KDEVX_VERDICT_REFUSED = 1,     /* executed, status and syndrome tell why not */
    KDEVX_VERDICT_UNVERIFIED = 2,  /* all zero, and an honest answer to this opcode could be too (a
                                      fresh flow counter) */
    KDEVX_VERDICT_NOT_EXECUTED = 3 /* all zero, and an honest answer to this opcode could not */
};
struct kdevx_completion {
    size_t size; /* set by the caller */
    uint64_t wr_id;
    uint32_t verdict;  /* enum kdevx_verdict */
    uint32_t syndrome; /* of the outbox */
    uint8_t status;    /* of the outbox */
    uint8_t reserved[1];
    uint16_t opcode;   /* of the query */
    uint32_t out_size; /* bytes of outbox that were written to `out` */
};

#define KDEVX_NO_WAIT 0
#define KDEVX_FOREVER (-1)

/* Takes one answer. timeout_ms: KDEVX_NO_WAIT, KDEVX_FOREVER, or how long to wait. A signal does
 * not end the wait (wait on the fd yourself if it shall). Answers that the firmware refused are
 * delivered like others: look at the verdict.
 * -EAGAIN    NOTHING_YET: none is there (KDEVX_NO_WAIT)
 * -ETIMEDOUT NOTHING_YET: none came in time
 * -ENOSPC    SHORT_BUFFER: out_size is less than the answer has; it stays, detail[0] is enough
 * -EIO       DEVICE_GONE: the device is gone and no answer is left; every call says so
 * -EIO       CLOSED: the context was closed while this call was waiting. It is woken by the end of
 *            the uverbs file, so not before its deadline if the fd is borrowed or a UAR is mapped
 * -EBADMSG   OTHER: what was read is too short to be an answer
 * -EINVAL    INVALID: completion NULL, or out NULL with out_size > 0, out_size below 16
 *
 * By read and poll. Any number of threads at a time; each answer goes to one of them. */
KDEVX_PUBLIC int kdevx_cmd_comp_get(struct kdevx_cmd_comp *comp, void *out, size_t out_size,
                                    int timeout_ms, struct kdevx_completion *completion,
                                    struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
