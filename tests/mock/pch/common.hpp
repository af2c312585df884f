// SPDX-License-Identifier: MIT
// What nearly every file of this folder begins with, parsed once (cpp_pch). Files name what they
// need all the same: -Db_pch=false builds too.
#include "../../unit/catch.hpp"

#include "script.hpp"
#include "verbs.hpp"
