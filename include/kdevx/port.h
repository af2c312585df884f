/* SPDX-License-Identifier: MIT */
/* What the kernel knows of ports and GIDs, and of the handles of a file.
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_PORT_H
#define KDEVX_PORT_H

#include <kdevx/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of enum mlx5_ib_uapi_query_port_flags: which fields are filled. */
enum kdevx_port_flags {
    KDEVX_PORT_VPORT = 1 << 0,
    KDEVX_PORT_VPORT_VHCA_ID = 1 << 1,
    KDEVX_PORT_STEERING_ICM_RX = 1 << 2,
    KDEVX_PORT_STEERING_ICM_TX = 1 << 3,
    KDEVX_PORT_REG_C0 = 1 << 4,
    KDEVX_PORT_ESW_OWNER_VHCA_ID = 1 << 5
};
struct kdevx_port_info {
    size_t size;    /* set by the caller */
    uint64_t flags; /* enum kdevx_port_flags; 0: a port of no e-switch */
    uint16_t vport, vport_vhca_id, esw_owner_vhca_id, reserved;
    uint64_t vport_steering_icm_rx, vport_steering_icm_tx;
    uint32_t reg_c0_value, reg_c0_mask;
};
/* MLX5_IB_METHOD_QUERY_PORT, kernel >= 5.14. -EINVAL INVALID: no such port.
 * -EOPNOTSUPP NOT_SUPPORTED: not an e-switch in switchdev mode */
KDEVX_PUBLIC int kdevx_port_query(struct kdevx_context *context, uint32_t port,
                                  struct kdevx_port_info *info,
                                  struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* struct ib_uverbs_gid_entry */
struct kdevx_gid {
    uint8_t gid[16];
    uint32_t gid_index, port_num;
    uint32_t gid_type;       /* enum ib_uverbs_gid_type: 0 IB, 1 RoCE v1, 2 RoCE v2 */
    uint32_t netdev_ifindex; /* 0: none */
};
/* All valid GIDs of all ports, at most `capacity`; *count is how many were written.
 * UVERBS_METHOD_QUERY_GID_TABLE, kernel >= 5.10. -EINVAL INVALID: also if there are more. */
KDEVX_PUBLIC int kdevx_gid_table_query(struct kdevx_context *context, struct kdevx_gid *gids,
                                       size_t capacity, size_t *count,
                                       struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* UVERBS_METHOD_QUERY_GID_ENTRY, kernel >= 5.10. -EINVAL INVALID: port or index beyond the end.
 * -ENODATA: the entry is empty */
KDEVX_PUBLIC int kdevx_gid_query(struct kdevx_context *context, uint32_t port, uint32_t index,
                                 struct kdevx_gid *gid, struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* The handles of one kind (object id of the UAPI headers, UVERBS_OBJECT_* or MLX5_IB_OBJECT_*) that
 * the file has, at most `capacity` (1 to 16383); *count is how many were written. In a file that is
 * shared these are everybody's. UVERBS_METHOD_INFO_HANDLES, kernel >= 5.5.
 * -ENOENT INVALID: no such kind.  -EINVAL INVALID: capacity */
KDEVX_PUBLIC int kdevx_handles_query(struct kdevx_context *context, uint16_t object,
                                     uint32_t *handles, size_t capacity, size_t *count,
                                     struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* The sysfs path of the function that makes the device's direct path, NUL-terminated.
 * MLX5_IB_METHOD_GET_DATA_DIRECT_SYSFS_PATH, kernel >= 6.12.
 * -ENODEV NOT_SUPPORTED: there is none.  -ENOSPC SHORT_BUFFER: 4096 bytes are enough */
KDEVX_PUBLIC int kdevx_data_direct_path(struct kdevx_context *context, char *path, size_t size,
                                        struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
