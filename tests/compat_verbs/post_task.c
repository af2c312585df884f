/* SPDX-License-Identifier: MIT */
/* Lists of tasks over several queue pairs, after the manual page of ibv_exp_post_task: a ping-pong
 * that the device plays by itself, groups of WAITs and ENABLEs, and how a list ends that has a task
 * which is refused. */
#include "site.h"

#include <infiniband/verbs_exp.h>

/* As the SYNOPSIS of its manual page declares it. */
int ibv_exp_post_task(struct ibv_context *context, struct ibv_exp_task *task_list,
                      struct ibv_exp_task **bad_task);

enum { DEPTH = 16 };

struct queue {
    struct ibv_cq *send_cq, *recv_cq;
    struct ibv_qp *qp;
};

static struct ibv_cq *make_cq(const struct site *s, int cqe) {
    return NOT_NULL(ibv_create_cq(s->context, cqe, NULL, NULL, 0));
}

static struct queue make_queue(const struct site *s, uint32_t flags, int cqe) {
    struct queue q = {make_cq(s, cqe), make_cq(s, 64), NULL};
    struct ibv_exp_qp_init_attr init = {
        .send_cq = q.send_cq,
        .recv_cq = q.recv_cq,
        .cap = {.max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 1, .max_recv_sge = 1},
        .qp_type = IBV_QPT_RC,
        .comp_mask = IBV_EXP_QP_INIT_ATTR_PD | IBV_EXP_QP_INIT_ATTR_CREATE_FLAGS,
        .pd = s->pd,
        .exp_create_flags = flags};
    q.qp = NOT_NULL(ibv_exp_create_qp(s->context, &init));
    return q;
}

static void end_queue(struct queue *q) {
    must(ibv_destroy_qp(q->qp), "ibv_destroy_qp");
    must(ibv_destroy_cq(q->send_cq), "ibv_destroy_cq");
    must(ibv_destroy_cq(q->recv_cq), "ibv_destroy_cq");
}

/* ---- requests and tasks ---- */

static struct ibv_exp_send_wr send_of(struct ibv_sge *sge, uint64_t wr_id) {
    struct ibv_exp_send_wr wr = {.wr_id = wr_id,
                                 .sg_list = sge,
                                 .num_sge = 1,
                                 .exp_opcode = IBV_EXP_WR_SEND,
                                 .exp_send_flags = IBV_EXP_SEND_SIGNALED};
    return wr;
}

static struct ibv_exp_send_wr wait_for(struct ibv_cq *cq, int count, uint64_t flags) {
    struct ibv_exp_send_wr wr = {.exp_opcode = IBV_EXP_WR_CQE_WAIT, .exp_send_flags = flags};
    wr.task.cqe_wait.cq = cq;
    wr.task.cqe_wait.cq_count = count;
    return wr;
}

static struct ibv_exp_send_wr enable(enum ibv_exp_wr_opcode opcode, struct ibv_qp *qp, int count) {
    struct ibv_exp_send_wr wr = {.exp_opcode = opcode, .exp_send_flags = IBV_EXP_SEND_WAIT_EN_LAST};
    wr.task.wqe_enable.qp = qp;
    wr.task.wqe_enable.wqe_count = count;
    return wr;
}

static struct ibv_recv_wr receive_into(struct ibv_sge *sge, uint64_t wr_id) {
    struct ibv_recv_wr wr = {.wr_id = wr_id, .sg_list = sge, .num_sge = 1};
    return wr;
}

static struct ibv_exp_task sends(const struct queue *q, struct ibv_exp_send_wr *list) {
    struct ibv_exp_task t = {.task_type = IBV_EXP_TASK_SEND, .item = {.qp = q->qp}};
    t.item.send_wr = list;
    return t;
}

static struct ibv_exp_task receives(const struct queue *q, struct ibv_recv_wr *list) {
    struct ibv_exp_task t = {.task_type = IBV_EXP_TASK_RECV, .item = {.qp = q->qp}};
    t.item.recv_wr = list;
    return t;
}

