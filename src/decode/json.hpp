// SPDX-License-Identifier: MIT
// Items as JSON. Numbers are numbers; one that has a name is {"value": 3, "name": "RTS"}; bytes are
// a string of hexadecimal digits; lists are arrays. Zeros are shown: a program wants them.
#pragma once

#include "decode/item.hpp"

#include <nlohmann/json.hpp>

namespace kdevx::decode {

nlohmann::ordered_json to_json(const item &i);

} // namespace kdevx::decode
