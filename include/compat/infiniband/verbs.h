/* SPDX-License-Identifier: MIT */
/* libibverbs as far as programs that use DEVX need it: the same names, layouts and conventions, in
 * our own words. A program compiled with this header works on objects that libibverbs made, and one
 * compiled with libibverbs' on ours. libkdevx-verbs has the functions; what it does otherwise:
 * docs/verbs.md.
 *
 * A function that returns a pointer returns NULL and sets errno; one that returns int returns 0 or
 * the errno, unless it says otherwise. EXDEV: the object was made by another library.
 * kdevx_verbs_failure() tells the cause of the last failure of the thread. */
#ifndef KDEVX_COMPAT_INFINIBAND_VERBS_H
#define KDEVX_COMPAT_INFINIBAND_VERBS_H

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include <infiniband/verbs_api.h>
#include <infiniband/verbs_attr.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- devices --------------------------------------------------------------------------------- */

struct ibv_context;
struct ibv_device;

/* What is made of a device's entry in sysfs is its library's affair; kept for the layout. */
struct _ibv_device_ops {
    struct ibv_context *(*_dummy1)(struct ibv_device *device, int cmd_fd);
    void (*_dummy2)(struct ibv_context *context);
};

struct ibv_device {
    struct _ibv_device_ops _ops;
    enum ibv_node_type node_type;
    enum ibv_transport_type transport_type;
    char name[IBV_SYSFS_NAME_MAX];       /* "mlx5_0" */
    char dev_name[IBV_SYSFS_NAME_MAX];   /* "uverbs0" */
    char dev_path[IBV_SYSFS_PATH_MAX];   /* /sys/class/infiniband_verbs/uverbs0 */
    char ibdev_path[IBV_SYSFS_PATH_MAX]; /* /sys/class/infiniband/mlx5_0 */
};

/* NULL-terminated; its devices live until it is freed, and while a context of them is open. */
struct ibv_device **ibv_get_device_list(int *num_devices);
void ibv_free_device_list(struct ibv_device **list);
const char *ibv_get_device_name(struct ibv_device *device);
__be64 ibv_get_device_guid(struct ibv_device *device);

/* With a DEVX uid if the kernel gives one. */
struct ibv_context *ibv_open_device(struct ibv_device *device);
/* Ends what the DEVX functions keep for the context (UARs that were not freed), and then the
 * context, by the library that opened it. 0, or -1 and errno. */
int ibv_close_device(struct ibv_context *context);

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *device_attr);
int ibv_query_device_ex(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
                        struct ibv_device_attr_ex *attr);
int ibv_query_port(struct ibv_context *context, uint8_t port_num, struct ibv_port_attr *port_attr);
/* 0, or -1 and errno. */
int ibv_query_gid(struct ibv_context *context, uint8_t port_num, int index, union ibv_gid *gid);
int ibv_query_gid_ex(struct ibv_context *context, uint32_t port_num, uint32_t gid_index,
                     struct ibv_gid_entry *entry, uint32_t flags);
/* How many were written, or -errno. */
ssize_t ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries,
                            size_t max_entries, uint32_t flags);
/* 0, or -1 and errno. */
int ibv_query_pkey(struct ibv_context *context, uint8_t port_num, int index, __be16 *pkey);
/* The index, or -1 and errno. */
int ibv_get_pkey_index(struct ibv_context *context, uint8_t port_num, __be16 pkey);

const char *ibv_node_type_str(enum ibv_node_type node_type);
const char *ibv_port_state_str(enum ibv_port_state port_state);
const char *ibv_event_type_str(enum ibv_event_type event);
const char *ibv_wc_status_str(enum ibv_wc_status status);

/* Every kernel that kdevx runs on copies pinned pages when a process forks. */
int ibv_fork_init(void);
enum ibv_fork_status ibv_is_fork_initialized(void);

/* ---- protection domains and memory ----------------------------------------------------------- */

