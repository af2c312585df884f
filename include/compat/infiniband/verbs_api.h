/* SPDX-License-Identifier: MIT */
/* The numbers of libibverbs: enumerations and flags by their names there. */
#ifndef KDEVX_COMPAT_INFINIBAND_VERBS_API_H
#define KDEVX_COMPAT_INFINIBAND_VERBS_API_H

/* clang-format off */
enum ibv_node_type {
    IBV_NODE_UNKNOWN = -1,
    IBV_NODE_CA = 1, IBV_NODE_SWITCH, IBV_NODE_ROUTER, IBV_NODE_RNIC, IBV_NODE_USNIC,
    IBV_NODE_USNIC_UDP, IBV_NODE_UNSPECIFIED
};
enum ibv_transport_type {
    IBV_TRANSPORT_UNKNOWN = -1,
    IBV_TRANSPORT_IB = 0, IBV_TRANSPORT_IWARP, IBV_TRANSPORT_USNIC, IBV_TRANSPORT_USNIC_UDP,
    IBV_TRANSPORT_UNSPECIFIED
};
enum ibv_gid_type { IBV_GID_TYPE_IB, IBV_GID_TYPE_ROCE_V1, IBV_GID_TYPE_ROCE_V2 };
enum ibv_fork_status { IBV_FORK_DISABLED, IBV_FORK_ENABLED, IBV_FORK_UNNEEDED };

/* ---- devices and ports ----------------------------------------------------------------------- */

enum ibv_device_cap_flags {
    IBV_DEVICE_RESIZE_MAX_WR         = 1,
    IBV_DEVICE_BAD_PKEY_CNTR         = 1 << 1,
    IBV_DEVICE_BAD_QKEY_CNTR         = 1 << 2,
    IBV_DEVICE_RAW_MULTI             = 1 << 3,
    IBV_DEVICE_AUTO_PATH_MIG         = 1 << 4,
    IBV_DEVICE_CHANGE_PHY_PORT       = 1 << 5,
    IBV_DEVICE_UD_AV_PORT_ENFORCE    = 1 << 6,
    IBV_DEVICE_CURR_QP_STATE_MOD     = 1 << 7,
    IBV_DEVICE_SHUTDOWN_PORT         = 1 << 8,
    IBV_DEVICE_INIT_TYPE             = 1 << 9,
    IBV_DEVICE_PORT_ACTIVE_EVENT     = 1 << 10,
    IBV_DEVICE_SYS_IMAGE_GUID        = 1 << 11,
    IBV_DEVICE_RC_RNR_NAK_GEN        = 1 << 12,
    IBV_DEVICE_SRQ_RESIZE            = 1 << 13,
    IBV_DEVICE_N_NOTIFY_CQ           = 1 << 14,
    IBV_DEVICE_MEM_WINDOW            = 1 << 17,
    IBV_DEVICE_UD_IP_CSUM            = 1 << 18,
    IBV_DEVICE_XRC                   = 1 << 20,
    IBV_DEVICE_MEM_MGT_EXTENSIONS    = 1 << 21,
    IBV_DEVICE_MEM_WINDOW_TYPE_2A    = 1 << 23,
    IBV_DEVICE_MEM_WINDOW_TYPE_2B    = 1 << 24,
    IBV_DEVICE_RC_IP_CSUM            = 1 << 25,
    IBV_DEVICE_RAW_IP_CSUM           = 1 << 26,
    IBV_DEVICE_MANAGED_FLOW_STEERING = 1 << 29
};
enum ibv_atomic_cap { IBV_ATOMIC_NONE, IBV_ATOMIC_HCA, IBV_ATOMIC_GLOB };
enum ibv_mtu {
    IBV_MTU_256 = 1, IBV_MTU_512 = 2, IBV_MTU_1024 = 3, IBV_MTU_2048 = 4, IBV_MTU_4096 = 5
};
enum ibv_port_state {
    IBV_PORT_NOP, IBV_PORT_DOWN, IBV_PORT_INIT, IBV_PORT_ARMED, IBV_PORT_ACTIVE,
    IBV_PORT_ACTIVE_DEFER
};
enum { IBV_LINK_LAYER_UNSPECIFIED, IBV_LINK_LAYER_INFINIBAND, IBV_LINK_LAYER_ETHERNET };
enum { IBV_SYSFS_NAME_MAX = 64, IBV_SYSFS_PATH_MAX = 256 };

