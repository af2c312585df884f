// SPDX-License-Identifier: MIT
#include "core/flow.hpp"

#include "capi/calls.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_flow_matcher_create(kdevx_context *context, const kdevx_flow_matcher_options *options,
                              kdevx_flow_matcher **matcher, kdevx_failure *why) noexcept {
    return make_in(context, matcher, "matcher", why,
                   [=](core::context &c) { return core::create_matcher(c, options); });
}

int kdevx_flow_matcher_destroy(kdevx_flow_matcher *matcher, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::flow_matcher>(matcher), why);
}

int kdevx_flow_create(kdevx_flow_matcher *matcher, const kdevx_flow_options *options,
                      kdevx_flow **flow, kdevx_failure *why) noexcept {
    return make_with<core::flow_matcher>(matcher, flow, "flow", why,
                                         [=](auto &m) { return core::create_flow(m, options); });
}

int kdevx_flow_destroy(kdevx_flow *flow, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::flow>(flow), why);
}

int kdevx_modify_header_create(kdevx_context *context, const void *actions, std::size_t size,
                               std::uint32_t ft_type, kdevx_flow_action **action,
                               kdevx_failure *why) noexcept {
    return make_in(context, action, "action", why, [=](core::context &c) {
        return core::create_modify_header(c, bytes(actions, size), ft_type);
    });
}

int kdevx_packet_reformat_create(kdevx_context *context, std::uint32_t type, std::uint32_t ft_type,
                                 const void *data, std::size_t size, kdevx_flow_action **action,
                                 kdevx_failure *why) noexcept {
    return make_in(context, action, "action", why, [=](core::context &c) {
        return core::create_packet_reformat(c, type, ft_type, bytes(data, size));
    });
}

int kdevx_flow_action_destroy(kdevx_flow_action *action, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::flow_action>(action), why);
}

int kdevx_steering_anchor_create(kdevx_context *context, std::uint32_t ft_type,
                                 std::uint16_t priority, kdevx_steering_anchor **anchor,
                                 kdevx_failure *why) noexcept {
    return make_in(context, anchor, "anchor", why,
                   [=](core::context &c) { return core::create_anchor(c, ft_type, priority); });
}

int kdevx_steering_anchor_destroy(kdevx_steering_anchor *anchor, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::steering_anchor>(anchor), why);
}

std::int64_t kdevx_steering_anchor_table(const kdevx_steering_anchor *anchor) noexcept {
    result<core::pin<core::steering_anchor>> a = core::enter<core::steering_anchor>(anchor);
    return a ? std::int64_t((*a)->table) : -EBADF;
}
