/* SPDX-License-Identifier: MIT */
/* The experimental verbs that drove cross-channel queues: the same names and members, in our own
 * words. Source compatible; no layout is promised. libkdevx-verbs has the functions.
 *
 * A *master* (IBV_EXP_QP_CREATE_CROSS_CHANNEL) executes WAIT and ENABLE requests; a *managed* queue
 * (IBV_EXP_QP_CREATE_MANAGED_SEND, _RECV) runs only as far as a master has enabled it. What counts,
 * and from where: include/kdevx/post.h, docs/data_path.md. */
#ifndef KDEVX_COMPAT_INFINIBAND_VERBS_EXP_H
#define KDEVX_COMPAT_INFINIBAND_VERBS_EXP_H

#include <infiniband/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
#define IBV_EXP_START_ENUM 0x40
#define IBV_EXP_START_FLAG_LOC 32
#define IBV_EXP_START_FLAG ((uint64_t)1 << IBV_EXP_START_FLAG_LOC)

/* ---- devices --------------------------------------------------------------------------------- */

#define IBV_EXP_DEVICE_CROSS_CHANNEL (IBV_EXP_START_FLAG << 28)
enum ibv_exp_device_attr_comp_mask { IBV_EXP_DEVICE_ATTR_EXP_CAP_FLAGS = 1 << 2 };

/* ---- queues ---------------------------------------------------------------------------------- */

enum ibv_exp_qp_init_attr_comp_mask {
    IBV_EXP_QP_INIT_ATTR_PD           = 1 << 0,
    IBV_EXP_QP_INIT_ATTR_XRCD         = 1 << 1,
    IBV_EXP_QP_INIT_ATTR_CREATE_FLAGS = 1 << 2,
    IBV_EXP_QP_INIT_ATTR_INL_RECV     = 1 << 3
};
enum ibv_exp_qp_create_flags {
    IBV_EXP_QP_CREATE_CROSS_CHANNEL      = 1 << 2,
    IBV_EXP_QP_CREATE_MANAGED_SEND       = 1 << 3,
    IBV_EXP_QP_CREATE_MANAGED_RECV       = 1 << 4,
    /* Both or neither: whether there is room is the program's affair. */
    IBV_EXP_QP_CREATE_IGNORE_SQ_OVERFLOW = 1 << 6,
    IBV_EXP_QP_CREATE_IGNORE_RQ_OVERFLOW = 1 << 7
};
enum ibv_exp_cq_attr_mask {
    IBV_EXP_CQ_MODERATION = 1 << 0,
    IBV_EXP_CQ_CAP_FLAGS  = 1 << 1
};
enum ibv_exp_cq_cap_flags { IBV_EXP_CQ_IGNORE_OVERRUN = 1 << 0 };
enum ibv_exp_cq_attr_comp_mask {
    IBV_EXP_CQ_ATTR_MODERATION   = 1 << 0,
    IBV_EXP_CQ_ATTR_CQ_CAP_FLAGS = 1 << 1
};

/* ---- work requests --------------------------------------------------------------------------- */

enum ibv_exp_wr_opcode {
    IBV_EXP_WR_RDMA_WRITE           = IBV_WR_RDMA_WRITE,
    IBV_EXP_WR_RDMA_WRITE_WITH_IMM  = IBV_WR_RDMA_WRITE_WITH_IMM,
    IBV_EXP_WR_SEND                 = IBV_WR_SEND,
    IBV_EXP_WR_SEND_WITH_IMM        = IBV_WR_SEND_WITH_IMM,
    IBV_EXP_WR_RDMA_READ            = IBV_WR_RDMA_READ,
    IBV_EXP_WR_ATOMIC_CMP_AND_SWP   = IBV_WR_ATOMIC_CMP_AND_SWP,
    IBV_EXP_WR_ATOMIC_FETCH_AND_ADD = IBV_WR_ATOMIC_FETCH_AND_ADD,
    IBV_EXP_WR_SEND_WITH_INV        = 8 + IBV_EXP_START_ENUM,
    IBV_EXP_WR_LOCAL_INV            = 10 + IBV_EXP_START_ENUM,
    IBV_EXP_WR_SEND_ENABLE          = 0x20 + IBV_EXP_START_ENUM,
    IBV_EXP_WR_RECV_ENABLE          = 0x21 + IBV_EXP_START_ENUM,
    IBV_EXP_WR_CQE_WAIT             = 0x22 + IBV_EXP_START_ENUM,
    IBV_EXP_WR_NOP                  = 0x25 + IBV_EXP_START_ENUM
};
#define IBV_EXP_SEND_FENCE       ((uint64_t)IBV_SEND_FENCE)
#define IBV_EXP_SEND_SIGNALED    ((uint64_t)IBV_SEND_SIGNALED)
#define IBV_EXP_SEND_SOLICITED   ((uint64_t)IBV_SEND_SOLICITED)
#define IBV_EXP_SEND_INLINE      ((uint64_t)IBV_SEND_INLINE)
/* Ends a group of WAITs on one CQ, or of ENABLEs of one queue: the requests of a group count from
 * the same place, and the next group from where the largest of them ended. */
