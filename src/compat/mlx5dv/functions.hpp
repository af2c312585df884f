// SPDX-License-Identifier: MIT
// The functions that are counted and traced, by name.
#pragma once

#include <cstddef>
#include <string_view>

#include <kdevx/prm/layout.hpp>

namespace kdevx::mlx5dv {

inline constexpr const char *functions[] = {
    "ibv_close_device",
    "mlx5dv_alloc_var",
    "mlx5dv_create_steering_anchor",
    "mlx5dv_destroy_steering_anchor",
    "mlx5dv_devx_alloc_msi_vector",
    "mlx5dv_devx_alloc_uar",
    "mlx5dv_devx_cq_modify",
    "mlx5dv_devx_cq_query",
    "mlx5dv_devx_create_cmd_comp",
    "mlx5dv_devx_create_eq",
    "mlx5dv_devx_create_event_channel",
    "mlx5dv_devx_destroy_cmd_comp",
    "mlx5dv_devx_destroy_eq",
    "mlx5dv_devx_destroy_event_channel",
    "mlx5dv_devx_free_msi_vector",
    "mlx5dv_devx_free_uar",
    "mlx5dv_devx_general_cmd",
    "mlx5dv_devx_get_async_cmd_comp",
    "mlx5dv_devx_get_event",
    "mlx5dv_devx_ind_tbl_modify",
    "mlx5dv_devx_ind_tbl_query",
    "mlx5dv_devx_obj_create",
    "mlx5dv_devx_obj_destroy",
    "mlx5dv_devx_obj_export",
    "mlx5dv_devx_obj_import",
    "mlx5dv_devx_obj_modify",
    "mlx5dv_devx_obj_query",
    "mlx5dv_devx_obj_query_async",
    "mlx5dv_devx_obj_unimport",
    "mlx5dv_devx_qp_modify",
    "mlx5dv_devx_qp_query",
    "mlx5dv_devx_query_eqn",
    "mlx5dv_devx_srq_modify",
    "mlx5dv_devx_srq_query",
    "mlx5dv_devx_subscribe_devx_event",
    "mlx5dv_devx_subscribe_devx_event_fd",
    "mlx5dv_devx_uar_export_dmabuf_fd",
    "mlx5dv_devx_umem_dereg",
    "mlx5dv_devx_umem_export",
    "mlx5dv_devx_umem_import",
    "mlx5dv_devx_umem_reg",
    "mlx5dv_devx_umem_reg_ex",
    "mlx5dv_devx_umem_unimport",
    "mlx5dv_devx_wq_modify",
    "mlx5dv_devx_wq_query",
    "mlx5dv_dm_map_op_addr",
    "mlx5dv_free_var",
    "mlx5dv_pp_alloc",
    "mlx5dv_pp_free",
    "mlx5dv_var_export",
    "mlx5dv_var_import",
    "mlx5dv_var_unimport",
    "_mlx5dv_get_export_sizes",
    "_mlx5dv_query_port",
};
inline constexpr std::size_t function_count = sizeof functions / sizeof *functions;

constexpr std::size_t find_function(std::string_view name) {
    std::size_t i = 0;
    while (i < function_count && name != functions[i])
        ++i;
    return i;
}

template <prm::fixed_string Name>
inline constexpr std::size_t function = [] {
    constexpr std::size_t i = find_function(Name.view());
    static_assert(i < function_count, "not in the table of functions");
    return i;
}();

} // namespace kdevx::mlx5dv
