// SPDX-License-Identifier: MIT
// The table of rates at which queues may be told to send.
#pragma once

#include "firmware/command.hpp"

#include <cstdint>

namespace kdevx::hca::firmware {

class state;

// Of 1 kbit/s each, as the capabilities and the command count; index 0 is "no limit".
inline constexpr std::uint32_t least_rate = 1000, most_rate = 100'000'000;
inline constexpr unsigned rate_table_size = 128;

// One row of it. A rate of 0 is one that nobody has set.
struct pacing_rate {
    std::uint16_t uid = 0;
    std::uint32_t rate = 0, burst = 0;
    std::uint16_t typical_packet = 0;
};

syndrome set_pp_rate_limit(state &s, command &c);

} // namespace kdevx::hca::firmware
