// SPDX-License-Identifier: MIT
// The work queue context that SQ, RQ, RMP and XRQ have in common.
#pragma once

#include "firmware/state.hpp"

namespace kdevx::hca::firmware {

// Checks and places the work queue whose context begins at byte `at` of the inbox.
syndrome place_wq(state &s, command &c, object &o, std::size_t at, engine::work_queue &wq);
// Makes `o` use the shared receive queue of this number, whichever kind it is.
syndrome use_shared_receive_queue(state &s, command &c, object &o, std::uint32_t number);

} // namespace kdevx::hca::firmware
