/* SPDX-License-Identifier: MIT */
/* Where a queue lives: memory for its entries and for its doorbell record. */
#ifndef KDEVX_BUFFER_H
#define KDEVX_BUFFER_H

#include <kdevx/uar.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kdevx_buffer_kind {
    /* The library's own: whole pages of zeros for a buffer (a CQ's entries are marked as the
     * device's), a cache line for a doorbell record. Given back with the object. */
    KDEVX_BUFFER_OWNED = 0,
    /* The caller's, at `address`; it must be big enough, stay mapped, and outlive the object. A
     * buffer should begin at a page. The caller fills a CQ's buffer before it is given: each
     * entry's last byte 0xf0. A doorbell record is 8 bytes of zeros. */
    KDEVX_BUFFER_MEMORY = 1,
    /* The caller's, `address` bytes into the dmabuf `fd` (memory of a GPU). For CQs since
     * kernel 7.2, QPs since 7.2, SRQs since 7.3; an older one is KERNEL_TOO_OLD. */
    KDEVX_BUFFER_DMABUF = 2
};

struct kdevx_buffer {
    uint32_t kind; /* enum kdevx_buffer_kind */
    int32_t fd;
    uint64_t address;
    uint64_t length; /* in bytes: what is there, at least what the queue takes */
};

/* Where things are: filled by the library for owned memory, what the caller gave else. */
struct kdevx_queue_memory {
    void *buffer;         /* NULL: a dmabuf, or none */
    uint64_t buffer_size; /* that the queue takes */
    void *sq_buffer;      /* a raw packet QP's send queue, which has a buffer of its own */
    uint64_t sq_buffer_size;
    uint32_t *dbrec; /* receive counter, send counter; NULL: a dmabuf, or none */
    void *uar;       /* of the mapping; CQ doorbell at + 0x20 */
    void *uar_reg;   /* the doorbell register */
    uint32_t uar_page_id;
    uint32_t reserved;
};

#ifdef __cplusplus
}
#endif
#endif
