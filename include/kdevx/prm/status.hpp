// SPDX-License-Identifier: MIT
// The first eight bytes of every outbox: did the firmware do it, and if not, why.
#pragma once

#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values statuses{"MLX5_CMD_STAT_", {
    {"OK",                     0x00, "done"},
    {"INT_ERR",                0x01, "internal error of the firmware"},
    {"BAD_OP_ERR",             0x02, "unknown opcode or op_mod, or not supported by this device"},
    {"BAD_PARAM_ERR",          0x03, "a parameter is wrong, not supported or reserved"},
    {"BAD_SYS_STATE_ERR",      0x04, "the device is not in a state that allows this command"},
    {"BAD_RES_ERR",            0x05, "a resource is wrong or not the caller's"},
    {"RES_BUSY",               0x06, "the resource is in use"},
    {"NOT_READY",              0x07, "not ready yet; the command may be sent again"},
    {"LIM_ERR",                0x08, "a limit of the device is exceeded"},
    {"BAD_RES_STATE_ERR",      0x09, "the resource is not in a state that allows this command"},
    {"IX_ERR",                 0x0a, "an index is out of range or names nothing"},
    {"NO_RES_ERR",             0x0f, "the device has no resources left for this"},
    {"BAD_QP_STATE_ERR",       0x10, "the QP is not in the state that this transition starts from"},
    {"BAD_PKT_ERR",            0x30, "a management packet is malformed"},
    {"BAD_SIZE_OUTS_CQES_ERR", 0x40, "more completions are outstanding than the new CQ size holds"},
    {"BAD_INP_LEN_ERR",        0x50, "the inbox is shorter or longer than this command's"},
    {"BAD_OUTP_LEN_ERR",       0x51, "the outbox is shorter than this command's"},
}};
template <fixed_string Name>
inline constexpr std::uint8_t status = std::uint8_t(value_of<statuses, Name>);

// The rows of an outbox that says nothing else, which most commands have.
inline constexpr field status_rows[] = {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
};
inline constexpr layout status_out{"status_out", 0x10, status_rows};
// clang-format on

} // namespace kdevx::prm
