// SPDX-License-Identifier: MIT
// Asynchronous queries. The fd is the user's to make non-blocking and to wait on, so it is read as
// it is.
#include "compat/mlx5dv/call.hpp"
#include "compat/mlx5dv/layout.hpp"
#include "kabi/async_fd.hpp"
#include "kabi/devx_obj.hpp"

using namespace kdevx;
using namespace kdevx::mlx5dv;
using namespace kdevx::uverbs;

mlx5dv_devx_cmd_comp *mlx5dv_devx_create_cmd_comp(ibv_context *context) {
    call c(function<"mlx5dv_devx_create_cmd_comp">);
    if (is_elsewhere(context)) return c.pass_on(mlx5dv_devx_create_cmd_comp, context);
    owned<mlx5dv_devx_cmd_comp> comp = make_object<mlx5dv_devx_cmd_comp>();
    if (!comp) return c.none(ENOMEM);
    result<void> r = invoke<kabi::async_cmd_fd::alloc>(
        file_of(context), make_fd<"MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE">(comp->fd));
    if (!r) return c.none(r);
    return c.made(comp.disown());
}

void mlx5dv_devx_destroy_cmd_comp(mlx5dv_devx_cmd_comp *cmd_comp) {
    call c(function<"mlx5dv_devx_destroy_cmd_comp">);
    c.ended(-sys::make(nullptr)->close(cmd_comp->fd));
    end_object(cmd_comp);
}

// The kernel would look for a status in an outbox that is too short to have one.
int mlx5dv_devx_obj_query_async(mlx5dv_devx_obj *obj, const void *in, std::size_t inlen,
                                std::size_t outlen, std::uint64_t wr_id,
                                mlx5dv_devx_cmd_comp *cmd_comp) {
    call c(function<"mlx5dv_devx_obj_query_async">);
    if (is_elsewhere(obj->context))
        return c.pass_on(mlx5dv_devx_obj_query_async, obj, in, inlen, outlen, wr_id, cmd_comp);
    if (outlen < 16 || outlen > kabi::any_size) return c.ended(EINVAL);
    return c.ended(invoke<kabi::devx_obj::async_query>(
        file_of(obj->context), use<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE">(obj->handle),
        kdevx::uverbs::in<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN">(box(in, inlen)),
        use_fd<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD">(cmd_comp->fd),
        in_value<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID">(wr_id),
        constant<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN">(outlen)));
}

int mlx5dv_devx_get_async_cmd_comp(mlx5dv_devx_cmd_comp *cmd_comp,
                                   mlx5dv_devx_async_cmd_hdr *cmd_resp, std::size_t cmd_resp_len) {
    call c(function<"mlx5dv_devx_get_async_cmd_comp">);
    std::int64_t n = sys::make(nullptr)->read(cmd_comp->fd, cmd_resp, cmd_resp_len);
    if (n < 0) return c.ended(int(-n));
    return c.ended(std::size_t(n) < sizeof *cmd_resp ? EINVAL : 0);
}
