// SPDX-License-Identifier: MIT
// The states of a queue pair of the verbs kind, one step each. Port 1, and itself as its peer's
// port.
#pragma once

#include "verbs.hpp"

namespace kdevx::vm {

outcome set_state(const qp_ptr &qp, kdevx_qp_state state, std::uint32_t with = 0);
outcome to_init(const qp_ptr &qp);
outcome to_rtr(const qp_ptr &qp, std::uint32_t dest_qpn);
inline constexpr std::uint32_t first_receive_psn = 0x99; // of to_rtr()
outcome to_rts(const qp_ptr &qp, std::uint32_t first_psn = 0x88);
// A DCT has no peer, and goes no further.
outcome dct_to_rtr(const qp_ptr &qp);
// All that the kernel tells of it; must succeed.
kdevx_qp_attr attr_of(const qp_ptr &qp);

} // namespace kdevx::vm
