// SPDX-License-Identifier: MIT
// Fault injection asked for by a command of the guest (inject.hpp).
#pragma once

#include "firmware/command.hpp"
#include "inject/injector.hpp"

namespace kdevx::hca::inject {

// The command's opcode is one of inject_opcode.
firmware::syndrome run(injector &i, firmware::command &c);

} // namespace kdevx::hca::inject
