/* SPDX-License-Identifier: MIT */
/*
 * libkdevx-nl: which RDMA devices there are and who uses what of them, asked over the RDMA netlink
 * (NETLINK_RDMA) with libnl-3. Works without any file of a device being open and needs no
 * privilege, but see the keys of kdevx_nl_resource.
 *
 *     struct kdevx_nl *nl;
 *     struct kdevx_nl_failure why;
 *     if (kdevx_nl_open(&nl, &why) == 0) {
 *         kdevx_nl_list_devices(nl, print_device, NULL, &why);
 *         kdevx_nl_close(nl);
 *     }
 *
 * Every call returns 0, or a negative errno and, where `why` is given, what it means. Lists are
 * handed over one element at a time; a function that returns non-zero ends the list early, and the
 * call then returns that value. Strings are cut at their array's size, never unterminated.
 * A handle is for one thread at a time; several handles know nothing of each other.
 */
#ifndef KDEVX_NL_H
#define KDEVX_NL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KDEVX_NL_API __attribute__((visibility("default")))

struct kdevx_nl;

enum kdevx_nl_cause {
    KDEVX_NL_OK = 0,
    KDEVX_NL_INVALID,       /* an argument is null or out of range */
    KDEVX_NL_NO_RDMA,       /* this kernel answers no RDMA netlink: ib_core is not there */
    KDEVX_NL_NO_PERMISSION, /* the kernel or a security module forbids it */
    KDEVX_NL_NO_DEVICE,     /* no device has this index, or not in this network namespace */
    KDEVX_NL_NO_CHARDEV,    /* the device has no uverbs node: ib_uverbs is not there */
    KDEVX_NL_CHANGED,       /* the list changed while it was read: read it again */
    KDEVX_NL_MALFORMED,     /* the kernel's answer lacks what it must have */
    KDEVX_NL_NO_MEMORY,
    KDEVX_NL_FAILED /* anything else: error says what the kernel said */
};

struct kdevx_nl_failure {
    int error; /* errno, positive */
    enum kdevx_nl_cause cause;
    const char *step; /* what was being asked, for instance "RES_QP_GET"; never null */
};

/* "NO_RDMA", and what to do about it in one sentence. Never null. */
KDEVX_NL_API const char *kdevx_nl_cause_name(enum kdevx_nl_cause cause);
KDEVX_NL_API const char *kdevx_nl_cause_hint(enum kdevx_nl_cause cause);

KDEVX_NL_API int kdevx_nl_open(struct kdevx_nl **nl, struct kdevx_nl_failure *why);
KDEVX_NL_API void kdevx_nl_close(struct kdevx_nl *nl); /* null is fine */

/* ---- devices ------------------------------------------------------------------------------- */

struct kdevx_nl_device {
    uint32_t index; /* what the calls below want; not the number in the name */
    uint32_t ports;
    uint64_t node_guid; /* host order */
    uint64_t sys_image_guid;
    char name[64];     /* "mlx5_0" */
    char firmware[32]; /* "16.35.2000", or empty */
    char protocol[8];  /* of the first port: "ib", "roce", "iw", "opa", "usnic", or empty */
};
typedef int (*kdevx_nl_device_fn)(const struct kdevx_nl_device *device, void *arg);
KDEVX_NL_API int kdevx_nl_list_devices(struct kdevx_nl *nl, kdevx_nl_device_fn each, void *arg,
                                       struct kdevx_nl_failure *why);

/* The uverbs node of a device. The kernel may load ib_uverbs to answer this. */
struct kdevx_nl_uverbs {
    uint64_t dev;       /* as st_rdev of the node in /dev/infiniband has it */
    uint64_t abi;       /* the driver's ABI version */
    uint32_t driver_id; /* enum rdma_driver_id: 1 is mlx5 */
    char name[32];      /* "uverbs0" */
};
KDEVX_NL_API int kdevx_nl_get_uverbs(struct kdevx_nl *nl, uint32_t index,
                                     struct kdevx_nl_uverbs *uverbs, struct kdevx_nl_failure *why);

