// SPDX-License-Identifier: MIT
// The enumerations of kabi/ in words.
#pragma once

#include "kabi/table.hpp"

namespace kdevx::tool {

const char *name_of(kabi::attr_kind kind); // "ptr_in"
const char *name_of(kabi::presence when);  // "log_max_uctx"
const char *needs_of(kabi::presence when); // "needs firmware with user contexts"; "" for always

} // namespace kdevx::tool
