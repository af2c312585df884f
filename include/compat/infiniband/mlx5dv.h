/* SPDX-License-Identifier: MIT */
/* The DEVX functions of libmlx5, as libkdevx-mlx5dv and libkdevx-verbs have them: the same names,
 * signatures, layouts and conventions, in our own words. Where kdevx does otherwise:
 * docs/porting-from-libmlx5.md. What is marked "libkdevx-verbs" is there only; with
 * libkdevx-mlx5dv it stays libmlx5's.
 *
 * A function that returns a pointer returns NULL and sets errno; one that returns int returns 0 or
 * the errno, unless it says otherwise. EREMOTEIO means that the firmware refused the command and
 * wrote the outbox: status in its first byte, syndrome in the big-endian dword at 4.
 *
 * Mailboxes have 16 to 65535 bytes. A context without a uverbs file (VFIO) is given to the next
 * library that has the function; if there is none: EOPNOTSUPP. */
#ifndef KDEVX_COMPAT_INFINIBAND_MLX5DV_H
#define KDEVX_COMPAT_INFINIBAND_MLX5DV_H

#include <stdbool.h>

#include <rdma/mlx5_user_ioctl_verbs.h>

#include <infiniband/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names that libmlx5 has for the kernel's. */
#define mlx5dv_flow_table_type mlx5_ib_uapi_flow_table_type
#define MLX5DV_FLOW_TABLE_TYPE_NIC_RX MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_RX
#define MLX5DV_FLOW_TABLE_TYPE_NIC_TX MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_TX
#define MLX5DV_FLOW_TABLE_TYPE_FDB MLX5_IB_UAPI_FLOW_TABLE_TYPE_FDB
#define MLX5DV_FLOW_TABLE_TYPE_RDMA_RX MLX5_IB_UAPI_FLOW_TABLE_TYPE_RDMA_RX
#define MLX5DV_FLOW_TABLE_TYPE_RDMA_TX MLX5_IB_UAPI_FLOW_TABLE_TYPE_RDMA_TX
#define mlx5dv_devx_async_cmd_hdr mlx5_ib_uapi_devx_async_cmd_hdr
#define mlx5dv_devx_async_event_hdr mlx5_ib_uapi_devx_async_event_hdr
#define mlx5dv_devx_create_event_channel_flags mlx5_ib_uapi_devx_create_event_channel_flags
#define MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA                                        \
    MLX5_IB_UAPI_DEVX_CR_EV_CH_FLAGS_OMIT_DATA
#define MLX5DV_PP_ALLOC_FLAGS_DEDICATED_INDEX MLX5_IB_UAPI_PP_ALLOC_FLAGS_DEDICATED_INDEX
#define MLX5DV_UAR_ALLOC_TYPE_BF MLX5_IB_UAPI_UAR_ALLOC_TYPE_BF
#define MLX5DV_UAR_ALLOC_TYPE_NC MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC
#define MLX5DV_UAR_ALLOC_TYPE_NC_DEDICATED (1U << 31)
/* By number: newer than the headers of some distributions. */
#define MLX5DV_VAR_ALLOC_FLAG_TLP (1U << 0)
#define MLX5DV_QUERY_PORT_VPORT MLX5_IB_UAPI_QUERY_PORT_VPORT
#define MLX5DV_QUERY_PORT_VPORT_VHCA_ID MLX5_IB_UAPI_QUERY_PORT_VPORT_VHCA_ID
#define MLX5DV_QUERY_PORT_VPORT_STEERING_ICM_RX MLX5_IB_UAPI_QUERY_PORT_VPORT_STEERING_ICM_RX
#define MLX5DV_QUERY_PORT_VPORT_STEERING_ICM_TX MLX5_IB_UAPI_QUERY_PORT_VPORT_STEERING_ICM_TX
#define MLX5DV_QUERY_PORT_VPORT_REG_C0 MLX5_IB_UAPI_QUERY_PORT_VPORT_REG_C0
#define MLX5DV_QUERY_PORT_ESW_OWNER_VHCA_ID MLX5_IB_UAPI_QUERY_PORT_ESW_OWNER_VHCA_ID
#define mlx5dv_port mlx5_ib_uapi_query_port
#define mlx5dv_reg mlx5_ib_uapi_reg

