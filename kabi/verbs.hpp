// SPDX-License-Identifier: MIT
// The verbs queues: CQ, QP, SRQ, WQ.
#pragma once

#include "kabi/table.hpp"

// clang-format off
namespace kdevx::kabi::cq {

inline constexpr kabi::object object{"UVERBS_OBJECT_CQ", 3};

inline constexpr method create{object, "UVERBS_METHOD_CQ_CREATE", 0, v6_1, {
    {"UVERBS_ATTR_CREATE_CQ_HANDLE", 0, new_handle, none, M},
    {"UVERBS_ATTR_CREATE_CQ_CQE", 1, ptr_in, exactly(4), M},
    {"UVERBS_ATTR_CREATE_CQ_USER_HANDLE", 2, ptr_in, exactly(8), M},
    {"UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL", 3, fd, none, o},
    {"UVERBS_ATTR_CREATE_CQ_COMP_VECTOR", 4, ptr_in, exactly(4), M},
    {"UVERBS_ATTR_CREATE_CQ_FLAGS", 5, flags_in, none, o},
    {"UVERBS_ATTR_CREATE_CQ_RESP_CQE", 6, ptr_out, exactly(4), M},
    {"UVERBS_ATTR_CREATE_CQ_EVENT_FD", 7, fd, none, o},
    {"UVERBS_ATTR_CREATE_CQ_BUFFER_VA", 8, ptr_in, exactly(8), o, v7_2},
    {"UVERBS_ATTR_CREATE_CQ_BUFFER_LENGTH", 9, ptr_in, exactly(8), o, v7_2},
    {"UVERBS_ATTR_CREATE_CQ_BUFFER_FD", 10, raw_fd, none, o, v7_2},
    {"UVERBS_ATTR_CREATE_CQ_BUFFER_OFFSET", 11, ptr_in, exactly(8), o, v7_2},
    {"UVERBS_ATTR_CREATE_CQ_BUF_UMEM", 12, ptr_in, exactly(32), o, v7_2},
    uhw_in,
    uhw_out,
    {"MLX5_IB_ATTR_CREATE_CQ_UAR_INDEX", 0x1002, ptr_in, exactly(4), o, v6_12},
    {"MLX5_IB_ATTR_CREATE_CQ_DBR_BUF_UMEM", 0x1003, ptr_in, exactly(32), o, v7_2},
}};
inline constexpr method destroy{object, "UVERBS_METHOD_CQ_DESTROY", 1, v6_1, {
    {"UVERBS_ATTR_DESTROY_CQ_HANDLE", 0, kabi::destroy, none, M},
    {"UVERBS_ATTR_DESTROY_CQ_RESP", 1, ptr_out, exactly(8), M},
}};

inline constexpr const method_base *methods[] = {&create, &destroy};

} // namespace kdevx::kabi::cq

namespace kdevx::kabi::qp {

inline constexpr kabi::object object{"UVERBS_OBJECT_QP", 4};

inline constexpr method create{object, "UVERBS_METHOD_QP_CREATE", 0, v6_1, {
    {"UVERBS_ATTR_CREATE_QP_HANDLE", 0, new_handle, none, M},
    {"UVERBS_ATTR_CREATE_QP_XRCD_HANDLE", 1, handle, none, o},
    {"UVERBS_ATTR_CREATE_QP_PD_HANDLE", 2, handle, none, o},
    {"UVERBS_ATTR_CREATE_QP_SRQ_HANDLE", 3, handle, none, o},
    {"UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE", 4, handle, none, o},
    {"UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE", 5, handle, none, o},
    {"UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE", 6, handle, none, o},
    {"UVERBS_ATTR_CREATE_QP_USER_HANDLE", 7, ptr_in, exactly(8), M},
    {"UVERBS_ATTR_CREATE_QP_CAP", 8, ptr_in, at_least(20), M},
    {"UVERBS_ATTR_CREATE_QP_TYPE", 9, const_in, none, M},
    {"UVERBS_ATTR_CREATE_QP_FLAGS", 10, flags_in, none, o},
    {"UVERBS_ATTR_CREATE_QP_SOURCE_QPN", 11, ptr_in, exactly(4), o},
    {"UVERBS_ATTR_CREATE_QP_EVENT_FD", 12, fd, none, o},
    {"UVERBS_ATTR_CREATE_QP_RESP_CAP", 13, ptr_out, at_least(20), M},
    {"UVERBS_ATTR_CREATE_QP_RESP_QP_NUM", 14, ptr_out, exactly(4), M},
    {"UVERBS_ATTR_CREATE_QP_BUF_UMEM", 15, ptr_in, exactly(32), o, v7_2},
    {"UVERBS_ATTR_CREATE_QP_RQ_BUF_UMEM", 16, ptr_in, exactly(32), o, v7_2},
    {"UVERBS_ATTR_CREATE_QP_SQ_BUF_UMEM", 17, ptr_in, exactly(32), o, v7_2},
    uhw_in,
    uhw_out,
    {"MLX5_IB_ATTR_CREATE_QP_DBR_BUF_UMEM", 0x1002, ptr_in, exactly(32), o, v7_2},
}};
inline constexpr method destroy{object, "UVERBS_METHOD_QP_DESTROY", 1, v6_1, {
    {"UVERBS_ATTR_DESTROY_QP_HANDLE", 0, kabi::destroy, none, M},
    {"UVERBS_ATTR_DESTROY_QP_RESP", 1, ptr_out, exactly(4), M},
}};

inline constexpr const method_base *methods[] = {&create, &destroy};

} // namespace kdevx::kabi::qp

