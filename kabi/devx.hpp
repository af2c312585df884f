// SPDX-License-Identifier: MIT
// MLX5_IB_OBJECT_DEVX: commands that make no object.
#pragma once

#include "kabi/table.hpp"

// clang-format off
namespace kdevx::kabi::devx {

inline constexpr kabi::object object{"MLX5_IB_OBJECT_DEVX", 0x1000, presence::log_max_uctx};

inline constexpr method other{object, "MLX5_IB_METHOD_DEVX_OTHER", 0x1000, v6_1, {
    {"MLX5_IB_ATTR_DEVX_OTHER_CMD_IN", 0x1000, ptr_in, at_least(16), M},
    {"MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT", 0x1001, ptr_out, at_least(16), M},
}};
inline constexpr method query_uar{object, "MLX5_IB_METHOD_DEVX_QUERY_UAR", 0x1001, v6_1, {
    {"MLX5_IB_ATTR_DEVX_QUERY_UAR_USER_IDX", 0x1000, ptr_in, exactly(4), M},
    {"MLX5_IB_ATTR_DEVX_QUERY_UAR_DEV_IDX", 0x1001, ptr_out, exactly(4), M},
}};
inline constexpr method query_eqn{object, "MLX5_IB_METHOD_DEVX_QUERY_EQN", 0x1002, v6_1, {
    {"MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC", 0x1000, ptr_in, exactly(4), M},
    {"MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN", 0x1001, ptr_out, exactly(4), M},
}};
inline constexpr method subscribe_event{object, "MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT", 0x1003, v6_1, {
    {"MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE", 0x1000, fd, none, M},
    {"MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE", 0x1001, handle, none, o},
    {"MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST", 0x1002, ptr_in, at_least(2), M},
    {"MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM", 0x1003, ptr_in, exactly(4), o},
    {"MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE", 0x1004, ptr_in, exactly(8), o},
}};

inline constexpr const method_base *methods[] = {&other, &query_uar, &query_eqn, &subscribe_event};

} // namespace kdevx::kabi::devx
// clang-format on
