// SPDX-License-Identifier: MIT
#include "events.hpp"

#include "faults.hpp"
#include "inject.hpp"

#include <algorithm>

namespace kdevx::vm {
namespace {

constexpr int patience_ms = 10'000;

using injection = prm::mailbox<hca::inject_in>;

void inject(kdevx_context *c, injection &in) {
    must_be_kdevx_hca(c);
    std::byte out[16];
    in.set<"magic">(hca::inject_magic);
    REQUIRE(call(kdevx_general_cmd, c, static_cast<const void *>(in.bytes().data()),
                 in.bytes().size(), static_cast<void *>(out), sizeof out) == ok);
}

std::uint16_t number_of(std::string_view type) {
    const auto *row = prm::event_types.find(type);
    REQUIRE(row != nullptr);
    return std::uint16_t(row->number);
}

injection event_of(std::string_view type, const box &data) {
    injection in;
    in.set<"opcode">(hca::INJECT_EVENT).set<"type">(number_of(type));
    std::vector<std::byte> bytes(data.bytes());
    bytes.resize(prm::place_of<hca::inject_in, "data">.row.size);
    in.set_bytes<"data">(bytes);
    return in;
}

} // namespace

void raise_event(kdevx_context *c, std::string_view type, const box &data, unsigned subtype) {
    injection in = event_of(type, data);
    inject(c, in.set<"subtype">(subtype));
}

void raise_event_later(kdevx_context *c, std::string_view type, const box &data,
                       std::chrono::milliseconds delay) {
    injection in = event_of(type, data);
    inject(c, in.set<"delay_ms">(std::uint64_t(delay.count())));
}

void set_link(kdevx_context *c, unsigned port, bool up) {
    injection in;
    in.set<"opcode">(hca::INJECT_LINK).set<"number">(port).set<"value">(up);
    inject(c, in);
}

box of_cq(std::uint32_t cqn) {
    box b(prm::cq_error);
    b.set("cqn", cqn);
    b.set("syndrome", prm::value_of<prm::cq_error_syndromes, "CQ_OVERRUN">);
    return b;
}

box of_queue(unsigned kind, std::uint32_t number) {
    box b(prm::qp_events);
    b.set("type", kind);
    b.set("qpn_rqn_sqn", number);
    return b;
}

box of_port(unsigned port) {
    box b(prm::port_state_change_event);
    b.set("port_num", port);
    return b;
}

event_channel_ptr make_channel(kdevx_context *c, std::uint32_t flags) {
    return make<event_channel_ptr>(kdevx_event_channel_create, c, flags);
}

outcome subscribe(const event_channel_ptr &channel, kdevx_object *of,
                  const std::vector<std::string_view> &types, std::uint64_t cookie) {
    std::vector<std::uint16_t> numbers;
    for (std::string_view t : types)
        numbers.push_back(number_of(t));
    return call(kdevx_event_subscribe, channel.get(), of,
                static_cast<const std::uint16_t *>(numbers.data()), numbers.size(), cookie);
}

kdevx_event next(const event_channel_ptr &channel) {
    auto e = sized<kdevx_event>();
    REQUIRE(call(kdevx_event_get, channel.get(), patience_ms, &e) == ok);
    return e;
}

kdevx_async_event next(const async_fd_ptr &async) {
    auto e = sized<kdevx_async_event>();
    REQUIRE(call(kdevx_async_fd_get, async.get(), patience_ms, &e) == ok);
    return e;
}

bool is_quiet(const event_channel_ptr &channel) {
    auto e = sized<kdevx_event>();
    return call(kdevx_event_get, channel.get(), KDEVX_NO_WAIT, &e) ==
           failed(EAGAIN, KDEVX_CAUSE_NOTHING_YET);
}

bool is_quiet(const async_fd_ptr &async) {
    auto e = sized<kdevx_async_event>();
    return call(kdevx_async_fd_get, async.get(), KDEVX_NO_WAIT, &e) ==
           failed(EAGAIN, KDEVX_CAUSE_NOTHING_YET);
}

} // namespace kdevx::vm