/* ---- contexts (libkdevx-verbs) --------------------------------------------------------------- */

enum mlx5dv_context_attr_flags { MLX5DV_CONTEXT_FLAGS_DEVX = 1 << 0 };
enum mlx5dv_context_attr_comp_mask { MLX5DV_CONTEXT_ATTR_MASK_FD_ARRAY = 1 << 0 };
struct ibv_fd_arr {
    int *arr;
    uint32_t count;
};
struct mlx5dv_context_attr {
    uint32_t flags;         /* enum mlx5dv_context_attr_flags */
    uint64_t comp_mask;     /* enum mlx5dv_context_attr_comp_mask */
    struct ibv_fd_arr *fds; /* of /dev/infiniband/mlx5_perm_ctrl_* */
};

bool mlx5dv_is_supported(struct ibv_device *device);
/* With MLX5DV_CONTEXT_FLAGS_DEVX: a context that has a DEVX uid, or none. */
struct ibv_context *mlx5dv_open_device(struct ibv_device *device, struct mlx5dv_context_attr *attr);

/* clang-format off */
enum mlx5dv_context_flags {
    MLX5DV_CONTEXT_FLAGS_CQE_V1                   = 1 << 0,
    MLX5DV_CONTEXT_FLAGS_MPW_ALLOWED              = 1 << 2,
    MLX5DV_CONTEXT_FLAGS_ENHANCED_MPW             = 1 << 3,
    MLX5DV_CONTEXT_FLAGS_CQE_128B_COMP            = 1 << 4,
    MLX5DV_CONTEXT_FLAGS_CQE_128B_PAD             = 1 << 5,
    MLX5DV_CONTEXT_FLAGS_PACKET_BASED_CREDIT_MODE = 1 << 6,
    MLX5DV_CONTEXT_FLAGS_REAL_TIME_TS             = 1 << 7
};
enum mlx5dv_context_comp_mask {
    MLX5DV_CONTEXT_MASK_CQE_COMPRESION    = 1 << 0,
    MLX5DV_CONTEXT_MASK_SWP               = 1 << 1,
    MLX5DV_CONTEXT_MASK_STRIDING_RQ       = 1 << 2,
    MLX5DV_CONTEXT_MASK_TUNNEL_OFFLOADS   = 1 << 3,
    MLX5DV_CONTEXT_MASK_DYN_BFREGS        = 1 << 4,
    MLX5DV_CONTEXT_MASK_CLOCK_INFO_UPDATE = 1 << 5,
    MLX5DV_CONTEXT_MASK_FLOW_ACTION_FLAGS = 1 << 6,
    MLX5DV_CONTEXT_MASK_DC_ODP_CAPS       = 1 << 7,
    MLX5DV_CONTEXT_MASK_HCA_CORE_CLOCK    = 1 << 8,
    MLX5DV_CONTEXT_MASK_NUM_LAG_PORTS     = 1 << 9
};
/* clang-format on */
struct mlx5dv_cqe_comp_caps {
    uint32_t max_num;
    uint32_t supported_format;
};
struct mlx5dv_sw_parsing_caps {
    uint32_t sw_parsing_offloads;
    uint32_t supported_qpts;
};
struct mlx5dv_striding_rq_caps {
    uint32_t min_single_stride_log_num_of_bytes;
    uint32_t max_single_stride_log_num_of_bytes;
    uint32_t min_single_wqe_log_num_of_strides;
    uint32_t max_single_wqe_log_num_of_strides;
    uint32_t supported_qpts;
};
struct mlx5dv_context {
    uint8_t version;
    uint64_t flags; /* enum mlx5dv_context_flags */
    /* What is wanted; after the call, what of it is filled. The others are 0. */
    uint64_t comp_mask; /* enum mlx5dv_context_comp_mask */
    struct mlx5dv_cqe_comp_caps cqe_comp_caps;
    struct mlx5dv_sw_parsing_caps sw_parsing_caps;
    struct mlx5dv_striding_rq_caps striding_rq_caps;
    uint32_t tunnel_offloads_caps;
    uint32_t max_dynamic_bfregs;
    uint64_t max_clock_info_update_nsec;
    uint32_t flow_action_flags;
    uint32_t dc_odp_caps;
    void *hca_core_clock;
    uint8_t num_lag_ports;
};
int mlx5dv_query_device(struct ibv_context *context, struct mlx5dv_context *attrs_out);

