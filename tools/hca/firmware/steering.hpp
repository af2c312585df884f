// SPDX-License-Identifier: MIT
// Flow tables, groups, entries, and what entries do with packets. Nothing is steered by them, there
// are no packets, but all of it is checked and kept.
#pragma once

#include "firmware/state.hpp"

namespace kdevx::hca::firmware {

syndrome check_flow_table(state &s, command &c, object &o);
syndrome stop_flow_table(state &s, command &c, object &o);
syndrome modify_flow_table(state &s, command &c);
syndrome set_flow_table_root(state &s, command &c);

syndrome check_flow_group(state &s, command &c, object &o);
void start_flow_group(state &s, command &c, object &o);
syndrome stop_flow_group(state &s, command &c, object &o);

// Entries are named by their table and index.
syndrome set_flow_entry(state &s, command &c);
syndrome query_flow_entry(state &s, command &c);
syndrome delete_flow_entry(state &s, command &c);

syndrome check_flow_counter(state &s, command &c, object &o);
syndrome query_flow_counter(state &s, command &c);
syndrome check_modify_header(state &s, command &c, object &o);
syndrome check_packet_reformat(state &s, command &c, object &o);

} // namespace kdevx::hca::firmware
