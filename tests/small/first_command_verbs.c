/* SPDX-License-Identifier: MIT */
/* The same on libibverbs and libmlx5, to compare with. */
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>

int main(void) {
    unsigned char in[16] = {0x01, 0x0a}, out[112];
    struct mlx5dv_context_attr attr = {.flags = MLX5DV_CONTEXT_FLAGS_DEVX};
    struct ibv_device **list = ibv_get_device_list(NULL);
    if (!list || !list[0]) return 1;
    struct ibv_context *c = mlx5dv_open_device(list[0], &attr);
    if (!c) return 1;
    return mlx5dv_devx_general_cmd(c, in, sizeof(in), out, sizeof(out)) ? 2 : 0;
}
