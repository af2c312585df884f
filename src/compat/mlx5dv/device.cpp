// SPDX-License-Identifier: MIT
// What the kernel knows of the device, mappings of device memory, and anchors in its steering.
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

#include "compat/mlx5dv/call.hpp"
#include "compat/mlx5dv/layout.hpp"
#include "core/dm.hpp"
#include "kabi/device.hpp"
#include "kabi/devx.hpp"
#include "kabi/flow.hpp"
#include "kabi/memory.hpp"

using namespace kdevx;
using namespace kdevx::mlx5dv;
using namespace kdevx::uverbs;

int mlx5dv_devx_query_eqn(ibv_context *context, std::uint32_t vector, std::uint32_t *eqn) {
    call c(function<"mlx5dv_devx_query_eqn">);
    if (is_elsewhere(context)) return c.pass_on(mlx5dv_devx_query_eqn, context, vector, eqn);
    return c.ended(invoke<kabi::devx::query_eqn>(
        file_of(context), in_value<"MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC">(vector),
        out_value<"MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN">(*eqn)));
}

int _mlx5dv_query_port(ibv_context *context, std::uint32_t port_num, mlx5dv_port *info,
                       std::size_t info_len) {
    call c(function<"_mlx5dv_query_port">);
    if (is_elsewhere(context))
        return c.pass_on(_mlx5dv_query_port, context, port_num, info, info_len);
    mlx5dv_port port{};
    result<void> r = invoke<kabi::device::mlx5_query_port>(
        file_of(context), in_value<"MLX5_IB_ATTR_QUERY_PORT_PORT_NUM">(port_num),
        out_value<"MLX5_IB_ATTR_QUERY_PORT">(port));
    if (!r) return c.ended(r);
    std::memset(info, 0, info_len);
    std::memcpy(info, &port, info_len < sizeof port ? info_len : sizeof port);
    return c.ended(0);
}

// The kernel knows how long the memory is; the mapping must be just that long.
void *mlx5dv_dm_map_op_addr(ibv_dm *dm, std::uint8_t op) {
    call c(function<"mlx5dv_dm_map_op_addr">);
    if (is_elsewhere(dm->context)) return c.pass_on(mlx5dv_dm_map_op_addr, dm, op);
    result<void *> address = core::map_op(file_of(dm->context), dm->handle, op);
    if (!address) return c.none(address.failure());
    return c.made(*address);
}

mlx5dv_steering_anchor *mlx5dv_create_steering_anchor(ibv_context *context,
                                                      mlx5dv_steering_anchor_attr *attr) {
    call c(function<"mlx5dv_create_steering_anchor">);
    if (is_elsewhere(context)) return c.pass_on(mlx5dv_create_steering_anchor, context, attr);
    if (attr->comp_mask) return c.none(EOPNOTSUPP);
    owned<steering_anchor> a = make_object<steering_anchor>();
    if (!a) return c.none(ENOMEM);
    result<void> r = invoke<kabi::steering_anchor::create>(
        file_of(context), make<"MLX5_IB_ATTR_STEERING_ANCHOR_CREATE_HANDLE">(a->handle),
        constant<"MLX5_IB_ATTR_STEERING_ANCHOR_FT_TYPE">(std::uint32_t(attr->ft_type)),
        in_value<"MLX5_IB_ATTR_STEERING_ANCHOR_PRIORITY">(attr->priority),
        out_value<"MLX5_IB_ATTR_STEERING_ANCHOR_FT_ID">(a->shown.id));
    if (!r) return c.none(r);
    a->context = context;
    return c.made(&a.disown()->shown);
}

int mlx5dv_destroy_steering_anchor(mlx5dv_steering_anchor *sa) {
    call c(function<"mlx5dv_destroy_steering_anchor">);
    steering_anchor *a = whole<steering_anchor>(sa);
    if (is_elsewhere(a->context)) return c.pass_on(mlx5dv_destroy_steering_anchor, sa);
    result<void> r = invoke<kabi::steering_anchor::destroy>(
        file_of(a->context), end<"MLX5_IB_ATTR_STEERING_ANCHOR_DESTROY_HANDLE">(a->handle));
    if (r) end_object(a);
    return c.ended(r);
}
