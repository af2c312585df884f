// SPDX-License-Identifier: MIT
// Objects that are pages of the device: UAR and VAR to map, PP as an index.
#pragma once

#include "kabi/table.hpp"

// clang-format off
namespace kdevx::kabi::var {

inline constexpr kabi::object object{"MLX5_IB_OBJECT_VAR", 0x1006, presence::virtio_net_q};

inline constexpr method alloc{object, "MLX5_IB_METHOD_VAR_OBJ_ALLOC", 0x1000, v6_1, {
    {"MLX5_IB_ATTR_VAR_OBJ_ALLOC_HANDLE", 0x1000, new_handle, none, M},
    {"MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_OFFSET", 0x1001, ptr_out, exactly(8), M},
    {"MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_LENGTH", 0x1002, ptr_out, exactly(4), M},
    {"MLX5_IB_ATTR_VAR_OBJ_ALLOC_PAGE_ID", 0x1003, ptr_out, exactly(4), M},
    {"MLX5_IB_ATTR_VAR_OBJ_ALLOC_FLAGS", 0x1004, flags_in, none, o, v7_2},
}};
inline constexpr method destroy{object, "MLX5_IB_METHOD_VAR_OBJ_DESTROY", 0x1001, v6_1, {
    {"MLX5_IB_ATTR_VAR_OBJ_DESTROY_HANDLE", 0x1000, kabi::destroy, none, M},
}};

inline constexpr const method_base *methods[] = {&alloc, &destroy};

} // namespace kdevx::kabi::var

namespace kdevx::kabi::pp {

inline constexpr kabi::object object{"MLX5_IB_OBJECT_PP", 0x1007, presence::packet_pacing_uid};

inline constexpr method alloc{object, "MLX5_IB_METHOD_PP_OBJ_ALLOC", 0x1000, v6_1, {
    {"MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE", 0x1000, new_handle, none, M},
    {"MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX", 0x1001, ptr_in, between(1, 48), M},
    {"MLX5_IB_ATTR_PP_OBJ_ALLOC_FLAGS", 0x1002, flags_in, none, M},
    {"MLX5_IB_ATTR_PP_OBJ_ALLOC_INDEX", 0x1003, ptr_out, exactly(2), M},
}};
inline constexpr method destroy{object, "MLX5_IB_METHOD_PP_OBJ_DESTROY", 0x1001, v6_1, {
    {"MLX5_IB_ATTR_PP_OBJ_DESTROY_HANDLE", 0x1000, kabi::destroy, none, M},
}};

inline constexpr const method_base *methods[] = {&alloc, &destroy};

} // namespace kdevx::kabi::pp

namespace kdevx::kabi::uar {

inline constexpr kabi::object object{"MLX5_IB_OBJECT_UAR", 0x1008};

inline constexpr method alloc{object, "MLX5_IB_METHOD_UAR_OBJ_ALLOC", 0x1000, v6_1, {
    {"MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE", 0x1000, new_handle, none, M},
    {"MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE", 0x1001, const_in, none, M},
    {"MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET", 0x1002, ptr_out, exactly(8), M},
    {"MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH", 0x1003, ptr_out, exactly(4), M},
    {"MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID", 0x1004, ptr_out, exactly(4), M},
}};
inline constexpr method destroy{object, "MLX5_IB_METHOD_UAR_OBJ_DESTROY", 0x1001, v6_1, {
    {"MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE", 0x1000, kabi::destroy, none, M},
}};

inline constexpr const method_base *methods[] = {&alloc, &destroy};

} // namespace kdevx::kabi::uar
// clang-format on