/* ---- the inside of verbs objects (libkdevx-verbs) -------------------------------------------- */

enum mlx5dv_qp_comp_mask {
    MLX5DV_QP_MASK_UAR_MMAP_OFFSET = 1 << 0,
    MLX5DV_QP_MASK_RAW_QP_HANDLES = 1 << 1,
    MLX5DV_QP_MASK_RAW_QP_TIR_ADDR = 1 << 2
};
struct mlx5dv_qp {
    __be32 *dbrec;
    struct {
        void *buf;
        uint32_t wqe_cnt;
        uint32_t stride;
    } sq;
    struct {
        void *buf;
        uint32_t wqe_cnt;
        uint32_t stride;
    } rq;
    struct {
        void *reg;
        uint32_t size; /* 0: doorbells only */
    } bf;
    uint64_t comp_mask;
    off_t uar_mmap_offset;
    uint32_t tirn;
    uint32_t tisn;
    uint32_t rqn;
    uint32_t sqn;
    uint64_t tir_icm_addr;
};
struct mlx5dv_cq {
    void *buf;
    __be32 *dbrec;
    uint32_t cqe_cnt;
    uint32_t cqe_size;
    void *cq_uar;
    uint32_t cqn;
    uint64_t comp_mask;
};
enum mlx5dv_srq_comp_mask { MLX5DV_SRQ_MASK_SRQN = 1 << 0 };
struct mlx5dv_srq {
    void *buf;
    __be32 *dbrec;
    uint32_t stride;
    uint32_t head;
    uint32_t tail;
    uint64_t comp_mask;
    uint32_t srqn;
};
struct mlx5dv_rwq {
    void *buf;
    __be32 *dbrec;
    uint32_t wqe_cnt;
    uint32_t stride;
    uint64_t comp_mask;
};
enum mlx5dv_dm_comp_mask { MLX5DV_DM_MASK_REMOTE_VA = 1 << 0 };
struct mlx5dv_dm {
    void *buf;
    uint64_t length;
    uint64_t comp_mask;
    uint64_t remote_va;
};
struct mlx5_wqe_av {
    union {
        struct {
            __be32 qkey;
            __be32 reserved;
        } qkey;
        __be64 dc_key;
    } key;
    __be32 dqp_dct;
    uint8_t stat_rate_sl;
    uint8_t fl_mlid;
    __be16 rlid;
    uint8_t reserved0[4];
    uint8_t rmac[6];
    uint8_t tclass;
    uint8_t hop_limit;
    __be32 grh_gid_fl;
    uint8_t rgid[16];
};
struct mlx5dv_ah {
    struct mlx5_wqe_av *av;
    uint64_t comp_mask;
};
struct mlx5dv_pd {
    uint32_t pdn;
    uint64_t comp_mask;
};
struct mlx5dv_devx {
    uint32_t handle;
};
struct mlx5dv_devx_obj;
struct mlx5dv_obj {
    struct {
        struct ibv_qp *in;
        struct mlx5dv_qp *out;
    } qp;
    struct {
        struct ibv_cq *in;
        struct mlx5dv_cq *out;
    } cq;
    struct {
        struct ibv_srq *in;
        struct mlx5dv_srq *out;
    } srq;
    struct {
        struct ibv_wq *in;
        struct mlx5dv_rwq *out;
    } rwq;
    struct {
        struct ibv_dm *in;
        struct mlx5dv_dm *out;
    } dm;
    struct {
        struct ibv_ah *in;
        struct mlx5dv_ah *out;
    } ah;
    struct {
        struct ibv_pd *in;
        struct mlx5dv_pd *out;
    } pd;
    struct {
        struct mlx5dv_devx_obj *in;
        struct mlx5dv_devx *out;
    } devx;
};
enum mlx5dv_obj_type {
    MLX5DV_OBJ_QP = 1 << 0,
    MLX5DV_OBJ_CQ = 1 << 1,
    MLX5DV_OBJ_SRQ = 1 << 2,
    MLX5DV_OBJ_RWQ = 1 << 3,
    MLX5DV_OBJ_DM = 1 << 4,
    MLX5DV_OBJ_AH = 1 << 5,
    MLX5DV_OBJ_PD = 1 << 6,
    MLX5DV_OBJ_DEVX = 1 << 7
};
/* Of each type that is named, what `in` is goes to `out`. */
int mlx5dv_init_obj(struct mlx5dv_obj *obj, uint64_t obj_type);

