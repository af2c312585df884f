// SPDX-License-Identifier: MIT
// Steering: matchers, flows, their actions, and anchors into the kernel's tables.
#pragma once

#include "kabi/table.hpp"

// clang-format off
namespace kdevx::kabi::flow_matcher {

inline constexpr kabi::object object{"MLX5_IB_OBJECT_FLOW_MATCHER", 0x1003};

inline constexpr method create{object, "MLX5_IB_METHOD_FLOW_MATCHER_CREATE", 0x1000, v6_1, {
    {"MLX5_IB_ATTR_FLOW_MATCHER_CREATE_HANDLE", 0x1000, new_handle, none, M},
    {"MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK", 0x1001, ptr_in, between(1, 640), M},
    {"MLX5_IB_ATTR_FLOW_MATCHER_FLOW_TYPE", 0x1002, enum_in, between(0, 2), M},
    {"MLX5_IB_ATTR_FLOW_MATCHER_MATCH_CRITERIA", 0x1003, ptr_in, exactly(1), M},
    {"MLX5_IB_ATTR_FLOW_MATCHER_FLOW_FLAGS", 0x1004, flags_in, none, o},
    {"MLX5_IB_ATTR_FLOW_MATCHER_FT_TYPE", 0x1005, const_in, none, o},
    {"MLX5_IB_ATTR_FLOW_MATCHER_IB_PORT", 0x1006, ptr_in, exactly(4), o, v7_2},
}};
inline constexpr method destroy{object, "MLX5_IB_METHOD_FLOW_MATCHER_DESTROY", 0x1001, v6_1, {
    {"MLX5_IB_ATTR_FLOW_MATCHER_DESTROY_HANDLE", 0x1000, kabi::destroy, none, M},
}};

inline constexpr const method_base *methods[] = {&create, &destroy};

} // namespace kdevx::kabi::flow_matcher

namespace kdevx::kabi::flow {

inline constexpr kabi::object object{"UVERBS_OBJECT_FLOW", 9};

inline constexpr method verbs_destroy{object, "UVERBS_METHOD_FLOW_DESTROY", 0, v6_1, {
    {"UVERBS_ATTR_DESTROY_FLOW_HANDLE", 0, kabi::destroy, none, M},
}};
inline constexpr method create{object, "MLX5_IB_METHOD_CREATE_FLOW", 0x1000, v6_1, {
    {"MLX5_IB_ATTR_CREATE_FLOW_HANDLE", 0x1000, new_handle, none, M},
    {"MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE", 0x1001, ptr_in, between(1, 640), M},
    {"MLX5_IB_ATTR_CREATE_FLOW_DEST_QP", 0x1002, handle, none, o},
    {"MLX5_IB_ATTR_CREATE_FLOW_DEST_DEVX", 0x1003, handle, none, o},
    {"MLX5_IB_ATTR_CREATE_FLOW_MATCHER", 0x1004, handle, none, M},
    {"MLX5_IB_ATTR_CREATE_FLOW_ARR_FLOW_ACTIONS", 0x1005, handles, between(4, 8), o},
    {"MLX5_IB_ATTR_CREATE_FLOW_TAG", 0x1006, ptr_in, exactly(4), o},
    {"MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX", 0x1007, handles, exactly(4), o},
    {"MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX_OFFSET", 0x1008, ptr_in, at_least(4), o},
    {"MLX5_IB_ATTR_CREATE_FLOW_FLAGS", 0x1009, flags_in, none, o},
}};
inline constexpr method destroy{object, "MLX5_IB_METHOD_DESTROY_FLOW", 0x1001, v6_1, {
    {"MLX5_IB_ATTR_DESTROY_FLOW_HANDLE", 0x1000, kabi::destroy, none, M},
}};

inline constexpr const method_base *methods[] = {&verbs_destroy, &create, &destroy};

} // namespace kdevx::kabi::flow

namespace kdevx::kabi::flow_action {

inline constexpr kabi::object object{"UVERBS_OBJECT_FLOW_ACTION", 13};

inline constexpr method destroy{object, "UVERBS_METHOD_FLOW_ACTION_DESTROY", 1, v6_1, {
    {"UVERBS_ATTR_DESTROY_FLOW_ACTION_HANDLE", 0, kabi::destroy, none, M},
}};
inline constexpr method create_modify_header{
    object, "MLX5_IB_METHOD_FLOW_ACTION_CREATE_MODIFY_HEADER", 0x1000, v6_1, {
    {"MLX5_IB_ATTR_CREATE_MODIFY_HEADER_HANDLE", 0x1000, new_handle, none, M},
    {"MLX5_IB_ATTR_CREATE_MODIFY_HEADER_ACTIONS_PRM", 0x1001, ptr_in, at_least(8), M},
    {"MLX5_IB_ATTR_CREATE_MODIFY_HEADER_FT_TYPE", 0x1002, const_in, none, M},
}};
inline constexpr method create_packet_reformat{
    object, "MLX5_IB_METHOD_FLOW_ACTION_CREATE_PACKET_REFORMAT", 0x1001, v6_1, {
    {"MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_HANDLE", 0x1000, new_handle, none, M},
    {"MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_TYPE", 0x1001, const_in, none, M},
    {"MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_FT_TYPE", 0x1002, const_in, none, M},
    {"MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_DATA_BUF", 0x1003, ptr_in, at_least(1), o},
}};

inline constexpr const method_base *methods[] = {&destroy, &create_modify_header,
                                                 &create_packet_reformat};

} // namespace kdevx::kabi::flow_action

namespace kdevx::kabi::steering_anchor {

inline constexpr kabi::object object{"MLX5_IB_OBJECT_STEERING_ANCHOR", 0x1009,
                                     presence::shared_objects};

inline constexpr method create{object, "MLX5_IB_METHOD_STEERING_ANCHOR_CREATE", 0x1000, v6_1, {
    {"MLX5_IB_ATTR_STEERING_ANCHOR_CREATE_HANDLE", 0x1000, new_handle, none, M},
    {"MLX5_IB_ATTR_STEERING_ANCHOR_FT_TYPE", 0x1001, const_in, none, M},
    {"MLX5_IB_ATTR_STEERING_ANCHOR_PRIORITY", 0x1002, ptr_in, exactly(2), M},
    // Declared PTR_IN, but the handler writes through the pointer: it goes by pointer though short.
    {"MLX5_IB_ATTR_STEERING_ANCHOR_FT_ID", 0x1003, ptr_out, exactly(4), M},
}};
inline constexpr method destroy{object, "MLX5_IB_METHOD_STEERING_ANCHOR_DESTROY", 0x1001, v6_1, {
    {"MLX5_IB_ATTR_STEERING_ANCHOR_DESTROY_HANDLE", 0x1000, kabi::destroy, none, M},
}};

inline constexpr const method_base *methods[] = {&create, &destroy};

} // namespace kdevx::kabi::steering_anchor
// clang-format on
