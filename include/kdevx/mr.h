/* SPDX-License-Identifier: MIT */
/* Memory regions of the verbs kind: keys for host memory, for a dmabuf and for device memory; and
 * the device memory itself. (A region of a umem is an mkey, made by CREATE_MKEY.)
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_MR_H
#define KDEVX_MR_H

#include <kdevx/pd.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_mr;
struct kdevx_dm;

/* Bits of IB_UVERBS_ACCESS_*. What this library has no name for goes to the kernel as it is. */
enum kdevx_mr_access {
    KDEVX_MR_LOCAL_WRITE = 1 << 0,
    KDEVX_MR_REMOTE_WRITE = 1 << 1, /* needs LOCAL_WRITE */
    KDEVX_MR_REMOTE_READ = 1 << 2,
    KDEVX_MR_REMOTE_ATOMIC = 1 << 3, /* needs LOCAL_WRITE */
    KDEVX_MR_MW_BIND = 1 << 4,
    KDEVX_MR_ZERO_BASED = 1 << 5,
    KDEVX_MR_ON_DEMAND = 1 << 6,
    KDEVX_MR_HUGETLB = 1 << 7,
    KDEVX_MR_RELAXED_ORDERING = 1 << 20
};

/* length bytes at address, which the device calls iova (usually the address itself; both must have
 * the same offset in a page). The memory stays the caller's. IB_USER_VERBS_CMD_REG_MR.
 * -EINVAL INVALID: address NULL, length 0, overflow, access that contradicts itself
 * -EFAULT INVALID: not mapped.  -ENOMEM LIMIT: RLIMIT_MEMLOCK or memory */
KDEVX_PUBLIC int kdevx_mr_reg(struct kdevx_pd *pd, void *address, size_t length, uint64_t iova,
                              uint32_t access, struct kdevx_mr **mr,
                              struct kdevx_failure *why) KDEVX_NOEXCEPT;

enum kdevx_dmabuf_access {
    /* By the device's direct path to the exporter. Kernel >= 6.12, else KERNEL_TOO_OLD. */
    KDEVX_DMABUF_DATA_DIRECT = 1 << 0
};
/* length bytes of a dmabuf from offset. The fd stays the caller's. UVERBS_METHOD_REG_DMABUF_MR,
 * kernel >= 5.12. -EBADF INVALID: fd negative. -EINVAL INVALID: no dmabuf; access that needs pages
 * (ON_DEMAND, HUGETLB); a device that cannot fill translations by UMR
 * (hca_cap.umr_modify_entity_size_disabled). -EOPNOTSUPP NOT_SUPPORTED: kernel without on-demand
 * paging. */
KDEVX_PUBLIC int kdevx_mr_reg_dmabuf(struct kdevx_pd *pd, int fd, uint64_t offset, uint64_t length,
                                     uint64_t iova, uint32_t access, uint32_t dmabuf_access,
                                     struct kdevx_mr **mr,
                                     struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* length bytes of device memory from offset; the key's addresses begin with 0, and ZERO_BASED is
 * added to access, which the kernel insists on. UVERBS_METHOD_DM_MR_REG.
 * -EINVAL INVALID: length 0 or beyond the memory's end, access, a `dm` of another context */
KDEVX_PUBLIC int kdevx_mr_reg_dm(struct kdevx_pd *pd, struct kdevx_dm *dm, uint64_t offset,
                                 uint64_t length, uint32_t access, struct kdevx_mr **mr,
                                 struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_mr_dereg(struct kdevx_mr *mr, struct kdevx_failure *why) KDEVX_NOEXCEPT;

struct kdevx_mr_info {
    size_t size; /* set by the caller */
    uint32_t handle, lkey, rkey, access;
    uint64_t length, iova;
    void *address; /* NULL: dmabuf or device memory */
};
KDEVX_PUBLIC int kdevx_mr_get_info(const struct kdevx_mr *mr, struct kdevx_mr_info *info,
                                   struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* ---- device memory ----------------------------------------------------------------------------
 */

/* enum mlx5_ib_uapi_dm_type */
enum kdevx_dm_type {
    KDEVX_DM_MEMIC = 0, /* mapped here */
    /* Memory for software steering, known by its device address only. Needs CAP_SYS_RAWIO and
     * CAP_NET_RAW. */
    KDEVX_DM_STEERING_SW_ICM = 1,
    KDEVX_DM_HEADER_MODIFY_SW_ICM = 2,
    KDEVX_DM_HEADER_MODIFY_PATTERN_SW_ICM = 3, /* kernel >= 5.19 */
    KDEVX_DM_ENCAP_SW_ICM = 4                  /* kernel >= 6.12 */
};
/* `length` bytes; 2^log_align is the least alignment. UVERBS_METHOD_DM_ALLOC, kernel >= 4.18.
 * -EINVAL INVALID: length 0 or beyond the device's; -EPERM NO_PERMISSION; -EOPNOTSUPP
 * NOT_SUPPORTED: the device has none of this type; -ENOMEM LIMIT: none left */
KDEVX_PUBLIC int kdevx_dm_alloc(struct kdevx_context *context, uint32_t type, uint64_t length,
                                uint32_t log_align, struct kdevx_dm **dm,
                                struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* -EBUSY BUSY: an MR uses it. Unmaps it and its operations. */
KDEVX_PUBLIC int kdevx_dm_free(struct kdevx_dm *dm, struct kdevx_failure *why) KDEVX_NOEXCEPT;

struct kdevx_dm_info {
    size_t size; /* set by the caller */
    uint32_t handle, type;
    uint64_t length;
    uint64_t start_offset; /* MEMIC: in its page; SW_ICM: the device address */
    uint32_t page_index;   /* MEMIC: of the mapping */
    uint32_t reserved;
    void *address; /* of MEMIC; store with 4-byte words at least. NULL: not mapped */
};
KDEVX_PUBLIC int kdevx_dm_get_info(const struct kdevx_dm *dm, struct kdevx_dm_info *info,
                                   struct kdevx_failure *why) KDEVX_NOEXCEPT;

#define KDEVX_MAX_DM_OPS 4
/* Maps a MEMIC once more, so that accesses there do the device's operation `op` (device_memory caps
 * memic_operations; 0: a store adds what is stored, 1: a load sets to one and gives what was there;
 * of the widths in memic_atomic_increment and memic_atomic_test_and_set). The address lives as long
 * as the memory; asking for the same operation again gives the same one.
 * MLX5_IB_METHOD_DM_MAP_OP_ADDR, kernel >= 5.14.
 * -EOPNOTSUPP NOT_SUPPORTED: operation not known to the device
 * -EMFILE LIMIT: more than KDEVX_MAX_DM_OPS different operations of one memory */
KDEVX_PUBLIC int kdevx_dm_map_op(struct kdevx_dm *dm, uint8_t op, void **address,
                                 struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
