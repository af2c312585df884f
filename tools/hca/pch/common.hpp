// SPDX-License-Identifier: MIT
// What nearly every file of this folder begins with, parsed once (cpp_pch). Files name what they
// need all the same: -Db_pch=false builds too.
#include "engine/engine.hpp"
#include "firmware/state.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>
