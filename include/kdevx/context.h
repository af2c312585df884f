/* SPDX-License-Identifier: MIT */
/* A context: one uverbs file with the kernel's user context on it. Everything else is made in one.
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_CONTEXT_H
#define KDEVX_CONTEXT_H

#include <kdevx/sys.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_context;

/* Whether the context gets a DEVX uid (MLX5_IB_ALLOC_UCTX_DEVX). Nothing is downgraded in silence.
 */
enum kdevx_devx {
    KDEVX_DEVX_REQUIRE = 0, /* the default: no uid, no context */
    KDEVX_DEVX_TRY = 1,     /* if DEVX is refused, a context without; why is kept in the info */
    KDEVX_DEVX_NEVER = 2    /* without: verbs, UARs and the whitelisted queries only */
};

enum kdevx_fd_ownership {
    KDEVX_FD_BORROWED = 0, /* the caller closes it, after kdevx_context_close */
    KDEVX_FD_OWNED = 1     /* the context closes it; only if the call succeeds */
};

struct kdevx_open_options {
    size_t size;
    uint32_t devx; /* enum kdevx_devx */
    uint32_t ucap_count;
    /* fds of /dev/infiniband/mlx5_perm_ctrl_{local,other_vhca}: each grants the context the rights
     * it stands for. 7.2 has them, 6.12 has not: KERNEL_TOO_OLD, before anything is created.
     * The fds stay the caller's. */
    const int *ucap_fds;
    kdevx_trace_fn trace; /* NULL: no trace */
    void *trace_arg;
    const struct kdevx_sys *sys; /* NULL: the system's own calls */
    const char *sysfs;           /* NULL: "/sys"; kdevx_context_open only */
    const char *dev;             /* NULL: "/dev/infiniband"; kdevx_context_open only */
};

/* Opens the device of an ibdev name ("mlx5_0"), a uverbs path ("/dev/infiniband/uverbs0"), or makes
 * the context on a uverbs fd that somebody opened and handed down (a broker, a parent). `options`
 * may be NULL. On failure *context is untouched, and an fd that was given is the caller's still.
 * UVERBS_METHOD_GET_CONTEXT.
 *
 * -EINVAL  INVALID: an argument (step names it); ucap fd that is none; the file has a context
 *          already (adopt that one)
 * -EINVAL  NOT_MLX5: another driver's uverbs file.  -ENOTTY NOT_MLX5: not a uverbs file
 * -EINVAL  FIRMWARE_NO_UCTX: DEVX required, firmware without user contexts
 * -ENOENT  NO_DEVICE: no such name or path
 * -EACCES, -EPERM  NO_PERMISSION.  -ENXIO, -EIO  DEVICE_GONE
 * -EBADF   INVALID: closed fd, or ucap fd.  -EOPNOTSUPP NOT_SUPPORTED: firmware lacks the ucap
 * -EPROTONOSUPPORT KERNEL_TOO_OLD: ucaps
 * -ENOMEM, -EMFILE, -ENFILE, -EAGAIN LIMIT
 * Every other errno of the kernel as it is. Rights that depend on the capabilities of the process
 * (raw transmission, internal device resources) are decided here once and for all. */
