// SPDX-License-Identifier: MIT
// The whole C++ face.
#pragma once

#include <kdevx/context.hpp>
#include <kdevx/device.hpp>
#include <kdevx/event.hpp>
#include <kdevx/flow.hpp>
#include <kdevx/kdevx.h>
#include <kdevx/ring.hpp>
#include <kdevx/typed/all.hpp>
#include <kdevx/verbs.hpp>
