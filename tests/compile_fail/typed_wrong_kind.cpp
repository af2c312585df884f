// SPDX-License-Identifier: MIT
// expect: queries
#include "kdevx/typed/queue.hpp"
using namespace kdevx;
bool ask(const context &c, const object &o);
bool ask(const context &c, const object &o) {
    (void)c, (void)o;
#ifdef WRONG
    return bool(typed::query(o, typed::create_cq({}))); // a command that makes an object
#else
    return bool(typed::query(o, typed::query_cq(1)));
#endif
}
