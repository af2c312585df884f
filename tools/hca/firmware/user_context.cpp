// SPDX-License-Identifier: MIT
#include "firmware/queues.hpp"
#include "kdevx/prm/mkey.hpp"

namespace kdevx::hca::firmware {

// The driver destroys a context's objects before the context. One that is left is a leak; keeping
// the uid is what keeps it from a stranger.
syndrome stop_uctx(state &s, command &c, object &o) {
    if (std::size_t n = s.objects.owned_by(std::uint16_t(o.id)))
        return c.refuse(syndrome::uctx_not_empty, "uid {}: {} objects", o.id, n);
    return syndrome::none;
}

// Up to four in one command for the driver; objects of programs are one each.
syndrome check_psv(state &, command &c, object &) {
    const auto n = c.inbox<prm::create_psv_in>().get<"num_psv">();
    return n == 1 ? syndrome::none : c.refuse(syndrome::bad_parameter, "num_psv {}", n);
}

} // namespace kdevx::hca::firmware
