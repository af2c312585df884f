// SPDX-License-Identifier: MIT
// What nearly every file of this folder begins with, parsed once (cpp_pch). Files name what they
// need all the same: -Db_pch=false builds too.
#include "command.hpp"
#include "netlink.hpp"
#include "session.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>