/* ---- events and completions ------------------------------------------------------------------ */

enum ibv_event_type {
    IBV_EVENT_CQ_ERR, IBV_EVENT_QP_FATAL, IBV_EVENT_QP_REQ_ERR, IBV_EVENT_QP_ACCESS_ERR,
    IBV_EVENT_COMM_EST, IBV_EVENT_SQ_DRAINED, IBV_EVENT_PATH_MIG, IBV_EVENT_PATH_MIG_ERR,
    IBV_EVENT_DEVICE_FATAL, IBV_EVENT_PORT_ACTIVE, IBV_EVENT_PORT_ERR, IBV_EVENT_LID_CHANGE,
    IBV_EVENT_PKEY_CHANGE, IBV_EVENT_SM_CHANGE, IBV_EVENT_SRQ_ERR, IBV_EVENT_SRQ_LIMIT_REACHED,
    IBV_EVENT_QP_LAST_WQE_REACHED, IBV_EVENT_CLIENT_REREGISTER, IBV_EVENT_GID_CHANGE,
    IBV_EVENT_WQ_FATAL, IBV_EVENT_DEVICE_SPEED_CHANGE
};
enum ibv_wc_status {
    IBV_WC_SUCCESS, IBV_WC_LOC_LEN_ERR, IBV_WC_LOC_QP_OP_ERR, IBV_WC_LOC_EEC_OP_ERR,
    IBV_WC_LOC_PROT_ERR, IBV_WC_WR_FLUSH_ERR, IBV_WC_MW_BIND_ERR, IBV_WC_BAD_RESP_ERR,
    IBV_WC_LOC_ACCESS_ERR, IBV_WC_REM_INV_REQ_ERR, IBV_WC_REM_ACCESS_ERR, IBV_WC_REM_OP_ERR,
    IBV_WC_RETRY_EXC_ERR, IBV_WC_RNR_RETRY_EXC_ERR, IBV_WC_LOC_RDD_VIOL_ERR,
    IBV_WC_REM_INV_RD_REQ_ERR, IBV_WC_REM_ABORT_ERR, IBV_WC_INV_EECN_ERR,
    IBV_WC_INV_EEC_STATE_ERR, IBV_WC_FATAL_ERR, IBV_WC_RESP_TIMEOUT_ERR, IBV_WC_GENERAL_ERR,
    IBV_WC_TM_ERR, IBV_WC_TM_RNDV_INCOMPLETE
};
/* IBV_WC_RECV is a bit that every completion of a receive has. */
enum ibv_wc_opcode {
    IBV_WC_SEND, IBV_WC_RDMA_WRITE, IBV_WC_RDMA_READ, IBV_WC_COMP_SWAP, IBV_WC_FETCH_ADD,
    IBV_WC_BIND_MW, IBV_WC_LOCAL_INV, IBV_WC_TSO, IBV_WC_FLUSH, IBV_WC_ATOMIC_WRITE = 9,
    IBV_WC_RECV = 1 << 7, IBV_WC_RECV_RDMA_WITH_IMM, IBV_WC_TM_ADD, IBV_WC_TM_DEL, IBV_WC_TM_SYNC,
    IBV_WC_TM_RECV, IBV_WC_TM_NO_TAG, IBV_WC_DRIVER1, IBV_WC_DRIVER2, IBV_WC_DRIVER3
};
enum { IBV_WC_IP_CSUM_OK_SHIFT = 2 };
enum ibv_wc_flags {
    IBV_WC_GRH        = 1 << 0,
    IBV_WC_WITH_IMM   = 1 << 1,
    IBV_WC_IP_CSUM_OK = 1 << IBV_WC_IP_CSUM_OK_SHIFT,
    IBV_WC_WITH_INV   = 1 << 3
};

/* ---- memory and addresses -------------------------------------------------------------------- */

