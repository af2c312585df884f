/* SPDX-License-Identifier: MIT */
/* Datagrams to an address, received from a shared queue, and the asynchronous events of objects: a
 * shared queue that runs low, and a CQ that overruns. */
#include "site.h"

#include <fcntl.h>

enum { QKEY = 0x11111111, GRH = 40, MESSAGES = 3 };

struct mail {
    struct site site;
    struct ibv_cq *cq;
    struct ibv_srq *srq;
    struct ibv_qp *sender, *receiver;
    struct ibv_ah *ah;
};

static struct ibv_qp *datagram_qp(struct mail *m, struct ibv_srq *srq) {
    struct ibv_qp_init_attr init = {.qp_context = m,
                                    .send_cq = m->cq,
                                    .recv_cq = m->cq,
                                    .srq = srq,
                                    .cap = {.max_send_wr = 8, .max_send_sge = 1},
                                    .qp_type = IBV_QPT_UD,
                                    .sq_sig_all = 1};
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = PORT, .qkey = QKEY};
    if (!srq) init.cap.max_recv_wr = init.cap.max_recv_sge = 1;
    struct ibv_qp *qp = NOT_NULL(ibv_create_qp(m->site.pd, &init));
    must(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY),
         "to INIT");
    attr.qp_state = IBV_QPS_RTR;
    must(ibv_modify_qp(qp, &attr, IBV_QP_STATE), "to RTR");
    attr.qp_state = IBV_QPS_RTS;
    must(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), "to RTS");
    return qp;
}

static void set_up_mail(struct mail *m, const char *device) {
    struct ibv_srq_init_attr srq = {.srq_context = m, .attr = {.max_wr = 8, .max_sge = 1}};
    set_up(&m->site, device);
    m->cq = NOT_NULL(ibv_create_cq(m->site.context, 64, NULL, NULL, 0));
    m->srq = NOT_NULL(ibv_create_srq(m->site.pd, &srq));
    if (srq.attr.max_wr < 8) give_up("a shared queue of less than was asked for");
    m->sender = datagram_qp(m, NULL);
    m->receiver = datagram_qp(m, m->srq);
    struct ibv_ah_attr to = {.dlid = m->site.port.lid, .port_num = PORT};
    m->ah = NOT_NULL(ibv_create_ah(m->site.pd, &to));
}

static void end_mail(struct mail *m) {
    if (ibv_destroy_srq(m->srq) != EBUSY) give_up("a shared queue in use was destroyed");
    must(ibv_destroy_ah(m->ah), "ibv_destroy_ah");
    must(ibv_destroy_qp(m->sender), "ibv_destroy_qp");
    must(ibv_destroy_qp(m->receiver), "ibv_destroy_qp");
    must(ibv_destroy_srq(m->srq), "ibv_destroy_srq");
    must(ibv_destroy_cq(m->cq), "ibv_destroy_cq");
    tear_down(&m->site);
}

/* What lies before the message is room for a GRH. */
static void post_room(struct mail *m, unsigned n) {
    struct ibv_sge sge = word(&m->site, 10 * n);
    struct ibv_recv_wr wr = {.wr_id = 100 + n, .sg_list = &sge, .num_sge = 1}, *bad;
    sge.length = GRH + 8;
    must(ibv_post_srq_recv(m->srq, &wr, &bad), "ibv_post_srq_recv");
}

static void send_message(struct mail *m, uint64_t what) {
    struct ibv_sge sge = word(&m->site, 200);
    struct ibv_send_wr wr = {.wr_id = 7, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND},
                       *bad;
    m->site.words[200] = what;
    wr.wr.ud.ah = m->ah;
    wr.wr.ud.remote_qpn = m->receiver->qp_num;
    wr.wr.ud.remote_qkey = QKEY;
    must(ibv_post_send(m->sender, &wr, &bad), "ibv_post_send");
}

/* The completion of the send and that of the receive come in any order. */
static struct ibv_wc received(struct mail *m) {
    struct ibv_wc one = next_completion(m->cq), other = next_completion(m->cq);
    if (!(one.opcode & IBV_WC_RECV) == !(other.opcode & IBV_WC_RECV)) give_up("two of a kind");
    return one.opcode & IBV_WC_RECV ? one : other;
}

static struct ibv_async_event next_event(const struct site *s) {
    struct ibv_async_event e;
    if (ibv_get_async_event(s->context, &e)) give_up("ibv_get_async_event");
    return e;
}

