// SPDX-License-Identifier: MIT
// expect: this_command_has_no_such_field
#include "kdevx/prm/cq.hpp"
using namespace kdevx::prm;
#ifdef WRONG
inline constexpr command_group g{{{"CREATE_CQ", create, create_cq_in, create_cq_out, "cqnn"}}};
#else
inline constexpr command_group g{{{"CREATE_CQ", create, create_cq_in, create_cq_out, "cqn"}}};
#endif
