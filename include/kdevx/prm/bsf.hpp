// SPDX-License-Identifier: MIT
// Byte stream format: how data under a signature key is checked and transformed between memory and
// wire. It stands behind the translation entries of a UMR, and of a memory key with bsf_en.
#pragma once

#include "kdevx/prm/layout.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values bsf_sizes{"MLX5_BSF_SIZE_", {
    {"BASIC",          0},
    {"EXTENDED",       1},
    {"WITH_INLINE",    2},
    {"SIG_AND_CRYPTO", 3}, // a crypto BSF follows
}};
inline constexpr values bsf_block_sizes{"MLX5_BSF_BLOCK_SIZE_", {
    {"512",  1},
    {"520",  2},
    {"4096", 3},
    {"4160", 4},
    {"1GB",  5},
    {"4048", 6},
}};
// The block format selectors of CRCs, plus bits: 2 = the CRC is repeated for each block, and
// 1 = it starts from 0 (not set: from all ones).
inline constexpr values bsf_crc_formats{"MLX5_BFS_", {
    {"CRC32_BASE",      0x20},
    {"CRC32C_BASE",     0x40},
    {"CRC64_XP10_BASE", 0x50},
    {"CRC_REPEAT_BIT",  0x02},
    {"CRC_SEED_BIT",    0x01},
}};
inline constexpr values bsf_dif_types{"MLX5_DIF_", {
    {"CRC",  1},
    {"IPCS", 2}, // the checksum of IP as guard
}};

inline constexpr layout bsf_inline{"bsf_inline", 0x10, {
    {"valid",           0x00, 31, 31},
    {"refresh_dif",     0x00, 30, 30},
    {"dif_apptag",      0x00, 15,  0},
    {"dif_reftag",      0x04, 31,  0},
    {"sig_type",        0x08, 31, 24},
    {"repeat_block",    0x08, 23, 23},
    {"seed_ones",       0x08, 19, 19},
    {"inc_reftag",      0x0c, 22, 22},
    {"escape_appref",   0x0c, 17, 17},
    {"escape_apptag",   0x0c, 16, 16},
    {"dif_app_bitmask", 0x0c, 15,  0},
}};
inline constexpr layout bsf{"bsf", 0x40, {
    {"size",                    0x00, 31, 30},
    {"same_block_structure",    0x00, 28, 28},
    {"check_byte_mask",         0x00, 23, 16},
    {"wire_copy_mask_or_block", 0x00, 15,  8}, // the mask where same_block_structure is set
    {"mem_block",               0x00,  7,  0},
    {"raw_data_size",           0x04, 31,  0},
    {"wire_format",             0x08, 31, 24},
    {"wire_psv",                0x08, 23,  0},
    {"mem_format",              0x0c, 31, 24},
    {"mem_psv",                 0x0c, 23,  0},
    {"wire_inline",             0x20, bsf_inline},
    {"mem_inline",              0x30, bsf_inline},
}};
// clang-format on

} // namespace kdevx::prm
