/* SPDX-License-Identifier: MIT */
#include "site.h"

#include <time.h>

void give_up(const char *what) {
    char text[200] = "";
    kdevx_verbs_failure(text, sizeof(text));
    fprintf(stderr, "%s (%s; %s)\n", what, strerror(errno), text);
    exit(1);
}

void must(int err, const char *what) {
    if (!err) return;
    errno = err;
    give_up(what);
}

void *not_null(void *p, const char *what) {
    if (!p) give_up(what);
    return p;
}

struct ibv_device *find_device(struct ibv_device **list, const char *name) {
    for (; *list; ++list)
        if (!name || !strcmp(ibv_get_device_name(*list), name)) return *list;
    return NULL;
}

void set_up(struct site *s, const char *device) {
    struct ibv_device **list = NOT_NULL(ibv_get_device_list(NULL));
    s->context = NOT_NULL(ibv_open_device(NOT_NULL(find_device(list, device))));
    ibv_free_device_list(list);
    s->pd = NOT_NULL(ibv_alloc_pd(s->context));
    must(ibv_query_port(s->context, PORT, &s->port), "ibv_query_port");
    if (s->port.gid_tbl_len && ibv_query_gid(s->context, PORT, 0, &s->gid))
        give_up("ibv_query_gid");
    s->words = NOT_NULL(calloc(WORDS, sizeof(*s->words)));
    s->mr = NOT_NULL(ibv_reg_mr(s->pd, s->words, WORDS * sizeof(*s->words),
                                IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                                    IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC));
}

void tear_down(struct site *s) {
    must(ibv_dereg_mr(s->mr), "ibv_dereg_mr");
    free(s->words);
    must(ibv_dealloc_pd(s->pd), "ibv_dealloc_pd");
    must(ibv_close_device(s->context), "ibv_close_device");
}

struct ibv_sge word(const struct site *s, unsigned index) {
    struct ibv_sge sge = {(uintptr_t)&s->words[index], sizeof(*s->words), s->mr->lkey};
    return sge;
}

static void to_init(struct ibv_qp *qp) {
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT,
                               .port_num = PORT,
                               .qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
                                                  IBV_ACCESS_REMOTE_ATOMIC};
    must(ibv_modify_qp(qp, &attr,
                       IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
         "to INIT");
}

static void to_rtr(const struct site *s, struct ibv_qp *qp, const struct ibv_qp *other) {
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR,
                               .path_mtu = IBV_MTU_1024,
                               .dest_qp_num = other->qp_num,
                               .max_dest_rd_atomic = 1,
                               .min_rnr_timer = 12,
                               .ah_attr = {.dlid = s->port.lid, .port_num = PORT}};
    if (s->port.link_layer == IBV_LINK_LAYER_ETHERNET) {
        attr.ah_attr.is_global = 1;
        attr.ah_attr.grh.dgid = s->gid;
        attr.ah_attr.grh.hop_limit = 1;
    }
    must(ibv_modify_qp(qp, &attr,
                       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                           IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER),
         "to RTR");
}

void connect_to(const struct site *s, struct ibv_qp *qp, const struct ibv_qp *other) {
    struct ibv_qp_attr attr = {
        .qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};
    to_init(qp);
    to_rtr(s, qp, other);
    must(ibv_modify_qp(qp, &attr,
                       IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                           IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC),
         "to RTS");
}

struct ibv_wc next_completion(struct ibv_cq *cq) {
    struct ibv_wc wc;
    const time_t until = time(NULL) + 60;
    int n;
    do
        n = ibv_poll_cq(cq, 1, &wc);
    while (n == 0 && time(NULL) < until);
    if (n != 1) give_up("no completion");
    if (wc.status != IBV_WC_SUCCESS) give_up(ibv_wc_status_str(wc.status));
    return wc;
}

void no_completion(struct ibv_cq *cq, const char *what) {
    struct ibv_wc wc;
    if (ibv_poll_cq(cq, 1, &wc) != 0) give_up(what);
}
