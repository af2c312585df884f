// SPDX-License-Identifier: MIT
// What error CQEs say. The table is cqe_errors.def.
#pragma once

#include "kdevx/prm/cqe.hpp"

#include <cstdint>

namespace kdevx::hca::engine {

struct cqe_error {
    const char *name;
    std::uint8_t syndrome, vendor;
    const char *text;
};

namespace errors {
#define CQE_ERROR(name, syndrome, vendor, text)                                                    \
    inline constexpr cqe_error name{#name, prm::cqe_syndrome<syndrome>, vendor, text};
#include "engine/cqe_errors.def"
#undef CQE_ERROR
} // namespace errors

inline constexpr const cqe_error *all_cqe_errors[] = {
#define CQE_ERROR(name, syndrome, vendor, text) &errors::name,
#include "engine/cqe_errors.def"
#undef CQE_ERROR
};

} // namespace kdevx::hca::engine