/* ---- commands and objects -------------------------------------------------------------------- */

struct mlx5dv_devx_obj *mlx5dv_devx_obj_create(struct ibv_context *context, const void *in,
                                               size_t inlen, void *out, size_t outlen);
int mlx5dv_devx_obj_query(struct mlx5dv_devx_obj *obj, const void *in, size_t inlen, void *out,
                          size_t outlen);
int mlx5dv_devx_obj_modify(struct mlx5dv_devx_obj *obj, const void *in, size_t inlen, void *out,
                           size_t outlen);
/* If it fails the object is alive as before. */
int mlx5dv_devx_obj_destroy(struct mlx5dv_devx_obj *obj);
/* A command that makes no object. */
int mlx5dv_devx_general_cmd(struct ibv_context *context, const void *in, size_t inlen, void *out,
                            size_t outlen);

/* By a verbs object's handle. The inbox is complete, the object's number included. */
int mlx5dv_devx_cq_query(struct ibv_cq *cq, const void *in, size_t inlen, void *out, size_t outlen);
int mlx5dv_devx_cq_modify(struct ibv_cq *cq, const void *in, size_t inlen, void *out,
                          size_t outlen);
int mlx5dv_devx_qp_query(struct ibv_qp *qp, const void *in, size_t inlen, void *out, size_t outlen);
int mlx5dv_devx_qp_modify(struct ibv_qp *qp, const void *in, size_t inlen, void *out,
                          size_t outlen);
int mlx5dv_devx_srq_query(struct ibv_srq *srq, const void *in, size_t inlen, void *out,
                          size_t outlen);
int mlx5dv_devx_srq_modify(struct ibv_srq *srq, const void *in, size_t inlen, void *out,
                           size_t outlen);
int mlx5dv_devx_wq_query(struct ibv_wq *wq, const void *in, size_t inlen, void *out, size_t outlen);
int mlx5dv_devx_wq_modify(struct ibv_wq *wq, const void *in, size_t inlen, void *out,
                          size_t outlen);
int mlx5dv_devx_ind_tbl_query(struct ibv_rwq_ind_table *ind_tbl, const void *in, size_t inlen,
                              void *out, size_t outlen);
int mlx5dv_devx_ind_tbl_modify(struct ibv_rwq_ind_table *ind_tbl, const void *in, size_t inlen,
                               void *out, size_t outlen);

/* ---- asynchronous queries -------------------------------------------------------------------- */

struct mlx5dv_devx_cmd_comp {
    int fd; /* blocking; whoever wants it otherwise sets O_NONBLOCK */
};

