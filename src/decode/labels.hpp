// SPDX-License-Identifier: MIT
// Names for the numbers in fields.
#pragma once

#include "kdevx/prm/layout.hpp"

#include <string>

namespace kdevx::decode {

// "RTS" for 3 in qpc.state; "A|B" where the field is a set of flags; empty where nothing is known.
std::string label_of(const prm::layout_base &in, const prm::field &f, std::uint64_t number);

} // namespace kdevx::decode