struct ibv_pd {
    struct ibv_context *context;
    uint32_t handle;
};
struct ibv_xrcd {
    struct ibv_context *context;
};
struct ibv_xrcd_init_attr {
    uint32_t comp_mask; /* enum ibv_xrcd_init_attr_mask: both */
    int fd;             /* whoever opens a domain by this file shares it; -1: nobody does */
    int oflags;         /* O_CREAT, O_EXCL */
};
struct ibv_mr {
    struct ibv_context *context;
    struct ibv_pd *pd;
    void *addr;
    size_t length;
    uint32_t handle;
    uint32_t lkey;
    uint32_t rkey;
};
struct ibv_mw {
    struct ibv_context *context;
    struct ibv_pd *pd;
    uint32_t rkey;
    uint32_t handle;
    enum ibv_mw_type type;
};
struct ibv_mw_bind_info {
    struct ibv_mr *mr;
    uint64_t addr;
    uint64_t length;
    unsigned int mw_access_flags;
};
struct ibv_dm {
    struct ibv_context *context;
    int (*memcpy_to_dm)(struct ibv_dm *dm, uint64_t dm_offset, const void *host_addr,
                        size_t length);
    int (*memcpy_from_dm)(void *host_addr, struct ibv_dm *dm, uint64_t dm_offset, size_t length);
    uint32_t comp_mask;
    uint32_t handle;
};

struct ibv_alloc_dm_attr {
    size_t length;
    uint32_t log_align_req;
    uint32_t comp_mask; /* 0 */
};

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context);
int ibv_dealloc_pd(struct ibv_pd *pd);
struct ibv_xrcd *ibv_open_xrcd(struct ibv_context *context,
                               struct ibv_xrcd_init_attr *xrcd_init_attr);
int ibv_close_xrcd(struct ibv_xrcd *xrcd);
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access);
struct ibv_mr *ibv_reg_mr_iova(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
                               int access);
struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova,
                                 int fd, int access);
int ibv_dereg_mr(struct ibv_mr *mr);

/* Memory of the device. Offsets and lengths are multiples of 4; addresses of its key begin with 0,
 * and access has IBV_ACCESS_ZERO_BASED. */
struct ibv_dm *ibv_alloc_dm(struct ibv_context *context, struct ibv_alloc_dm_attr *attr);
int ibv_free_dm(struct ibv_dm *dm);
struct ibv_mr *ibv_reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *dm, uint64_t dm_offset,
                             size_t length, unsigned int access);
static inline int ibv_memcpy_to_dm(struct ibv_dm *dm, uint64_t dm_offset, const void *host_addr,
                                   size_t length) {
    return dm->memcpy_to_dm(dm, dm_offset, host_addr, length);
}
static inline int ibv_memcpy_from_dm(void *host_addr, struct ibv_dm *dm, uint64_t dm_offset,
                                     size_t length) {
    return dm->memcpy_from_dm(host_addr, dm, dm_offset, length);
}

/* ---- addresses ------------------------------------------------------------------------------- */

struct ibv_global_route {
    union ibv_gid dgid;
    uint32_t flow_label;
    uint8_t sgid_index;
    uint8_t hop_limit;
    uint8_t traffic_class;
};
struct ibv_grh {
    __be32 version_tclass_flow;
    __be16 paylen;
    uint8_t next_hdr;
    uint8_t hop_limit;
    union ibv_gid sgid;
    union ibv_gid dgid;
};
struct ibv_ah_attr {
    struct ibv_global_route grh;
    uint16_t dlid;
    uint8_t sl;
    uint8_t src_path_bits;
    uint8_t static_rate;
    uint8_t is_global;
    uint8_t port_num;
};
struct ibv_ah {
    struct ibv_context *context;
    struct ibv_pd *pd;
    uint32_t handle;
};

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr);
int ibv_destroy_ah(struct ibv_ah *ah);

/* ---- work requests and completions ----------------------------------------------------------- */

struct ibv_sge {
    uint64_t addr;
    uint32_t length;
    uint32_t lkey;
};

