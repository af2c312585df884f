/* SPDX-License-Identifier: MIT */
/* Packet pacing: an entry of the device's table of rates.
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_PP_H
#define KDEVX_PP_H

#include <kdevx/context.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_pp;

enum kdevx_pp_flags {
    KDEVX_PP_DEDICATED_INDEX = 1 << 0 /* an entry of its own, not shared with others of this rate */
};

/* `rate`: PRM set_pp_rate_limit_context, 1 to 48 bytes. MLX5_IB_METHOD_PP_OBJ_ALLOC, kernel >= 5.7.
 * Needs a DEVX context. -EINVAL INVALID: size, flags.  -EPROTONOSUPPORT NOT_SUPPORTED: device
 * without packet_pacing_uid.  -ENOSPC LIMIT: the table is full */
KDEVX_PUBLIC int kdevx_pp_alloc(struct kdevx_context *context, const void *rate, size_t rate_size,
                                uint32_t flags, struct kdevx_pp **pp,
                                struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_pp_free(struct kdevx_pp *pp, struct kdevx_failure *why) KDEVX_NOEXCEPT;

struct kdevx_pp_info {
    size_t size; /* set by the caller */
    uint32_t handle;
    uint32_t index; /* for packet_pacing_rate_limit_index */
};
KDEVX_PUBLIC int kdevx_pp_get_info(const struct kdevx_pp *pp, struct kdevx_pp_info *info,
                                   struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
