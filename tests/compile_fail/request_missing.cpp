// SPDX-License-Identifier: MIT
// expect: a_mandatory_attribute_is_missing
#include "kabi/devx.hpp"
#include "uverbs/request.hpp"
using namespace kdevx;
using namespace kdevx::uverbs;
bool call(const file &f, std::uint32_t &eqn);
bool call(const file &f, std::uint32_t &eqn) {
    return bool(
        invoke<kabi::devx::query_eqn>(f,
#ifndef WRONG
                                      in_value<"MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC">(0u),
#endif
                                      out_value<"MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN">(eqn)));
}
