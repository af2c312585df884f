// SPDX-License-Identifier: MIT
// The write commands, as they go through UVERBS_METHOD_INVOKE_WRITE. CORE_IN is the command's
// struct without the 8-byte header of the write() path; its leading `response` word is ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kdevx::kabi {

struct write_command {
    std::string_view name;
    std::uint32_t number; // bit 31: "extended" command
    std::uint16_t in = 0, out = 0;
    bool uhw = false; // takes driver data
};
inline constexpr std::uint32_t ex = 0x80000000;

inline constexpr write_command write_commands[] = {
    {"IB_USER_VERBS_CMD_GET_CONTEXT", 0, 8, 8, true},
    {"IB_USER_VERBS_CMD_QUERY_DEVICE", 1, 8, 176},
    {"IB_USER_VERBS_CMD_QUERY_PORT", 2, 16, 40},
    {"IB_USER_VERBS_CMD_ALLOC_PD", 3, 8, 4, true},
    {"IB_USER_VERBS_CMD_DEALLOC_PD", 4, 4, 0},
    {"IB_USER_VERBS_CMD_CREATE_AH", 5, 56, 4, true},
    {"IB_USER_VERBS_CMD_DESTROY_AH", 8, 4, 0},
    {"IB_USER_VERBS_CMD_REG_MR", 9, 40, 12, true},
    {"IB_USER_VERBS_CMD_REREG_MR", 11, 48, 8, true},
    {"IB_USER_VERBS_CMD_DEREG_MR", 13, 4, 0},
    {"IB_USER_VERBS_CMD_ALLOC_MW", 14, 16, 8, true},
    {"IB_USER_VERBS_CMD_DEALLOC_MW", 16, 4, 0},
    {"IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL", 17, 8, 4},
    {"IB_USER_VERBS_CMD_RESIZE_CQ", 19, 16, 8, true},
    {"IB_USER_VERBS_CMD_QUERY_QP", 25, 16, 128},
    {"IB_USER_VERBS_CMD_MODIFY_QP", 26, 112, 0},
    {"IB_USER_VERBS_CMD_ATTACH_MCAST", 30, 24, 0},
    {"IB_USER_VERBS_CMD_DETACH_MCAST", 31, 24, 0},
    {"IB_USER_VERBS_CMD_MODIFY_SRQ", 33, 16, 0, true},
    {"IB_USER_VERBS_CMD_QUERY_SRQ", 34, 16, 16},
    {"IB_USER_VERBS_CMD_OPEN_XRCD", 37, 16, 4, true},
    {"IB_USER_VERBS_CMD_CLOSE_XRCD", 38, 4, 0},
    {"IB_USER_VERBS_CMD_OPEN_QP", 40, 32, 32, true},
    {"IB_USER_VERBS_EX_CMD_QUERY_DEVICE", ex | 1, 8, 304, true},
    {"IB_USER_VERBS_EX_CMD_CREATE_CQ", ex | 18, 32, 16, true},
    {"IB_USER_VERBS_EX_CMD_CREATE_QP", ex | 24, 64, 40, true},
    {"IB_USER_VERBS_EX_CMD_MODIFY_QP", ex | 26, 120, 8, true},
    {"IB_USER_VERBS_EX_CMD_CREATE_WQ", ex | 52, 40, 24, true},
    {"IB_USER_VERBS_EX_CMD_MODIFY_WQ", ex | 53, 24, 0, true},
    {"IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL", ex | 55, 8, 16, true},
    {"IB_USER_VERBS_EX_CMD_MODIFY_CQ", ex | 57, 16, 0},
};

// Its place in the table, or the table's end. Not a pointer: under UBSan g++ takes no comparison of
// an element's address with NULL for a constant.
constexpr std::size_t find_write_command(std::string_view name) {
    std::size_t i = 0;
    while (i < std::size(write_commands) && write_commands[i].name != name)
        ++i;
    return i;
}

} // namespace kdevx::kabi
