// SPDX-License-Identifier: MIT
// The virtual port, NIC and InfiniBand, and the management datagrams that ask about it.
#pragma once

#include "firmware/state.hpp"

namespace kdevx::hca::firmware {

std::vector<std::byte> initial_nic_vport_context(const options &o);

syndrome query_nic_vport_context(state &s, command &c);
syndrome modify_nic_vport_context(state &s, command &c);
syndrome query_vport_state(state &s, command &c);
syndrome modify_vport_state(state &s, command &c);
syndrome query_hca_vport_context(state &s, command &c);
syndrome modify_hca_vport_context(state &s, command &c);
syndrome query_hca_vport_gid(state &s, command &c);
syndrome query_hca_vport_pkey(state &s, command &c);
syndrome query_vport_counter(state &s, command &c);
syndrome query_vnic_env(state &s, command &c);
syndrome mad_ifc(state &s, command &c);

} // namespace kdevx::hca::firmware
