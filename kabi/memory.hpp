// SPDX-License-Identifier: MIT
// Memory and protection: MR, DM, DMA handle, exported dmabuf, PD and what only has a destroy.
#pragma once

#include "kabi/table.hpp"

// clang-format off
namespace kdevx::kabi::mr {

inline constexpr kabi::object object{"UVERBS_OBJECT_MR", 7};

inline constexpr method dm_reg{object, "UVERBS_METHOD_DM_MR_REG", 0, v6_1, {
    {"UVERBS_ATTR_REG_DM_MR_HANDLE", 0, new_handle, none, M},
    {"UVERBS_ATTR_REG_DM_MR_OFFSET", 1, ptr_in, exactly(8), M},
    {"UVERBS_ATTR_REG_DM_MR_LENGTH", 2, ptr_in, exactly(8), M},
    {"UVERBS_ATTR_REG_DM_MR_PD_HANDLE", 3, handle, none, M},
    {"UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS", 4, flags_in, none, o},
    {"UVERBS_ATTR_REG_DM_MR_DM_HANDLE", 5, handle, none, M},
    {"UVERBS_ATTR_REG_DM_MR_RESP_LKEY", 6, ptr_out, exactly(4), M},
    {"UVERBS_ATTR_REG_DM_MR_RESP_RKEY", 7, ptr_out, exactly(4), M},
}};
inline constexpr method destroy{object, "UVERBS_METHOD_MR_DESTROY", 1, v6_1, {
    {"UVERBS_ATTR_DESTROY_MR_HANDLE", 0, kabi::destroy, none, M},
}};
inline constexpr method advise{object, "UVERBS_METHOD_ADVISE_MR", 2, v6_1, {
    {"UVERBS_ATTR_ADVISE_MR_PD_HANDLE", 0, handle, none, M},
    {"UVERBS_ATTR_ADVISE_MR_ADVICE", 1, const_in, none, M},
    {"UVERBS_ATTR_ADVISE_MR_FLAGS", 2, flags_in, none, M},
    {"UVERBS_ATTR_ADVISE_MR_SGE_LIST", 3, ptr_in, at_least(16), M},
}};
inline constexpr method query{object, "UVERBS_METHOD_QUERY_MR", 3, v6_1, {
    {"UVERBS_ATTR_QUERY_MR_HANDLE", 0, handle, none, M},
    {"UVERBS_ATTR_QUERY_MR_RESP_LKEY", 1, ptr_out, exactly(4), M},
    {"UVERBS_ATTR_QUERY_MR_RESP_RKEY", 2, ptr_out, exactly(4), M},
    {"UVERBS_ATTR_QUERY_MR_RESP_LENGTH", 3, ptr_out, exactly(8), M},
    {"UVERBS_ATTR_QUERY_MR_RESP_IOVA", 4, ptr_out, exactly(8), o},
}};
inline constexpr method reg_dmabuf{object, "UVERBS_METHOD_REG_DMABUF_MR", 4, v6_1, {
    {"UVERBS_ATTR_REG_DMABUF_MR_HANDLE", 0, new_handle, none, M},
    {"UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE", 1, handle, none, M},
    {"UVERBS_ATTR_REG_DMABUF_MR_OFFSET", 2, ptr_in, exactly(8), M},
    {"UVERBS_ATTR_REG_DMABUF_MR_LENGTH", 3, ptr_in, exactly(8), M},
    {"UVERBS_ATTR_REG_DMABUF_MR_IOVA", 4, ptr_in, exactly(8), M},
    {"UVERBS_ATTR_REG_DMABUF_MR_FD", 5, ptr_in, exactly(4), M},
    {"UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS", 6, flags_in, none, o},
    {"UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY", 7, ptr_out, exactly(4), M},
    {"UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY", 8, ptr_out, exactly(4), M},
    {"MLX5_IB_ATTR_REG_DMABUF_MR_ACCESS_FLAGS", 0x1000, flags_in, none, o, v6_12},
}};
inline constexpr method reg{object, "UVERBS_METHOD_REG_MR", 5, v7_2, {
    {"UVERBS_ATTR_REG_MR_HANDLE", 0, new_handle, none, M, v7_2},
    {"UVERBS_ATTR_REG_MR_PD_HANDLE", 1, handle, none, M, v7_2},
    {"UVERBS_ATTR_REG_MR_DMA_HANDLE", 2, handle, none, o, v7_2},
    {"UVERBS_ATTR_REG_MR_IOVA", 3, ptr_in, exactly(8), M, v7_2},
    {"UVERBS_ATTR_REG_MR_ADDR", 4, ptr_in, exactly(8), o, v7_2},
    {"UVERBS_ATTR_REG_MR_LENGTH", 5, ptr_in, exactly(8), M, v7_2},
    {"UVERBS_ATTR_REG_MR_ACCESS_FLAGS", 6, flags_in, none, M, v7_2},
    {"UVERBS_ATTR_REG_MR_FD", 7, raw_fd, none, o, v7_2},
    {"UVERBS_ATTR_REG_MR_FD_OFFSET", 8, ptr_in, exactly(8), o, v7_2},
    {"UVERBS_ATTR_REG_MR_RESP_LKEY", 9, ptr_out, exactly(4), M, v7_2},
    {"UVERBS_ATTR_REG_MR_RESP_RKEY", 10, ptr_out, exactly(4), M, v7_2},
    uhw_in,
    uhw_out,
}};

inline constexpr const method_base *methods[] = {&dm_reg, &destroy, &advise, &query, &reg_dmabuf, &reg};

} // namespace kdevx::kabi::mr

