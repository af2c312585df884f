// SPDX-License-Identifier: MIT
// Events that kdevx-hca is told to raise (inject=1), and the channels on which they arrive.
#pragma once

#include "kdevx/prm/event.hpp"
#include "verbs.hpp"

namespace kdevx::vm {

// With the event's data, a layout of prm/event.hpp. Over the context's own general commands.
void raise_event(kdevx_context *c, std::string_view type, const box &data, unsigned subtype = 0);
// After that time, when nobody in the guest has anything to do with it.
void raise_event_later(kdevx_context *c, std::string_view type, const box &data,
                       std::chrono::milliseconds delay);
void set_link(kdevx_context *c, unsigned port, bool up);

// The data of the events that tests raise.
box of_cq(std::uint32_t cqn);                      // CQ_ERROR
box of_queue(unsigned kind, std::uint32_t number); // of QPs, RQs, SQs and SRQs
box of_port(unsigned port);

event_channel_ptr make_channel(kdevx_context *c, std::uint32_t flags = 0);
outcome subscribe(const event_channel_ptr &channel, kdevx_object *of,
                  const std::vector<std::string_view> &types, std::uint64_t cookie);
// The next one within ten seconds; must be there.
kdevx_event next(const event_channel_ptr &channel);
kdevx_async_event next(const async_fd_ptr &async);
bool is_quiet(const event_channel_ptr &channel);
bool is_quiet(const async_fd_ptr &async);

} // namespace kdevx::vm
