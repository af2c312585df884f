/* SPDX-License-Identifier: MIT */
/* What each of these programs begins with: a device, its context, and queue pairs that are
 * connected to each other. Written after the manual pages of libibverbs; nothing here knows of
 * kdevx. */
#ifndef SITE_H
#define SITE_H

#include <infiniband/verbs.h>

#include <stdio.h>
#include <stdlib.h>

#define PORT 1

struct site {
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_port_attr port;
    union ibv_gid gid;
    uint64_t *words; /* WORDS of them, registered */
    struct ibv_mr *mr;
};
#define WORDS 256

/* Ends the program with a word about it. */
void give_up(const char *what) __attribute__((noreturn));
void must(int err, const char *what);
#define NOT_NULL(call) not_null(call, #call)
void *not_null(void *p, const char *what);

/* The device of that name, or the first one. */
struct ibv_device *find_device(struct ibv_device **list, const char *name);
void set_up(struct site *s, const char *device);
void tear_down(struct site *s);

struct ibv_sge word(const struct site *s, unsigned index);
/* From RESET to RTS, towards the other one (or itself). */
void connect_to(const struct site *s, struct ibv_qp *qp, const struct ibv_qp *other);
/* Waits for one completion by polling: it must be a success. */
struct ibv_wc next_completion(struct ibv_cq *cq);
void no_completion(struct ibv_cq *cq, const char *what);

#endif
