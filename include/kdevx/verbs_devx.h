/* SPDX-License-Identifier: MIT */
/* Verbs objects through DEVX: what kdevx_*_devx_query and kdevx_*_devx_modify have in common.
 *
 * The kernel takes a verbs object's handle and a PRM inbox, and wants the inbox to name, by the
 * number that the firmware knows it by, just that object. The library knows the numbers:
 * - in NULL and in_size 0, query only: the object's own query command. (Not for a raw packet QP,
 * which is several things: name one by the opcode.)
 * - a number that is 0 in the inbox is filled in; the caller's inbox is not changed.
 * - any other number must be the object's: if not, -EINVAL INVALID, step is the PRM field's name,
 *   detail[0] what the inbox says, detail[1] what the object has. The kernel is not asked.
 * - an opcode that does not work on such an object, or is of the other class: -EINVAL INVALID with
 *   step "opcode", detail[0] the opcode, detail[1] the opcode that creates what the object is.
 *
 * Mailboxes and errors are as in object.h: -EREMOTEIO FIRMWARE_REFUSED carries status and syndrome.
 * The kernel makes XRC queues (QPs, SRQs) in its own name, without the context's uid:
 * the firmware may refuse DEVX to have to do with them (FIRMWARE_REFUSED, BAD_RES_ERR).
 * A DEVX context is needed. MLX5_IB_METHOD_DEVX_OBJ_QUERY and _MODIFY, kernel >= 4.20.
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_VERBS_DEVX_H
#define KDEVX_VERBS_DEVX_H

#include <kdevx/qp.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The same for a handle of the kernel's that the library knows nothing of, for instance one that
 * libibverbs made on the same file (ibv_qp.handle): the inbox must be complete, and what it says is
 * left to the kernel to check (a mismatch is -EINVAL INVALID). Not for an XRC target (see qp.h).
 * MLX5_IB_METHOD_DEVX_OBJ_QUERY and MLX5_IB_METHOD_DEVX_OBJ_MODIFY. */
KDEVX_PUBLIC int kdevx_handle_query(struct kdevx_context *context, uint32_t handle, const void *in,
                                    size_t in_size, void *out, size_t out_size,
                                    struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_handle_modify(struct kdevx_context *context, uint32_t handle, const void *in,
                                     size_t in_size, void *out, size_t out_size,
                                     struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