struct mlx5dv_devx_cmd_comp *mlx5dv_devx_create_cmd_comp(struct ibv_context *context);
void mlx5dv_devx_destroy_cmd_comp(struct mlx5dv_devx_cmd_comp *cmd_comp);
int mlx5dv_devx_obj_query_async(struct mlx5dv_devx_obj *obj, const void *in, size_t inlen,
                                size_t outlen, uint64_t wr_id,
                                struct mlx5dv_devx_cmd_comp *cmd_comp);
/* cmd_resp_len counts the header too. ENOSPC: too short, and the answer stays. */
int mlx5dv_devx_get_async_cmd_comp(struct mlx5dv_devx_cmd_comp *cmd_comp,
                                   struct mlx5dv_devx_async_cmd_hdr *cmd_resp, size_t cmd_resp_len);

/* ---- events ---------------------------------------------------------------------------------- */

struct mlx5dv_devx_event_channel {
    int fd; /* as above */
};

struct mlx5dv_devx_event_channel *
mlx5dv_devx_create_event_channel(struct ibv_context *context,
                                 enum mlx5dv_devx_create_event_channel_flags flags);
void mlx5dv_devx_destroy_event_channel(struct mlx5dv_devx_event_channel *event_channel);
/* events_sz is in bytes: two for each number. obj NULL: events of no object. */
int mlx5dv_devx_subscribe_devx_event(struct mlx5dv_devx_event_channel *event_channel,
                                     struct mlx5dv_devx_obj *obj, uint16_t events_sz,
                                     uint16_t events_num[], uint64_t cookie);
/* Events count up the eventfd and do not come to the channel. */
int mlx5dv_devx_subscribe_devx_event_fd(struct mlx5dv_devx_event_channel *event_channel, int fd,
                                        struct mlx5dv_devx_obj *obj, uint16_t event_num);
/* The bytes that were written to event_data, or -1 and errno. */
ssize_t mlx5dv_devx_get_event(struct mlx5dv_devx_event_channel *event_channel,
                              struct mlx5dv_devx_async_event_hdr *event_data,
                              size_t event_resp_len);

/* ---- memory and pages of the device ---------------------------------------------------------- */

struct mlx5dv_devx_umem {
    uint32_t umem_id;
};
enum mlx5dv_devx_umem_in_mask { MLX5DV_UMEM_MASK_DMABUF = 1 << 0 };
struct mlx5dv_devx_umem_in {
    void *addr; /* with a dmabuf: the offset in it */
    size_t size;
    uint32_t access;
    uint64_t pgsz_bitmap;
    uint64_t comp_mask;
    int dmabuf_fd;
};

struct mlx5dv_devx_umem *mlx5dv_devx_umem_reg(struct ibv_context *ctx, void *addr, size_t size,
                                              uint32_t access);
struct mlx5dv_devx_umem *mlx5dv_devx_umem_reg_ex(struct ibv_context *ctx,
                                                 struct mlx5dv_devx_umem_in *umem_in);
int mlx5dv_devx_umem_dereg(struct mlx5dv_devx_umem *umem);

struct mlx5dv_devx_uar {
    void *reg_addr;
    void *base_addr;
    uint32_t page_id;
    off_t mmap_off;
    uint64_t comp_mask;
};

struct mlx5dv_devx_uar *mlx5dv_devx_alloc_uar(struct ibv_context *context, uint32_t flags);
void mlx5dv_devx_free_uar(struct mlx5dv_devx_uar *devx_uar);
/* A dmabuf's fd, or -1 and errno. */
int mlx5dv_devx_uar_export_dmabuf_fd(struct mlx5dv_devx_uar *devx_uar);

struct mlx5dv_var {
    uint32_t page_id;
    uint32_t length;
    off_t mmap_off;
    uint64_t comp_mask;
};

