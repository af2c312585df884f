/* SPDX-License-Identifier: MIT */
/* Address: where packets of a QP go, as an argument of others and as an object (for UD sends).
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_AH_H
#define KDEVX_AH_H

#include <kdevx/pd.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_ah;

/* As struct ib_uverbs_ah_attr. */
struct kdevx_address {
    uint8_t dgid[16];
    uint32_t flow_label;
    uint16_t dlid;
    uint8_t sgid_index, hop_limit, traffic_class, sl;
    uint8_t src_path_bits, static_rate, is_global, port_num;
    uint8_t reserved[2];
};

/* IB_USER_VERBS_CMD_CREATE_AH. On an Ethernet port the kernel resolves the destination's MAC
 * address. -EINVAL INVALID: port_num, sgid_index, or an Ethernet port without is_global */
KDEVX_PUBLIC int kdevx_ah_create(struct kdevx_pd *pd, const struct kdevx_address *address,
                                 struct kdevx_ah **ah, struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_ah_destroy(struct kdevx_ah *ah, struct kdevx_failure *why) KDEVX_NOEXCEPT;

struct kdevx_ah_info {
    size_t size; /* set by the caller */
    uint32_t handle;
    uint8_t has_dmac; /* 1: the kernel told the destination's MAC address */
    uint8_t dmac[6];
    uint8_t reserved;
};
KDEVX_PUBLIC int kdevx_ah_get_info(const struct kdevx_ah *ah, struct kdevx_ah_info *info,
                                   struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
