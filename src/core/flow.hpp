// SPDX-License-Identifier: MIT
// Matchers, flows, their actions, and anchors into the kernel's tables.
#pragma once

#include <kdevx/flow.h>

#include "core/object.hpp"
#include "core/qp.hpp"

namespace kdevx::core {

struct flow_matcher {
    using handle_type = kdevx_flow_matcher;
    static const core::noun noun;
};

struct flow {
    using handle_type = kdevx_flow;
    static const core::noun noun;

    // What it uses; those it has not are null.
    const slot *matcher, *dest_qp, *dest_object, *counter, *actions[KDEVX_MAX_FLOW_ACTIONS];
};

struct flow_action {
    using handle_type = kdevx_flow_action;
    static const core::noun noun;
};

struct steering_anchor {
    using handle_type = kdevx_steering_anchor;
    static const core::noun noun;

    std::uint32_t table;
};

result<kdevx_flow_matcher *> create_matcher(context &c,
                                            const kdevx_flow_matcher_options *given) noexcept;
result<kdevx_flow *> create_flow(const pin<flow_matcher> &matcher,
                                 const kdevx_flow_options *given) noexcept;
result<kdevx_flow_action *> create_modify_header(context &c, uverbs::const_bytes actions,
                                                 std::uint32_t ft_type) noexcept;
result<kdevx_flow_action *> create_packet_reformat(context &c, std::uint32_t type,
                                                   std::uint32_t ft_type,
                                                   uverbs::const_bytes data) noexcept;
result<kdevx_steering_anchor *> create_anchor(context &c, std::uint32_t ft_type,
                                              std::uint16_t priority) noexcept;

} // namespace kdevx::core
