// SPDX-License-Identifier: MIT
// The objects as libmlx5 lays them out behind their public part. Its steering code reads some of
// these, and an object that one library made is understood, and freed, by the other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compat/mlx5dv/api.hpp"

namespace kdevx::mlx5dv {

// enum mlx5_devx_obj_type: what steering can use
enum class obj_type : std::uint32_t {
    other = 0,
    flow_table = 1,
    flow_counter = 2,
    flow_meter = 3,
    qp = 4,
    packet_reformat = 5,
    tir = 6,
    flow_group = 7,
    flow_table_entry = 8,
    flow_sampler = 9,
    aso_first_hit = 10,
    aso_flow_meter = 11,
    aso_conn_track = 12
};

struct umem {
    mlx5dv_devx_umem shown;
    ibv_context *context;
    std::uint32_t handle;
    void *address; // NULL: nothing to allow to forks again
    std::size_t size;
};

struct var {
    mlx5dv_var shown;
    ibv_context *context;
    std::uint32_t handle;
};

struct pp {
    mlx5dv_pp shown;
    ibv_context *context;
    std::uint32_t handle;
};

struct event_channel {
    mlx5dv_devx_event_channel shown;
    ibv_context *context;
};

struct steering_anchor {
    ibv_context *context;
    std::uint32_t handle;
    mlx5dv_steering_anchor shown;
};

// From what the user holds to all of it.
template <class Whole, class Shown>
Whole *whole(Shown *shown) noexcept {
    auto *at = reinterpret_cast<char *>(shown) - offsetof(Whole, shown);
    return reinterpret_cast<Whole *>(at);
}

} // namespace kdevx::mlx5dv

struct mlx5dv_devx_obj {
    ibv_context *context;
    std::uint32_t handle;
    kdevx::mlx5dv::obj_type type;
    std::uint32_t object_id;
    std::uint64_t rx_icm_addr;
    std::uint8_t log_obj_range;
    void *priv; // steering's
};
static_assert(sizeof(void *) != 8 || (offsetof(mlx5dv_devx_obj, type) == 12 &&
                                      offsetof(mlx5dv_devx_obj, object_id) == 16 &&
                                      offsetof(mlx5dv_devx_obj, rx_icm_addr) == 24 &&
                                      offsetof(mlx5dv_devx_obj, log_obj_range) == 32 &&
                                      offsetof(mlx5dv_devx_obj, priv) == 40));
