// SPDX-License-Identifier: MIT
// Bring-up and take-down, and what is asked of the device as a whole.
#pragma once

#include "firmware/state.hpp"

namespace kdevx::hca::firmware {

syndrome enable_hca(state &s, command &c);
syndrome disable_hca(state &s, command &c);
syndrome init_hca(state &s, command &c);
syndrome teardown_hca(state &s, command &c);
syndrome query_issi(state &s, command &c);
syndrome set_issi(state &s, command &c);
syndrome query_pages(state &s, command &c);
syndrome manage_pages(state &s, command &c);
syndrome query_hca_cap(state &s, command &c);
syndrome set_hca_cap(state &s, command &c);
syndrome query_adapter(state &s, command &c);
syndrome query_special_contexts(state &s, command &c);
syndrome set_driver_version(state &s, command &c);
syndrome nop(state &s, command &c);

} // namespace kdevx::hca::firmware