struct ibv_send_wr {
    uint64_t wr_id;
    struct ibv_send_wr *next;
    struct ibv_sge *sg_list;
    int num_sge;
    enum ibv_wr_opcode opcode;
    unsigned int send_flags; /* enum ibv_send_flags */
    __extension__ union {
        __be32 imm_data;
        uint32_t invalidate_rkey;
    };
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
    union {
        struct {
            uint32_t remote_srqn;
        } xrc;
    } qp_type;
    __extension__ union {
        struct {
            struct ibv_mw *mw;
            uint32_t rkey;
            struct ibv_mw_bind_info bind_info;
        } bind_mw;
        struct {
            void *hdr;
            uint16_t hdr_sz;
            uint16_t mss;
        } tso;
    };
};

struct ibv_recv_wr {
    uint64_t wr_id;
    struct ibv_recv_wr *next;
    struct ibv_sge *sg_list;
    int num_sge;
};

struct ibv_wc {
    uint64_t wr_id;
    enum ibv_wc_status status;
    enum ibv_wc_opcode opcode;
    uint32_t vendor_err;
    uint32_t byte_len;
    __extension__ union {
        __be32 imm_data;           /* with IBV_WC_WITH_IMM */
        uint32_t invalidated_rkey; /* with IBV_WC_WITH_INV */
    };
    uint32_t qp_num;
    uint32_t src_qp;
    unsigned int wc_flags; /* enum ibv_wc_flags */
    uint16_t pkey_index;
    uint16_t slid;
    uint8_t sl;
    uint8_t dlid_path_bits;
};

/* ---- contexts and queues --------------------------------------------------------------------- */

struct ibv_cq;
struct ibv_qp;
struct ibv_srq;
struct ibv_wq;
struct ibv_mw_bind;

/* What the inline functions below call: the owner of the object. The entries without a name of use
 * are kept for the layout only. */
struct ibv_context_ops {
    void *reserved_before_mw[7];
    struct ibv_mw *(*alloc_mw)(struct ibv_pd *pd, int type);
    int (*bind_mw)(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *mw_bind);
    int (*dealloc_mw)(struct ibv_mw *mw);
    void *reserved_before_cq[1];
    int (*poll_cq)(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc);
    int (*req_notify_cq)(struct ibv_cq *cq, int solicited_only);
    void *reserved_before_srq[7];
    int (*post_srq_recv)(struct ibv_srq *srq, struct ibv_recv_wr *recv_wr,
                         struct ibv_recv_wr **bad_recv_wr);
    void *reserved_before_qp[4];
    int (*post_send)(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr);
    int (*post_recv)(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr);
    void *reserved_after_qp[5];
};

struct ibv_context {
    struct ibv_device *device;
    struct ibv_context_ops ops;
    int cmd_fd; /* the uverbs file; negative if there is none (VFIO) */
    int async_fd;
    int num_comp_vectors;
    pthread_mutex_t mutex;
    void *abi_compat; /* whose it is: each library has a value of its own */
};

struct ibv_comp_channel {
    struct ibv_context *context;
    int fd; /* blocking; whoever wants it otherwise sets O_NONBLOCK */
    int refcnt;
};

struct ibv_cq {
    struct ibv_context *context;
    struct ibv_comp_channel *channel;
    void *cq_context;
    uint32_t handle;
    int cqe;
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    uint32_t comp_events_completed;
    uint32_t async_events_completed;
};
struct ibv_moderate_cq {
    uint16_t cq_count;
    uint16_t cq_period; /* microseconds */
};
struct ibv_modify_cq_attr {
    uint32_t attr_mask; /* enum ibv_cq_attr_mask */
    struct ibv_moderate_cq moderate;
};

struct ibv_srq {
    struct ibv_context *context;
    void *srq_context;
    struct ibv_pd *pd;
    uint32_t handle;
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    uint32_t events_completed;
};
struct ibv_srq_attr {
    uint32_t max_wr;
    uint32_t max_sge;
    uint32_t srq_limit;
};
struct ibv_srq_init_attr {
    void *srq_context;
    struct ibv_srq_attr attr;
};
struct ibv_tm_cap {
    uint32_t max_num_tags;
    uint32_t max_ops;
};
struct ibv_srq_init_attr_ex {
    void *srq_context;
    struct ibv_srq_attr attr;
    uint32_t comp_mask; /* enum ibv_srq_init_attr_mask */
    enum ibv_srq_type srq_type;
    struct ibv_pd *pd;
    struct ibv_xrcd *xrcd;
    struct ibv_cq *cq;
    struct ibv_tm_cap tm_cap;
};

