// SPDX-License-Identifier: MIT
// Objects that the caller names, not the firmware: a QP in a multicast group, a UDP port, an entry
// of the table of Ethernet addresses.
#pragma once

#include "firmware/state.hpp"

namespace kdevx::hca::firmware {

syndrome attach_to_mcg(state &s, command &c);
syndrome detach_from_mcg(state &s, command &c);
syndrome add_vxlan_udp_dport(state &s, command &c);
syndrome delete_vxlan_udp_dport(state &s, command &c);
syndrome set_l2_table_entry(state &s, command &c);
syndrome query_l2_table_entry(state &s, command &c);
syndrome delete_l2_table_entry(state &s, command &c);

} // namespace kdevx::hca::firmware
