/* SPDX-License-Identifier: MIT */
/* Objects between processes (or libraries) that share one uverbs file: handles are the file's. The
 * one who made an object exports it to plain data; another, whose context is on the same file
 * (adopted from an fd that was passed), imports it. Nothing of this is a kernel call, and a wrong
 * import shows only when it is used.
 *
 * Destroying either one destroys the kernel's object, and the other says ENOENT from then on.
 * Forgetting one frees the library's part and leaves the kernel's.
 *
 * kdevx_*_export: -EINVAL INVALID: `exported` is NULL, or its size too small.  -EBADF CLOSED
 *
 * kdevx_*_import: -EINVAL INVALID: `exported` is NULL or of another kind.  -ENOMEM LIMIT
 *
 * kdevx_*_forget: -EBUSY BUSY: a call on it is in progress.  -EBADF CLOSED: destroyed before
 *
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_SHARE_H
#define KDEVX_SHARE_H

#include <kdevx/object.h>
#include <kdevx/umem.h>
#include <kdevx/var.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Filled by an export, to be copied as it is. */
struct kdevx_exported {
    size_t size;        /* set by the caller before an export */
    uint32_t kind;      /* enum kdevx_kind */
    uint32_t handle;    /* the kernel's */
    uint32_t device_id; /* object: its device_id; umem: its id; VAR: its page_id */
    uint16_t opcode;    /* object */
    uint16_t obj_type;  /* object */
    uint64_t mmap_off;  /* VAR */
    uint64_t length;    /* umem, VAR */
};

KDEVX_PUBLIC int kdevx_object_export(const struct kdevx_object *object,
                                     struct kdevx_exported *exported,
                                     struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_object_import(struct kdevx_context *context,
                                     const struct kdevx_exported *exported,
                                     struct kdevx_object **object,
                                     struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_object_forget(struct kdevx_object *object,
                                     struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* An imported umem tells neither address nor page size: page_size_bound is 1, page_size_exact 0. */
KDEVX_PUBLIC int kdevx_umem_export(const struct kdevx_umem *umem, struct kdevx_exported *exported,
                                   struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_umem_import(struct kdevx_context *context,
                                   const struct kdevx_exported *exported, struct kdevx_umem **umem,
                                   struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_umem_forget(struct kdevx_umem *umem,
                                   struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* A VAR is as it was where it came from. */
KDEVX_PUBLIC int kdevx_var_export(const struct kdevx_var *var, struct kdevx_exported *exported,
                                  struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_var_import(struct kdevx_context *context,
                                  const struct kdevx_exported *exported, struct kdevx_var **var,
                                  struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_var_forget(struct kdevx_var *var, struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
