// SPDX-License-Identifier: MIT
// UVERBS_OBJECT_DEVICE: the context, what the device can tell, and the old write commands.
#pragma once

#include "kabi/table.hpp"

// clang-format off
namespace kdevx::kabi::device {

inline constexpr kabi::object object{"UVERBS_OBJECT_DEVICE", 0};

inline constexpr method invoke_write{object, "UVERBS_METHOD_INVOKE_WRITE", 0, v6_1, {
    {"UVERBS_ATTR_CORE_IN", 0, ptr_in, at_least(4), o},
    {"UVERBS_ATTR_CORE_OUT", 1, ptr_out, at_least(0), o},
    {"UVERBS_ATTR_WRITE_CMD", 2, const_in, none, M},
    uhw_in,
    uhw_out,
}};
inline constexpr method info_handles{object, "UVERBS_METHOD_INFO_HANDLES", 1, v6_1, {
    {"UVERBS_ATTR_INFO_OBJECT_ID", 0, const_in, none, M},
    {"UVERBS_ATTR_INFO_TOTAL_HANDLES", 1, ptr_out, exactly(4), o},
    {"UVERBS_ATTR_INFO_HANDLES_LIST", 2, ptr_out, at_least(4), o}, // the handler wants it
}};
inline constexpr method query_port{object, "UVERBS_METHOD_QUERY_PORT", 2, v6_1, {
    {"UVERBS_ATTR_QUERY_PORT_PORT_NUM", 0, const_in, none, M},
    {"UVERBS_ATTR_QUERY_PORT_RESP", 1, ptr_out, at_least(48), M},
}};
inline constexpr method get_context{object, "UVERBS_METHOD_GET_CONTEXT", 3, v6_1, {
    {"UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS", 0, ptr_out, exactly(4), o},
    {"UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT", 1, ptr_out, exactly(8), o},
    {"UVERBS_ATTR_GET_CONTEXT_FD_ARR", 2, ptr_in, at_least(4), o, v7_2},
    uhw_in,
    uhw_out,
}};
inline constexpr method query_context{object, "UVERBS_METHOD_QUERY_CONTEXT", 4, v6_1, {
    {"UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS", 0, ptr_out, exactly(4), o},
    {"UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT", 1, ptr_out, exactly(8), o},
    {"MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX", 0x1000, ptr_out, at_least(72), M},
}};
inline constexpr method query_gid_table{object, "UVERBS_METHOD_QUERY_GID_TABLE", 5, v6_1, {
    {"UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE", 0, const_in, none, M},
    {"UVERBS_ATTR_QUERY_GID_TABLE_FLAGS", 1, flags_in, none, o},
    {"UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES", 2, ptr_out, at_least(0), M},
    {"UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES", 3, ptr_out, exactly(8), M},
}};
inline constexpr method query_gid_entry{object, "UVERBS_METHOD_QUERY_GID_ENTRY", 6, v6_1, {
    {"UVERBS_ATTR_QUERY_GID_ENTRY_PORT", 0, const_in, none, M},
    {"UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX", 1, const_in, none, M},
    {"UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS", 2, flags_in, none, M},
    {"UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY", 3, ptr_out, at_least(32), M},
}};
inline constexpr method query_port_speed{object, "UVERBS_METHOD_QUERY_PORT_SPEED", 7, v7_2, {
    {"UVERBS_ATTR_QUERY_PORT_SPEED_PORT_NUM", 0, const_in, none, M, v7_2},
    {"UVERBS_ATTR_QUERY_PORT_SPEED_RESP", 1, ptr_out, exactly(8), M, v7_2},
}};
inline constexpr method mlx5_query_port{object, "MLX5_IB_METHOD_QUERY_PORT", 0x1000, v6_1, {
    {"MLX5_IB_ATTR_QUERY_PORT_PORT_NUM", 0x1000, ptr_in, exactly(4), M},
    {"MLX5_IB_ATTR_QUERY_PORT", 0x1001, ptr_out, at_least(40), M},
}};
inline constexpr method get_data_direct_sysfs_path{
    object, "MLX5_IB_METHOD_GET_DATA_DIRECT_SYSFS_PATH", 0x1001, v6_12, {
    {"MLX5_IB_ATTR_GET_DATA_DIRECT_SYSFS_PATH", 0x1000, ptr_out, at_least(0), M, v6_12},
}};

inline constexpr const method_base *methods[] = {
    &invoke_write,    &info_handles,    &query_port,       &get_context,     &query_context,
    &query_gid_table, &query_gid_entry, &query_port_speed, &mlx5_query_port, &get_data_direct_sysfs_path,
};

} // namespace kdevx::kabi::device
// clang-format on
