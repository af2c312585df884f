/* SPDX-License-Identifier: MIT */
/* General commands, objects and their asynchronous queries. */
#include "program.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

enum {
    QUERY_HCA_CAP = 0x100,
    TEARDOWN_HCA = 0x103,
    QUERY_ISSI = 0x10a,
    CREATE_CQ = 0x400,
    QUERY_CQ = 0x402,
    MODIFY_CQ = 0x403
};

static int general(struct ibv_context *c, struct box *b) {
    return mlx5dv_devx_general_cmd(c, b->in, b->in_size, b->out, b->out_size);
}

void commands(struct ibv_context *c) {
    static uint8_t caps[0x1010], too_long[65536];
    struct box b;
    uint32_t eqn = ~0u;
    part("general commands");
    command(&b, QUERY_HCA_CAP, 16, 0);
    set(b.in, 4, 15, 0, 1); /* the general ones, as they are now */
    expect("QUERY_HCA_CAP", mlx5dv_devx_general_cmd(c, b.in, 16, caps, sizeof(caps)), 0);
    note("its status", caps[0]);
    note("log_max_cq", get(caps + 16, 0x18, 4, 0));
    command(&b, QUERY_ISSI, 16, 112);
    expect("QUERY_ISSI", general(c, &b), 0);
    command(&b, TEARDOWN_HCA, 16, 16);
    expect("what users may not send", general(c, &b), EINVAL);
    command(&b, QUERY_ISSI, 8, 112);
    expect("an inbox too short", general(c, &b), EINVAL);
    command(&b, QUERY_ISSI, 16, 8);
    expect("an outbox too short", general(c, &b), EINVAL);
    memcpy(too_long, b.in, 16);
    expect("an inbox too long", mlx5dv_devx_general_cmd(c, too_long, 65536, b.out, 112), EINVAL);
    command(&b, QUERY_HCA_CAP, 16, 16);
    set(b.in, 4, 15, 0, 0x7ffe); /* no such capabilities */
    expect("refused by the firmware", general(c, &b), EREMOTEIO);
    note("status", b.out[0]);

    part("event queue numbers");
    expect("of vector 0", mlx5dv_devx_query_eqn(c, 0, &eqn), 0);
    note("eqn", eqn);
    note("of vector 100000", mlx5dv_devx_query_eqn(c, 100000, &eqn));
}

/* 64 entries in the first page, the doorbell record in the second. */
int make_cq(struct ibv_context *c, struct devx_cq *cq) {
    struct box b;
    uint32_t eqn = 0;
    memset(cq, 0, sizeof(*cq));
    cq->memory = pages(8192);
    memset(cq->memory, 0xf1, 4096); /* op_own: invalid, the hardware's */
    cq->umem = mlx5dv_devx_umem_reg(c, cq->memory, 8192, IBV_ACCESS_LOCAL_WRITE);
    cq->uar = mlx5dv_devx_alloc_uar(c, MLX5DV_UAR_ALLOC_TYPE_NC);
    if (!cq->umem || !cq->uar || mlx5dv_devx_query_eqn(c, 0, &eqn)) return errno;
    command(&b, CREATE_CQ, 0x110, 16);
    set(b.in, 0x10 + 0x0c, 28, 24, 6);
    set(b.in, 0x10 + 0x0c, 23, 0, cq->uar->page_id);
    set(b.in, 0x10 + 0x14, 31, 0, eqn);
    set(b.in, 0x10 + 0x00, 25, 25, 1);
    set(b.in, 0x10 + 0x04, 31, 0, cq->umem->umem_id);
    set(b.in, 0x10 + 0x3c, 31, 0, 4096); /* dbr_addr: in the umem */
    set(b.in, 0x58, 31, 0, cq->umem->umem_id);
    set(b.in, 0x5c, 31, 31, 1);
    cq->obj = mlx5dv_devx_obj_create(c, b.in, b.in_size, b.out, b.out_size);
    if (!cq->obj) return errno;
    cq->number = get(b.out, 8, 23, 0);
    return 0;
}

void end_cq(struct devx_cq *cq) {
    expect("the CQ ends", cq->obj ? mlx5dv_devx_obj_destroy(cq->obj) : -1, 0);
    if (cq->uar) mlx5dv_devx_free_uar(cq->uar);
    expect("its umem ends", cq->umem ? mlx5dv_devx_umem_dereg(cq->umem) : -1, 0);
}

static void query_cq(struct box *b, const struct devx_cq *cq) {
    command(b, QUERY_CQ, 16, 0x110);
    set(b->in, 8, 23, 0, cq->number);
}

