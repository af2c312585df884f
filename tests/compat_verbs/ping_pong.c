/* SPDX-License-Identifier: MIT */
/* A ping-pong of the plain kind: two reliable connections, receives posted beforehand, one side
 * polling and the other one sleeping on a completion channel. Then the operations that need no
 * receive, what is refused, and what a broken connection looks like. */
#include "site.h"

#include <arpa/inet.h>
#include <infiniband/mlx5dv.h>

enum { ROUNDS = 50 };

struct side {
    struct ibv_comp_channel *channel; /* NULL: it polls */
    struct ibv_cq *cq;
    struct ibv_qp *qp;
    unsigned word;
};

static void make_side(const struct site *s, struct side *side, int sleeps, unsigned at) {
    side->word = at;
    side->channel = sleeps ? NOT_NULL(ibv_create_comp_channel(s->context)) : NULL;
    side->cq = NOT_NULL(ibv_create_cq(s->context, 100, side, side->channel, 0));
    struct ibv_qp_init_attr init = {.send_cq = side->cq,
                                    .recv_cq = side->cq,
                                    .cap = {.max_send_wr = 8,
                                            .max_recv_wr = 8,
                                            .max_send_sge = 1,
                                            .max_recv_sge = 1,
                                            .max_inline_data = 16},
                                    .qp_type = IBV_QPT_RC};
    side->qp = NOT_NULL(ibv_create_qp(s->pd, &init));
    if (init.cap.max_recv_wr < 8 || side->qp->state != IBV_QPS_RESET) give_up("a QP's first state");
}

static void end_side(struct side *side) {
    must(ibv_destroy_qp(side->qp), "ibv_destroy_qp");
    if (side->channel && ibv_destroy_comp_channel(side->channel) != EBUSY)
        give_up("a channel that a CQ uses was destroyed");
    must(ibv_destroy_cq(side->cq), "ibv_destroy_cq");
    if (side->channel) must(ibv_destroy_comp_channel(side->channel), "ibv_destroy_comp_channel");
}

static void post_receive(const struct site *s, const struct side *side) {
    struct ibv_sge sge = word(s, side->word);
    struct ibv_recv_wr wr = {.wr_id = side->word, .sg_list = &sge, .num_sge = 1}, *bad;
    must(ibv_post_recv(side->qp, &wr, &bad), "ibv_post_recv");
}

static void post_send(const struct site *s, const struct side *side, uint32_t round) {
    struct ibv_sge sge = word(s, side->word);
    struct ibv_send_wr wr = {.wr_id = 1000 + round,
                             .sg_list = &sge,
                             .num_sge = 1,
                             .opcode = IBV_WR_SEND_WITH_IMM,
                             .send_flags = IBV_SEND_SIGNALED,
                             .imm_data = htonl(round)};
    struct ibv_send_wr *bad;
    must(ibv_post_send(side->qp, &wr, &bad), "ibv_post_send");
}

/* Sleeps until the armed CQ has something: the pattern of the manual page. */
static void sleep_for_event(const struct side *side) {
    struct ibv_cq *cq;
    void *context;
    if (ibv_get_cq_event(side->channel, &cq, &context)) give_up("ibv_get_cq_event");
    if (cq != side->cq || context != side) give_up("another CQ's event");
    ibv_ack_cq_events(cq, 1);
    must(ibv_req_notify_cq(cq, 0), "ibv_req_notify_cq");
}

static struct ibv_wc await(const struct side *side) {
    struct ibv_wc wc;
    if (!side->channel) return next_completion(side->cq);
    while (ibv_poll_cq(side->cq, 1, &wc) == 0)
        sleep_for_event(side);
    if (wc.status != IBV_WC_SUCCESS) give_up(ibv_wc_status_str(wc.status));
    return wc;
}

/* The next completion of a receive; those of sends in between are the side's own. */
static void await_message(const struct side *side, uint32_t round) {
    struct ibv_wc wc;
    do
        wc = await(side);
    while (!(wc.opcode & IBV_WC_RECV));
    if (wc.wr_id != side->word || wc.byte_len != 8 || !(wc.wc_flags & IBV_WC_WITH_IMM) ||
        wc.imm_data != htonl(round) || wc.qp_num != side->qp->qp_num)
        give_up("a message that is not the one");
}

/* Both are of another size now and then; one of them with completions in it. */
static void resize(const struct side *side, uint32_t round) {
    const int entries = round % 20 == 5 ? 300 : 20;
    if (round % 10 != 5) return;
    must(ibv_resize_cq(side->cq, entries), "ibv_resize_cq");
    if (side->cq->cqe < entries) give_up("a CQ smaller than what was asked for");
}

static void play(const struct site *s, const struct side *one, const struct side *other) {
    must(ibv_req_notify_cq(other->cq, 0), "ibv_req_notify_cq");
    s->words[one->word] = 1;
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        post_receive(s, one);
        post_receive(s, other);
        post_send(s, one, round);
        resize(other, round);
        await_message(other, round);
        resize(one, round);
        ++s->words[other->word];
        post_send(s, other, round);
        await_message(one, round);
        /* What is in use is kept, and goes on as if nothing had happened. */
        if (ibv_destroy_cq(one->cq) != EBUSY) give_up("a CQ in use was destroyed");
    }
    printf("no entries: %s; too many: %s\n", strerror(ibv_resize_cq(one->cq, 0)),
           strerror(ibv_resize_cq(one->cq, 1 << 30)));
    printf("%d rounds, the word is %d\n", ROUNDS, (int)s->words[one->word]);
}

/* ---- operations on the other side's memory ---- */

