/* SPDX-License-Identifier: MIT */
/* Receive work queues of an Ethernet port, a table that spreads over them, and a QP of that table.
 */
#include "site.h"

#include <arpa/inet.h>
#include <infiniband/mlx5dv.h>

enum { QUEUES = 2 };

static struct ibv_wq *make_wq(const struct site *s, struct ibv_cq *cq, uint32_t *room) {
    struct ibv_wq_init_attr init = {
        .wq_type = IBV_WQT_RQ, .max_wr = 4, .max_sge = 1, .pd = s->pd, .cq = cq};
    struct ibv_wq *wq = NOT_NULL(ibv_create_wq(s->context, &init));
    if (init.max_wr < 4 || wq->state != IBV_WQS_RESET || !wq->wq_num) give_up("a new WQ");
    *room = init.max_wr;
    return wq;
}

static int post(const struct site *s, struct ibv_wq *wq) {
    struct ibv_sge sge = word(s, 0);
    struct ibv_recv_wr wr = {.wr_id = 1, .sg_list = &sge, .num_sge = 1}, *bad = NULL;
    const int err = ibv_post_wq_recv(wq, &wr, &bad);
    if (err && bad != &wr) give_up("not the request that was refused");
    return err;
}

static void move(struct ibv_wq *wq, enum ibv_wq_state state) {
    struct ibv_wq_attr attr = {.attr_mask = IBV_WQ_ATTR_STATE, .wq_state = state};
    must(ibv_modify_wq(wq, &attr), "ibv_modify_wq");
    if (wq->state != state) give_up("another state");
}

/* The doorbell record tells the device how many there are. */
static void fill_up(const struct site *s, struct ibv_wq *wq, uint32_t room) {
    struct mlx5dv_rwq inside = {0};
    struct mlx5dv_obj which = {.rwq = {wq, &inside}};
    uint32_t posted = 0;
    printf("in RESET: %s\n", strerror(post(s, wq)));
    move(wq, IBV_WQS_RDY);
    while (post(s, wq) == 0)
        ++posted;
    must(mlx5dv_init_obj(&which, MLX5DV_OBJ_RWQ), "mlx5dv_init_obj");
    if (posted != room || ntohl(inside.dbrec[0]) != posted || inside.wqe_cnt != room)
        give_up("a queue that takes another number than it has");
    printf("ready: %u requests, then %s\n", posted, strerror(post(s, wq)));
}

static void spread(const struct site *s, struct ibv_wq **wqs) {
    static uint8_t key[40] = {1, 2, 3};
    struct ibv_rwq_ind_table_init_attr table = {.log_ind_tbl_size = 1, .ind_tbl = wqs};
    struct ibv_rwq_ind_table *t = NOT_NULL(ibv_create_rwq_ind_table(s->context, &table));
    struct ibv_qp_init_attr_ex init = {
        .qp_type = IBV_QPT_RAW_PACKET,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_IND_TABLE | IBV_QP_INIT_ATTR_RX_HASH,
        .pd = s->pd,
        .rwq_ind_tbl = t,
        .rx_hash_conf = {IBV_RX_HASH_FUNC_TOEPLITZ, sizeof(key), key,
                         IBV_RX_HASH_SRC_IPV4 | IBV_RX_HASH_DST_IPV4}};
    struct ibv_qp *qp = NOT_NULL(ibv_create_qp_ex(s->context, &init));
    struct mlx5dv_qp inside = {.comp_mask = MLX5DV_QP_MASK_RAW_QP_HANDLES};
    struct mlx5dv_obj which = {.qp = {qp, &inside}};
    struct ibv_send_wr send = {0}, *bad;
    must(mlx5dv_init_obj(&which, MLX5DV_OBJ_QP), "mlx5dv_init_obj");
    if (!(inside.comp_mask & MLX5DV_QP_MASK_RAW_QP_HANDLES) || !inside.tirn) give_up("no TIR");
    if (ibv_post_send(qp, &send, &bad) != EINVAL) give_up("a QP without queues took a request");
    if (ibv_destroy_rwq_ind_table(t) != EBUSY) give_up("a table in use was destroyed");
    if (ibv_destroy_wq(wqs[0]) != EBUSY) give_up("a WQ in use was destroyed");
    must(ibv_destroy_qp(qp), "ibv_destroy_qp");
    must(ibv_destroy_rwq_ind_table(t), "ibv_destroy_rwq_ind_table");
    init.comp_mask |= IBV_QP_INIT_ATTR_MAX_TSO_HEADER;
    if (ibv_create_qp_ex(s->context, &init) || errno != EOPNOTSUPP) give_up("a member");
    printf("a table of %d, and a QP of it\n", QUEUES);
}

int main(int argc, char **argv) {
    struct site s;
    struct ibv_wq *wqs[QUEUES];
    uint32_t room[QUEUES];
    set_up(&s, argc > 1 ? argv[1] : NULL);
    struct ibv_cq *cq = NOT_NULL(ibv_create_cq(s.context, 64, NULL, NULL, 0));
    for (int i = 0; i < QUEUES; ++i)
        wqs[i] = make_wq(&s, cq, &room[i]);
    fill_up(&s, wqs[0], room[0]);
    spread(&s, wqs);
    printf("it lives on: %s\n", strerror(post(&s, wqs[0])));
    move(wqs[0], IBV_WQS_ERR);
    move(wqs[0], IBV_WQS_RESET);
    printf("in RESET: %s\n", strerror(post(&s, wqs[0])));
    if (ibv_destroy_cq(cq) != EBUSY) give_up("a CQ in use was destroyed");
    for (int i = 0; i < QUEUES; ++i)
        must(ibv_destroy_wq(wqs[i]), "ibv_destroy_wq");
    must(ibv_destroy_cq(cq), "ibv_destroy_cq");
    tear_down(&s);
    return 0;
}
