// SPDX-License-Identifier: MIT
// The two fd objects of DEVX: answers to asynchronous queries, and device events.
#pragma once

#include "kabi/table.hpp"

// clang-format off
namespace kdevx::kabi::async_cmd_fd {

inline constexpr kabi::object object{"MLX5_IB_OBJECT_DEVX_ASYNC_CMD_FD", 0x1004,
                                     presence::log_max_uctx};

inline constexpr method alloc{object, "MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC", 0x1000, v6_1, {
    {"MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE", 0x1000, new_fd, none, M},
}};

inline constexpr const method_base *methods[] = {&alloc};

} // namespace kdevx::kabi::async_cmd_fd

namespace kdevx::kabi::async_event_fd {

inline constexpr kabi::object object{"MLX5_IB_OBJECT_DEVX_ASYNC_EVENT_FD", 0x1005,
                                     presence::log_max_uctx};

inline constexpr method alloc{object, "MLX5_IB_METHOD_DEVX_ASYNC_EVENT_FD_ALLOC", 0x1000, v6_1, {
    {"MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_HANDLE", 0x1000, new_fd, none, M},
    {"MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_FLAGS", 0x1001, flags_in, none, M},
}};

inline constexpr const method_base *methods[] = {&alloc};

} // namespace kdevx::kabi::async_event_fd
// clang-format on