static void link_tasks(struct ibv_exp_task *tasks, int count) {
    for (int i = 0; i < count; ++i)
        tasks[i].next = i + 1 < count ? &tasks[i + 1] : NULL;
}

static void link_sends(struct ibv_exp_send_wr *list, int count) {
    for (int i = 0; i < count; ++i)
        list[i].next = i + 1 < count ? &list[i + 1] : NULL;
}

/* ---- what is played with ---- */

struct stage {
    struct site site;
    struct queue one, other;           /* managed: nothing of theirs runs before it is enabled */
    struct queue plain, plain_peer;    /* neither master nor managed */
    struct queue master, other_master; /* each talks to itself */
};

static void connect_pair(const struct site *s, struct queue *a, struct queue *b) {
    connect_to(s, a->qp, b->qp);
    connect_to(s, b->qp, a->qp);
}

static void make_stage(struct stage *t, const char *device) {
    const uint32_t master = IBV_EXP_QP_CREATE_CROSS_CHANNEL;
    const uint32_t managed = IBV_EXP_QP_CREATE_MANAGED_SEND | IBV_EXP_QP_CREATE_MANAGED_RECV;
    set_up(&t->site, device);
    t->one = make_queue(&t->site, managed, 64);
    t->other = make_queue(&t->site, managed, 64);
    t->plain = make_queue(&t->site, 0, 64);
    t->plain_peer = make_queue(&t->site, 0, 64);
    t->master = make_queue(&t->site, master, 64);
    t->other_master = make_queue(&t->site, master, 64);
    connect_pair(&t->site, &t->one, &t->other);
    connect_pair(&t->site, &t->plain, &t->plain_peer);
    connect_to(&t->site, t->master.qp, t->master.qp);
    connect_to(&t->site, t->other_master.qp, t->other_master.qp);
}

static void end_stage(struct stage *t) {
    struct queue *all[] = {&t->one,        &t->other,  &t->plain,
                           &t->plain_peer, &t->master, &t->other_master};
    for (int i = 0; i < 6; ++i)
        end_queue(all[i]);
    tear_down(&t->site);
}

static void check_device(const struct site *s) {
    struct ibv_exp_device_attr attr = {.comp_mask = IBV_EXP_DEVICE_ATTR_EXP_CAP_FLAGS};
    must(ibv_exp_query_device(s->context, &attr), "ibv_exp_query_device");
    if (!(attr.comp_mask & IBV_EXP_DEVICE_ATTR_EXP_CAP_FLAGS) ||
        !(attr.exp_device_cap_flags & IBV_EXP_DEVICE_CROSS_CHANNEL) || attr.max_qp < 1)
        give_up("not a device with cross-channel queues");
}

/* ---- one call: post both messages and both receives, and let the device play ---- */

static void ping_pong(struct stage *t) {
    struct site *s = &t->site;
    struct ibv_sge w0 = word(s, 0), w1 = word(s, 1), w2 = word(s, 2);
    struct ibv_recv_wr at_other = receive_into(&w1, 11), at_one = receive_into(&w2, 12);
    struct ibv_exp_send_wr ping = send_of(&w0, 21), pong = send_of(&w1, 22);
    struct ibv_exp_send_wr replies[3] = {enable(IBV_EXP_WR_RECV_ENABLE, t->other.qp, 1),
                                         wait_for(t->other.recv_cq, 1, IBV_EXP_SEND_WAIT_EN_LAST),
                                         enable(IBV_EXP_WR_SEND_ENABLE, t->other.qp, 1)};
    struct ibv_exp_send_wr begins[3] = {
        enable(IBV_EXP_WR_RECV_ENABLE, t->one.qp, 1), enable(IBV_EXP_WR_SEND_ENABLE, t->one.qp, 1),
        wait_for(t->one.recv_cq, 1, IBV_EXP_SEND_WAIT_EN_LAST | IBV_EXP_SEND_SIGNALED)};
    struct ibv_exp_task tasks[6] = {receives(&t->other, &at_other),
                                    receives(&t->one, &at_one),
                                    sends(&t->one, &ping),
                                    sends(&t->other, &pong),
                                    sends(&t->other_master, replies),
                                    sends(&t->master, begins)};
    struct ibv_exp_task *bad = tasks;
    s->words[0] = 0x6b64657678;
    link_sends(replies, 3);
    link_sends(begins, 3);
    link_tasks(tasks, 4);
    must(ibv_exp_post_task(s->context, tasks, &bad), "messages that nobody has enabled");
    no_completion(t->one.send_cq, "a managed queue ran before it was enabled");
    link_tasks(tasks + 4, 2);
    must(ibv_exp_post_task(s->context, tasks + 4, &bad), "the masters");
    next_completion(t->master.send_cq);
    if (next_completion(t->other.recv_cq).wr_id != 11 ||
        next_completion(t->one.recv_cq).wr_id != 12)
        give_up("not the receives");
    if (s->words[2] != s->words[0] || bad != tasks) give_up("the word did not come back");
    next_completion(t->one.send_cq);
    next_completion(t->other.send_cq);
    printf("the device played a ping-pong\n");
}

