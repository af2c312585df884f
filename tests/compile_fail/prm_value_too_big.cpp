// SPDX-License-Identifier: MIT
// expect: this value does not fit its PRM field
#include "kdevx/prm/layout.hpp"
using namespace kdevx::prm;
inline constexpr layout l{"l", 8, {{"opcode", 0, 31, 16}}};
void fill(mailbox<l> &m);
void fill(mailbox<l> &m) {
#ifdef WRONG
    m.set<"opcode", 0x10000>();
#else
    m.set<"opcode", 0xffff>();
#endif
}