#define IBV_EXP_SEND_WAIT_EN_LAST (IBV_EXP_START_FLAG << 2)

enum ibv_exp_task_type { IBV_EXP_TASK_SEND = 0, IBV_EXP_TASK_RECV = 1 };
/* clang-format on */

struct ibv_exp_device_attr {
    char fw_ver[64];
    __be64 node_guid;
    __be64 sys_image_guid;
    uint32_t vendor_id;
    uint32_t vendor_part_id;
    int max_qp;
    int max_qp_wr;
    int max_sge;
    int max_cq;
    int max_cqe;
    uint8_t phys_port_cnt;
    uint32_t comp_mask; /* what is wanted; after the call, what of it there is */
    uint64_t exp_device_cap_flags;
};

struct ibv_exp_qp_init_attr {
    void *qp_context;
    struct ibv_cq *send_cq;
    struct ibv_cq *recv_cq;
    struct ibv_srq *srq;
    struct ibv_qp_cap cap;
    enum ibv_qp_type qp_type;
    int sq_sig_all;
    uint32_t comp_mask; /* enum ibv_exp_qp_init_attr_comp_mask */
    struct ibv_pd *pd;
    struct ibv_xrcd *xrcd;
    uint32_t exp_create_flags; /* enum ibv_exp_qp_create_flags */
    uint32_t max_inl_recv;
};

struct ibv_exp_cq_attr {
    uint32_t comp_mask; /* enum ibv_exp_cq_attr_comp_mask */
    struct {
        uint16_t cq_count;
        uint16_t cq_period;
    } moderation;
    uint32_t cq_cap_flags; /* enum ibv_exp_cq_cap_flags */
};

struct ibv_exp_send_wr {
    uint64_t wr_id;
    struct ibv_exp_send_wr *next;
    struct ibv_sge *sg_list;
    int num_sge;
    enum ibv_exp_wr_opcode exp_opcode;
    int reserved;
    union {
        uint32_t imm_data; /* in network order */
        uint32_t invalidate_rkey;
    } ex;
    union {
        struct {
            uint64_t remote_addr;
            uint32_t rkey;
        } rdma;
        struct {
            uint64_t remote_addr;
            uint64_t compare_add;
            uint64_t swap;
            uint32_t rkey;
        } atomic;
        struct {
            struct ibv_ah *ah;
            uint32_t remote_qpn;
            uint32_t remote_qkey;
        } ud;
    } wr;
    __extension__ union {
        union {
            struct {
                uint32_t remote_srqn;
            } xrc;
        } qp_type;
        uint32_t xrc_remote_srq_num;
    };
    union {
        struct {
            struct ibv_cq *cq;
            int32_t cq_count; /* completions after those that earlier groups waited for */
        } cqe_wait;
        struct {
            struct ibv_qp *qp;
            int32_t wqe_count; /* requests after those that earlier groups enabled; 0: all */
        } wqe_enable;
    } task;
    uint64_t exp_send_flags; /* IBV_EXP_SEND_* */
    uint32_t comp_mask;      /* 0 */
};

struct ibv_exp_task {
    enum ibv_exp_task_type task_type;
    struct {
        struct ibv_qp *qp;
        __extension__ union {
            struct ibv_exp_send_wr *send_wr;
            struct ibv_recv_wr *recv_wr;
        };
    } item;
    struct ibv_exp_task *next;
    uint32_t comp_mask; /* 0 */
};

int ibv_exp_query_device(struct ibv_context *context, struct ibv_exp_device_attr *attr);
struct ibv_qp *ibv_exp_create_qp(struct ibv_context *context,
                                 struct ibv_exp_qp_init_attr *qp_init_attr);
/* cq_attr_mask (enum ibv_exp_cq_attr_mask) and attr->comp_mask name the same things. To ignore
 * overrun needs a DEVX context. */
int ibv_exp_modify_cq(struct ibv_cq *cq, struct ibv_exp_cq_attr *cq_attr, int cq_attr_mask);
int ibv_exp_post_send(struct ibv_qp *qp, struct ibv_exp_send_wr *wr,
                      struct ibv_exp_send_wr **bad_wr);

/* Posts the tasks in order, sends and receives of several QPs of the context. Returns 0, or the
 * errno of the first task that is refused, which *bad_task is then (bad_task may be NULL). The
 * tasks before it stay posted, and of its own requests those before the one that was refused; what
 * comes after it is not looked at. The device is told when everything that was posted is in place,
 * so a master may enable any of it. */
int ibv_exp_post_task(struct ibv_context *context, struct ibv_exp_task *task_list,
                      struct ibv_exp_task **bad_task);

#ifdef __cplusplus
}
#endif
#endif
