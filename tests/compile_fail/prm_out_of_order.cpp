// SPDX-License-Identifier: MIT
// expect: this_row_overlaps_or_precedes_the_row_before_it
#include "kdevx/prm/layout.hpp"
using namespace kdevx::prm;
#ifdef WRONG
inline constexpr layout l{"l", 8, {{"b", 4, 31, 0}, {"a", 0, 31, 16}}};
#else
inline constexpr layout l{"l", 8, {{"a", 0, 31, 16}, {"b", 4, 31, 0}}};
#endif