namespace kdevx::kabi::dm {

inline constexpr kabi::object object{"UVERBS_OBJECT_DM", 14, presence::device_memory};

inline constexpr method alloc{object, "UVERBS_METHOD_DM_ALLOC", 0, v6_1, {
    {"UVERBS_ATTR_ALLOC_DM_HANDLE", 0, new_handle, none, M},
    {"UVERBS_ATTR_ALLOC_DM_LENGTH", 1, ptr_in, exactly(8), M},
    {"UVERBS_ATTR_ALLOC_DM_ALIGNMENT", 2, ptr_in, exactly(4), M},
    {"MLX5_IB_ATTR_ALLOC_DM_RESP_START_OFFSET", 0x1000, ptr_out, exactly(8), M},
    {"MLX5_IB_ATTR_ALLOC_DM_RESP_PAGE_INDEX", 0x1001, ptr_out, exactly(2), o},
    {"MLX5_IB_ATTR_ALLOC_DM_REQ_TYPE", 0x1002, const_in, none, o},
}};
inline constexpr method free{object, "UVERBS_METHOD_DM_FREE", 1, v6_1, {
    {"UVERBS_ATTR_FREE_DM_HANDLE", 0, kabi::destroy, none, M},
}};
inline constexpr method map_op_addr{object, "MLX5_IB_METHOD_DM_MAP_OP_ADDR", 0x1000, v6_1, {
    {"MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_HANDLE", 0x1000, handle, none, M},
    {"MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_OP", 0x1001, ptr_in, exactly(1), M},
    {"MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_START_OFFSET", 0x1002, ptr_out, exactly(8), M},
    {"MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_PAGE_INDEX", 0x1003, ptr_out, exactly(2), o},
}};
inline constexpr method query{object, "MLX5_IB_METHOD_DM_QUERY", 0x1001, v6_1, {
    {"MLX5_IB_ATTR_QUERY_DM_REQ_HANDLE", 0x1000, handle, none, M},
    {"MLX5_IB_ATTR_QUERY_DM_RESP_START_OFFSET", 0x1001, ptr_out, exactly(8), M},
    {"MLX5_IB_ATTR_QUERY_DM_RESP_PAGE_INDEX", 0x1002, ptr_out, exactly(2), M},
    {"MLX5_IB_ATTR_QUERY_DM_RESP_LENGTH", 0x1003, ptr_out, exactly(8), M},
}};

inline constexpr const method_base *methods[] = {&alloc, &free, &map_op_addr, &query};

} // namespace kdevx::kabi::dm

namespace kdevx::kabi::dmah {

inline constexpr kabi::object object{"UVERBS_OBJECT_DMAH", 17, presence::steering_tags, v7_2};

inline constexpr method alloc{object, "UVERBS_METHOD_DMAH_ALLOC", 0, v7_2, {
    {"UVERBS_ATTR_ALLOC_DMAH_HANDLE", 0, new_handle, none, M, v7_2},
    {"UVERBS_ATTR_ALLOC_DMAH_CPU_ID", 1, ptr_in, exactly(4), o, v7_2},
    {"UVERBS_ATTR_ALLOC_DMAH_TPH_MEM_TYPE", 2, enum_in, none, o, v7_2},
    {"UVERBS_ATTR_ALLOC_DMAH_PH", 3, ptr_in, exactly(1), o, v7_2},
}};
inline constexpr method free{object, "UVERBS_METHOD_DMAH_FREE", 1, v7_2, {
    {"UVERBS_ATTR_FREE_DMA_HANDLE", 0, kabi::destroy, none, M, v7_2},
}};

inline constexpr const method_base *methods[] = {&alloc, &free};

} // namespace kdevx::kabi::dmah

