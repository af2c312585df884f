// SPDX-License-Identifier: MIT
// Sizes of the mlx5 driver's own structs, as they travel in UHW and in driver attributes.
#pragma once

#include <cstdint>
#include <string_view>

namespace kdevx::kabi {

struct uhw_struct {
    std::string_view name;
    std::uint32_t size;
};

inline constexpr uhw_struct uhw_structs[] = {
    {"mlx5_ib_alloc_ucontext_req", 8},
    {"mlx5_ib_alloc_ucontext_req_v2", 32},
    {"mlx5_ib_alloc_ucontext_resp", 72},
    {"mlx5_ib_alloc_pd_resp", 4},
    {"mlx5_ib_create_cq", 32},
    {"mlx5_ib_create_cq_resp", 8},
    {"mlx5_ib_resize_cq", 16},
    {"mlx5_ib_create_srq", 32},
    {"mlx5_ib_create_srq_resp", 8},
    {"mlx5_ib_create_qp", 56},
    {"mlx5_ib_create_qp_resp", 40},
    {"mlx5_ib_create_qp_rss", 152},
    {"mlx5_ib_modify_qp", 16},
    {"mlx5_ib_modify_qp_resp", 16},
    {"mlx5_ib_create_wq", 48},
    {"mlx5_ib_create_wq_resp", 8},
    {"mlx5_ib_create_rwq_ind_tbl_resp", 8},
    {"mlx5_ib_alloc_mw", 8},
    {"mlx5_ib_create_ah_resp", 16},
    {"mlx5_ib_uapi_query_port", 40},
};

} // namespace kdevx::kabi
