/* SPDX-License-Identifier: MIT */
/* The device's free running clock, and its relation to the system's time.
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_CLOCK_H
#define KDEVX_CLOCK_H

#include <kdevx/context.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_clock;

/* Maps the page of the core clock and the page with the kernel's parameters, read-only; what the
 * device or kernel does not offer is missing in the info. mmap of MLX5_IB_MMAP_CORE_CLOCK and
 * MLX5_IB_MMAP_CLOCK_INFO.
 * -EOPNOTSUPP NOT_SUPPORTED: neither.  -ENOMEM LIMIT */
KDEVX_PUBLIC int kdevx_clock_open(struct kdevx_context *context, struct kdevx_clock **clock,
                                  struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_clock_close(struct kdevx_clock *clock,
                                   struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* Now, in cycles; no kernel call. -EOPNOTSUPP NOT_SUPPORTED: no core clock page */
KDEVX_PUBLIC int kdevx_clock_read(const struct kdevx_clock *clock, uint64_t *cycles,
                                  struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* As the kernel last set them. */
struct kdevx_clock_info {
    size_t size; /* set by the caller */
    uint64_t nsec, last_cycles, frac, mask;
    uint32_t mult, shift;
};
/* No kernel call. -EOPNOTSUPP NOT_SUPPORTED: no such page. Waits while the kernel writes: -EBUSY
 * BUSY if it does not come to an end. */
KDEVX_PUBLIC int kdevx_clock_get_info(const struct kdevx_clock *clock,
                                      struct kdevx_clock_info *info,
                                      struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* From a timestamp (of a CQE, or read) to nanoseconds of the system's time. Right for half a turn
 * of the counter before and after last_cycles. */
KDEVX_PUBLIC uint64_t kdevx_clock_to_ns(const struct kdevx_clock_info *info,
                                        uint64_t cycles) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
