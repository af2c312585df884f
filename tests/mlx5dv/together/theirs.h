/* SPDX-License-Identifier: MIT */
/* Objects of libibverbs', made by a part of the process that was compiled for it. */
#ifndef THEIRS_H
#define THEIRS_H

#include <infiniband/verbs.h>

struct theirs {
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_cq *cq;
    struct ibv_qp *qp;
};
/* 0 if all of it was made, or ended. */
int make_theirs(struct theirs *t);
int end_theirs(struct theirs *t);

#endif
