// SPDX-License-Identifier: MIT
// Why a command was refused.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace kdevx::hca::firmware {

enum class syndrome : std::uint32_t {
    none = 0,
#define SYNDROME(name, number, status, text) name = number,
#include "firmware/syndromes.def"
#undef SYNDROME
};

struct syndrome_row {
    syndrome code;
    const char *name;
    std::uint8_t status;
    const char *text;
};

std::span<const syndrome_row> all_syndromes();
// Null for a number that is not ours.
const syndrome_row *find_syndrome(syndrome s);
// One line each: number, name of the status, name, text.
std::string syndromes_as_text();

} // namespace kdevx::hca::firmware
