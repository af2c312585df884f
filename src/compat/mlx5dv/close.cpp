// SPDX-License-Identifier: MIT
// The end of a context is the end of what was mapped from it.
#include "compat/mlx5dv/call.hpp"
#include "compat/mlx5dv/uar.hpp"

using namespace kdevx::mlx5dv;

int ibv_close_device(ibv_context *context) {
    call c(function<"ibv_close_device">);
    drop_pages(context);
    return c.pass_on(ibv_close_device, context);
}
