// SPDX-License-Identifier: MIT
// Fault injection from inside the guest: reserved general commands, taken only by a kdevx-hca that
// was started with inject=1. Programs that send them include this file; README.md tells how.
//
// A real device receives these opcodes too. Ask QUERY_ADAPTER first: only kdevx-hca has this PSID.
#pragma once

#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/status.hpp"

#include <cstdint>
#include <string_view>

namespace kdevx::hca {

inline constexpr std::string_view psid = "KDX0000000001"; // query_adapter_out...vsd_contd_psid
inline constexpr std::uint32_t inject_magic = 0x6b646576; // "kdev"

enum inject_opcode : std::uint16_t {
    INJECT_FAIL = 0xcf0,            // refuse commands of an opcode
    INJECT_DELAY = 0xcf1,           // execute them, but answer late
    INJECT_HANG = 0xcf2,            // execute them, but never answer
    INJECT_EVENT = 0xcf3,           // put an event on the queue that takes its type
    INJECT_DROP_COMPLETION = 0xcf4, // lose completions of a CQ
    INJECT_INIT_SEGMENT = 0xcf5,    // a word of the init segment reads as this from now on
    INJECT_UNPLUG = 0xcf6,          // all reads give ones, nothing is answered
    INJECT_CLOSE = 0xcf7,           // the device's process ends
    INJECT_LINK = 0xcf8,            // a port goes up or down, with its event
    INJECT_FORGET = 0xcf9,          // no rule of FAIL, DELAY, HANG is left, and no command that hangs
    INJECT_COUNT = 0xcfa,           // how many objects there are
    INJECT_FIRST = INJECT_FAIL,
    INJECT_LAST = INJECT_COUNT,
};

// clang-format off
// FAIL, DELAY and HANG: the nth next command of `target` (1: the next) and count - 1 more after it.
// 0 stands for 1 in both.
inline constexpr prm::layout inject_in{"inject_in", 0x40, {
    {"opcode",   0x00, 31, 16},
    {"uid",      0x00, 15,  0},
    {"op_mod",   0x04, 15,  0},
    {"magic",    0x08, 31,  0},
    {"target",   0x0c, 15,  0}, // FAIL, DELAY, HANG: an opcode
    {"nth",      0x10, 31,  0},
    {"count",    0x14, 31,  0},
    {"delay_ms", 0x18, 31,  0}, // DELAY; EVENT, UNPLUG, CLOSE: when
    {"status",   0x1c, 31, 24}, // FAIL
    {"type",     0x1c, 23, 16}, // EVENT
    {"subtype",  0x1c, 15,  8}, // EVENT
    {"number",   0x1c,  7,  0}, // LINK: the port
    {"value",    0x20, 31,  0}, // FAIL: syndrome; DROP_COMPLETION: cqn; INIT_SEGMENT: offset;
                                // LINK: 0 down, 1 up
    {"data",     0x24, prm::bytes{0x1c}}, // EVENT; INIT_SEGMENT: the word, in its first four bytes
}};
inline constexpr prm::layout inject_out{"inject_out", 0x10, {
    {"status",   0x00, 31, 24},
    {"syndrome", 0x04, 31,  0},
    {"value",    0x08, 31,  0}, // COUNT
}};
// clang-format on

} // namespace kdevx::hca
