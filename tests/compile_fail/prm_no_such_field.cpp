// SPDX-License-Identifier: MIT
// expect: this_layout_has_no_such_field
#include "kdevx/prm/layout.hpp"
using namespace kdevx::prm;
inline constexpr layout l{"l", 8, {{"opcode", 0, 31, 16}}};
void fill(mailbox<l> &m);
void fill(mailbox<l> &m) {
#ifdef WRONG
    m.set<"opcod">(1);
#else
    m.set<"opcode">(1);
#endif
}