struct ibv_wq {
    struct ibv_context *context;
    void *wq_context;
    struct ibv_pd *pd;
    struct ibv_cq *cq;
    uint32_t wq_num;
    uint32_t handle;
    enum ibv_wq_state state;
    enum ibv_wq_type wq_type;
    int (*post_recv)(struct ibv_wq *current, struct ibv_recv_wr *recv_wr,
                     struct ibv_recv_wr **bad_recv_wr);
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    uint32_t events_completed;
    uint32_t comp_mask;
};
struct ibv_wq_init_attr {
    void *wq_context;
    enum ibv_wq_type wq_type;
    uint32_t max_wr;
    uint32_t max_sge;
    struct ibv_pd *pd;
    struct ibv_cq *cq;
    uint32_t comp_mask;    /* enum ibv_wq_init_attr_mask */
    uint32_t create_flags; /* enum ibv_wq_flags */
};
struct ibv_wq_attr {
    uint32_t attr_mask; /* enum ibv_wq_attr_mask */
    enum ibv_wq_state wq_state;
    enum ibv_wq_state curr_wq_state;
    uint32_t flags;
    uint32_t flags_mask;
};
struct ibv_rwq_ind_table {
    struct ibv_context *context;
    int ind_tbl_handle;
    int ind_tbl_num;
    uint32_t comp_mask;
};
struct ibv_rwq_ind_table_init_attr {
    uint32_t log_ind_tbl_size;
    struct ibv_wq **ind_tbl;
    uint32_t comp_mask; /* 0 */
};
struct ibv_rx_hash_conf {
    uint8_t rx_hash_function;
    uint8_t rx_hash_key_len;
    uint8_t *rx_hash_key;
    uint64_t rx_hash_fields_mask;
};

struct ibv_qp_cap {
    uint32_t max_send_wr;
    uint32_t max_recv_wr;
    uint32_t max_send_sge;
    uint32_t max_recv_sge;
    uint32_t max_inline_data;
};
struct ibv_qp_init_attr {
    void *qp_context;
    struct ibv_cq *send_cq;
    struct ibv_cq *recv_cq;
    struct ibv_srq *srq;
    struct ibv_qp_cap cap; /* what there is, after the call */
    enum ibv_qp_type qp_type;
    int sq_sig_all;
};
struct ibv_qp_init_attr_ex {
    void *qp_context;
    struct ibv_cq *send_cq;
    struct ibv_cq *recv_cq;
    struct ibv_srq *srq;
    struct ibv_qp_cap cap;
    enum ibv_qp_type qp_type;
    int sq_sig_all;
    uint32_t comp_mask; /* enum ibv_qp_init_attr_mask */
    struct ibv_pd *pd;
    struct ibv_xrcd *xrcd;
    uint32_t create_flags; /* enum ibv_qp_create_flags */
    uint16_t max_tso_header;
    struct ibv_rwq_ind_table *rwq_ind_tbl;
    struct ibv_rx_hash_conf rx_hash_conf;
    uint32_t source_qpn;
    uint64_t send_ops_flags;
};
struct ibv_qp_attr {
    enum ibv_qp_state qp_state;
    enum ibv_qp_state cur_qp_state;
    enum ibv_mtu path_mtu;
    enum ibv_mig_state path_mig_state;
    uint32_t qkey;
    uint32_t rq_psn;
    uint32_t sq_psn;
    uint32_t dest_qp_num;
    unsigned int qp_access_flags; /* enum ibv_access_flags */
    struct ibv_qp_cap cap;
    struct ibv_ah_attr ah_attr;
    struct ibv_ah_attr alt_ah_attr;
    uint16_t pkey_index;
    uint16_t alt_pkey_index;
    uint8_t en_sqd_async_notify;
    uint8_t sq_draining;
    uint8_t max_rd_atomic;
    uint8_t max_dest_rd_atomic;
    uint8_t min_rnr_timer;
    uint8_t port_num;
    uint8_t timeout;
    uint8_t retry_cnt;
    uint8_t rnr_retry;
    uint8_t alt_port_num;
    uint8_t alt_timeout;
    uint32_t rate_limit;
};
struct ibv_qp {
    struct ibv_context *context;
    void *qp_context;
    struct ibv_pd *pd;
    struct ibv_cq *send_cq;
    struct ibv_cq *recv_cq;
    struct ibv_srq *srq;
    uint32_t handle;
    uint32_t qp_num;
    enum ibv_qp_state state;
    enum ibv_qp_type qp_type;
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    uint32_t events_completed;
};

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context);
int ibv_destroy_comp_channel(struct ibv_comp_channel *channel);

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context,
                             struct ibv_comp_channel *channel, int comp_vector);