namespace kdevx::kabi::srq {

inline constexpr kabi::object object{"UVERBS_OBJECT_SRQ", 5};

inline constexpr method create{object, "UVERBS_METHOD_SRQ_CREATE", 0, v6_1, {
    {"UVERBS_ATTR_CREATE_SRQ_HANDLE", 0, new_handle, none, M},
    {"UVERBS_ATTR_CREATE_SRQ_PD_HANDLE", 1, handle, none, M},
    {"UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE", 2, handle, none, o},
    {"UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE", 3, handle, none, o},
    {"UVERBS_ATTR_CREATE_SRQ_USER_HANDLE", 4, ptr_in, exactly(8), M},
    {"UVERBS_ATTR_CREATE_SRQ_MAX_WR", 5, ptr_in, exactly(4), M},
    {"UVERBS_ATTR_CREATE_SRQ_MAX_SGE", 6, ptr_in, exactly(4), M},
    {"UVERBS_ATTR_CREATE_SRQ_LIMIT", 7, ptr_in, exactly(4), M},
    {"UVERBS_ATTR_CREATE_SRQ_MAX_NUM_TAGS", 8, ptr_in, exactly(4), o},
    {"UVERBS_ATTR_CREATE_SRQ_TYPE", 9, const_in, none, M},
    {"UVERBS_ATTR_CREATE_SRQ_EVENT_FD", 10, fd, none, o},
    {"UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR", 11, ptr_out, exactly(4), M},
    {"UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE", 12, ptr_out, exactly(4), M},
    {"UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM", 13, ptr_out, exactly(4), o},
    {"UVERBS_ATTR_CREATE_SRQ_BUF_UMEM", 14, ptr_in, exactly(32), o, v7_3},
    uhw_in,
    uhw_out,
    {"MLX5_IB_ATTR_CREATE_SRQ_DBR_BUF_UMEM", 0x1002, ptr_in, exactly(32), o, v7_3},
}};
inline constexpr method destroy{object, "UVERBS_METHOD_SRQ_DESTROY", 1, v6_1, {
    {"UVERBS_ATTR_DESTROY_SRQ_HANDLE", 0, kabi::destroy, none, M},
    {"UVERBS_ATTR_DESTROY_SRQ_RESP", 1, ptr_out, exactly(4), M},
}};

inline constexpr const method_base *methods[] = {&create, &destroy};

} // namespace kdevx::kabi::srq

namespace kdevx::kabi::wq {

inline constexpr kabi::object object{"UVERBS_OBJECT_WQ", 12, presence::ethernet};

inline constexpr method create{object, "UVERBS_METHOD_WQ_CREATE", 0, v6_1, {
    {"UVERBS_ATTR_CREATE_WQ_HANDLE", 0, new_handle, none, M},
    {"UVERBS_ATTR_CREATE_WQ_PD_HANDLE", 1, handle, none, M},
    {"UVERBS_ATTR_CREATE_WQ_CQ_HANDLE", 2, handle, none, o},
    {"UVERBS_ATTR_CREATE_WQ_USER_HANDLE", 3, ptr_in, exactly(8), M},
    {"UVERBS_ATTR_CREATE_WQ_TYPE", 4, const_in, none, M},
    {"UVERBS_ATTR_CREATE_WQ_EVENT_FD", 5, fd, none, o},
    {"UVERBS_ATTR_CREATE_WQ_MAX_WR", 6, ptr_in, exactly(4), M},
    {"UVERBS_ATTR_CREATE_WQ_MAX_SGE", 7, ptr_in, exactly(4), M},
    {"UVERBS_ATTR_CREATE_WQ_FLAGS", 8, flags_in, none, M},
    {"UVERBS_ATTR_CREATE_WQ_RESP_MAX_WR", 9, ptr_out, exactly(4), M},
    {"UVERBS_ATTR_CREATE_WQ_RESP_MAX_SGE", 10, ptr_out, exactly(4), M},
    {"UVERBS_ATTR_CREATE_WQ_RESP_WQ_NUM", 11, ptr_out, exactly(4), o}, // the handler wants it
    uhw_in,
    uhw_out,
}};
inline constexpr method destroy{object, "UVERBS_METHOD_WQ_DESTROY", 1, v6_1, {
    {"UVERBS_ATTR_DESTROY_WQ_HANDLE", 0, kabi::destroy, none, M},
    {"UVERBS_ATTR_DESTROY_WQ_RESP", 1, ptr_out, exactly(4), M},
}};

inline constexpr const method_base *methods[] = {&create, &destroy};

} // namespace kdevx::kabi::wq
// clang-format on