static void deliver(struct mail *m) {
    for (unsigned n = 0; n < MESSAGES; ++n)
        post_room(m, n);
    for (unsigned n = 0; n < MESSAGES; ++n) {
        send_message(m, 1000 + n);
        const struct ibv_wc wc = received(m);
        if (wc.wr_id != 100 + n || wc.byte_len != GRH + 8 || wc.qp_num != m->receiver->qp_num ||
            wc.src_qp != m->sender->qp_num || wc.slid != m->site.port.lid)
            give_up("what came and from whom");
        if (m->site.words[10 * n + GRH / 8] != 1000 + n) give_up("another message");
    }
    printf("%d datagrams\n", MESSAGES);
}

/* The device tells once when fewer are left than the limit. */
static void run_low(struct mail *m) {
    struct ibv_srq_attr attr = {.srq_limit = 2}, now;
    uint32_t number = 0;
    post_room(m, 0);
    post_room(m, 1);
    must(ibv_modify_srq(m->srq, &attr, IBV_SRQ_LIMIT), "ibv_modify_srq");
    must(ibv_query_srq(m->srq, &now), "ibv_query_srq");
    must(ibv_get_srq_num(m->srq, &number), "ibv_get_srq_num");
    if (now.srq_limit != 2 || !number) give_up("what a query tells");
    if (ibv_modify_srq(m->srq, &attr, IBV_SRQ_MAX_WR) != EINVAL) give_up("mlx5 resizes no SRQ");
    send_message(m, 5);
    received(m);
    struct ibv_async_event e = next_event(&m->site);
    printf("%s\n", ibv_event_type_str(e.event_type));
    if (e.element.srq != m->srq || e.element.srq->srq_context != m) give_up("another's event");
    ibv_ack_async_event(&e);
}

/* Nobody polls a CQ of one entry. */
static void overrun(struct mail *m) {
    struct site *s = &m->site;
    struct ibv_cq *cq = NOT_NULL(ibv_create_cq(s->context, 1, m, NULL, 0));
    struct ibv_qp_init_attr init = {.send_cq = cq,
                                    .recv_cq = cq,
                                    .cap = {.max_send_wr = 16, .max_send_sge = 1},
                                    .qp_type = IBV_QPT_RC,
                                    .sq_sig_all = 1};
    struct ibv_qp *qp = NOT_NULL(ibv_create_qp(s->pd, &init));
    struct ibv_sge sge = word(s, 1);
    struct ibv_send_wr wr = {.sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE}, *bad;
    int cq_errors = 0;
    wr.wr.rdma.remote_addr = (uintptr_t)&s->words[2];
    wr.wr.rdma.rkey = s->mr->rkey;
    connect_to(s, qp, qp);
    for (int i = 0; i < 8; ++i)
        must(ibv_post_send(qp, &wr, &bad), "ibv_post_send");
    /* The QP's own end may be told too, in any order. */
    while (!cq_errors) {
        struct ibv_async_event e = next_event(s);
        if (e.event_type == IBV_EVENT_CQ_ERR) {
            if (e.element.cq != cq || e.element.cq->cq_context != m) give_up("another's event");
            ++cq_errors;
        }
        ibv_ack_async_event(&e);
    }
    printf("%s\n", ibv_event_type_str(IBV_EVENT_CQ_ERR));
    must(ibv_destroy_qp(qp), "ibv_destroy_qp");
    must(ibv_destroy_cq(cq), "ibv_destroy_cq");
}

/* The fd is the program's to make non-blocking. */
static void nothing_there(const struct site *s) {
    struct ibv_async_event e;
    const int flags = fcntl(s->context->async_fd, F_GETFL);
    if (flags & O_NONBLOCK) give_up("not a blocking fd");
    fcntl(s->context->async_fd, F_SETFL, flags | O_NONBLOCK);
    while (ibv_get_async_event(s->context, &e) == 0)
        ibv_ack_async_event(&e);
    printf("nothing more: %s\n", strerror(errno));
}

int main(int argc, char **argv) {
    struct mail m;
    set_up_mail(&m, argc > 1 ? argv[1] : NULL);
    deliver(&m);
    run_low(&m);
    overrun(&m);
    nothing_there(&m.site);
    end_mail(&m);
    return 0;
}
