/* SPDX-License-Identifier: MIT */
/* Events: what the device tells about itself and about firmware objects (event channel), what the
 * kernel tells about verbs objects (async fd), and completions (completion channel).
 *
 * All three have an fd for poll and epoll, non-blocking and close-on-exec. Ask for POLLIN and for
 * POLLRDHUP: only the latter tells that the device is gone. Never read it or close it, and leave it
 * non-blocking.
 *
 * kdevx_*_fd: that fd, or -EBADF CLOSED once destroyed; no kernel call.
 *
 * kdevx_*_get: one event, by read and poll. timeout_ms is KDEVX_NO_WAIT, KDEVX_FOREVER, or how long
 * to wait. A signal does not end the wait.
 * -EAGAIN    NOTHING_YET: none is there (KDEVX_NO_WAIT)
 * -ETIMEDOUT NOTHING_YET: none came in time
 * -EIO       DEVICE_GONE: the device is gone and no event is left; every call says so
 * -EBADMSG   OTHER: what was read is of another size than events are; detail[0] tells it
 * -EINVAL    INVALID: an argument, named by step.  -EBADF CLOSED
 *
 * Any number of threads at a time; each event goes to one of them.
 *
 * Threads, kernels and common errors: kdevx.h. */
#ifndef KDEVX_EVENT_H
#define KDEVX_EVENT_H

#include <kdevx/object.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kdevx_event_channel;
struct kdevx_async_fd;
struct kdevx_comp_channel;

/* ---- events of the device and of firmware objects ---------------------------------------------
 */

enum kdevx_event_channel_flags {
    /* Only cookies, no event data. Then events of one subscription that were not taken yet count as
     * one, and none can be lost; with data each event is delivered. */
    KDEVX_EVENT_OMIT_DATA = 1 << 0
};

/* MLX5_IB_METHOD_DEVX_ASYNC_EVENT_FD_ALLOC, kernel >= 5.3. -EINVAL INVALID: unknown flags. */
KDEVX_PUBLIC int kdevx_event_channel_create(struct kdevx_context *context, uint32_t flags,
                                            struct kdevx_event_channel **channel,
                                            struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* Ends its subscriptions and drops what was not taken. -EBUSY BUSY: a call on it is in progress. */
KDEVX_PUBLIC int kdevx_event_channel_destroy(struct kdevx_event_channel *channel,
                                             struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_event_channel_fd(const struct kdevx_event_channel *channel) KDEVX_NOEXCEPT;

#define KDEVX_MAX_EVENTS 16

/* Subscribes to `count` (1 to KDEVX_MAX_EVENTS) event types, PRM numbers (MLX5_EVENT_TYPE_*): all
 * of them or none. `object` NULL: events of no object (port changes and the like); else events of
 * that firmware object, which must be of the channel's context. Event 0, completion, is for CQs
 * made by CREATE_CQ and must be armed each time. The cookie comes back with each event. A
 * subscription ends with its object or its channel; there is no other way.
 * MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT, kernel >= 5.3.
 * -EINVAL INVALID: count; a type that is there twice; a type that the device does not offer to
 * users for such an object (hca_cap.event_cap); an object of another context -EINVAL NO_DEVX_UID */
KDEVX_PUBLIC int kdevx_event_subscribe(struct kdevx_event_channel *channel,
                                       struct kdevx_object *object, const uint16_t *types,
                                       size_t count, uint64_t cookie,
                                       struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* The same, but events only count up the eventfd, they do not come to the channel. The eventfd
 * stays the caller's and may be closed. -EBADF INVALID: eventfd negative or closed; -EINVAL
 * INVALID: not an eventfd. */
KDEVX_PUBLIC int kdevx_event_subscribe_fd(struct kdevx_event_channel *channel, int eventfd,
                                          struct kdevx_object *object, const uint16_t *types,
                                          size_t count, struct kdevx_failure *why) KDEVX_NOEXCEPT;

enum kdevx_event_what {
    KDEVX_EVENT_RAISED = 0,     /* an event: cookie, and with data type, subtype and eqe */
    KDEVX_EVENT_OVERRUN = 1,    /* at least one was lost before this point: look at the state of
                                   everything that was subscribed */
    KDEVX_EVENT_DEVICE_GONE = 2 /* the last one, delivered once */
};
struct kdevx_event {
    size_t size;       /* set by the caller */
    uint32_t what;     /* enum kdevx_event_what */
    uint32_t has_data; /* 1: what follows the cookie is there */
    uint64_t cookie;
    uint32_t type;    /* eqe.event_type */
    uint32_t subtype; /* eqe.event_sub_type */
    uint8_t eqe[64];  /* PRM eqe */
};
KDEVX_PUBLIC int kdevx_event_get(struct kdevx_event_channel *channel, int timeout_ms,
                                 struct kdevx_event *event,
                                 struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* ---- events of verbs objects ------------------------------------------------------------------
 */

/* The first one of a context gets the events of ports and of all verbs objects that name no other.
 * UVERBS_METHOD_ASYNC_EVENT_ALLOC, kernel >= 5.6. Common errors only. */
KDEVX_PUBLIC int kdevx_async_fd_create(struct kdevx_context *context, struct kdevx_async_fd **async,
                                       struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* -EBUSY BUSY: a call on it is in progress. Objects that name it go on without. */
KDEVX_PUBLIC int kdevx_async_fd_destroy(struct kdevx_async_fd *async,
                                        struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_async_fd_fd(const struct kdevx_async_fd *async) KDEVX_NOEXCEPT;

struct kdevx_async_event {
    size_t size;      /* set by the caller */
    uint32_t what;    /* enum kdevx_event_what, never OVERRUN */
    uint32_t type;    /* enum ib_event_type */
    uint64_t element; /* user_handle of the object, or the port */
};
KDEVX_PUBLIC int kdevx_async_fd_get(struct kdevx_async_fd *async, int timeout_ms,
                                    struct kdevx_async_event *event,
                                    struct kdevx_failure *why) KDEVX_NOEXCEPT;

/* ---- completions ------------------------------------------------------------------------------
 */

/* IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL by UVERBS_METHOD_INVOKE_WRITE. Common errors only. */
KDEVX_PUBLIC int kdevx_comp_channel_create(struct kdevx_context *context,
                                           struct kdevx_comp_channel **channel,
                                           struct kdevx_failure *why) KDEVX_NOEXCEPT;
/* -EBUSY BUSY: a call on it is in progress, or a CQ uses it (said by the library: the kernel would
 * let it go, and its CQs would never tell of a completion again). */
KDEVX_PUBLIC int kdevx_comp_channel_destroy(struct kdevx_comp_channel *channel,
                                            struct kdevx_failure *why) KDEVX_NOEXCEPT;
KDEVX_PUBLIC int kdevx_comp_channel_fd(const struct kdevx_comp_channel *channel) KDEVX_NOEXCEPT;
/* The user_handle of a CQ that was armed and has completions now. */
KDEVX_PUBLIC int kdevx_comp_channel_get(struct kdevx_comp_channel *channel, int timeout_ms,
                                        uint64_t *user_handle,
                                        struct kdevx_failure *why) KDEVX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
