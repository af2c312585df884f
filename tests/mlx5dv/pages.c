/* SPDX-License-Identifier: MIT */
/* Memory of the program for the device, and memory of the device for the program. */
#include "program.h"

#include <sys/mman.h>

static void unregistered(const char *what, struct mlx5dv_devx_umem *umem, long why) {
    const int error = errno;
    expect(what, umem == NULL, 1);
    expect("errno", umem ? 0 : error, why);
    if (umem) mlx5dv_devx_umem_dereg(umem);
}

void memory(struct ibv_context *c) {
    part("memory");
    uint8_t *p = pages(65536);
    struct mlx5dv_devx_umem *umem = mlx5dv_devx_umem_reg(c, p + 100, 5000, IBV_ACCESS_LOCAL_WRITE);
    expect("any address", umem != NULL, 1);
    expect("dereg", umem ? mlx5dv_devx_umem_dereg(umem) : -1, 0);
    unregistered("not mapped", mlx5dv_devx_umem_reg(c, (void *)4096, 4096, 0), EFAULT);
    unregistered("unknown access", mlx5dv_devx_umem_reg(c, p, 4096, 1u << 30), EINVAL);
    struct mlx5dv_devx_umem_in in = {.addr = p, .size = 65536, .pgsz_bitmap = 4096};
    in.access = IBV_ACCESS_LOCAL_WRITE;
    umem = mlx5dv_devx_umem_reg_ex(c, &in);
    expect("pages of 4 KiB", umem != NULL, 1);
    expect("dereg", umem ? mlx5dv_devx_umem_dereg(umem) : -1, 0);
    in.pgsz_bitmap = 1ull << 40;
    unregistered("pages too big", mlx5dv_devx_umem_reg_ex(c, &in), EINVAL);
    in.pgsz_bitmap = 4096;
    in.comp_mask = 1ull << 40;
    unregistered("unknown mask", mlx5dv_devx_umem_reg_ex(c, &in), EOPNOTSUPP);
    in.comp_mask = MLX5DV_UMEM_MASK_DMABUF;
    in.dmabuf_fd = -1;
    unregistered("dmabuf without fd", mlx5dv_devx_umem_reg_ex(c, &in), EBADF);
    in.dmabuf_fd = 0;
    unregistered("dmabuf that is none", mlx5dv_devx_umem_reg_ex(c, &in), EINVAL);
}

static struct mlx5dv_devx_uar *uar(struct ibv_context *c, const char *what, uint32_t type) {
    struct mlx5dv_devx_uar *u = mlx5dv_devx_alloc_uar(c, type);
    printf("%s: %s\n", what, u ? "there" : strerror(errno));
    if (!u) return u;
    expect("has a page", u->page_id != 0, 1);
    expect("reg_addr", (char *)u->reg_addr - (char *)u->base_addr, 0x800);
    expect("comp_mask", u->comp_mask, 0);
    *(volatile uint64_t *)u->reg_addr = 0; /* a doorbell of no queue */
    return u;
}

static void uars(struct ibv_context *c) {
    struct mlx5dv_devx_uar *cached = uar(c, "BF", MLX5DV_UAR_ALLOC_TYPE_BF);
    struct mlx5dv_devx_uar *one = uar(c, "NC", MLX5DV_UAR_ALLOC_TYPE_NC);
    struct mlx5dv_devx_uar *same = uar(c, "NC again", MLX5DV_UAR_ALLOC_TYPE_NC);
    expect("unknown type", mlx5dv_devx_alloc_uar(c, 7) == NULL, 1);
    expect("errno", errno, EOPNOTSUPP);
    expect("one page of NC", one && same && one->page_id == same->page_id, 1);
#ifdef MLX5DV_UAR_ALLOC_TYPE_NC_DEDICATED
    struct mlx5dv_devx_uar *own = uar(c, "NC dedicated", MLX5DV_UAR_ALLOC_TYPE_NC_DEDICATED);
    expect("another dedicated", own && one && own->page_id != one->page_id, 1);
    if (own) mlx5dv_devx_free_uar(own);
#endif
    if (cached) mlx5dv_devx_free_uar(cached);
    if (one) mlx5dv_devx_free_uar(one);
    if (same) *(volatile uint64_t *)same->reg_addr = 0; /* still there */
    if (same) mlx5dv_devx_free_uar(same);
}

static void device_memory(struct ibv_context *c) {
    struct ibv_alloc_dm_attr attr = {.length = 64};
    struct ibv_dm *dm = ibv_alloc_dm(c, &attr);
    expect("device memory", dm != NULL, 1);
    if (!dm) return;
    volatile uint8_t *adds = mlx5dv_dm_map_op_addr(dm, 0), *sets = mlx5dv_dm_map_op_addr(dm, 1);
    expect("its operations", adds && sets, 1);
    if (adds && sets) {
        adds[3] = 30;
        adds[3] = 12;
        expect("what was added", sets[3], 42);
        expect("what was set", sets[3], 1);
        munmap((void *)adds, 64);
        munmap((void *)sets, 64);
    }
    expect("unknown operation", mlx5dv_dm_map_op_addr(dm, 9) == NULL, 1);
    expect("errno", errno, EOPNOTSUPP);
    expect("free", ibv_free_dm(dm), 0);
}

void device_pages(struct ibv_context *c) {
    uint8_t rate[48] = {0, 0, 0, 1}; /* rate_limit */
    part("pages of the device");
    uars(c);
    part("memory of the device");
    device_memory(c);
    part("VAR, packet pacing, ports");
    errno = 0;
    struct mlx5dv_var *var = mlx5dv_alloc_var(c, 0);
    note("VAR errno", var ? 0 : errno);
    if (var) mlx5dv_free_var(var);
    expect("VAR of an unknown kind", mlx5dv_alloc_var(c, 1u << 20) == NULL, 1);
    expect("errno", errno, EOPNOTSUPP);
    struct mlx5dv_pp *pp = mlx5dv_pp_alloc(c, sizeof(rate), rate, 0);
    note("PP errno", pp ? 0 : errno);
    if (pp) mlx5dv_pp_free(pp);
    expect("PP of an unknown kind", mlx5dv_pp_alloc(c, sizeof(rate), rate, 1u << 20) == NULL, 1);
    expect("errno", errno, EOPNOTSUPP);
    struct mlx5dv_port port;
    memset(&port, 0xee, sizeof(port));
    note("port 1", mlx5dv_query_port(c, 1, &port));
    note("port 200", mlx5dv_query_port(c, 200, &port));
}
