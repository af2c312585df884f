// SPDX-License-Identifier: MIT
// Capability pages, and what follows from them.
#pragma once

#include <kdevx/prm/caps.hpp>
#include <kdevx/typed/command.hpp>

namespace kdevx::typed {

// The answer's `capability` is that page: query_hca_cap(prm::cap<"GENERAL">)
inline auto query_hca_cap(std::uint32_t page, prm::cap_kind kind = prm::cap_kind::current) {
    command<prm::query_hca_cap_in, prm::query_hca_cap_out> in;
    in.set<"op_mod">(prm::cap_op_mod(page, kind));
    return in;
}

// A page out of the answer: page<prm::cmd_hca_cap>(*answer).get<"log_max_qp">()
template <const auto &Layout, class Answer>
prm::view<Layout> page(const Answer &answer) {
    return prm::view<Layout>(answer.template get_bytes<"capability">());
}

// ---- timestamps
// ----------------------------------------------------------------------------------

// Of whose clock a queue's timestamps shall be.
enum class timestamps { none, free_running, real_time };

// sq_ts_format, rq_ts_format or qp_ts_format of the capabilities: which clocks the queues have.
enum class ts_format_cap { free_running = 0, real_time = 1, both = 2 };

// What goes into the ts_format field. Without a wish it is the device's own choice, except on
// devices that have no other clock and no name for it: 0 there. A clock that the queues do not have
// is -EOPNOTSUPP NOT_SUPPORTED.
inline result<std::uint32_t> ts_format(ts_format_cap has, timestamps wanted) {
    constexpr std::uint32_t free_running = prm::value_of<prm::timestamp_formats, "FREE_RUNNING">,
                            by_default = prm::value_of<prm::timestamp_formats, "DEFAULT">,
                            real_time = prm::value_of<prm::timestamp_formats, "REAL_TIME">;
    kdevx_failure refused{};
    refused.err = EOPNOTSUPP;
    refused.cause = KDEVX_CAUSE_NOT_SUPPORTED;
    refused.step = "ts_format";
    switch (wanted) {
    case timestamps::free_running:
        return has == ts_format_cap::real_time ? result<std::uint32_t>(refused) : free_running;
    case timestamps::real_time:
        return has == ts_format_cap::free_running ? result<std::uint32_t>(refused) : real_time;
    case timestamps::none:
        break;
    }
    return has == ts_format_cap::free_running ? free_running : by_default;
}
// A QP has the field only where RoCE is on: elsewhere it is reserved, and 0.
inline result<std::uint32_t> qp_ts_format(bool roce, ts_format_cap has, timestamps wanted) {
    return roce ? ts_format(has, wanted) : ts_format(ts_format_cap::free_running, wanted);
}

} // namespace kdevx::typed