static struct ibv_send_wr request(enum ibv_wr_opcode opcode, struct ibv_sge *sge) {
    struct ibv_send_wr wr = {.sg_list = sge,
                             .num_sge = 1,
                             .opcode = opcode,
                             .send_flags = IBV_SEND_SIGNALED | IBV_SEND_FENCE};
    return wr;
}

static void remote_operations(const struct site *s, const struct side *side) {
    uint64_t *words = s->words;
    struct ibv_sge from = word(s, 10), read_to = word(s, 11), old = word(s, 12), old2 = word(s, 13);
    struct ibv_send_wr list[4] = {
        request(IBV_WR_RDMA_WRITE, &from), request(IBV_WR_ATOMIC_FETCH_AND_ADD, &old),
        request(IBV_WR_ATOMIC_CMP_AND_SWP, &old2), request(IBV_WR_RDMA_READ, &read_to)};
    struct ibv_send_wr *bad;
    const enum ibv_wc_opcode expected[4] = {IBV_WC_RDMA_WRITE, IBV_WC_FETCH_ADD, IBV_WC_COMP_SWAP,
                                            IBV_WC_RDMA_READ};
    words[10] = 5;
    list[0].send_flags |= IBV_SEND_INLINE;
    for (int i = 0; i < 4; ++i) {
        list[i].next = i < 3 ? &list[i + 1] : NULL;
        list[i].wr_id = i;
        list[i].wr.rdma.remote_addr = (uintptr_t)&words[20];
        list[i].wr.rdma.rkey = s->mr->rkey;
    }
    list[1].wr.atomic.rkey = list[2].wr.atomic.rkey = s->mr->rkey;
    list[1].wr.atomic.compare_add = 3;
    list[2].wr.atomic.compare_add = 8;
    list[2].wr.atomic.swap = 99;
    must(ibv_post_send(side->qp, list, &bad), "a list of four");
    for (int i = 0; i < 4; ++i) {
        struct ibv_wc wc = next_completion(side->cq);
        if ((int)wc.wr_id != i || wc.opcode != expected[i]) give_up("out of order");
    }
    printf("written 5, %d before adding, %d before swapping, %d read\n", (int)words[12],
           (int)words[13], (int)words[11]);
}

/* The first request that is refused comes back; those before it are on their way. */
static void refusals(const struct site *s, const struct side *side) {
    struct ibv_sge sge = word(s, 10);
    struct ibv_send_wr good = request(IBV_WR_RDMA_WRITE, &sge), wrong = good, *bad = NULL;
    good.wr.rdma.remote_addr = wrong.wr.rdma.remote_addr = (uintptr_t)&s->words[20];
    good.wr.rdma.rkey = wrong.wr.rdma.rkey = s->mr->rkey;
    good.next = &wrong;
    wrong.opcode = IBV_WR_TSO;
    const int opcode = ibv_post_send(side->qp, &good, &bad);
    if (bad != &wrong) give_up("not the request that was refused");
    next_completion(side->cq);
    wrong.opcode = IBV_WR_RDMA_WRITE;
    wrong.num_sge = 1000;
    const int sges = ibv_post_send(side->qp, &wrong, &bad);
    int posted = 0, full = 0;
    good.next = NULL;
    good.send_flags = 0;
    while (posted < 1000 && !(full = ibv_post_send(side->qp, &good, &bad)))
        ++posted;
    printf("no such opcode: %s; too many pieces: %s; full: %s\n", strerror(opcode), strerror(sges),
           strerror(full));
    if (bad != &good || posted < 8) give_up("room for less than what was asked for");
}

/* An error ends the connection: it completes with its status, what is posted later is flushed. */
static void broken(const struct site *s, const struct side *side) {
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
    struct ibv_qp_init_attr init;
    struct ibv_sge sge = word(s, 10);
    struct ibv_recv_wr last = {.wr_id = 78, .sg_list = &sge, .num_sge = 1}, *bad;
    struct ibv_recv_wr wr = {.wr_id = 77, .next = &last, .sg_list = &sge, .num_sge = 1};
    struct ibv_wc wc;
    must(ibv_modify_qp(side->qp, &attr, IBV_QP_STATE), "to ERR");
    must(ibv_query_qp(side->qp, &attr, IBV_QP_STATE | IBV_QP_DEST_QPN, &init), "ibv_query_qp");
    if (attr.qp_state != IBV_QPS_ERR || init.recv_cq != side->cq || init.qp_type != IBV_QPT_RC)
        give_up("what a query tells");
    must(ibv_post_recv(side->qp, &wr, &bad), "two receives in ERR");
    do
        while (ibv_poll_cq(side->cq, 1, &wc) == 0)
            ;
    while (wc.wr_id != 77);
    printf("after the end: %s\n", ibv_wc_status_str(wc.status));
    attr.qp_state = IBV_QPS_RESET;
    must(ibv_modify_qp(side->qp, &attr, IBV_QP_STATE), "to RESET");
    no_completion(side->cq, "a completion from before the reset"); /* that of the last receive */
    printf("in RESET: %s\n", strerror(ibv_post_recv(side->qp, &wr, &bad)));
}

int main(int argc, char **argv) {
    struct site s;
    struct side one, other;
    set_up(&s, argc > 1 ? argv[1] : NULL);
    make_side(&s, &one, 0, 0);
    make_side(&s, &other, 1, 1);
    connect_to(&s, one.qp, other.qp);
    connect_to(&s, other.qp, one.qp);
    play(&s, &one, &other);
    remote_operations(&s, &one);
    refusals(&s, &one);
    broken(&s, &other);
    if (ibv_dealloc_pd(s.pd) != EBUSY) give_up("a PD in use was given back");
    end_side(&one);
    end_side(&other);
    tear_down(&s);
    return 0;
}
