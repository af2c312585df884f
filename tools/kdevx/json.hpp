// SPDX-License-Identifier: MIT
// JSON with its keys in the order they were added.
#pragma once

#include <nlohmann/json.hpp>

namespace kdevx::tool {
using json = nlohmann::ordered_json;
}