namespace kdevx::kabi::dmabuf {

inline constexpr kabi::object object{"UVERBS_OBJECT_DMABUF", 18, presence::always, v7_2};

inline constexpr method alloc{object, "UVERBS_METHOD_DMABUF_ALLOC", 0, v7_2, {
    {"UVERBS_ATTR_ALLOC_DMABUF_HANDLE", 0, new_fd, none, M, v7_2},
    // The byte offset that mmap would take, in spite of its name.
    {"UVERBS_ATTR_ALLOC_DMABUF_PGOFF", 1, ptr_in, exactly(8), M, v7_2},
}};

inline constexpr const method_base *methods[] = {&alloc};

} // namespace kdevx::kabi::dmabuf

namespace kdevx::kabi::pd {

inline constexpr kabi::object object{"UVERBS_OBJECT_PD", 1};

inline constexpr method destroy{object, "UVERBS_METHOD_PD_DESTROY", 0, v6_1, {
    {"UVERBS_ATTR_DESTROY_PD_HANDLE", 0, kabi::destroy, none, M},
}};
inline constexpr method query{object, "MLX5_IB_METHOD_PD_QUERY", 0x1000, v6_1, {
    {"MLX5_IB_ATTR_QUERY_PD_HANDLE", 0x1000, handle, none, M},
    {"MLX5_IB_ATTR_QUERY_PD_RESP_PDN", 0x1001, ptr_out, exactly(4), M},
}};

inline constexpr const method_base *methods[] = {&destroy, &query};

} // namespace kdevx::kabi::pd

// Made by write commands only (write.hpp); here is how they end.
namespace kdevx::kabi::ah {
inline constexpr kabi::object object{"UVERBS_OBJECT_AH", 6};
inline constexpr method destroy{object, "UVERBS_METHOD_AH_DESTROY", 0, v6_1, {
    {"UVERBS_ATTR_DESTROY_AH_HANDLE", 0, kabi::destroy, none, M},
}};
inline constexpr const method_base *methods[] = {&destroy};
} // namespace kdevx::kabi::ah

namespace kdevx::kabi::mw {
inline constexpr kabi::object object{"UVERBS_OBJECT_MW", 8, presence::memory_windows};
inline constexpr method destroy{object, "UVERBS_METHOD_MW_DESTROY", 0, v6_1, {
    {"UVERBS_ATTR_DESTROY_MW_HANDLE", 0, kabi::destroy, none, M},
}};
inline constexpr const method_base *methods[] = {&destroy};
} // namespace kdevx::kabi::mw

namespace kdevx::kabi::xrcd {
inline constexpr kabi::object object{"UVERBS_OBJECT_XRCD", 10};
inline constexpr method destroy{object, "UVERBS_METHOD_XRCD_DESTROY", 0, v6_1, {
    {"UVERBS_ATTR_DESTROY_XRCD_HANDLE", 0, kabi::destroy, none, M},
}};
inline constexpr const method_base *methods[] = {&destroy};
} // namespace kdevx::kabi::xrcd

namespace kdevx::kabi::rwq_ind_tbl {
inline constexpr kabi::object object{"UVERBS_OBJECT_RWQ_IND_TBL", 11, presence::ethernet};
inline constexpr method destroy{object, "UVERBS_METHOD_RWQ_IND_TBL_DESTROY", 0, v6_1, {
    {"UVERBS_ATTR_DESTROY_RWQ_IND_TBL_HANDLE", 0, kabi::destroy, none, M},
}};
inline constexpr const method_base *methods[] = {&destroy};
} // namespace kdevx::kabi::rwq_ind_tbl

namespace kdevx::kabi::async_event {
inline constexpr kabi::object object{"UVERBS_OBJECT_ASYNC_EVENT", 16};
inline constexpr method alloc{object, "UVERBS_METHOD_ASYNC_EVENT_ALLOC", 0, v6_1, {
    {"UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE", 0, new_fd, none, M},
}};
inline constexpr const method_base *methods[] = {&alloc};
} // namespace kdevx::kabi::async_event
// clang-format on