static void synchronous(struct ibv_context *c, const struct devx_cq *cq) {
    struct box b;
    query_cq(&b, cq);
    expect("query", mlx5dv_devx_obj_query(cq->obj, b.in, b.in_size, b.out, b.out_size), 0);
    expect("log_cq_size", get(b.out, 0x10 + 0x0c, 28, 24), 6);
    command(&b, MODIFY_CQ, 0x110, 16);
    set(b.in, 8, 23, 0, cq->number);
    set(b.in, 0x0c, 31, 0, 3); /* period and count */
    set(b.in, 0x10 + 0x10, 27, 16, 7);
    set(b.in, 0x10 + 0x10, 15, 0, 5);
    expect("modify", mlx5dv_devx_obj_modify(cq->obj, b.in, b.in_size, b.out, b.out_size), 0);
    query_cq(&b, cq);
    mlx5dv_devx_obj_query(cq->obj, b.in, b.in_size, b.out, b.out_size);
    expect("cq_period", get(b.out, 0x10 + 0x10, 27, 16), 7);
    expect("cq_max_count", get(b.out, 0x10 + 0x10, 15, 0), 5);
    set(b.in, 8, 23, 0, cq->number ^ 1);
    expect("another number", mlx5dv_devx_obj_query(cq->obj, b.in, b.in_size, b.out, b.out_size),
           EINVAL);
    uint32_t eqn = 0;
    mlx5dv_devx_query_eqn(c, 0, &eqn);
    command(&b, CREATE_CQ, 0x110, 16);
    set(b.in, 0x10 + 0x14, 31, 0, eqn);
    set(b.in, 0x58, 31, 0, 0xabcdef); /* no such umem */
    set(b.in, 0x5c, 31, 31, 1);
    expect("a CQ without memory",
           mlx5dv_devx_obj_create(c, b.in, b.in_size, b.out, b.out_size) == NULL, 1);
    expect("errno", errno, EREMOTEIO);
    note("status", b.out[0]);
    expect("its umem is in use", mlx5dv_devx_umem_dereg(cq->umem) != 0, 1);
}

static void asynchronous(struct ibv_context *c, const struct devx_cq *cq) {
    union {
        struct mlx5dv_devx_async_cmd_hdr head;
        uint8_t room[sizeof(struct mlx5dv_devx_async_cmd_hdr) + 0x110];
    } answer;
    struct box b;
    struct mlx5dv_devx_cmd_comp *comp = mlx5dv_devx_create_cmd_comp(c);
    expect("a completion", comp != NULL, 1);
    if (!comp) return;
    expect("its fd blocks", fcntl(comp->fd, F_GETFL) & O_NONBLOCK, 0);
    query_cq(&b, cq);
    for (uint64_t id = 100; id < 103; ++id)
        expect("query", mlx5dv_devx_obj_query_async(cq->obj, b.in, b.in_size, 0x110, id, comp), 0);
    expect("the first", mlx5dv_devx_get_async_cmd_comp(comp, &answer.head, sizeof(answer)), 0);
    expect("its wr_id", answer.head.wr_id, 100);
    expect("log_cq_size", get(answer.head.out_data, 0x10 + 0x0c, 28, 24), 6);
    struct pollfd p = {.fd = comp->fd, .events = POLLIN};
    expect("more", poll(&p, 1, 10000), 1);
    expect("too little room", mlx5dv_devx_get_async_cmd_comp(comp, &answer.head, 16), ENOSPC);
    expect("the second", mlx5dv_devx_get_async_cmd_comp(comp, &answer.head, sizeof(answer)), 0);
    expect("its wr_id", answer.head.wr_id, 101);
    expect("the third", mlx5dv_devx_get_async_cmd_comp(comp, &answer.head, sizeof(answer)), 0);
    expect("its wr_id", answer.head.wr_id, 102);
    fcntl(comp->fd, F_SETFL, O_NONBLOCK);
    expect("none", mlx5dv_devx_get_async_cmd_comp(comp, &answer.head, sizeof(answer)), EAGAIN);
    mlx5dv_devx_destroy_cmd_comp(comp);
}

void objects(struct ibv_context *c) {
    struct devx_cq cq;
    part("objects");
    expect("a CQ", make_cq(c, &cq), 0);
    if (!cq.obj) return;
    synchronous(c, &cq);
    part("asynchronous queries");
    asynchronous(c, &cq);
    part("ends of objects");
    end_cq(&cq);
}

static void subscriptions(struct mlx5dv_devx_event_channel *ch, const struct devx_cq *cq) {
    uint16_t cq_error[] = {4}, none[] = {0x7b};
    union {
        struct mlx5dv_devx_async_event_hdr head;
        uint8_t room[80];
    } event;
    expect("a CQ's errors", mlx5dv_devx_subscribe_devx_event(ch, cq->obj, 2, cq_error, 1), 0);
    note("no such event", mlx5dv_devx_subscribe_devx_event(ch, cq->obj, 2, none, 2));
    expect("no event at all", mlx5dv_devx_subscribe_devx_event(ch, cq->obj, 0, cq_error, 3),
           EINVAL);
    fcntl(ch->fd, F_SETFL, O_NONBLOCK);
    expect("nothing happened", mlx5dv_devx_get_event(ch, &event.head, sizeof(event)), -1);
    expect("errno", errno, EAGAIN);
}

/* An armed CQ tells of its completions by event 0; nothing completes here, so only that it can be
 * subscribed is seen. */
void events(struct ibv_context *c) {
    struct devx_cq cq;
    part("event channels");
    expect("a CQ", make_cq(c, &cq), 0);
    struct mlx5dv_devx_event_channel *ch = mlx5dv_devx_create_event_channel(c, 0);
    expect("a channel", ch != NULL, 1);
    if (ch && cq.obj) subscriptions(ch, &cq);
    if (ch) mlx5dv_devx_destroy_event_channel(ch);
    ch = mlx5dv_devx_create_event_channel(c, MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA);
    expect("one without data", ch != NULL, 1);
    int fd[2] = {-1, -1};
    if (pipe(fd)) abort();
    if (ch && cq.obj)
        expect("not an eventfd", mlx5dv_devx_subscribe_devx_event_fd(ch, fd[0], cq.obj, 4), EINVAL);
    if (ch) mlx5dv_devx_destroy_event_channel(ch);
    close(fd[0]);
    close(fd[1]);
    end_cq(&cq);
}
