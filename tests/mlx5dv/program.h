/* SPDX-License-Identifier: MIT */
/* What the parts of the program have in common: mailboxes by dword and bits, and lines of output
 * that are the same in each run. Nothing here knows of kdevx. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part begins; what it prints until the next one is one case of the test. */
void part(const char *name);
/* A fact, and what the manual pages say it is; the program's exit status says whether all were. */
void expect(const char *what, long got, long wanted);
/* A fact that depends on kernel and device, not on who implements the function. */
void note(const char *what, long got);

struct box {
    uint8_t in[0x400], out[0x400];
    size_t in_size, out_size;
};
/* An inbox of a command, its outbox filled with what no firmware writes. */
void command(struct box *b, unsigned opcode, size_t in_size, size_t out_size);
/* Bits high..low of the big-endian dword at `at`. */
void set(void *box, size_t at, unsigned high, unsigned low, uint32_t value);
uint32_t get(const void *box, size_t at, unsigned high, unsigned low);
void *pages(size_t size);

/* The parts. */
void commands(struct ibv_context *c);
void objects(struct ibv_context *c);
void events(struct ibv_context *c);
void memory(struct ibv_context *c);
void device_pages(struct ibv_context *c);
void verbs_objects(struct ibv_context *c);
void queue_pair(struct ibv_context *c);
void shared_file(struct ibv_context *c);

/* A CQ that is made by a command, with all that it needs. */
struct devx_cq {
    struct mlx5dv_devx_umem *umem;
    struct mlx5dv_devx_uar *uar;
    struct mlx5dv_devx_obj *obj;
    uint32_t number;
    void *memory;
};
int make_cq(struct ibv_context *c, struct devx_cq *cq);
void end_cq(struct devx_cq *cq);

#endif
