/* SPDX-License-Identifier: MIT */
/* libkdevx-verbs and libibverbs in one process: this file is compiled and linked for the first,
 * theirs.c for the second. Each calls its own; ours refuses objects of theirs but where no more is
 * needed than what is public. */
#include "theirs.h"

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs_exp.h>

#include <arpa/inet.h>
#include <stdio.h>

static int wrong;

static void expect(const char *what, long got, long wanted) {
    printf("%s: %ld%s\n", what, got, got == wanted ? "" : " (wrong)");
    if (got != wanted) wrong = 1;
}

static struct ibv_context *open_ours(void) {
    struct ibv_device **list = ibv_get_device_list(NULL);
    struct mlx5dv_context_attr attr = {.flags = MLX5DV_CONTEXT_FLAGS_DEVX};
    struct ibv_context *c = list && list[0] ? mlx5dv_open_device(list[0], &attr) : NULL;
    if (list) ibv_free_device_list(list);
    return c;
}

static void refusals(struct ibv_context *c, struct theirs *t) {
    char text[128], memory[64];
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT};
    struct ibv_port_attr port;
    struct ibv_qp_init_attr mixed = {.send_cq = t->cq, .recv_cq = t->cq, .qp_type = IBV_QPT_RC};
    struct ibv_exp_task task = {.item = {.qp = t->qp}}, *bad = NULL;
    struct mlx5dv_cq seen;
    struct mlx5dv_obj which = {.cq = {.in = t->cq, .out = &seen}};
    struct ibv_pd *pd = ibv_alloc_pd(c);
    expect("closing theirs", ibv_close_device(t->context) == -1 && errno == EXDEV, 1);
    kdevx_verbs_failure(text, sizeof(text));
    printf("%s\n", text);
    expect("a PD of theirs", ibv_reg_mr(t->pd, memory, 64, 0) == NULL && errno == EXDEV, 1);
    expect("a port by theirs", ibv_query_port(t->context, 1, &port), EXDEV);
    expect("their CQs for our QP", ibv_create_qp(pd, &mixed) == NULL && errno == EXDEV, 1);
    expect("modifying theirs", ibv_modify_qp(t->qp, &attr, IBV_QP_STATE), EXDEV);
    expect("destroying theirs", ibv_destroy_cq(t->cq), EXDEV);
    expect("the inside of theirs", mlx5dv_init_obj(&which, MLX5DV_OBJ_CQ), EXDEV);
    expect("a task on theirs", ibv_exp_post_task(c, &task, &bad), EXDEV);
    expect("is the bad one", bad == &task, 1);
    expect("our PD ends", ibv_dealloc_pd(pd), 0);
}

/* What needs no more than the file and the handle, or goes to the owner. */
static void any_objects(struct theirs *t) {
    uint32_t in[4] = {htonl(0x100u << 16)}, out[1028] = {0};    /* QUERY_HCA_CAP */
    uint32_t transition[64] = {htonl(0x502u << 16)}, answer[4]; /* RST2INIT_QP */
    struct ibv_wc wc;
    transition[2] = htonl(t->qp->qp_num);
    expect("a command on their context",
           mlx5dv_devx_general_cmd(t->context, in, sizeof(in), out, sizeof(out)), 0);
    expect("polling their CQ", ibv_poll_cq(t->cq, 1, &wc), 0);
    expect("arming it", ibv_req_notify_cq(t->cq, 0), 0);
    expect("a transition of their QP",
           mlx5dv_devx_qp_modify(t->qp, transition, sizeof(transition), answer, sizeof(answer)),
           EXDEV);
}

int main(void) {
    struct theirs t;
    struct ibv_context *c = open_ours();
    if (!c || make_theirs(&t)) return 2;
    expect("two owners", c->abi_compat != t.context->abi_compat, 1);
    expect("two files", c->cmd_fd != t.context->cmd_fd, 1);
    refusals(c, &t);
    any_objects(&t);
    expect("theirs ends", end_theirs(&t), 0);
    expect("ours ends", ibv_close_device(c), 0);
    return wrong;
}
