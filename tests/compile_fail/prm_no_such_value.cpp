// SPDX-License-Identifier: MIT
// expect: this_table_has_no_such_value
#include "kdevx/prm/opcodes.hpp"
using namespace kdevx::prm;
#ifdef WRONG
static_assert(op<"CREATE_CQQ"> == 0x400);
#else
static_assert(op<"CREATE_CQ"> == 0x400);
#endif
