// SPDX-License-Identifier: MIT
// Signature descriptions (BSF) for UMRs of signature keys: a CRC or T10-DIF on each block, in
// memory, on the wire, or on both.
#pragma once

#include "kdevx/prm/bsf.hpp"
#include "wq/error.hpp"

#include <cstddef>

namespace kdevx::wq {

enum class signature_type : std::uint8_t {
    none,
    t10dif_crc,
    t10dif_ipcs,
    crc32,
    crc32c,
    crc64_xp10
};

struct signature_domain {
    signature_type type = signature_type::none;
    std::uint32_t block_size = 512; // 512, 520, 4048, 4096, 4160, or 1 << 30
    bool seed_ones = false;         // the guard or CRC starts from all ones instead of 0
    std::uint32_t psv = 0;          // index of the protection signature vector, 24 bits
    // T10-DIF only.
    std::uint16_t app_tag = 0;
    std::uint32_t ref_tag = 0;
    bool increment_ref_tag = false;
    bool app_escape = false, app_ref_escape = false;
};

struct signature_attributes {
    signature_domain memory, wire;
    std::uint8_t check_mask = 0; // which signature bytes are compared
    bool with_crypto = false;    // a crypto BSF follows this one
};

// 64 bytes. False: a number fits nothing (block size, psv).
bool put_bsf(const signature_attributes &a, std::byte *out) noexcept;

} // namespace kdevx::wq
