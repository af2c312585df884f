/* SPDX-License-Identifier: MIT */
/* Another library that defines the functions, as libmlx5 does for VFIO contexts. Each says that it
 * was called. */
#include <infiniband/mlx5dv.h>

/* What libkdevx-mlx5dv knows of objects that it did not make: where their context stands. */
struct object {
    struct ibv_context *context;
};
struct memory {
    uint32_t id;
    struct ibv_context *context;
};

int other_freed_uar, other_closed;
static struct object object;
static struct memory memory = {5, NULL};
static struct mlx5dv_devx_uar uar = {.page_id = 6};

int mlx5dv_devx_general_cmd(struct ibv_context *context, const void *in, size_t inlen, void *out,
                            size_t outlen) {
    (void)context, (void)in, (void)out;
    return (int)(inlen + outlen);
}
struct mlx5dv_devx_obj *mlx5dv_devx_obj_create(struct ibv_context *context, const void *in,
                                               size_t inlen, void *out, size_t outlen) {
    (void)in, (void)inlen, (void)out, (void)outlen;
    object.context = context;
    return (struct mlx5dv_devx_obj *)&object;
}
int mlx5dv_devx_obj_destroy(struct mlx5dv_devx_obj *obj) {
    return obj == (struct mlx5dv_devx_obj *)&object ? 77 : 1;
}
struct mlx5dv_devx_umem *mlx5dv_devx_umem_reg(struct ibv_context *ctx, void *addr, size_t size,
                                              uint32_t access) {
    (void)addr, (void)size, (void)access;
    memory.context = ctx;
    return (struct mlx5dv_devx_umem *)&memory;
}
int mlx5dv_devx_umem_dereg(struct mlx5dv_devx_umem *umem) {
    return umem->umem_id == 5 ? 78 : 1;
}
struct mlx5dv_devx_uar *mlx5dv_devx_alloc_uar(struct ibv_context *context, uint32_t flags) {
    (void)context, (void)flags;
    return &uar;
}
void mlx5dv_devx_free_uar(struct mlx5dv_devx_uar *devx_uar) {
    other_freed_uar += devx_uar == &uar;
}
int mlx5dv_devx_qp_modify(struct ibv_qp *qp, const void *in, size_t inlen, void *out,
                          size_t outlen) {
    (void)qp, (void)in, (void)inlen, (void)out, (void)outlen;
    return 79;
}
int ibv_close_device(struct ibv_context *context) {
    (void)context;
    return ++other_closed;
}