int ibv_modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr);
int ibv_resize_cq(struct ibv_cq *cq, int cqe);
/* Waits until every event of the CQ that was taken is acknowledged; so for the others. */
int ibv_destroy_cq(struct ibv_cq *cq);
/* 0, or -1 and errno. */
int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cq_context);
void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int nevents);
/* How many there are, or a negative number. */
static inline int ibv_poll_cq(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc) {
    return cq->context->ops.poll_cq(cq, num_entries, wc);
}
static inline int ibv_req_notify_cq(struct ibv_cq *cq, int solicited_only) {
    return cq->context->ops.req_notify_cq(cq, solicited_only);
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *srq_init_attr);
/* Basic and XRC. */
struct ibv_srq *ibv_create_srq_ex(struct ibv_context *context,
                                  struct ibv_srq_init_attr_ex *srq_init_attr_ex);
int ibv_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *srq_attr, int srq_attr_mask);
int ibv_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *srq_attr);
int ibv_get_srq_num(struct ibv_srq *srq, uint32_t *srq_num);
int ibv_destroy_srq(struct ibv_srq *srq);
static inline int ibv_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *recv_wr,
                                    struct ibv_recv_wr **bad_recv_wr) {
    return srq->context->ops.post_srq_recv(srq, recv_wr, bad_recv_wr);
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *qp_init_attr);
struct ibv_qp *ibv_create_qp_ex(struct ibv_context *context,
                                struct ibv_qp_init_attr_ex *qp_init_attr_ex);
int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask);
int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask,
                 struct ibv_qp_init_attr *init_attr);
int ibv_destroy_qp(struct ibv_qp *qp);
static inline int ibv_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr,
                                struct ibv_send_wr **bad_wr) {
    return qp->context->ops.post_send(qp, wr, bad_wr);
}
static inline int ibv_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr,
                                struct ibv_recv_wr **bad_wr) {
    return qp->context->ops.post_recv(qp, wr, bad_wr);
}

struct ibv_wq *ibv_create_wq(struct ibv_context *context, struct ibv_wq_init_attr *wq_init_attr);
int ibv_modify_wq(struct ibv_wq *wq, struct ibv_wq_attr *wq_attr);
int ibv_destroy_wq(struct ibv_wq *wq);
static inline int ibv_post_wq_recv(struct ibv_wq *wq, struct ibv_recv_wr *recv_wr,
                                   struct ibv_recv_wr **bad_recv_wr) {
    return wq->post_recv(wq, recv_wr, bad_recv_wr);
}
struct ibv_rwq_ind_table *ibv_create_rwq_ind_table(struct ibv_context *context,
                                                   struct ibv_rwq_ind_table_init_attr *init_attr);
int ibv_destroy_rwq_ind_table(struct ibv_rwq_ind_table *rwq_ind_table);

/* ---- events of verbs objects ----------------------------------------------------------------- */

struct ibv_async_event {
    union {
        struct ibv_cq *cq;
        struct ibv_qp *qp;
        struct ibv_srq *srq;
        struct ibv_wq *wq;
        int port_num;
    } element;
    enum ibv_event_type event_type;
};
/* 0, or -1 and errno. */
int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event);
void ibv_ack_async_event(struct ibv_async_event *event);

/* Ours: the cause of the last failure of this thread as a line of text, as snprintf does. */
size_t kdevx_verbs_failure(char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