/* Requests of a group count from the same place: "1, then 2" are two stages of two in all. */
static void groups(struct stage *t) {
    struct site *s = &t->site;
    struct ibv_sge sge = word(s, 3);
    struct ibv_recv_wr into[4];
    struct ibv_exp_send_wr out[4], drive[6];
    struct ibv_exp_task tasks[3] = {receives(&t->other, into), sends(&t->one, out),
                                    sends(&t->master, drive)};
    for (int i = 0; i < 4; ++i) {
        into[i] = receive_into(&sge, i);
        into[i].next = i < 3 ? &into[i + 1] : NULL;
        out[i] = send_of(&sge, i);
    }
    link_sends(out, 4);
    drive[0] = enable(IBV_EXP_WR_RECV_ENABLE, t->other.qp, 0); /* all that there are */
    drive[1] = enable(IBV_EXP_WR_SEND_ENABLE, t->one.qp, 1);
    drive[1].exp_send_flags = 0;
    drive[2] = wait_for(t->other.recv_cq, 1, 0);
    drive[3] = enable(IBV_EXP_WR_SEND_ENABLE, t->one.qp, 2); /* ends the group that 1 began */
    drive[4] = wait_for(t->other.recv_cq, 2, IBV_EXP_SEND_WAIT_EN_LAST);
    drive[5] = wait_for(t->other.recv_cq, 0, IBV_EXP_SEND_SIGNALED); /* nothing more */
    link_sends(drive, 6);
    link_tasks(tasks, 3);
    must(ibv_exp_post_task(s->context, tasks, NULL), "two stages");
    next_completion(t->master.send_cq);
    next_completion(t->other.recv_cq);
    next_completion(t->other.recv_cq);
    no_completion(t->other.recv_cq, "more was sent than was enabled");
    struct ibv_exp_send_wr rest = enable(IBV_EXP_WR_SEND_ENABLE, t->one.qp, 0), *bad;
    must(ibv_exp_post_send(t->master.qp, &rest, &bad), "the rest");
    for (int i = 0; i < 2; ++i)
        next_completion(t->other.recv_cq);
    for (int i = 0; i < 4; ++i)
        if (next_completion(t->one.send_cq).wr_id != (uint64_t)i) give_up("out of order");
    /* What was waited for counts from here again. */
    struct ibv_exp_send_wr catch_up = wait_for(t->other.recv_cq, 2, IBV_EXP_SEND_WAIT_EN_LAST);
    must(ibv_exp_post_send(t->master.qp, &catch_up, &bad), "catching up");
    printf("two of four in two stages, then the rest\n");
}

/* ---- lists that end early ---- */

static void ends_at(const char *what, struct stage *t, struct ibv_exp_task *tasks, int wanted) {
    struct ibv_exp_task *bad = NULL;
    const int err = ibv_exp_post_task(t->site.context, tasks, &bad);
    printf("%s: %s, task %d\n", what, strerror(err), bad ? (int)(bad - tasks) : -1);
    if (!err || bad != &tasks[wanted]) give_up("another end of the list");
    if (ibv_exp_post_task(t->site.context, bad, NULL) != err)
        give_up("another errno without bad_task");
}

