// SPDX-License-Identifier: MIT
// General objects: one set of commands for objects of many types.
#pragma once

#include "firmware/state.hpp"

namespace kdevx::hca::firmware {

// The bits of general_obj_types: types below 64 that can be created.
std::uint64_t general_object_types();

syndrome check_general_object(state &s, command &c, object &o);
syndrome modify_general_object(state &s, command &c);
syndrome query_general_object(state &s, command &c);
syndrome destroy_general_object(state &s, command &c);

} // namespace kdevx::hca::firmware
