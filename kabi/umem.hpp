// SPDX-License-Identifier: MIT
// MLX5_IB_OBJECT_DEVX_UMEM: memory that firmware objects refer to by id.
#pragma once

#include "kabi/table.hpp"

// clang-format off
namespace kdevx::kabi::umem {

inline constexpr kabi::object object{"MLX5_IB_OBJECT_DEVX_UMEM", 0x1002, presence::log_max_uctx};

inline constexpr method reg{object, "MLX5_IB_METHOD_DEVX_UMEM_REG", 0x1000, v6_1, {
    {"MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE", 0x1000, new_handle, none, M},
    {"MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR", 0x1001, ptr_in, exactly(8), M},
    {"MLX5_IB_ATTR_DEVX_UMEM_REG_LEN", 0x1002, ptr_in, exactly(8), M},
    {"MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS", 0x1003, flags_in, none, o},
    {"MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID", 0x1004, ptr_out, exactly(4), M},
    {"MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP", 0x1005, const_in, none, o},
    {"MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD", 0x1006, raw_fd, none, o},
}};
inline constexpr method dereg{object, "MLX5_IB_METHOD_DEVX_UMEM_DEREG", 0x1001, v6_1, {
    {"MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE", 0x1000, destroy, none, M},
}};

inline constexpr const method_base *methods[] = {&reg, &dereg};

} // namespace kdevx::kabi::umem
// clang-format on
