// SPDX-License-Identifier: MIT
// What nearly every file of this folder begins with, parsed once (cpp_pch). Files name what they
// need all the same: -Db_pch=false builds too.
#include "verbs.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>