enum ibv_access_flags {
    IBV_ACCESS_LOCAL_WRITE      = 1 << 0,
    IBV_ACCESS_REMOTE_WRITE     = 1 << 1,
    IBV_ACCESS_REMOTE_READ      = 1 << 2,
    IBV_ACCESS_REMOTE_ATOMIC    = 1 << 3,
    IBV_ACCESS_MW_BIND          = 1 << 4,
    IBV_ACCESS_ZERO_BASED       = 1 << 5,
    IBV_ACCESS_ON_DEMAND        = 1 << 6,
    IBV_ACCESS_HUGETLB          = 1 << 7,
    IBV_ACCESS_RELAXED_ORDERING = 1 << 20
};
enum ibv_dm_mask { IBV_DM_MASK_HANDLE = 1 << 0 };
enum ibv_mw_type { IBV_MW_TYPE_1 = 1, IBV_MW_TYPE_2 = 2 };
enum ibv_rate {
    IBV_RATE_MAX       = 0,
    IBV_RATE_2_5_GBPS  = 2,  IBV_RATE_5_GBPS   = 5,  IBV_RATE_10_GBPS  = 3,
    IBV_RATE_20_GBPS   = 6,  IBV_RATE_30_GBPS  = 4,  IBV_RATE_40_GBPS  = 7,
    IBV_RATE_60_GBPS   = 8,  IBV_RATE_80_GBPS  = 9,  IBV_RATE_120_GBPS = 10,
    IBV_RATE_14_GBPS   = 11, IBV_RATE_56_GBPS  = 12, IBV_RATE_112_GBPS = 13,
    IBV_RATE_168_GBPS  = 14, IBV_RATE_25_GBPS  = 15, IBV_RATE_100_GBPS = 16,
    IBV_RATE_200_GBPS  = 17, IBV_RATE_300_GBPS = 18, IBV_RATE_28_GBPS  = 19,
    IBV_RATE_50_GBPS   = 20, IBV_RATE_400_GBPS = 21, IBV_RATE_600_GBPS = 22,
    IBV_RATE_800_GBPS  = 23, IBV_RATE_1200_GBPS = 24
};

/* ---- queues ---------------------------------------------------------------------------------- */

enum ibv_cq_attr_mask { IBV_CQ_ATTR_MODERATE = 1 << 0 };
enum ibv_srq_attr_mask { IBV_SRQ_MAX_WR = 1 << 0, IBV_SRQ_LIMIT = 1 << 1 };
enum ibv_srq_type { IBV_SRQT_BASIC, IBV_SRQT_XRC, IBV_SRQT_TM };
enum ibv_srq_init_attr_mask {
    IBV_SRQ_INIT_ATTR_TYPE = 1 << 0,
    IBV_SRQ_INIT_ATTR_PD   = 1 << 1,
    IBV_SRQ_INIT_ATTR_XRCD = 1 << 2,
    IBV_SRQ_INIT_ATTR_CQ   = 1 << 3,
    IBV_SRQ_INIT_ATTR_TM   = 1 << 4
};
enum ibv_xrcd_init_attr_mask { IBV_XRCD_INIT_ATTR_FD = 1 << 0, IBV_XRCD_INIT_ATTR_OFLAGS = 1 << 1 };

enum ibv_wq_type { IBV_WQT_RQ };
enum ibv_wq_init_attr_mask { IBV_WQ_INIT_ATTR_FLAGS = 1 << 0 };
enum ibv_wq_flags {
    IBV_WQ_FLAGS_CVLAN_STRIPPING       = 1 << 0,
    IBV_WQ_FLAGS_SCATTER_FCS           = 1 << 1,
    IBV_WQ_FLAGS_DELAY_DROP            = 1 << 2,
    IBV_WQ_FLAGS_PCI_WRITE_END_PADDING = 1 << 3
};
enum ibv_wq_state { IBV_WQS_RESET, IBV_WQS_RDY, IBV_WQS_ERR, IBV_WQS_UNKNOWN };
enum ibv_wq_attr_mask {
    IBV_WQ_ATTR_STATE = 1 << 0, IBV_WQ_ATTR_CURR_STATE = 1 << 1, IBV_WQ_ATTR_FLAGS = 1 << 2
};
enum ibv_rx_hash_function_flags { IBV_RX_HASH_FUNC_TOEPLITZ = 1 << 0 };
enum ibv_rx_hash_fields {
    IBV_RX_HASH_SRC_IPV4     = 1 << 0,
    IBV_RX_HASH_DST_IPV4     = 1 << 1,
    IBV_RX_HASH_SRC_IPV6     = 1 << 2,
    IBV_RX_HASH_DST_IPV6     = 1 << 3,
    IBV_RX_HASH_SRC_PORT_TCP = 1 << 4,
    IBV_RX_HASH_DST_PORT_TCP = 1 << 5,
    IBV_RX_HASH_SRC_PORT_UDP = 1 << 6,
    IBV_RX_HASH_DST_PORT_UDP = 1 << 7,
    IBV_RX_HASH_IPSEC_SPI    = 1 << 8
};

