/* SPDX-License-Identifier: MIT */
/* Verbs objects that libmlx5 made, looked at and changed by DEVX commands. */
#include "program.h"

#include <time.h>

enum {
    QUERY_CQ = 0x402,
    MODIFY_CQ = 0x403,
    RST2INIT_QP = 0x502,
    INIT2RTR_QP = 0x503,
    RTR2RTS_QP = 0x504,
    QUERY_QP = 0x50b,
    QUERY_RQ = 0x90b,
    QUERY_RMP = 0x90f,
    QUERY_RQT = 0x919
};

/* A command about the object of this number. */
static void about(struct box *b, unsigned opcode, uint32_t number, size_t in_size,
                  size_t out_size) {
    command(b, opcode, in_size, out_size);
    set(b->in, 8, 23, 0, number);
}

static void completion_queue(struct ibv_cq *cq) {
    struct mlx5dv_cq seen = {0};
    struct mlx5dv_obj which = {.cq = {.in = cq, .out = &seen}};
    struct box b;
    expect("init_obj", mlx5dv_init_obj(&which, MLX5DV_OBJ_CQ), 0);
    about(&b, QUERY_CQ, seen.cqn, 16, 0x110);
    expect("cq_query", mlx5dv_devx_cq_query(cq, b.in, b.in_size, b.out, b.out_size), 0);
    expect("log_cq_size", 1 << get(b.out, 0x10 + 0x0c, 28, 24), seen.cqe_cnt);
    about(&b, MODIFY_CQ, seen.cqn, 0x110, 16);
    set(b.in, 0x0c, 31, 0, 2);
    set(b.in, 0x10 + 0x10, 15, 0, 9);
    expect("cq_modify", mlx5dv_devx_cq_modify(cq, b.in, b.in_size, b.out, b.out_size), 0);
    about(&b, QUERY_CQ, seen.cqn, 16, 0x110);
    mlx5dv_devx_cq_query(cq, b.in, b.in_size, b.out, b.out_size);
    expect("cq_max_count", get(b.out, 0x10 + 0x10, 15, 0), 9);
    about(&b, QUERY_CQ, seen.cqn ^ 1, 16, 0x110);
    expect("another's number", mlx5dv_devx_cq_query(cq, b.in, b.in_size, b.out, b.out_size),
           EINVAL);
}

static void shared_queue(struct ibv_pd *pd) {
    struct ibv_srq_init_attr attr = {.attr = {.max_wr = 16, .max_sge = 1}};
    struct ibv_srq *srq = ibv_create_srq(pd, &attr);
    struct mlx5dv_srq seen = {.comp_mask = MLX5DV_SRQ_MASK_SRQN};
    struct mlx5dv_obj which = {.srq = {.in = srq, .out = &seen}};
    struct box b;
    expect("an SRQ", srq != NULL, 1);
    if (!srq) return;
    expect("init_obj", mlx5dv_init_obj(&which, MLX5DV_OBJ_SRQ), 0);
    about(&b, QUERY_RMP, seen.srqn, 16, 0x110);
    expect("srq_query", mlx5dv_devx_srq_query(srq, b.in, b.in_size, b.out, b.out_size), 0);
    expect("status", b.out[0], 0);
    about(&b, QUERY_RMP, seen.srqn, 16, 0x110);
    expect("not a change", mlx5dv_devx_srq_modify(srq, b.in, b.in_size, b.out, b.out_size), EINVAL);
    ibv_destroy_srq(srq);
}

static uint32_t cqn_of(struct ibv_cq *cq) {
    struct mlx5dv_cq seen = {0};
    struct mlx5dv_obj which = {.cq = {.in = cq, .out = &seen}};
    return mlx5dv_init_obj(&which, MLX5DV_OBJ_CQ) ? ~0u : seen.cqn;
}

