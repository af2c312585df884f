// SPDX-License-Identifier: MIT
// Tables that are wrong on purpose: the comparison must name each of them, and nothing else.
#pragma once

#include "kdevx/prm/status.hpp"

namespace kdevx::prm {

// expect: destroy_cq_in.cqn: a header has it at another place or size than ours (72, 22, 22)
// expect: destroy_cq_in.uid: a header has it at another place or size than ours (32, 16, 16)
// expect: destroy_cq_in.cq_number: no header has this row
inline constexpr layout wrong_rows{"destroy_cq_in", 0x10, {
    {"opcode",    0x00, 31, 16},
    {"uid",       0x04, 31, 16},
    {"op_mod",    0x04, 15,  0},
    {"cqn",       0x08, 23,  2},
    {"cq_number", 0x0c, 23,  0},
}};

// expect: create_pd_in: no header has this layout
// expect: create_pd_in.opcode: no header has this row
inline constexpr layout wrong_name{"create_pd_in", 0x10, {
    {"opcode", 0x00, 31, 16},
}};

// expect: alloc_pd_in: the newest header's size is not ours, 160
inline constexpr layout wrong_size{"alloc_pd_in", 0x14, {
    {"opcode", 0x00, 31, 16},
}};

// expect: create_cq_in.pas: a header has it at another place or size than ours (2176, 0, 32)
// expect: create_cq_in.cq_context: a header has it at another place or size than ours (128, 64, 64)
inline constexpr layout wrong_elements{"create_cq_in", 0x110, {
    {"opcode",     0x000, 31, 16},
    {"cq_context", 0x010, bytes{8}},
    {"pas",        0x110, 31,  0, trailing},
}};

// expect: dealloc_pd_in.pd is listed as an exception, but a header has it
// exception: row dealloc_pd_in.pd the header has it, so this line must not stand
// expect: mtt.rd_en is listed as different in older headers, but all agree
// exception: older mtt.rd_en all agree, so this line must not stand
// expect: dealloc_xrcd_in is listed as an exception, but a header has it
// exception: layout dealloc_xrcd_in the header has it, so this line must not stand
// expect: ifc_exceptions.txt: 'row no_such.thing' excuses nothing that we have
// exception: row no_such.thing we have no such row, so this line must not stand

// expect: wrong_numbers.CREATE_CQ: a header gives MLX5_CMD_OP_CREATE_CQ another number than 1025ull
// expect: wrong_numbers.CREATE_CQQ: no header has MLX5_CMD_OP_CREATE_CQQ
inline constexpr values wrong_numbers{"MLX5_CMD_OP_", {
    {"CREATE_CQ",  0x401},
    {"CREATE_CQQ", 0x400},
}};

} // namespace kdevx::prm
