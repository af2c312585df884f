/* SPDX-License-Identifier: MIT */
/* The data path of libibverbs and libmlx5, for callgrind: what ours.cpp does, in the same order. */
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { batch = 16, bytes = 64, depth = 4 * batch };
#define RIGHTS                                                                                     \
    (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |                   \
     IBV_ACCESS_REMOTE_ATOMIC)

static struct {
    uint64_t counter, before;
    unsigned char buffers[batch + 1][bytes];
} memory __attribute__((aligned(64)));

struct endpoint {
    struct ibv_cq *sent, *received;
    struct ibv_qp *qp;
};

static void must(int good, const char *what) {
    if (good) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

#define BENCH static __attribute__((noinline)) void

BENCH bench_post(struct ibv_qp *qp, struct ibv_send_wr *w) {
    struct ibv_send_wr *bad;
    must(!ibv_post_send(qp, w, &bad), "posting");
}
BENCH bench_poll_success(struct ibv_cq *cq, struct ibv_wc *wc) {
    must(ibv_poll_cq(cq, 1, wc) == 1 && wc->status == IBV_WC_SUCCESS, "polling");
}
BENCH bench_empty_poll(struct ibv_cq *cq, struct ibv_wc *wc) {
    must(ibv_poll_cq(cq, 1, wc) == 0, "polling nothing");
}

static void wait_on(struct ibv_cq *cq) {
    struct ibv_wc wc;
    int n;
    while (!(n = ibv_poll_cq(cq, 1, &wc))) {
    }
    must(n == 1 && wc.status == IBV_WC_SUCCESS, "a completion");
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct endpoint make(struct ibv_pd *pd) {
    struct endpoint e = {ibv_create_cq(pd->context, 255, NULL, NULL, 0),
                         ibv_create_cq(pd->context, 255, NULL, NULL, 0), NULL};
    must(e.sent && e.received, "CQs");
    struct ibv_qp_init_attr init = {.send_cq = e.sent,
                                    .recv_cq = e.received,
                                    .cap = {depth, depth, 1, 1, bytes},
                                    .qp_type = IBV_QPT_RC};
    e.qp = ibv_create_qp(pd, &init);
    must(e.qp != NULL, "a QP");
    return e;
}

static void connect_to(struct endpoint *e, uint16_t lid, uint32_t peer) {
    struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = RIGHTS};
    must(!ibv_modify_qp(e->qp, &a,
                        IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
         "INIT");
    a.qp_state = IBV_QPS_RTR;
    a.path_mtu = IBV_MTU_1024;
    a.dest_qp_num = peer;
    a.max_dest_rd_atomic = 1;
    a.min_rnr_timer = 12;
    a.ah_attr.dlid = lid;
    a.ah_attr.port_num = 1;
    must(!ibv_modify_qp(e->qp, &a,
                        IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                            IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER),
         "RTR");
    a.qp_state = IBV_QPS_RTS;
    a.timeout = 14;
    a.retry_cnt = a.rnr_retry = 7;
    a.max_rd_atomic = 1;
    must(!ibv_modify_qp(e->qp, &a,
                        IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                            IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC),
         "RTS");
}

static void post_receives(struct endpoint *z, uint32_t lkey) {
    for (unsigned n = 0; n < batch; ++n) {
        struct ibv_sge into = {(uintptr_t)memory.buffers[n], bytes, lkey};
        struct ibv_recv_wr w = {.wr_id = n, .sg_list = &into, .num_sge = 1}, *bad;
        must(!ibv_post_recv(z->qp, &w, &bad), "a receive");
    }
}

/* The additions of one QP are done when all before them are done, and their CQEs written. */
static void wait_for_all_before(struct endpoint *a, struct ibv_mr *mr) {
    static uint64_t additions;
    memory.before = ~additions;
    struct ibv_sge into = {(uintptr_t)&memory.before, 8, mr->lkey};
    struct ibv_send_wr w = {.sg_list = &into, .num_sge = 1, .opcode = IBV_WR_ATOMIC_FETCH_AND_ADD},
                       *bad;
    w.wr.atomic.remote_addr = (uintptr_t)&memory.counter;
    w.wr.atomic.rkey = mr->rkey;
    w.wr.atomic.compare_add = 1;
    must(!ibv_post_send(a->qp, &w, &bad), "an addition");
    while (*(volatile uint64_t *)&memory.before != additions) {
    }
    ++additions;
}

static void round_of(struct endpoint *a, struct endpoint *z, struct ibv_mr *mr) {
    struct ibv_wc wc;
    struct ibv_sge from = {(uintptr_t)memory.buffers[batch], bytes, mr->lkey};
    post_receives(z, mr->lkey);
    for (unsigned n = 0; n < batch; ++n) {
        struct ibv_send_wr w = {.wr_id = n,
                                .sg_list = &from,
                                .num_sge = 1,
                                .opcode = IBV_WR_SEND,
                                .send_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE};
        bench_post(a->qp, &w);
    }
    wait_for_all_before(a, mr);
    for (unsigned n = 0; n < batch; ++n)
        bench_poll_success(a->sent, &wc);
    for (unsigned n = 0; n < batch; ++n)
        bench_empty_poll(a->sent, &wc);
    for (unsigned n = 0; n < batch; ++n)
        wait_on(z->received);
}

int main(int argc, char **argv) {
    long rounds = argc > 1 ? strtol(argv[1], NULL, 0) : 10;
    struct ibv_device **list = ibv_get_device_list(NULL);
    must(list && list[0], "no device");
    struct ibv_context *context = ibv_open_device(list[0]);
    must(context != NULL, "open");
    struct ibv_pd *pd = ibv_alloc_pd(context);
    struct ibv_mr *mr = ibv_reg_mr(pd, &memory, sizeof memory, RIGHTS);
    must(mr != NULL, "an MR");
    struct ibv_port_attr port;
    must(!ibv_query_port(context, 1, &port), "the port");
    struct endpoint a = make(pd), z = make(pd);
    connect_to(&a, port.lid, z.qp->qp_num);
    connect_to(&z, port.lid, a.qp->qp_num);
    const double began = now();
    for (long n = 0; n < rounds; ++n)
        round_of(&a, &z, mr);
    printf("%.0f messages a second\n", (double)rounds * batch / (now() - began));
    return 0;
}
