// SPDX-License-Identifier: MIT
// ACCESS_REG: the registers of port and device.
#pragma once

#include "firmware/state.hpp"

namespace kdevx::hca::firmware {

syndrome access_reg(state &s, command &c);

} // namespace kdevx::hca::firmware
