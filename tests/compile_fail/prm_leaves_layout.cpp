// SPDX-License-Identifier: MIT
// expect: this_row_leaves_its_layout
#include "kdevx/prm/layout.hpp"
using namespace kdevx::prm;
#ifdef WRONG
inline constexpr layout l{"l", 8, {{"a", 4, 63, 0}}};
#else
inline constexpr layout l{"l", 8, {{"a", 0, 63, 0}}};
#endif
