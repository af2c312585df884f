// SPDX-License-Identifier: MIT
// The way commands reach the device: init segment, command queue entry, mailbox block.
#pragma once

#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values nic_interfaces{"MLX5_INITIAL_SEG_NIC_INTERFACE_", {
    {"FULL_DRIVER", 0x00},
    {"DISABLED",    0x01},
    {"NO_DRAM_NIC", 0x02},
    {"SW_RESET",    0x07},
}};

inline constexpr values health_syndromes{"MLX5_INITIAL_SEG_HEALTH_SYNDROME_", {
    {"FW_INTERNAL_ERR",             0x01},
    {"DEAD_IRISC",                  0x07},
    {"HW_FATAL_ERR",                0x08},
    {"FW_CRC_ERR",                  0x09},
    {"ICM_FETCH_PCI_ERR",           0x0a},
    {"ICM_PAGE_ERR",                0x0b},
    {"ASYNCHRONOUS_EQ_BUF_OVERRUN", 0x0c},
    {"EQ_IN_ERR",                   0x0d},
    {"EQ_INV",                      0x0e},
    {"FFSER_ERR",                   0x0f},
    {"HIGH_TEMP_ERR",               0x10},
    {"ICM_PCI_POISONED_ERR",        0x12},
    {"TRUST_LOCKDOWN_ERR",          0x13},
}};

inline constexpr values cmd_queue_entry_types{"MLX5_CMD_QUEUE_ENTRY_TYPE_", {
    {"PCIE_CMD_IF_TRANSPORT", 0x07},
}};

// What the firmware says of itself when it fails.
inline constexpr layout health_buffer{"health_buffer", 0x40, {
    {"assert_existptr", 0x20, 31,  0},
    {"assert_callra",   0x24, 31,  0},
    {"time",            0x2c, 31,  0},
    {"fw_version",      0x30, 31,  0},
    {"hw_id",           0x34, 31,  0},
    {"rfr",             0x38, 31, 31},
    {"valid",           0x38, 27, 27},
    {"severity",        0x38, 26, 24},
    {"irisc_index",     0x3c, 31, 24},
    {"synd",            0x3c, 23, 16},
    {"ext_synd",        0x3c, 15,  0},
}};

// The beginning of the BAR.
inline constexpr layout initial_seg{"initial_seg", 0x400c, {
    {"fw_rev_minor",            0x0000, 31, 16},
    {"fw_rev_major",            0x0000, 15,  0},
    {"cmd_interface_rev",       0x0004, 31, 16},
    {"fw_rev_subminor",         0x0004, 15,  0},
    {"cmdq_phy_addr_63_32",     0x0010, 31,  0},
    {"cmdq_phy_addr_31_12",     0x0014, 31, 12},
    {"nic_interface",           0x0014,  9,  8},
    {"log_cmdq_size",           0x0014,  7,  4},
    {"log_cmdq_stride",         0x0014,  3,  0},
    {"command_doorbell_vector", 0x0018, 31,  0},
    {"initializing",            0x01fc, 31, 31},
    {"nic_interface_supported", 0x01fc, 26, 24},
    {"embedded_cpu",            0x01fc, 23, 23},
    {"health_buffer",           0x0200, health_buffer},
    {"no_dram_nic_offset",      0x0240, 31,  0},
    {"clear_int",               0x100c,  0,  0},
    {"health_syndrome",         0x1010, 31, 24},
    {"health_counter",          0x1010, 23,  0},
}};

// One slot of the command queue.
inline constexpr layout cmd_queue_entry{"cmd_queue_entry", 0x40, {
    {"type",                         0x00, 31, 24},
    {"input_length",                 0x04, 31,  0},
    {"input_mailbox_pointer_63_32",  0x08, 31,  0},
    {"input_mailbox_pointer_31_9",   0x0c, 31,  9},
    {"command_input_inline_data",    0x10, bytes{0x10}},
    {"command_output_inline_data",   0x20, bytes{0x10}},
    {"output_mailbox_pointer_63_32", 0x30, 31,  0},
    {"output_mailbox_pointer_31_9",  0x34, 31,  9},
    {"output_length",                0x38, 31,  0},
    {"token",                        0x3c, 31, 24},
    {"signature",                    0x3c, 23, 16},
    {"status",                       0x3c,  7,  1},
    {"ownership",                    0x3c,  0,  0},
}};

// A block of a mailbox; longer in- and outboxes are chains of these.
inline constexpr layout cmd_if_box{"cmd_if_box", 0x240, {
    {"mailbox_data",       0x000, bytes{0x200}},
    {"next_pointer_63_32", 0x230, 31,  0},
    {"next_pointer_31_10", 0x234, 31, 10},
    {"block_number",       0x238, 31,  0},
    {"token",              0x23c, 23, 16},
    {"ctrl_signature",     0x23c, 15,  8},
    {"signature",          0x23c,  7,  0},
}};

// What every inbox and outbox begins with.
inline constexpr layout cmd_in{"cmd_in", 0x08, {
    {"opcode",  0x00, 31, 16},
    {"op_mod",  0x04, 15,  0},
    {"command", 0x08, 31,  0, trailing},
}};

inline constexpr layout cmd_out{"cmd_out", 0x0c, {
    {"status",         0x00, 31, 24},
    {"syndrome",       0x04, 31,  0},
    {"command_output", 0x08, 31,  0},
}};

inline constexpr layout cmd_pas{"cmd_pas", 0x08, {
    {"pa_h", 0x00, 31,  0},
    {"pa_l", 0x04, 31, 12},
}};

// clang-format on

} // namespace kdevx::prm
