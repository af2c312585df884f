// SPDX-License-Identifier: MIT
// The whole C++ face.
#pragma once

#include <kdevx/context.hpp>
#include <kdevx/device.hpp>
#include <kdevx/kdevx.h>
