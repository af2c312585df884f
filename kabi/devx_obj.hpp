// SPDX-License-Identifier: MIT
// MLX5_IB_OBJECT_DEVX_OBJ: firmware objects. MODIFY and QUERY take any object's handle, verbs
// objects included; the kernel then compares what it stands for with the id in the inbox.
#pragma once

#include "kabi/table.hpp"

// clang-format off
namespace kdevx::kabi::devx_obj {

inline constexpr kabi::object object{"MLX5_IB_OBJECT_DEVX_OBJ", 0x1001, presence::log_max_uctx};

inline constexpr method create{object, "MLX5_IB_METHOD_DEVX_OBJ_CREATE", 0x1000, v6_1, {
    {"MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE", 0x1000, new_handle, none, M},
    {"MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN", 0x1001, ptr_in, at_least(16), M},
    {"MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT", 0x1002, ptr_out, at_least(16), M},
}};
inline constexpr method destroy{object, "MLX5_IB_METHOD_DEVX_OBJ_DESTROY", 0x1001, v6_1, {
    {"MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE", 0x1000, kabi::destroy, none, M},
}};
inline constexpr method modify{object, "MLX5_IB_METHOD_DEVX_OBJ_MODIFY", 0x1002, v6_1, {
    {"MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE", 0x1000, handle, none, M},
    {"MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN", 0x1001, ptr_in, at_least(16), M},
    {"MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT", 0x1002, ptr_out, at_least(16), M},
}};
inline constexpr method query{object, "MLX5_IB_METHOD_DEVX_OBJ_QUERY", 0x1003, v6_1, {
    {"MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE", 0x1000, handle, none, M},
    {"MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN", 0x1001, ptr_in, at_least(16), M},
    {"MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT", 0x1002, ptr_out, at_least(16), M},
}};
inline constexpr method async_query{object, "MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY", 0x1004, v6_1, {
    {"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE", 0x1000, handle, none, M},
    {"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN", 0x1001, ptr_in, at_least(16), M},
    {"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD", 0x1002, fd, none, M},
    {"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID", 0x1003, ptr_in, exactly(8), M},
    {"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN", 0x1004, const_in, none, M},
}};

inline constexpr const method_base *methods[] = {&create, &destroy, &modify, &query, &async_query};

} // namespace kdevx::kabi::devx_obj
// clang-format on
