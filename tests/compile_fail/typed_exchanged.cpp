// SPDX-License-Identifier: MIT
// expect: no_command_has_this_inbox_and_this_outbox
#include "kdevx/typed/steering.hpp"
using namespace kdevx;
#ifdef WRONG
using lag = typed::command<prm::query_lag_out, prm::query_lag_in>; // the sizes exchanged
#else
using lag = typed::command<prm::query_lag_in, prm::query_lag_out>;
#endif
std::size_t size();
std::size_t size() {
    return lag().bytes().size();
}
