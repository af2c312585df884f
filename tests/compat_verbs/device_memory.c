/* SPDX-License-Identifier: MIT */
/* Memory of the device by the processor, and its key. */
#include "site.h"

#include <infiniband/mlx5dv.h>
#include <sys/mman.h>

static struct ibv_dm *make_dm(const struct site *s) {
    struct ibv_alloc_dm_attr attr = {.length = 64};
    struct ibv_dm *dm = NOT_NULL(ibv_alloc_dm(s->context, &attr));
    struct mlx5dv_dm inside = {0};
    struct mlx5dv_obj which = {.dm = {dm, &inside}};
    must(mlx5dv_init_obj(&which, MLX5DV_OBJ_DM), "mlx5dv_init_obj");
    if (!inside.buf || inside.length != 64 || inside.comp_mask) give_up("the inside of memory");
    attr.comp_mask = 1;
    if (ibv_alloc_dm(s->context, &attr) || errno != EINVAL) give_up("an unknown mask");
    return dm;
}

/* A store of a byte adds it (operation 0), a load sets it and gives what was there (1). */
static void operations(struct ibv_dm *dm) {
    volatile unsigned char *adds = NOT_NULL(mlx5dv_dm_map_op_addr(dm, 0));
    volatile unsigned char *sets = NOT_NULL(mlx5dv_dm_map_op_addr(dm, 1));
    adds[40] = 20;
    adds[40] = 22;
    printf("20 and 22 are %d", sets[40]);
    printf(", which is set to %d\n", sets[40]);
    if (mlx5dv_dm_map_op_addr(dm, 2) || errno != EOPNOTSUPP) give_up("an unknown operation");
    munmap((void *)adds, 64);
    munmap((void *)sets, 64);
}

static void refusals(const struct site *s, struct ibv_dm *dm) {
    uint64_t word = 0;
    if (ibv_memcpy_to_dm(dm, 60, &word, 8) != EFAULT) give_up("beyond the end");
    if (ibv_memcpy_to_dm(dm, 2, &word, 4) != EFAULT) give_up("between two words");
    if (ibv_memcpy_from_dm(&word, dm, 0, 3) != EFAULT) give_up("part of a word");
    if (ibv_reg_dm_mr(s->pd, dm, 0, 64, IBV_ACCESS_LOCAL_WRITE) || errno != EINVAL)
        give_up("a key that is not zero-based");
    if (ibv_free_dm(dm) != EBUSY) give_up("memory in use was freed");
}

int main(int argc, char **argv) {
    struct site s;
    const uint64_t stored = 0x6b64657679;
    uint64_t back = 0;
    set_up(&s, argc > 1 ? argv[1] : NULL);
    struct ibv_dm *dm = make_dm(&s);
    struct ibv_mr *mr = NOT_NULL(ibv_reg_dm_mr(
        s.pd, dm, 0, 64, IBV_ACCESS_ZERO_BASED | IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE));
    if (!mr->lkey || !mr->rkey || mr->addr || mr->length != 64) give_up("a key");
    must(ibv_memcpy_to_dm(dm, 8, &stored, 8), "ibv_memcpy_to_dm");
    must(ibv_memcpy_from_dm(&back, dm, 8, 8), "ibv_memcpy_from_dm");
    printf("there and back: %#llx\n", (unsigned long long)back);
    operations(dm);
    refusals(&s, dm);
    must(ibv_dereg_mr(mr), "ibv_dereg_mr");
    must(ibv_free_dm(dm), "ibv_free_dm");
    tear_down(&s);
    return 0;
}
