// SPDX-License-Identifier: MIT
#pragma once

#include <kdevx/typed/caps.hpp>
#include <kdevx/typed/memory.hpp>
#include <kdevx/typed/object.hpp>
#include <kdevx/typed/qp.hpp>
#include <kdevx/typed/queue.hpp>
#include <kdevx/typed/steering.hpp>