/* What the list is about: a receive at the plain peer, something refused, and a send to it that
 * must not go. */
static void refused(const char *what, struct stage *t, struct ibv_exp_task wrong) {
    struct ibv_sge sge = word(&t->site, 4);
    struct ibv_recv_wr into = receive_into(&sge, 41);
    struct ibv_exp_send_wr out = send_of(&sge, 42);
    struct ibv_exp_task tasks[3] = {receives(&t->plain_peer, &into), wrong, sends(&t->plain, &out)};
    link_tasks(tasks, 3);
    ends_at(what, t, tasks, 1);
    no_completion(t->plain.send_cq, "a task after the refused one was posted");
    /* Going on behind it shows that the receive before it stayed. */
    must(ibv_exp_post_task(t->site.context, &tasks[2], NULL), "the rest of the list");
    if (next_completion(t->plain_peer.recv_cq).wr_id != 41) give_up("not the receive");
    next_completion(t->plain.send_cq);
}

static void refusals(struct stage *t) {
    struct ibv_sge sge = word(&t->site, 5);
    struct ibv_exp_send_wr good = send_of(&sge, 1), beyond, foreign, target, odd = good,
                           many = good;
    struct ibv_exp_task wrong = sends(&t->plain, &good);
    wrong.comp_mask = 1;
    refused("comp_mask", t, wrong);
    wrong.comp_mask = 0;
    wrong.task_type = (enum ibv_exp_task_type)7;
    refused("task_type", t, wrong);
    wrong = sends(&t->plain, &good);
    wrong.item.qp = NULL;
    refused("no QP", t, wrong);
    beyond = enable(IBV_EXP_WR_SEND_ENABLE, t->one.qp, 5);
    refused("more enabled than posted", t, sends(&t->master, &beyond));
    foreign = enable(IBV_EXP_WR_SEND_ENABLE, t->one.qp, 1);
    refused("not a master", t, sends(&t->plain, &foreign));
    target = enable(IBV_EXP_WR_SEND_ENABLE, t->plain.qp, 1);
    refused("not managed", t, sends(&t->master, &target));
    target = wait_for(t->one.recv_cq, -1, 0);
    refused("a negative count", t, sends(&t->master, &target));
    odd.exp_opcode = (enum ibv_exp_wr_opcode)0x7f;
    refused("no such opcode", t, sends(&t->plain, &odd));
    odd = good;
    odd.comp_mask = 1;
    refused("comp_mask of a request", t, sends(&t->plain, &odd));
    many.num_sge = 100;
    refused("too many pieces", t, sends(&t->plain, &many));
    must(ibv_exp_post_task(t->site.context, NULL, NULL), "no task at all");
}

/* The requests of the refused task that come before the refused one stay, as with a plain post. */
static void requests_before(struct stage *t) {
    struct ibv_sge sge = word(&t->site, 6);
    struct ibv_recv_wr into = receive_into(&sge, 61);
    struct ibv_exp_send_wr out[2] = {send_of(&sge, 62), send_of(&sge, 63)};
    struct ibv_exp_task tasks[2] = {receives(&t->plain_peer, &into), sends(&t->plain, out)};
    struct ibv_exp_task *bad = NULL;
    link_sends(out, 2);
    link_tasks(tasks, 2);
    out[1].exp_opcode = (enum ibv_exp_wr_opcode)0x7f;
    if (ibv_exp_post_task(t->site.context, tasks, &bad) != EINVAL || bad != &tasks[1])
        give_up("a list with a bad request at its end");
    if (next_completion(t->plain_peer.recv_cq).wr_id != 61 ||
        next_completion(t->plain.send_cq).wr_id != 62)
        give_up("the request before it");
}

/* More tasks than a queue has room for: the first one that finds none is the bad one. */
static void full(struct stage *t) {
    enum { MANY = 200 };
    struct ibv_sge sge = word(&t->site, 7);
    struct ibv_recv_wr into = receive_into(&sge, 71);
    struct ibv_exp_task tasks[MANY], *bad = NULL;
    for (int i = 0; i < MANY; ++i)
        tasks[i] = receives(&t->plain_peer, &into);
    link_tasks(tasks, MANY);
    const int err = ibv_exp_post_task(t->site.context, tasks, &bad);
    if (!bad || bad - tasks < DEPTH || bad - tasks >= MANY) give_up("room for less than there is");
    printf("full: %s\n", strerror(err));
}