enum ibv_qp_type {
    IBV_QPT_RC = 2, IBV_QPT_UC, IBV_QPT_UD, IBV_QPT_RAW_PACKET = 8, IBV_QPT_XRC_SEND = 9,
    IBV_QPT_XRC_RECV, IBV_QPT_DRIVER = 0xff
};
enum ibv_qp_init_attr_mask {
    IBV_QP_INIT_ATTR_PD             = 1 << 0,
    IBV_QP_INIT_ATTR_XRCD           = 1 << 1,
    IBV_QP_INIT_ATTR_CREATE_FLAGS   = 1 << 2,
    IBV_QP_INIT_ATTR_MAX_TSO_HEADER = 1 << 3,
    IBV_QP_INIT_ATTR_IND_TABLE      = 1 << 4,
    IBV_QP_INIT_ATTR_RX_HASH        = 1 << 5,
    IBV_QP_INIT_ATTR_SEND_OPS_FLAGS = 1 << 6
};
enum ibv_qp_create_flags {
    IBV_QP_CREATE_BLOCK_SELF_MCAST_LB   = 1 << 1,
    IBV_QP_CREATE_SCATTER_FCS           = 1 << 8,
    IBV_QP_CREATE_CVLAN_STRIPPING       = 1 << 9,
    IBV_QP_CREATE_SOURCE_QPN            = 1 << 10,
    IBV_QP_CREATE_PCI_WRITE_END_PADDING = 1 << 11
};
enum ibv_qp_attr_mask {
    IBV_QP_STATE               = 1 << 0,
    IBV_QP_CUR_STATE           = 1 << 1,
    IBV_QP_EN_SQD_ASYNC_NOTIFY = 1 << 2,
    IBV_QP_ACCESS_FLAGS        = 1 << 3,
    IBV_QP_PKEY_INDEX          = 1 << 4,
    IBV_QP_PORT                = 1 << 5,
    IBV_QP_QKEY                = 1 << 6,
    IBV_QP_AV                  = 1 << 7,
    IBV_QP_PATH_MTU            = 1 << 8,
    IBV_QP_TIMEOUT             = 1 << 9,
    IBV_QP_RETRY_CNT           = 1 << 10,
    IBV_QP_RNR_RETRY           = 1 << 11,
    IBV_QP_RQ_PSN              = 1 << 12,
    IBV_QP_MAX_QP_RD_ATOMIC    = 1 << 13,
    IBV_QP_ALT_PATH            = 1 << 14,
    IBV_QP_MIN_RNR_TIMER       = 1 << 15,
    IBV_QP_SQ_PSN              = 1 << 16,
    IBV_QP_MAX_DEST_RD_ATOMIC  = 1 << 17,
    IBV_QP_PATH_MIG_STATE      = 1 << 18,
    IBV_QP_CAP                 = 1 << 19,
    IBV_QP_DEST_QPN            = 1 << 20,
    IBV_QP_RATE_LIMIT          = 1 << 25
};
enum ibv_qp_state {
    IBV_QPS_RESET, IBV_QPS_INIT, IBV_QPS_RTR, IBV_QPS_RTS, IBV_QPS_SQD, IBV_QPS_SQE, IBV_QPS_ERR,
    IBV_QPS_UNKNOWN
};
enum ibv_mig_state { IBV_MIG_MIGRATED, IBV_MIG_REARM, IBV_MIG_ARMED };

/* ---- work requests --------------------------------------------------------------------------- */

enum ibv_wr_opcode {
    IBV_WR_RDMA_WRITE, IBV_WR_RDMA_WRITE_WITH_IMM, IBV_WR_SEND, IBV_WR_SEND_WITH_IMM,
    IBV_WR_RDMA_READ, IBV_WR_ATOMIC_CMP_AND_SWP, IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_WR_LOCAL_INV,
    IBV_WR_BIND_MW, IBV_WR_SEND_WITH_INV, IBV_WR_TSO, IBV_WR_DRIVER1, IBV_WR_FLUSH = 14,
    IBV_WR_ATOMIC_WRITE = 15
};
enum ibv_send_flags {
    IBV_SEND_FENCE     = 1 << 0,
    IBV_SEND_SIGNALED  = 1 << 1,
    IBV_SEND_SOLICITED = 1 << 2,
    IBV_SEND_INLINE    = 1 << 3,
    IBV_SEND_IP_CSUM   = 1 << 4
};
/* clang-format on */
#endif
