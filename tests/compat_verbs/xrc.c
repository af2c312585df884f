/* SPDX-License-Identifier: MIT */
/* XRC: one connection, whose messages go to the shared queues that they name. */
#include "site.h"

#include <fcntl.h>
#include <unistd.h>

enum { QUEUES = 2, MESSAGES = 3 };

struct hall {
    struct site site;
    struct ibv_xrcd *domain;
    struct ibv_cq *sent, *received;
    struct ibv_srq *queues[QUEUES];
    struct ibv_qp *initiator, *target;
};

static struct ibv_xrcd_init_attr by_file(int fd, int flags) {
    struct ibv_xrcd_init_attr attr = {
        .comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS, .fd = fd, .oflags = flags};
    return attr;
}

/* Of one's own, and shared by a file. */
static void domains(const struct site *s) {
    char path[] = "/tmp/xrcd-XXXXXX";
    const int fd = mkstemp(path);
    struct ibv_xrcd_init_attr own = by_file(-1, O_CREAT), first = by_file(fd, O_CREAT);
    struct ibv_xrcd_init_attr second = by_file(fd, 0), alone = by_file(fd, O_CREAT | O_EXCL);
    struct ibv_xrcd *mine = NOT_NULL(ibv_open_xrcd(s->context, &own));
    if (ibv_open_xrcd(s->context, &second) || errno != EAGAIN)
        give_up("joined a domain of nobody's");
    struct ibv_xrcd *a = NOT_NULL(ibv_open_xrcd(s->context, &first));
    struct ibv_xrcd *b = NOT_NULL(ibv_open_xrcd(s->context, &second));
    if (ibv_open_xrcd(s->context, &alone) || errno != EINVAL) give_up("a shared domain, alone");
    own.comp_mask = IBV_XRCD_INIT_ATTR_FD;
    if (ibv_open_xrcd(s->context, &own) || errno != EINVAL) give_up("half of the attributes");
    own.comp_mask = 1 << 9;
    if (ibv_open_xrcd(s->context, &own) || errno != EOPNOTSUPP) give_up("an unknown mask");
    must(ibv_close_xrcd(a), "ibv_close_xrcd");
    must(ibv_close_xrcd(b), "ibv_close_xrcd");
    must(ibv_close_xrcd(mine), "ibv_close_xrcd");
    close(fd);
    unlink(path);
}

static struct ibv_srq_init_attr_ex queue_of(const struct hall *h) {
    struct ibv_srq_init_attr_ex init = {.attr = {.max_wr = 4, .max_sge = 1},
                                        .comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD |
                                                     IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ,
                                        .srq_type = IBV_SRQT_XRC,
                                        .pd = h->site.pd,
                                        .xrcd = h->domain,
                                        .cq = h->received};
    return init;
}

static void refusals(const struct hall *h) {
    struct ibv_srq_init_attr_ex srq = queue_of(h);
    struct ibv_qp_init_attr_ex qp = {.qp_type = IBV_QPT_RC, .comp_mask = IBV_QP_INIT_ATTR_XRCD};
    struct ibv_context *c = h->site.context;
    srq.comp_mask &= ~IBV_SRQ_INIT_ATTR_CQ;
    if (ibv_create_srq_ex(c, &srq) || errno != EINVAL) give_up("an XRC queue without a CQ");
    srq.srq_type = IBV_SRQT_BASIC;
    if (ibv_create_srq_ex(c, &srq) || errno != EINVAL) give_up("a basic one in a domain");
    srq.srq_type = IBV_SRQT_TM;
    if (ibv_create_srq_ex(c, &srq) || errno != EOPNOTSUPP) give_up("tag matching");
    qp.xrcd = h->domain;
    if (ibv_create_qp_ex(c, &qp) || errno != EINVAL) give_up("an RC QP in a domain");
    qp.qp_type = IBV_QPT_XRC_RECV;
    qp.comp_mask = 0;
    if (ibv_create_qp_ex(c, &qp) || errno != EINVAL) give_up("a target without a domain");
    srq.comp_mask = IBV_SRQ_INIT_ATTR_PD;
    struct ibv_srq *basic = NOT_NULL(ibv_create_srq_ex(c, &srq));
    must(ibv_destroy_srq(basic), "ibv_destroy_srq");
}

static void make_queues(struct hall *h) {
    for (int i = 0; i < QUEUES; ++i) {
        struct ibv_srq_init_attr_ex init = queue_of(h);
        h->queues[i] = NOT_NULL(ibv_create_srq_ex(h->site.context, &init));
        if (init.attr.max_wr < 4) give_up("a shared queue of less than was asked for");
    }
}