/* Completions that nobody takes: the CQ has room for a few, and the device goes on. */
static void overrun(struct stage *t) {
    struct queue small = make_queue(&t->site, 0, 1);
    struct ibv_exp_cq_attr attr = {.comp_mask = IBV_EXP_CQ_ATTR_CQ_CAP_FLAGS,
                                   .cq_cap_flags = IBV_EXP_CQ_IGNORE_OVERRUN};
    struct ibv_sge sge = word(&t->site, 8);
    struct ibv_exp_send_wr write[12], wait, *bad;
    struct ibv_qp_attr now;
    struct ibv_qp_init_attr init;
    must(ibv_exp_modify_cq(small.send_cq, &attr, IBV_EXP_CQ_CAP_FLAGS), "ibv_exp_modify_cq");
    if (ibv_exp_modify_cq(small.send_cq, &attr, 1 << 7) != EINVAL) give_up("an unknown mask");
    connect_to(&t->site, small.qp, small.qp);
    for (int i = 0; i < 12; ++i) {
        write[i] = send_of(&sge, i);
        write[i].exp_opcode = IBV_EXP_WR_RDMA_WRITE;
        write[i].wr.rdma.remote_addr = (uintptr_t)&t->site.words[9];
        write[i].wr.rdma.rkey = t->site.mr->rkey;
    }
    link_sends(write, 12);
    t->site.words[8] = 12;
    must(ibv_exp_post_send(small.qp, write, &bad), "twelve writes");
    wait = wait_for(small.send_cq, 12, IBV_EXP_SEND_WAIT_EN_LAST | IBV_EXP_SEND_SIGNALED);
    must(ibv_exp_post_send(t->master.qp, &wait, &bad), "the wait for them");
    next_completion(t->master.send_cq);
    must(ibv_query_qp(small.qp, &now, IBV_QP_STATE, &init), "ibv_query_qp");
    if (now.qp_state != IBV_QPS_RTS || t->site.words[9] != 12) give_up("the CQ overran");
    printf("twelve completions in a CQ of %d\n", small.send_cq->cqe);
    end_queue(&small);
}

/* Flags that do not go together, and what is not there. */
static void creation(const struct stage *t) {
    struct ibv_exp_qp_init_attr init = {.send_cq = t->one.send_cq,
                                        .recv_cq = t->one.recv_cq,
                                        .cap = {.max_send_wr = 4, .max_send_sge = 1},
                                        .qp_type = IBV_QPT_RC,
                                        .comp_mask = IBV_EXP_QP_INIT_ATTR_PD |
                                                     IBV_EXP_QP_INIT_ATTR_CREATE_FLAGS,
                                        .pd = t->site.pd,
                                        .exp_create_flags = IBV_EXP_QP_CREATE_IGNORE_SQ_OVERFLOW};
    if (ibv_exp_create_qp(t->site.context, &init) || errno != EINVAL) give_up("one of two");
    init.exp_create_flags = 1 << 9;
    if (ibv_exp_create_qp(t->site.context, &init) || errno != EOPNOTSUPP) give_up("a flag");
    init.comp_mask |= IBV_EXP_QP_INIT_ATTR_INL_RECV;
    if (ibv_exp_create_qp(t->site.context, &init) || errno != EOPNOTSUPP) give_up("a member");
    init.comp_mask = 0; /* then the flags are not looked at */
    if (ibv_exp_create_qp(t->site.context, &init) || errno != EINVAL) give_up("no PD");
}

int main(int argc, char **argv) {
    struct stage t;
    make_stage(&t, argc > 1 ? argv[1] : NULL);
    check_device(&t.site);
    ping_pong(&t);
    groups(&t);
    refusals(&t);
    requests_before(&t);
    overrun(&t);
    creation(&t);
    full(&t);
    end_stage(&t);
    return 0;
}
