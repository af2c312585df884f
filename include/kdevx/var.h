/* SPDX-License-Identifier: MIT */
/* VAR: a page of the device that rings the doorbells of virtio queues; and the export of pages of
 * the device as dmabufs.
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_VAR_H
#define KDEVX_VAR_H

#include <kdevx/uar.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_var;

enum kdevx_var_flags {
    KDEVX_VAR_TLP = 1 << 0 /* kernel >= 7.2, else KERNEL_TOO_OLD */
};

/* MLX5_IB_METHOD_VAR_OBJ_ALLOC, kernel >= 5.6. Not mapped: give mmap_off and length to who shall
 * map it (PROT_READ | PROT_WRITE, MAP_SHARED, on the context's fd). -EINVAL INVALID: unknown flags.
 * -EPROTONOSUPPORT NOT_SUPPORTED: device without VIRTIO_NET_Q -ENOSPC, -ENOMEM LIMIT: none left */
KDEVX_PUBLIC int kdevx_var_alloc(struct kdevx_context *context, uint32_t flags,
                                 struct kdevx_var **var, struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_var_free(struct kdevx_var *var, struct kdevx_failure *why) KDEVX_NOEXCEPT;

struct kdevx_var_info {
    size_t size; /* set by the caller */
    uint32_t handle;
    uint32_t page_id;
    uint32_t length; /* to be mapped */
    uint32_t reserved;
    uint64_t mmap_off;
};
KDEVX_PUBLIC int kdevx_var_get_info(const struct kdevx_var *var, struct kdevx_var_info *info,
                                    struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* A new dmabuf (close-on-exec, the caller's to close) of the page. UVERBS_METHOD_DMABUF_ALLOC,
 * kernel
 * >= 7.2, else KERNEL_TOO_OLD. Its importer must do peer-to-peer and must not pin:
 * kdevx_umem_reg_dmabuf cannot take it. -EOPNOTSUPP NOT_SUPPORTED: kernel or platform without
 * P2PDMA. -EINVAL INVALID: page in use that way */
KDEVX_PUBLIC int kdevx_uar_export_dmabuf(struct kdevx_uar *uar, int *fd,
                                         struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_var_export_dmabuf(struct kdevx_var *var, int *fd,
                                         struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