static void work_queue(struct ibv_pd *pd, struct ibv_cq *cq) {
    struct ibv_wq_init_attr attr = {
        .wq_type = IBV_WQT_RQ, .max_wr = 16, .max_sge = 1, .pd = pd, .cq = cq};
    struct ibv_wq *wq = ibv_create_wq(pd->context, &attr);
    struct box b;
    if (!wq) { /* InfiniBand ports have none */
        note("a WQ, errno", errno);
        return;
    }
    about(&b, QUERY_RQ, wq->wq_num, 16, 0x110);
    expect("wq_query", mlx5dv_devx_wq_query(wq, b.in, b.in_size, b.out, b.out_size), 0);
    expect("its CQ", get(b.out, 0x20 + 0x08, 23, 0) == cqn_of(cq), 1);
    expect("not a change", mlx5dv_devx_wq_modify(wq, b.in, b.in_size, b.out, b.out_size), EINVAL);
    struct ibv_rwq_ind_table_init_attr table = {.log_ind_tbl_size = 0, .ind_tbl = &wq};
    struct ibv_rwq_ind_table *t = ibv_create_rwq_ind_table(pd->context, &table);
    expect("a table", t != NULL, 1);
    if (t) {
        about(&b, QUERY_RQT, (uint32_t)t->ind_tbl_num, 16, 0x114);
        expect("ind_tbl_query", mlx5dv_devx_ind_tbl_query(t, b.in, b.in_size, b.out, b.out_size),
               0);
        expect("its WQ", get(b.out, 0x110, 23, 0) == wq->wq_num, 1);
        expect("not a change", mlx5dv_devx_ind_tbl_modify(t, b.in, b.in_size, b.out, b.out_size),
               EINVAL);
        ibv_destroy_rwq_ind_table(t);
    }
    ibv_destroy_wq(wq);
}

void verbs_objects(struct ibv_context *c) {
    struct ibv_pd *pd = ibv_alloc_pd(c);
    struct ibv_cq *cq = ibv_create_cq(c, 60, NULL, NULL, 0);
    expect("a PD and a CQ", pd && cq, 1);
    if (!pd || !cq) return;
    completion_queue(cq);
    shared_queue(pd);
    work_queue(pd, cq);
    expect("the CQ ends", ibv_destroy_cq(cq), 0);
    expect("the PD ends", ibv_dealloc_pd(pd), 0);
}

/* ---- a QP of libmlx5's, brought to life by DEVX -----------------------------------------------
 */

struct line {
    struct ibv_pd *pd;
    struct ibv_cq *cq;
    struct ibv_mr *mr;
    struct ibv_qp *qp;
    uint8_t *memory;
    uint16_t lid;
};

static int modify(struct ibv_qp *qp, struct box *b) {
    const int r = mlx5dv_devx_qp_modify(qp, b->in, b->in_size, b->out, b->out_size);
    if (r) printf("errno %d, status %u\n", r, b->out[0]);
    return r;
}

/* Offsets of the QP context are those of the inbox: it begins at 0x18, the address at 0x30. */
static int to_init(struct line *l) {
    struct box b;
    about(&b, RST2INIT_QP, l->qp->qp_num, 0x110, 16);
    set(b.in, 0x18, 12, 11, 3);        /* pm_state: migrated */
    set(b.in, 0x30 + 0x24, 23, 16, 1); /* vhca_port_num */
    return modify(l->qp, &b);
}

static int to_rtr(struct line *l) {
    struct box b;
    about(&b, INIT2RTR_QP, l->qp->qp_num, 0x110, 16);
    set(b.in, 0x18 + 0x08, 31, 29, 3);            /* mtu: 1024 */
    set(b.in, 0x18 + 0x08, 28, 24, 30);           /* log_msg_max */
    set(b.in, 0x18 + 0x14, 23, 0, l->qp->qp_num); /* remote_qpn: itself */
    set(b.in, 0x30 + 0x04, 15, 0, l->lid);
    set(b.in, 0x30 + 0x24, 23, 16, 1);
    set(b.in, 0x18 + 0x94, 28, 24, 12); /* min_rnr_nak */
    return modify(l->qp, &b);
}

