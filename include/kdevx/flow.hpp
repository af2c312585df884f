// SPDX-License-Identifier: MIT
// Steering by the kernel's tables.
#pragma once

#include <span>

#include <kdevx/context.hpp>
#include <kdevx/flow.h>
#include <kdevx/made.hpp>

namespace kdevx {

class flow_matcher : public unique_handle<kdevx_flow_matcher, kdevx_flow_matcher_destroy> {
public:
    using unique_handle::unique_handle;

    static result<flow_matcher> create(const context &c,
                                       const kdevx_flow_matcher_options &o) noexcept {
        return owner_of<flow_matcher>(
            [&](auto... made) { return kdevx_flow_matcher_create(c.get(), &o, made...); });
    }
};

class flow : public unique_handle<kdevx_flow, kdevx_flow_destroy> {
public:
    using unique_handle::unique_handle;

    static result<flow> create(const flow_matcher &m, const kdevx_flow_options &o) noexcept {
        return owner_of<flow>(
            [&](auto... made) { return kdevx_flow_create(m.get(), &o, made...); });
    }
};

class flow_action : public unique_handle<kdevx_flow_action, kdevx_flow_action_destroy> {
public:
    using unique_handle::unique_handle;

    static result<flow_action> modify_header(const context &c, std::span<const std::byte> actions,
                                             kdevx_flow_table_type table) noexcept {
        return owner_of<flow_action>([&](auto... made) {
            return kdevx_modify_header_create(c.get(), actions.data(), actions.size(), table,
                                              made...);
        });
    }
    static result<flow_action> packet_reformat(const context &c, kdevx_packet_reformat_type type,
                                               kdevx_flow_table_type table,
                                               std::span<const std::byte> data = {}) noexcept {
        return owner_of<flow_action>([&](auto... made) {
            return kdevx_packet_reformat_create(c.get(), type, table, data.data(), data.size(),
                                                made...);
        });
    }
};

class steering_anchor : public unique_handle<kdevx_steering_anchor, kdevx_steering_anchor_destroy> {
public:
    using unique_handle::unique_handle;

    static result<steering_anchor> create(const context &c, kdevx_flow_table_type table,
                                          std::uint16_t priority) noexcept {
        return owner_of<steering_anchor>([&](auto... made) {
            return kdevx_steering_anchor_create(c.get(), table, priority, made...);
        });
    }
    std::int64_t table() const noexcept { return kdevx_steering_anchor_table(get()); }
};

} // namespace kdevx
