/* SPDX-License-Identifier: MIT */
#include "theirs.h"

#include <stddef.h>

int make_theirs(struct theirs *t) {
    struct ibv_device **list = ibv_get_device_list(NULL);
    t->context = list && list[0] ? ibv_open_device(list[0]) : NULL;
    if (list) ibv_free_device_list(list);
    t->pd = t->context ? ibv_alloc_pd(t->context) : NULL;
    t->cq = t->pd ? ibv_create_cq(t->context, 16, NULL, NULL, 0) : NULL;
    struct ibv_qp_init_attr attr = {.send_cq = t->cq, .recv_cq = t->cq, .qp_type = IBV_QPT_RC};
    attr.cap.max_send_wr = attr.cap.max_recv_wr = 4;
    attr.cap.max_send_sge = attr.cap.max_recv_sge = 1;
    t->qp = t->cq ? ibv_create_qp(t->pd, &attr) : NULL;
    return t->qp ? 0 : -1;
}

int end_theirs(struct theirs *t) {
    return ibv_destroy_qp(t->qp) || ibv_destroy_cq(t->cq) || ibv_dealloc_pd(t->pd) ||
           ibv_close_device(t->context);
}
