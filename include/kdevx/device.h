/* SPDX-License-Identifier: MIT */
/* Which mlx5 devices are here, from sysfs and from the device nodes; and if none, why not.
 * Threads, kernels and common errors: kdevx.h. No context is needed, and no device is opened. */
#ifndef KDEVX_DEVICE_H
#define KDEVX_DEVICE_H

#include <kdevx/sys.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The layers between a program and a usable DEVX device, from the hardware up. A list that has no
 * usable device names the first layer that is missing. */
enum kdevx_layer {
    KDEVX_LAYER_NONE = 0,   /* nothing is missing */
    KDEVX_LAYER_PCI,        /* no PCI function of vendor 15b3 with an mlx5 device */
    KDEVX_LAYER_MLX5_CORE,  /* such a function is there, but mlx5_core is not bound to it */
    KDEVX_LAYER_MLX5_IB,    /* mlx5_core is, but there is no InfiniBand device (mlx5_ib) */
    KDEVX_LAYER_IB_UVERBS,  /* there is one, but it has no uverbs device (ib_uverbs) */
    KDEVX_LAYER_NODE,       /* there is one, but its node in /dev/infiniband is missing */
    KDEVX_LAYER_PERMISSION, /* the node is there, this process may not open it for reading and
                               writing */
    KDEVX_LAYER_SYSFS       /* neither sysfs nor device nodes can be read: nothing can be told */
};

/* One device. Text is NUL-terminated, and empty if not known. */
struct kdevx_device {
    char name[64];        /* ibdev name: "mlx5_0" */
    char node[64];        /* "/dev/infiniband/uverbs0" */
    char driver[32];      /* the bus driver: "mlx5_core"; of a scalable function "mlx5_core.sf" */
    char bus_address[64]; /* "0000:03:00.0", "mlx5_core.sf.4" */
    uint32_t node_type;   /* enum ib_node_type: 1 is a channel adapter; 0 if not known */
    uint32_t missing;     /* enum kdevx_layer: what keeps this process from opening it */
    uint32_t is_mlx5;     /* 1: the driver is mlx5; 0: another one, or (node only) not known */
    uint32_t reserved;
};

struct kdevx_device_list;

struct kdevx_device_list_options {
    size_t size;
    const char *sysfs;           /* NULL: "/sys" */
    const char *dev;             /* NULL: "/dev/infiniband" */
    const struct kdevx_sys *sys; /* NULL: the system's own calls */
    uint32_t all_drivers;        /* 1: also uverbs devices of other drivers than mlx5 */
    uint32_t reserved;
};

/* Lists what sysfs shows, and nodes that sysfs does not (a container may have either without the
 * other); no kernel call but those that read directories and links. `options` may be NULL. An empty
 * list is a success.
 * -ENOMEM LIMIT; -EINVAL INVALID: `list` is NULL, see the common errors. */
KDEVX_PUBLIC int kdevx_device_list_get(const struct kdevx_device_list_options *options,
                                       struct kdevx_device_list **list,
                                       struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* NULL is allowed. */
KDEVX_PUBLIC void kdevx_device_list_free(struct kdevx_device_list *list) KDEVX_NOEXCEPT;
KDEVX_PUBLIC size_t kdevx_device_list_count(const struct kdevx_device_list *list) KDEVX_NOEXCEPT;
/* NULL beyond the end. Valid as long as the list. */
KDEVX_PUBLIC const struct kdevx_device *kdevx_device_list_at(const struct kdevx_device_list *list,
                                                             size_t index) KDEVX_NOEXCEPT;
/* The first layer (enum kdevx_layer) that keeps every device from being usable;
 * KDEVX_LAYER_NONE when at least one can be opened. */
KDEVX_PUBLIC uint32_t kdevx_device_list_missing(const struct kdevx_device_list *list)
    KDEVX_NOEXCEPT;

/* "MLX5_IB", and what to do about it in a sentence. Static text. */
KDEVX_PUBLIC const char *kdevx_layer_name(uint32_t layer) KDEVX_NOEXCEPT;
KDEVX_PUBLIC const char *kdevx_layer_hint(uint32_t layer) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