/* ---- resource tracking ---------------------------------------------------------------------- */

/* How many of each kind there are, as the kernel names the kinds: "pd", "cq", "qp", "cm_id", "mr",
 * "ctx", "srq". These are verbs objects; of DEVX objects the kernel keeps no such count. */
typedef int (*kdevx_nl_count_fn)(const char *kind, uint64_t count, void *arg);
KDEVX_NL_API int kdevx_nl_get_summary(struct kdevx_nl *nl, uint32_t index, kdevx_nl_count_fn each,
                                      void *arg, struct kdevx_nl_failure *why);

enum kdevx_nl_kind {
    KDEVX_NL_PD,
    KDEVX_NL_CQ,
    KDEVX_NL_QP,
    KDEVX_NL_CM_ID,
    KDEVX_NL_MR,
    KDEVX_NL_CTX,
    KDEVX_NL_SRQ,
    KDEVX_NL_KINDS
};
KDEVX_NL_API const char *kdevx_nl_kind_name(enum kdevx_nl_kind kind); /* "pd", null: no kind */

/* One object. What the kernel did not say is not in `present` and zero. lkey and rkey are told only
 * to CAP_NET_ADMIN. Ids are the kernel's, which for a QP is its number and for the rest is not. */
enum kdevx_nl_field {
    KDEVX_NL_HAS_PID = 1 << 0,
    KDEVX_NL_HAS_PDN = 1 << 1,
    KDEVX_NL_HAS_CQN = 1 << 2,
    KDEVX_NL_HAS_CTXN = 1 << 3,
    KDEVX_NL_HAS_PORT = 1 << 4,
    KDEVX_NL_HAS_TYPE = 1 << 5,
    KDEVX_NL_HAS_STATE = 1 << 6,
    KDEVX_NL_HAS_REMOTE_QPN = 1 << 7,
    KDEVX_NL_HAS_PSN = 1 << 8,
    KDEVX_NL_HAS_CQE = 1 << 9,
    KDEVX_NL_HAS_USERS = 1 << 10,
    KDEVX_NL_HAS_LENGTH = 1 << 11,
    KDEVX_NL_HAS_KEYS = 1 << 12
};
struct kdevx_nl_resource {
    enum kdevx_nl_kind kind;
    uint32_t present; /* enum kdevx_nl_field */
    uint32_t id;
    uint32_t pid;            /* of the process that owns it; absent when the kernel does */
    uint32_t pdn, cqn, ctxn; /* ids of the objects it belongs to */
    uint32_t port;
    uint32_t remote_qpn;
    uint32_t sq_psn;
    uint32_t cqe;        /* capacity of a CQ */
    uint32_t lkey, rkey; /* of an MR */
    uint64_t users;      /* use count of a PD or CQ */
    uint64_t length;     /* of an MR */
    uint8_t type;        /* enum ib_qp_type or ib_srq_type */
    uint8_t state;       /* enum ib_qp_state, or rdma_cm_state of a CM id */
    char owner[32];      /* kernel user's name, for instance "mlx5_ib"; empty for a process */
};
typedef int (*kdevx_nl_resource_fn)(const struct kdevx_nl_resource *resource, void *arg);
KDEVX_NL_API int kdevx_nl_list_resources(struct kdevx_nl *nl, uint32_t index,
                                         enum kdevx_nl_kind kind, kdevx_nl_resource_fn each,
                                         void *arg, struct kdevx_nl_failure *why);

/* "RC", "XRC_TGT" / "RTS": text of the two numbers of a QP; null for a number without a name. */
KDEVX_NL_API const char *kdevx_nl_qp_type_name(uint8_t type);
KDEVX_NL_API const char *kdevx_nl_qp_state_name(uint8_t state);

#ifdef __cplusplus
}
#endif
#endif
