/* SPDX-License-Identifier: MIT */
/* Steering by the kernel's tables: which packets (matcher, flow), what becomes of them
 * (destination, counter, header and encapsulation changes), and a door to these tables for DEVX's
 * own. Flows need CAP_NET_RAW (-EPERM NO_PERMISSION), and so may the rest; seen on 7.3: packet
 * reformat does not. Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_FLOW_H
#define KDEVX_FLOW_H

#include <kdevx/object.h>
#include <kdevx/qp.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_flow_matcher;
struct kdevx_flow;
struct kdevx_flow_action;
struct kdevx_steering_anchor;

/* enum mlx5_ib_uapi_flow_table_type */
enum kdevx_flow_table_type {
    KDEVX_FT_NIC_RX = 0,
    KDEVX_FT_NIC_TX = 1,
    KDEVX_FT_FDB = 2,
    KDEVX_FT_RDMA_RX = 3,
    KDEVX_FT_RDMA_TX = 4,
    KDEVX_FT_RDMA_TRANSPORT_RX = 5, /* 5 and 6: kernel >= 7.2 */
    KDEVX_FT_RDMA_TRANSPORT_TX = 6
};
/* enum mlx5_ib_flow_type */
enum kdevx_flow_type {
    KDEVX_FLOW_NORMAL = 0,
    KDEVX_FLOW_SNIFFER = 1,
    KDEVX_FLOW_ALL_DEFAULT = 2,
    KDEVX_FLOW_MC_DEFAULT = 3
};
/* Bits of enum ib_flow_flags. */
enum kdevx_flow_matcher_flags { KDEVX_FLOW_EGRESS = 1 << 2 };

struct kdevx_flow_matcher_options {
    size_t size;
    const void *mask;    /* PRM fte_match_param, a part of it from the beginning */
    size_t mask_size;    /* 1 to 640 */
    uint32_t type;       /* enum kdevx_flow_type */
    uint16_t priority;   /* NORMAL */
    uint8_t criteria;    /* which parts of the mask are there: PRM match_criteria_enable */
    uint8_t has_ft_type; /* 1: ft_type is given (kernel >= 5.2); 0: by flags */
    uint32_t ft_type;    /* enum kdevx_flow_table_type */
    uint32_t flags;      /* enum kdevx_flow_matcher_flags */
    uint32_t ib_port;    /* RDMA_TRANSPORT tables (kernel >= 7.2); 0: none */
};
/* MLX5_IB_METHOD_FLOW_MATCHER_CREATE, kernel >= 4.19.
 * -EINVAL INVALID: options; a table type that does not go with them.  -EOPNOTSUPP NOT_SUPPORTED */
KDEVX_PUBLIC int kdevx_flow_matcher_create(struct kdevx_context *context,
                                           const struct kdevx_flow_matcher_options *options,
                                           struct kdevx_flow_matcher **matcher,
                                           struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* -EBUSY BUSY: a flow uses it. */
KDEVX_PUBLIC int kdevx_flow_matcher_destroy(struct kdevx_flow_matcher *matcher,
                                            struct kdevx_failure *why) KDEVX_NOEXCEPT;

#define KDEVX_MAX_FLOW_ACTIONS 2
#define KDEVX_MAX_FLOW_TAG ((1u << 24) - 1)

enum kdevx_flow_flags {
    KDEVX_FLOW_DEFAULT_MISS = 1 << 0, /* on to the next table */
    KDEVX_FLOW_DROP = 1 << 1
};
struct kdevx_flow_options {
    size_t size;
    const void *match_value; /* PRM fte_match_param, as long as the matcher's mask */
    size_t match_value_size;
    /* Where to: at most one of these, or a flag. */
    struct kdevx_qp *dest_qp;
    struct kdevx_object *dest_object; /* a TIR or a flow table, made by DEVX */
    uint32_t flags;                   /* enum kdevx_flow_flags */
    uint32_t has_tag;                 /* 1: CQEs carry tag */
    uint32_t tag;                     /* 0 to KDEVX_MAX_FLOW_TAG */
    uint32_t action_count;            /* 0 to KDEVX_MAX_FLOW_ACTIONS, of different kinds */
    struct kdevx_flow_action *actions[KDEVX_MAX_FLOW_ACTIONS];
    struct kdevx_object *counter; /* a flow counter (bulk), made by DEVX */
    uint32_t counter_offset;      /* in a bulk */
    uint32_t reserved;
};
/* MLX5_IB_METHOD_CREATE_FLOW, kernel >= 4.19.
 * -EINVAL INVALID: options that do not go together or with the matcher; objects of another context;
 *         an object that is no TIR, flow table or counter */
KDEVX_PUBLIC int kdevx_flow_create(struct kdevx_flow_matcher *matcher,
                                   const struct kdevx_flow_options *options,
                                   struct kdevx_flow **flow,
                                   struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_flow_destroy(struct kdevx_flow *flow,
                                    struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* PRM actions (set_action_in, add_action_in, ...), 8 bytes each.
 * MLX5_IB_METHOD_FLOW_ACTION_CREATE_MODIFY_HEADER, kernel >= 4.20.
 * -EINVAL INVALID: size not a multiple of 8; ft_type */
KDEVX_PUBLIC int kdevx_modify_header_create(struct kdevx_context *context, const void *actions,
                                            size_t size, uint32_t ft_type,
                                            struct kdevx_flow_action **action,
                                            struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* enum mlx5_ib_uapi_flow_action_packet_reformat_type */
enum kdevx_packet_reformat_type {
    KDEVX_REFORMAT_L2_TUNNEL_TO_L2 = 0, /* no data */
    KDEVX_REFORMAT_L2_TO_L2_TUNNEL = 1, /* data: the header to put in front */
    KDEVX_REFORMAT_L3_TUNNEL_TO_L2 = 2,
    KDEVX_REFORMAT_L2_TO_L3_TUNNEL = 3
};
/* MLX5_IB_METHOD_FLOW_ACTION_CREATE_PACKET_REFORMAT, kernel >= 4.20.
 * -EINVAL INVALID: type, ft_type; data for a type that takes none, or none for one that does */
KDEVX_PUBLIC int kdevx_packet_reformat_create(struct kdevx_context *context, uint32_t type,
                                              uint32_t ft_type, const void *data, size_t size,
                                              struct kdevx_flow_action **action,
                                              struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* -EBUSY BUSY: a flow uses it. */
KDEVX_PUBLIC int kdevx_flow_action_destroy(struct kdevx_flow_action *action,
                                           struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* The id of a flow table from which packets go on as if the kernel's own had sent them, for
 * destinations in DEVX's tables. MLX5_IB_METHOD_STEERING_ANCHOR_CREATE, kernel >= 6.1.
 * -EINVAL INVALID: ft_type */
KDEVX_PUBLIC int kdevx_steering_anchor_create(struct kdevx_context *context, uint32_t ft_type,
                                              uint16_t priority,
                                              struct kdevx_steering_anchor **anchor,
                                              struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_steering_anchor_destroy(struct kdevx_steering_anchor *anchor,
                                               struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* The table's id, or -EBADF; no kernel call. */
KDEVX_PUBLIC int64_t kdevx_steering_anchor_table(const struct kdevx_steering_anchor *anchor)
    KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