struct mlx5dv_var *mlx5dv_alloc_var(struct ibv_context *context, uint32_t flags);
void mlx5dv_free_var(struct mlx5dv_var *dv_var);

struct mlx5dv_pp {
    uint16_t index;
};

struct mlx5dv_pp *mlx5dv_pp_alloc(struct ibv_context *context, size_t pp_context_sz,
                                  const void *pp_context, uint32_t flags);
void mlx5dv_pp_free(struct mlx5dv_pp *pp);

void *mlx5dv_dm_map_op_addr(struct ibv_dm *dm, uint8_t op);

/* ---- what the kernel knows ------------------------------------------------------------------- */

int mlx5dv_devx_query_eqn(struct ibv_context *context, uint32_t vector, uint32_t *eqn);

int _mlx5dv_query_port(struct ibv_context *context, uint32_t port_num, struct mlx5dv_port *info,
                       size_t info_len);
static inline int mlx5dv_query_port(struct ibv_context *context, uint32_t port_num,
                                    struct mlx5dv_port *info) {
    return _mlx5dv_query_port(context, port_num, info, sizeof(*info));
}

struct mlx5dv_steering_anchor_attr {
    enum mlx5dv_flow_table_type ft_type;
    uint16_t priority;
    uint64_t comp_mask;
};
struct mlx5dv_steering_anchor {
    uint32_t id;
};

struct mlx5dv_steering_anchor *
mlx5dv_create_steering_anchor(struct ibv_context *context,
                              struct mlx5dv_steering_anchor_attr *attr);
int mlx5dv_destroy_steering_anchor(struct mlx5dv_steering_anchor *sa);

/* ---- objects of a shared file ---------------------------------------------------------------- */

struct mlx5dv_export_sizes {
    uint32_t var_attrs_size;
    uint32_t devx_umem_attrs_size;
    uint32_t devx_obj_attrs_size;
};

void _mlx5dv_get_export_sizes(struct mlx5dv_export_sizes *sizes, size_t sizes_len);
static inline void mlx5dv_get_export_sizes(struct mlx5dv_export_sizes *sizes) {
    _mlx5dv_get_export_sizes(sizes, sizeof(*sizes));
}

int mlx5dv_devx_obj_export(struct mlx5dv_devx_obj *obj, void *data);
struct mlx5dv_devx_obj *mlx5dv_devx_obj_import(struct ibv_context *context, void *data);
void mlx5dv_devx_obj_unimport(struct mlx5dv_devx_obj *obj);
int mlx5dv_devx_umem_export(struct mlx5dv_devx_umem *umem, void *data);
struct mlx5dv_devx_umem *mlx5dv_devx_umem_import(struct ibv_context *context, void *data);
void mlx5dv_devx_umem_unimport(struct mlx5dv_devx_umem *umem);
int mlx5dv_var_export(struct mlx5dv_var *dv_var, void *data);
struct mlx5dv_var *mlx5dv_var_import(struct ibv_context *context, void *data);
void mlx5dv_var_unimport(struct mlx5dv_var *dv_var);

/* ---- VFIO only: EOPNOTSUPP on a context with a uverbs file ----------------------------------- */

struct mlx5dv_devx_msi_vector {
    int vector;
    int fd;
};
struct mlx5dv_devx_msi_vector *mlx5dv_devx_alloc_msi_vector(struct ibv_context *ibctx);
int mlx5dv_devx_free_msi_vector(struct mlx5dv_devx_msi_vector *msi);

struct mlx5dv_devx_eq {
    void *vaddr;
};
struct mlx5dv_devx_eq *mlx5dv_devx_create_eq(struct ibv_context *ibctx, const void *in,
                                             size_t inlen, void *out, size_t outlen);
int mlx5dv_devx_destroy_eq(struct mlx5dv_devx_eq *eq);

/* How often a function of this library was called, by its name; 0 for a name it does not have. */
uint64_t kdevx_mlx5dv_calls(const char *function);

