// SPDX-License-Identifier: MIT
#pragma once

#include "kdevx/kdevx-nl.h"

namespace kdevx::nl {

// Fills `why` if there is one; returns what the call returns: -error.
int fail(kdevx_nl_failure *why, kdevx_nl_cause cause, int error, const char *step) noexcept;

// What an errno of the kernel means as the answer to a request about one device, or about none.
kdevx_nl_cause cause_of(int error, bool names_a_device) noexcept;

} // namespace kdevx::nl
