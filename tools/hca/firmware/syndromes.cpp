// SPDX-License-Identifier: MIT
#include "firmware/syndromes.hpp"

#include "kdevx/prm/status.hpp"

#include <fmt/format.h>

namespace kdevx::hca::firmware {
namespace {

constexpr syndrome_row rows[] = {
#define SYNDROME(name, number, status_name, text)                                                  \
    {syndrome::name, #name, prm::status<status_name>, text},
#include "firmware/syndromes.def"
#undef SYNDROME
};

} // namespace

std::span<const syndrome_row> all_syndromes() {
    return rows;
}

const syndrome_row *find_syndrome(syndrome s) {
    for (const syndrome_row &row : rows)
        if (row.code == s) return &row;
    return nullptr;
}

std::string syndromes_as_text() {
    std::string text;
    for (const syndrome_row &row : rows)
        text += fmt::format("{:#08x} {:<17} {:<24} {}\n", std::uint32_t(row.code),
                            prm::statuses.name_of(row.status), row.name, row.text);
    return text;
}

} // namespace kdevx::hca::firmware
