// SPDX-License-Identifier: MIT
// expect: no command has this inbox and this outbox
#include "kdevx/context.hpp"
using namespace kdevx;
bool send(const context &c);
bool send(const context &c) {
#ifdef WRONG
    prm::mailbox<prm::query_hca_cap_out> in; // its outbox for an inbox
#else
    prm::mailbox<prm::query_hca_cap_in> in;
#endif
    return bool(c.general_cmd<prm::query_hca_cap_out>(in));
}