static void make_qps(struct hall *h) {
    struct ibv_qp_init_attr_ex in = {
        .qp_type = IBV_QPT_XRC_RECV, .comp_mask = IBV_QP_INIT_ATTR_XRCD, .xrcd = h->domain};
    struct ibv_qp_init_attr_ex out = {.qp_type = IBV_QPT_XRC_SEND,
                                      .comp_mask = IBV_QP_INIT_ATTR_PD,
                                      .pd = h->site.pd,
                                      .send_cq = h->sent,
                                      .cap = {.max_send_wr = 8, .max_send_sge = 1},
                                      .sq_sig_all = 1};
    h->target = NOT_NULL(ibv_create_qp_ex(h->site.context, &in));
    h->initiator = NOT_NULL(ibv_create_qp_ex(h->site.context, &out));
}

/* Each end has attributes of its own. */
static void ready_to_receive(const struct hall *h, struct ibv_qp *qp, const struct ibv_qp *other,
                             int mask) {
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = PORT};
    must(ibv_modify_qp(qp, &attr,
                       IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
         "to INIT");
    attr.qp_state = IBV_QPS_RTR;
    attr.path_mtu = IBV_MTU_1024;
    attr.dest_qp_num = other->qp_num;
    attr.min_rnr_timer = 12;
    attr.ah_attr.dlid = h->site.port.lid;
    attr.ah_attr.port_num = PORT;
    must(ibv_modify_qp(qp, &attr,
                       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                           IBV_QP_RQ_PSN | mask),
         "to RTR");
}

static void connect_both(const struct hall *h) {
    struct ibv_qp_attr attr = {
        .qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7};
    ready_to_receive(h, h->target, h->initiator, IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    ready_to_receive(h, h->initiator, h->target, 0);
    must(ibv_modify_qp(h->target, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_SQ_PSN), "to RTS");
    must(ibv_modify_qp(h->initiator, &attr,
                       IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                           IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC),
         "to RTS");
}

static void post_room(const struct hall *h, int queue, unsigned at) {
    struct ibv_sge sge = word(&h->site, at);
    struct ibv_recv_wr wr = {.wr_id = at, .sg_list = &sge, .num_sge = 1}, *bad;
    must(ibv_post_srq_recv(h->queues[queue], &wr, &bad), "ibv_post_srq_recv");
}

static void send_to(const struct hall *h, int queue, uint64_t what) {
    struct ibv_sge sge = word(&h->site, 0);
    struct ibv_send_wr wr = {.sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND}, *bad;
    h->site.words[0] = what;
    if (ibv_get_srq_num(h->queues[queue], &wr.qp_type.xrc.remote_srqn)) give_up("no number");
    must(ibv_post_send(h->initiator, &wr, &bad), "ibv_post_send");
    next_completion(h->sent);
}

/* Whichever queue a message is for, its completion is at the one CQ, and tells of the target. */
static void converse(const struct hall *h) {
    for (int i = 0; i < MESSAGES; ++i)
        for (int q = QUEUES - 1; q >= 0; --q) {
            const unsigned at = 10u + 10u * (unsigned)q + (unsigned)i;
            post_room(h, q, at);
            send_to(h, q, 1000 + at);
            const struct ibv_wc wc = next_completion(h->received);
            if (wc.wr_id != at || wc.byte_len != 8 || wc.qp_num != h->target->qp_num ||
                wc.opcode != IBV_WC_RECV || h->site.words[at] != 1000 + at)
                give_up("another message, or another queue's");
        }
    printf("%d messages to each of %d queues\n", MESSAGES, QUEUES);
}

int main(int argc, char **argv) {
    struct hall h;
    set_up(&h.site, argc > 1 ? argv[1] : NULL);
    domains(&h.site);
    struct ibv_xrcd_init_attr own = by_file(-1, O_CREAT);
    h.domain = NOT_NULL(ibv_open_xrcd(h.site.context, &own));
    h.sent = NOT_NULL(ibv_create_cq(h.site.context, 8, NULL, NULL, 0));
    h.received = NOT_NULL(ibv_create_cq(h.site.context, 8, NULL, NULL, 0));
    refusals(&h);
    make_queues(&h);
    make_qps(&h);
    connect_both(&h);
    converse(&h);
    if (ibv_close_xrcd(h.domain) != EBUSY) give_up("a domain in use was closed");
    if (ibv_destroy_cq(h.received) != EBUSY) give_up("a CQ in use was destroyed");
    must(ibv_destroy_qp(h.initiator), "ibv_destroy_qp");
    must(ibv_destroy_qp(h.target), "ibv_destroy_qp");
    for (int i = 0; i < QUEUES; ++i)
        must(ibv_destroy_srq(h.queues[i]), "ibv_destroy_srq");
    must(ibv_close_xrcd(h.domain), "ibv_close_xrcd");
    must(ibv_destroy_cq(h.sent), "ibv_destroy_cq");
    must(ibv_destroy_cq(h.received), "ibv_destroy_cq");
    tear_down(&h.site);
    return 0;
}
