// SPDX-License-Identifier: MIT
// General objects: one set of commands for objects of many types.
#pragma once

#include "firmware/state.hpp"

namespace kdevx::hca::firmware {

// Pages of the BAR by which virtio queues are rung, one for each VAR. Nothing is behind them:
// virtio queues are kept, they do not run.
inline constexpr std::uint64_t virtio_doorbells = 0x1fc0000;
inline constexpr unsigned log_virtio_doorbell_pages = 6;

// The bits of general_obj_types: which of the 64 types from `first` on can be created.
std::uint64_t general_object_types(unsigned first);

syndrome check_general_object(state &s, command &c, object &o);
syndrome modify_general_object(state &s, command &c);
syndrome query_general_object(state &s, command &c);
syndrome destroy_general_object(state &s, command &c);

} // namespace kdevx::hca::firmware
