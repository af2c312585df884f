/* SPDX-License-Identifier: MIT */
/* All that the library takes from its surroundings, in one table: the seam for tests, for fault
 * injection, and for programs that broker access to the device for others. */
#ifndef KDEVX_SYS_H
#define KDEVX_SYS_H

#include <kdevx/failure.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pollfd;

/* Each entry does what the system call of its name does, and returns its result or -errno (errno
 * itself is not used). An entry that is NULL is the system's own; `arg` goes to each as it is.
 * The table is copied when a context is opened. Entries are called from whatever thread calls the
 * library, several at a time. */
struct kdevx_sys {
    size_t size; /* sizeof(struct kdevx_sys) */
    void *arg;
    int (*open)(void *arg, const char *path, int flags);
    int (*close)(void *arg, int fd);
    int (*ioctl)(void *arg, int fd, unsigned long request, void *argument);
    int64_t (*read)(void *arg, int fd, void *buffer, size_t size);
    int (*poll)(void *arg, struct pollfd *fds, unsigned count, int timeout_ms);
    int (*fcntl)(void *arg, int fd, int command, long value);
    int (*mmap)(void *arg, size_t length, int protection, int flags, int fd, uint64_t offset,
                void **address);
    int (*munmap)(void *arg, void *address, size_t length);
    int (*madvise)(void *arg, void *address, size_t length, int advice);
    /* Directory entries in the kernel's struct linux_dirent64; 0 at the end. */
    int64_t (*getdents)(void *arg, int fd, void *buffer, size_t size);
    /* Not NUL-terminated, as readlink(2). */
    int64_t (*readlink)(void *arg, const char *path, char *buffer, size_t size);
    /* access(2): may this process open the path in this way, by its real ids. */
    int (*access)(void *arg, const char *path, int mode);
    /* The effective capabilities of this thread, bit n for capability n. */
    int (*capabilities)(void *arg, uint64_t *effective);
    /* CLOCK_MONOTONIC in nanoseconds. */
    int64_t (*clock)(void *arg);
    /* malloc and free; allocate returns NULL when there is no memory. */
    void *(*allocate)(void *arg, size_t size);
    void (*release)(void *arg, void *memory);
};

/* What a trace callback is told, after each ioctl on the uverbs file and each read of a command
 * completion. Valid only during the call. */
enum kdevx_trace_kind {
    KDEVX_TRACE_IOCTL = 1, /* request: the struct ib_uverbs_ioctl_hdr and its attributes */
    KDEVX_TRACE_READ = 2   /* request: what was read; length: result, or the size asked for */
};
struct kdevx_trace_event {
    size_t size;
    uint32_t kind; /* enum kdevx_trace_kind */
    int32_t fd;
    int32_t result; /* of the system call: 0, a length, or -errno */
    uint32_t length;
    const void *request;
    const char *method; /* kernel name of the method, or NULL; static text */
    int64_t began_ns;   /* CLOCK_MONOTONIC */
    int64_t ended_ns;
};
/* Called in the thread that made the call, with no lock held. It may not call the library for the
 * same context. */
typedef void (*kdevx_trace_fn)(void *arg, const struct kdevx_trace_event *event);

#ifdef __cplusplus
}
#endif
#endif