/* ---- fields of mailboxes, for layouts in the notation of the kernel's mlx5_ifc.h --------------
 */

#define DEVX_ST_SZ_BITS(typ) (8 * DEVX_ST_SZ_BYTES(typ))
#define DEVX_ST_SZ_BYTES(typ) (sizeof(struct mlx5_ifc_##typ##_bits) / 8)
#define DEVX_ST_SZ_DW(typ) (sizeof(struct mlx5_ifc_##typ##_bits) / 32)
#define DEVX_ST_SZ_QW(typ) (sizeof(struct mlx5_ifc_##typ##_bits) / 64)
#define DEVX_UN_SZ_BYTES(typ) (sizeof(union mlx5_ifc_##typ##_bits) / 8)
#define DEVX_UN_SZ_DW(typ) (sizeof(union mlx5_ifc_##typ##_bits) / 32)
#define KDEVX_FIELD_BITS(typ, fld) sizeof(((struct mlx5_ifc_##typ##_bits *)0)->fld)
#define KDEVX_FIELD_AT(typ, fld) offsetof(struct mlx5_ifc_##typ##_bits, fld)
#define DEVX_FLD_SZ_BYTES(typ, fld) (KDEVX_FIELD_BITS(typ, fld) / 8)
#define DEVX_BYTE_OFF(typ, fld) (KDEVX_FIELD_AT(typ, fld) / 8)
#define DEVX_ADDR_OF(typ, p, fld) ((unsigned char *)(p) + DEVX_BYTE_OFF(typ, fld))
#define DEVX_SET(typ, p, fld, v)                                                                   \
    kdevx_field_set(p, v, KDEVX_FIELD_AT(typ, fld), KDEVX_FIELD_BITS(typ, fld))
#define DEVX_GET(typ, p, fld)                                                                      \
    kdevx_field_get(p, KDEVX_FIELD_AT(typ, fld), KDEVX_FIELD_BITS(typ, fld))
#define DEVX_SET64(typ, p, fld, v) kdevx_field_set64(p, v, KDEVX_FIELD_AT(typ, fld))
#define DEVX_GET64(typ, p, fld) kdevx_field_get64(p, KDEVX_FIELD_AT(typ, fld))

static inline uint32_t kdevx_field_mask(size_t bits) {
    return bits >= 32 ? 0xffffffffu : (1u << bits) - 1;
}
static inline uint64_t kdevx_field_load(const unsigned char *place, size_t bytes) {
    uint64_t v = 0;
    for (size_t i = 0; i < bytes; ++i)
        v = v << 8 | place[i];
    return v;
}
static inline void kdevx_field_store(unsigned char *place, size_t bytes, uint64_t v) {
    for (size_t i = bytes; i-- > 0; v >>= 8)
        place[i] = (unsigned char)v;
}
static inline uint32_t kdevx_field_get(const void *box, size_t at, size_t bits) {
    const uint64_t dword = kdevx_field_load((const unsigned char *)box + at / 32 * 4, 4);
    return (uint32_t)(dword >> (32 - bits - at % 32)) & kdevx_field_mask(bits);
}
static inline void kdevx_field_set(void *box, uint32_t value, size_t at, size_t bits) {
    unsigned char *place = (unsigned char *)box + at / 32 * 4;
    const uint64_t shift = 32 - bits - at % 32, mask = (uint64_t)kdevx_field_mask(bits) << shift;
    const uint64_t others = kdevx_field_load(place, 4) & ~mask;
    kdevx_field_store(place, 4, others | ((uint64_t)value << shift & mask));
}
static inline uint64_t kdevx_field_get64(const void *box, size_t at) {
    return kdevx_field_load((const unsigned char *)box + at / 8, 8);
}
static inline void kdevx_field_set64(void *box, uint64_t value, size_t at) {
    kdevx_field_store((unsigned char *)box + at / 8, 8, value);
}

#ifdef __cplusplus
}
#endif
#endif
