// SPDX-License-Identifier: MIT
// expect: this_row_overlaps_or_precedes_the_row_before_it
#include "kdevx/prm/layout.hpp"
using namespace kdevx::prm;
#ifdef WRONG
inline constexpr layout l{"l", 8, {{"a", 0, 31, 16}, {"b", 0, 16, 0}}};
#else
inline constexpr layout l{"l", 8, {{"a", 0, 31, 16}, {"b", 0, 15, 0}}};
#endif
