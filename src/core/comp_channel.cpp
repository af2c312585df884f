// SPDX-License-Identifier: MIT
#include "core/comp_channel.hpp"

#include "base/bytes.hpp"
#include "core/stream.hpp"
#include "core/write_command.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

result<void> end_comp_channel(slot &) noexcept {
    return {};
}

void drop_comp_channel(slot &s) noexcept {
    s.context->sys().close(s.body<comp_channel>().fd);
}

bool comp_channel_in_use(const slot &s) noexcept {
    return s.body<comp_channel>().users != 0;
}

result<std::uint64_t> read_event(const file &f, const comp_channel &channel) {
    ib_uverbs_comp_event_desc record{};
    result<std::size_t> n = read_record(f, channel.fd, bytes_of(record));
    if (!n) return n.failure();
    if (*n != sizeof record) return fail(KDEVX_CAUSE_OTHER, EBADMSG, "read", *n, sizeof record);
    return std::uint64_t(record.cq_handle);
}

} // namespace

const noun comp_channel::noun{KDEVX_KIND_COMP_CHANNEL, "channel", end_comp_channel,
                              drop_comp_channel,       nullptr,   comp_channel_in_use};

result<kdevx_comp_channel *> create_comp_channel(context &c) noexcept {
    draft<comp_channel> d(c);
    if (!d) return no_memory("channel");
    ib_uverbs_create_comp_channel in{};
    ib_uverbs_create_comp_channel_resp out{};
    result<void> r = write_command<"IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL">(c.file(), in, out);
    if (r) r = make_non_blocking(c.sys(), d->fd = int(out.fd));
    if (!r) return r.failure();
    return d.publish();
}

result<std::uint64_t> get_comp_event(pin<comp_channel> &channel, int timeout_ms) noexcept {
    return take_or_wait(channel, timeout_ms, [&] { return read_event(channel.file(), *channel); });
}

} // namespace kdevx::core
