// SPDX-License-Identifier: MIT
#include "core/eqn.hpp"

#include "kabi/devx.hpp"
#include "uverbs/request.hpp"

namespace kdevx::core {

using namespace uverbs;

// Checked here: 7.2 cuts the vector to 16 bits and answers for another one.
result<std::uint32_t> query_eqn(context &c, std::uint32_t vector) noexcept {
    if (vector >= c.num_comp_vectors()) return invalid("vector", vector, c.num_comp_vectors());
    std::uint32_t eqn = 0;
    result<void> r = invoke<kabi::devx::query_eqn>(
        c.file(), in_value<"MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC">(vector),
        out_value<"MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN">(eqn));
    if (!r) return r.failure();
    return eqn;
}

} // namespace kdevx::core