static int to_rts(struct line *l) {
    struct box b;
    about(&b, RTR2RTS_QP, l->qp->qp_num, 0x110, 16);
    set(b.in, 0x18 + 0x70, 18, 16, 7);  /* retry_count */
    set(b.in, 0x18 + 0x70, 15, 13, 7);  /* rnr_retry */
    set(b.in, 0x30 + 0x08, 31, 27, 14); /* ack_timeout */
    return modify(l->qp, &b);
}

static long state(struct line *l) {
    struct box b;
    about(&b, QUERY_QP, l->qp->qp_num, 16, 0x110);
    if (mlx5dv_devx_qp_query(l->qp, b.in, b.in_size, b.out, b.out_size)) return -1;
    return get(b.out, 0x18, 31, 28);
}

static int post_send(struct line *l) {
    struct ibv_sge sge = {.addr = (uintptr_t)l->memory, .length = 64, .lkey = l->mr->lkey};
    struct ibv_send_wr wr = {.wr_id = 5, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND};
    struct ibv_send_wr *bad = NULL;
    wr.send_flags = IBV_SEND_SIGNALED;
    return ibv_post_send(l->qp, &wr, &bad);
}

static int post_recv(struct line *l) {
    struct ibv_sge sge = {.addr = (uintptr_t)l->memory + 2048, .length = 64, .lkey = l->mr->lkey};
    struct ibv_recv_wr wr = {.wr_id = 6, .sg_list = &sge, .num_sge = 1}, *bad = NULL;
    return ibv_post_recv(l->qp, &wr, &bad);
}

/* Both completions of a message to itself, or what there was after ten seconds. */
static void converse(struct line *l) {
    struct ibv_wc wc;
    time_t end = time(NULL) + 10;
    int done = 0, good = 0;
    while (done < 2 && time(NULL) < end) {
        if (ibv_poll_cq(l->cq, 1, &wc) != 1) continue;
        ++done;
        good += wc.status == IBV_WC_SUCCESS;
    }
    expect("completions", done, 2);
    expect("good ones", good, 2);
    expect("the message", memcmp(l->memory, l->memory + 2048, 15), 0);
}

static int set_up(struct ibv_context *c, struct line *l) {
    struct ibv_port_attr port;
    l->pd = ibv_alloc_pd(c);
    l->cq = ibv_create_cq(c, 16, NULL, NULL, 0);
    l->memory = pages(4096);
    if (!l->pd || !l->cq || ibv_query_port(c, 1, &port)) return 1;
    l->lid = port.lid;
    l->mr = ibv_reg_mr(l->pd, l->memory, 4096, IBV_ACCESS_LOCAL_WRITE);
    struct ibv_qp_init_attr attr = {.send_cq = l->cq, .recv_cq = l->cq, .qp_type = IBV_QPT_RC};
    attr.cap.max_send_wr = attr.cap.max_recv_wr = 4;
    attr.cap.max_send_sge = attr.cap.max_recv_sge = 1;
    l->qp = ibv_create_qp(l->pd, &attr);
    return !l->mr || !l->qp;
}

void queue_pair(struct ibv_context *c) {
    struct line l = {0};
    part("a QP of libmlx5's");
    expect("set up", set_up(c, &l), 0);
    if (!l.qp) return;
    expect("state", state(&l), 0);
    expect("no posting before RTS", post_send(&l) != 0, 1);
    expect("RST2INIT_QP", to_init(&l), 0);
    expect("state", state(&l), 1);
    expect("a receive", post_recv(&l), 0);
    expect("INIT2RTR_QP", to_rtr(&l), 0);
    expect("RTR2RTS_QP", to_rts(&l), 0);
    expect("state", state(&l), 3);
    memcpy(l.memory, "by way of DEVX", 15);
    expect("a send", post_send(&l), 0);
    converse(&l);
    expect("the QP ends", ibv_destroy_qp(l.qp), 0);
    ibv_dereg_mr(l.mr);
    ibv_destroy_cq(l.cq);
    ibv_dealloc_pd(l.pd);
}
