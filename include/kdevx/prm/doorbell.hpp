// SPDX-License-Identifier: MIT
// How software tells the device: doorbell records in memory and the registers of a UAR page.
#pragma once

#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
// A queue pair's record. An object with only a send queue still uses the second word.
inline constexpr layout qp_doorbell_record{"qp_doorbell_record", 0x08, {
    {"receive_counter", 0x00, 15,  0},
    {"send_counter",    0x04, 15,  0},
}};
inline constexpr layout srq_doorbell_record{"srq_doorbell_record", 0x08, {
    {"receive_counter", 0x00, 15,  0},
}};

inline constexpr values cq_arm_commands{"MLX5_CQ_DB_", {
    {"REQ_NOT",     0}, // an event on the next completion
    {"REQ_NOT_SOL", 1}, // on the next solicited completion, or the next error
}};
template <fixed_string Name>
inline constexpr std::uint8_t cq_arm_command = std::uint8_t(value_of<cq_arm_commands, Name>);
inline constexpr layout cq_doorbell_record{"cq_doorbell_record", 0x08, {
    {"update_ci", 0x00, 23,  0},
    {"arm_sn",    0x04, 29, 28},
    {"arm_cmd",   0x04, 24, 24},
    {"arm_ci",    0x04, 23,  0},
}};
// What is written to MLX5_CQ_DOORBELL of the UAR: the record's second word again, and which CQ.
inline constexpr layout cq_doorbell{"cq_doorbell", 0x08, {
    {"arm_sn",  0x00, 29, 28},
    {"arm_cmd", 0x00, 24, 24},
    {"arm_ci",  0x00, 23,  0},
    {"cqn",     0x04, 23,  0},
}};

inline constexpr layout eq_doorbell{"eq_doorbell", 0x04, {
    {"eqn", 0x00, 31, 24},
    {"ci",  0x00, 23,  0},
}};

// Offsets in a UAR page of 4 KiB, whatever the CPU's page size. Send doorbells (the first 8 bytes
// of the last WQE, or with BlueFlame the whole WQE) go to the registers from MLX5_BF_OFFSET on:
// register n of a page is n << log_bf_reg_size further, and its two halves are used alternately.
enum : std::uint32_t {
    MLX5_CQ_DOORBELL       = 0x20,
    MLX5_EQ_DOORBELL_ARM   = 0x40,
    MLX5_EQ_DOORBELL_NOARM = 0x48,
    MLX5_BF_OFFSET         = 0x800,
    MLX5_ADAPTER_PAGE_SIZE = 0x1000,
    MLX5_BFREGS_PER_UAR    = 4, // of which the first two are for user space
};
// clang-format on

} // namespace kdevx::prm
