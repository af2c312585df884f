/* SPDX-License-Identifier: MIT */
/* What the device tells about itself, a line for each answer; and the inside of objects, as libmlx5
 * tells it. */
#include "site.h"

#include <arpa/inet.h>
#include <endian.h>
#include <infiniband/mlx5dv.h>

static void devices(const char *name) {
    int count = -1;
    struct ibv_device **list = NOT_NULL(ibv_get_device_list(&count));
    struct ibv_device *d = NOT_NULL(find_device(list, name));
    int n = 0;
    while (list[n])
        ++n;
    if (n != count || n < 1) give_up("a list of another length");
    if (!mlx5dv_is_supported(d)) give_up("not an mlx5 device");
    printf("device %s %s %s\n", ibv_get_device_name(d), d->ibdev_path, d->dev_name);
    printf("type %s, guid %016llx\n", ibv_node_type_str(d->node_type),
           (unsigned long long)be64toh(ibv_get_device_guid(d)));
    ibv_free_device_list(list);
}

static void device_attributes(const struct site *s) {
    struct ibv_device_attr attr;
    struct ibv_device_attr_ex ex;
    struct ibv_query_device_ex_input unknown = {.comp_mask = 1};
    must(ibv_query_device(s->context, &attr), "ibv_query_device");
    must(ibv_query_device_ex(s->context, NULL, &ex), "ibv_query_device_ex");
    if (ibv_query_device_ex(s->context, &unknown, &ex) != EINVAL) give_up("an unknown mask");
    if (memcmp(&attr, &ex.orig_attr, sizeof(attr))) give_up("two answers");
    if (attr.max_qp < 1 || attr.max_cqe < 1 || attr.max_sge < 1) give_up("no limits");
    printf("vendor %#x, firmware %s, %d ports\n", attr.vendor_id, attr.fw_ver, attr.phys_port_cnt);
}

static void ports(const struct site *s) {
    struct ibv_port_attr none;
    struct ibv_gid_entry entries[64], entry;
    __be16 pkey;
    if (ibv_query_port(s->context, 99, &none) != EINVAL) give_up("port 99");
    printf("port %s, lid %#x, layer %d\n", ibv_port_state_str(s->port.state), s->port.lid,
           s->port.link_layer);
    must(ibv_query_gid_ex(s->context, PORT, 0, &entry, 0), "ibv_query_gid_ex");
    if (ibv_query_gid_table(s->context, entries, 64, 0) < 1) give_up("no GIDs");
    if (memcmp(&entry.gid, &s->gid, 16) || memcmp(&entries[0], &entry, sizeof(entry)))
        give_up("three answers about a GID");
    printf("gid %016llx:%016llx\n", (unsigned long long)be64toh(s->gid.global.subnet_prefix),
           (unsigned long long)be64toh(s->gid.global.interface_id));
    if (ibv_query_pkey(s->context, PORT, 0, &pkey)) give_up("ibv_query_pkey");
    if (ibv_get_pkey_index(s->context, PORT, pkey) != 0) give_up("the index of a P_Key");
    if (ibv_get_pkey_index(s->context, PORT, htons(0x1234)) != -1) give_up("a P_Key of nobody's");
    if (ibv_query_pkey(s->context, PORT, 9999, &pkey) != -1) give_up("P_Key 9999");
    printf("pkey %#06x\n", ntohs(pkey));
}

/* The numbers that libmlx5 tells are the kernel's: a command by DEVX takes them. */
static void inside(const struct site *s) {
    struct ibv_cq *cq = NOT_NULL(ibv_create_cq(s->context, 20, NULL, NULL, 0));
    struct ibv_qp_init_attr init = {
        .send_cq = cq,
        .recv_cq = cq,
        .cap = {.max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 2, .max_recv_sge = 2},
        .qp_type = IBV_QPT_RC};
    struct ibv_qp *qp = NOT_NULL(ibv_create_qp(s->pd, &init));
    struct mlx5dv_cq dv_cq = {0};
    struct mlx5dv_qp dv_qp = {0};
    struct mlx5dv_pd dv_pd = {0};
    struct mlx5dv_obj which = {.cq = {cq, &dv_cq}, .qp = {qp, &dv_qp}, .pd = {s->pd, &dv_pd}};
    must(mlx5dv_init_obj(&which, MLX5DV_OBJ_CQ | MLX5DV_OBJ_QP | MLX5DV_OBJ_PD), "mlx5dv_init_obj");
    if (mlx5dv_init_obj(&which, 1 << 20) != EOPNOTSUPP) give_up("the inside of nothing");
    if (dv_cq.cqe_cnt != 32 || cq->cqe != 31 || dv_cq.cqe_size != 64 || !dv_cq.buf) give_up("CQ");
    if (dv_qp.rq.wqe_cnt != 4 || dv_qp.rq.stride != 32 || dv_qp.sq.wqe_cnt < 4) give_up("QP");
    if (dv_qp.sq.stride != 64 || !dv_qp.bf.reg || dv_qp.dbrec[0] || !dv_pd.pdn) give_up("QP or PD");
    uint32_t in[4] = {htonl(0x402u << 16), 0, htonl(dv_cq.cqn), 0}, out[68] = {0}; /* QUERY_CQ */
    must(mlx5dv_devx_cq_query(cq, in, sizeof(in), out, sizeof(out)), "mlx5dv_devx_cq_query");
    printf("the device knows the CQ: %u entries\n", 1u << (ntohl(out[4 + 3]) >> 24 & 0x1f));
    must(ibv_destroy_qp(qp), "ibv_destroy_qp");
    must(ibv_destroy_cq(cq), "ibv_destroy_cq");
}

static void contexts(const char *name) {
    struct ibv_device **list = NOT_NULL(ibv_get_device_list(NULL));
    struct mlx5dv_context_attr attr = {.flags = MLX5DV_CONTEXT_FLAGS_DEVX};
    struct mlx5dv_context told = {.comp_mask = ~0ull};
    struct ibv_device *device = NOT_NULL(find_device(list, name));
    struct ibv_context *c = NOT_NULL(mlx5dv_open_device(device, &attr));
    must(mlx5dv_query_device(c, &told), "mlx5dv_query_device");
    if (told.comp_mask &
        ~(uint64_t)(MLX5DV_CONTEXT_MASK_DYN_BFREGS | MLX5DV_CONTEXT_MASK_FLOW_ACTION_FLAGS))
        give_up("told what is not known");
    printf("CQE version %d\n", (int)(told.flags & MLX5DV_CONTEXT_FLAGS_CQE_V1));
    must(ibv_close_device(c), "ibv_close_device");
    attr.flags = 1 << 9;
    if (mlx5dv_open_device(device, &attr) || errno != EINVAL) give_up("an unknown flag");
    ibv_free_device_list(list);
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : NULL;
    struct site s;
    devices(name);
    set_up(&s, name);
    device_attributes(&s);
    ports(&s);
    inside(&s);
    tear_down(&s);
    contexts(name);
    if (ibv_fork_init() || ibv_is_fork_initialized() != IBV_FORK_UNNEEDED) give_up("fork");
    return 0;
}