KDEVX_PUBLIC int kdevx_context_open(const char *ibdev, const struct kdevx_open_options *options,
                                    struct kdevx_context **context,
                                    struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_context_open_path(const char *path, const struct kdevx_open_options *options,
                                         struct kdevx_context **context,
                                         struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_context_open_fd(int fd, uint32_t ownership,
                                       const struct kdevx_open_options *options,
                                       struct kdevx_context **context,
                                       struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* Takes part in a context that exists on the file already, for instance libibverbs'
 * ibv_context.cmd_fd. Whether it has a DEVX uid is found out by a harmless command (QUERY_ISSI):
 * with options.devx = REQUIRE a context without one is -EINVAL NO_DEVX_UID. options.ucap_count must
 * be 0. UVERBS_METHOD_QUERY_CONTEXT. -EINVAL INVALID: there is no context on the file. Objects of
 * the other user of the file are not touched, closing destroys only what was made through this
 * context. */
KDEVX_PUBLIC int kdevx_context_adopt_fd(int fd, uint32_t ownership,
                                        const struct kdevx_open_options *options,
                                        struct kdevx_context **context,
                                        struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* Ends the context; its pointer is not to be used any more. NULL is allowed. Objects that still
 * exist can be used no more (CLOSED), and only destroying them frees their memory (it always
 * succeeds then). With an owned fd the kernel destroys everything the file holds, as soon as calls
 * in progress in other threads have returned and every UAR is freed (a mapping keeps the file);
 * with a borrowed one the context's objects are destroyed one by one, the youngest first, as far as
 * the kernel lets them. */
KDEVX_PUBLIC void kdevx_context_close(struct kdevx_context *context) KDEVX_NOEXCEPT;

/* Rights of the DEVX uid that depend on capabilities of the process (PRM uctx_cap). */
enum kdevx_uctx_cap {
    KDEVX_UCTX_CAP_RAW_TX = 1 << 0,          /* CAP_NET_RAW */
    KDEVX_UCTX_CAP_INTERNAL_DEV_RES = 1 << 1 /* CAP_SYS_RAWIO */
};

struct kdevx_context_info {
    size_t size;        /* set by the caller: sizeof(struct kdevx_context_info) */
    int32_t fd;         /* of the uverbs file */
    uint32_t ownership; /* enum kdevx_fd_ownership */
    uint32_t has_devx;  /* 1: the context has a DEVX uid */
    uint32_t adopted;   /* 1: somebody else created it */
    uint32_t num_comp_vectors;
    /* What the kernel asked the firmware for on behalf of this process when the context was
     * created: bits of enum kdevx_uctx_cap by the capabilities it had then. 0 when adopted. */
    uint32_t uctx_caps_asked;
    /* Of these, what the firmware offers at all (hca_cap.uctx_cap); asked & offered is what was
     * granted. Valid if uctx_caps_known. */
    uint32_t uctx_caps_offered;
    uint32_t uctx_caps_known;
    uint64_t core_support; /* IB_UVERBS_CORE_SUPPORT_* */
    struct kdevx_failure
        devx_refused; /* options.devx = TRY: why there is no uid; cause NONE if not */
    /* struct mlx5_ib_alloc_ucontext_resp, as the kernel filled it; 0 beyond response_length */
    uint32_t qp_tab_size, bf_reg_size, tot_bfregs, cache_line_size;
    uint16_t max_sq_desc_sz, max_rq_desc_sz;
    uint32_t max_send_wqebb, max_recv_wr, max_srq_recv_wr;
    uint16_t num_ports, flow_action_flags;
    uint32_t comp_mask, response_length;
    uint8_t cqe_version, cmds_supp_uhw, eth_min_inline, clock_info_versions;
    uint64_t hca_core_clock_offset;
    uint32_t log_uar_size, num_uars_per_page, num_dyn_bfregs, dump_fill_mkey;
};
/* Asks the kernel for nothing but uctx_caps_offered (one QUERY_HCA_CAP, MLX5_IB_METHOD_DEVX_OTHER;
 * if that fails, uctx_caps_known is 0). A shorter `size` gets the fields it has room for.
 * -EINVAL INVALID: info NULL, or size too small for `fd`. -EBADF CLOSED. */
KDEVX_PUBLIC int kdevx_context_get_info(struct kdevx_context *context,
                                        struct kdevx_context_info *info,
                                        struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* The uverbs fd, or -EBADF once closed; no kernel call. Stays the context's: do not close it. */
KDEVX_PUBLIC int kdevx_context_fd(const struct kdevx_context *context) KDEVX_NOEXCEPT;

/* The event queue behind a completion vector (not a CPU number), for CREATE_CQ's c_eqn.
 * MLX5_IB_METHOD_DEVX_QUERY_EQN.
 * -EINVAL INVALID: vector >= num_comp_vectors, refused here because kernels differ (6.1 ENOENT;
 * some cut the number to 16 bits and answer for another vector). */
KDEVX_PUBLIC int kdevx_eqn_query(struct kdevx_context *context, uint32_t vector, uint32_t *eqn,
                                 struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* Does this kernel have (object, method), or (object, method, attribute), for this device? Found
 * out without side effects: the request lacks a mandatory attribute on purpose, so that the kernel
 * must refuse it before it does anything, and how it refuses tells. Numbers as in the UAPI headers
 * (MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_CREATE, ...). *present becomes 0 or 1.
 * -EINVAL INVALID: a method that has no mandatory attribute, or is not in the kabi tables: it could
 * not be asked without running it. -EIO DEVICE_GONE. */
KDEVX_PUBLIC int kdevx_probe_method(struct kdevx_context *context, uint16_t object, uint16_t method,
                                    int *present, struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_probe_attr(struct kdevx_context *context, uint16_t object, uint16_t method,
                                  uint16_t attr, int *present,
                                  struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
