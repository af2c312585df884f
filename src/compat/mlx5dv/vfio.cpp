// SPDX-License-Identifier: MIT
// What only a context without a kernel driver has: event queues and interrupts of its own.
#include "compat/mlx5dv/call.hpp"

using namespace kdevx::mlx5dv;

mlx5dv_devx_msi_vector *mlx5dv_devx_alloc_msi_vector(ibv_context *ibctx) {
    call c(function<"mlx5dv_devx_alloc_msi_vector">);
    if (is_elsewhere(ibctx)) return c.pass_on(mlx5dv_devx_alloc_msi_vector, ibctx);
    return c.none(EOPNOTSUPP);
}

int mlx5dv_devx_free_msi_vector(mlx5dv_devx_msi_vector *msi) {
    call c(function<"mlx5dv_devx_free_msi_vector">);
    return c.pass_on(mlx5dv_devx_free_msi_vector, msi);
}

mlx5dv_devx_eq *mlx5dv_devx_create_eq(ibv_context *ibctx, const void *in, std::size_t inlen,
                                      void *out, std::size_t outlen) {
    call c(function<"mlx5dv_devx_create_eq">);
    if (is_elsewhere(ibctx)) return c.pass_on(mlx5dv_devx_create_eq, ibctx, in, inlen, out, outlen);
    return c.none(EOPNOTSUPP);
}

int mlx5dv_devx_destroy_eq(mlx5dv_devx_eq *eq) {
    call c(function<"mlx5dv_devx_destroy_eq">);
    return c.pass_on(mlx5dv_devx_destroy_eq, eq);
}
