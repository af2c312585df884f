// SPDX-License-Identifier: MIT
#include "firmware/packet_pacing.hpp"

#include "firmware/state.hpp"
#include "kdevx/prm/sched.hpp"

namespace kdevx::hca::firmware {

syndrome set_pp_rate_limit(state &s, command &c) {
    const auto in = c.inbox<prm::set_pp_rate_limit_in>();
    const auto index = unsigned(in.get<"rate_limit_index">());
    const auto rate = std::uint32_t(in.get<"ctx.rate_limit">());
    if (index == 0 || index >= rate_table_size)
        return c.refuse(syndrome::index_out_of_range, "rate {} of {}", index, rate_table_size);
    pacing_rate &row = s.rates[index];
    if (row.rate && !is_driver(c.uid) && row.uid != c.uid)
        return c.refuse(syndrome::not_the_owner, "rate {} is of uid {}", index, row.uid);
    if (rate && (rate < least_rate || rate > most_rate))
        return c.refuse(syndrome::bad_parameter, "{} kbit/s", rate);
    row = {c.uid, rate, std::uint32_t(in.get<"ctx.burst_upper_bound">()),
           std::uint16_t(in.get<"ctx.typical_packet_size">())};
    c.note("rate {}: {} kbit/s", index, rate);
    return syndrome::none;
}

} // namespace kdevx::hca::firmware
