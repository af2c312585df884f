// SPDX-License-Identifier: MIT
#include "inject/guest.hpp"

#include "inject.hpp"

namespace kdevx::hca::inject {
namespace {

using firmware::command;
using firmware::syndrome;

constexpr std::uint32_t at_least_one(std::uint64_t v) {
    return v ? std::uint32_t(v) : 1;
}

syndrome add_rule(injector &i, command &c) {
    const auto in = c.inbox<inject_in>();
    rule r;
    r.opcode = std::uint16_t(in.get<"target">());
    r.nth = at_least_one(in.get<"nth">());
    r.count = at_least_one(in.get<"count">());
    r.what = c.opcode == INJECT_FAIL   ? rule::fail
             : c.opcode == INJECT_HANG ? rule::hang
                                       : rule::delay;
    r.status = std::uint8_t(in.get<"status">());
    r.syndrome = std::uint32_t(in.get<"value">());
    r.time = std::chrono::milliseconds(in.get<"delay_ms">());
    c.note("opcode {:#x}, {} from the {}th on", r.opcode, r.count, r.nth);
    return i.add(r) ? syndrome::none : syndrome::bad_parameter;
}

// Now, or when the delay has passed; then nobody hears any more that it went wrong.
syndrome act(injector &i, command &c, std::function<std::string()> what) {
    const std::chrono::milliseconds delay(c.inbox<inject_in>().get<"delay_ms">());
    if (delay.count()) {
        i.faults.later(delay, [what] { what(); });
        return syndrome::none;
    }
    c.detail = what();
    return c.detail.empty() ? syndrome::none : syndrome::bad_parameter;
}

syndrome raise(injector &i, command &c) {
    const auto in = c.inbox<inject_in>();
    const auto data = in.bytes<"data">();
    return act(i, c,
               [&i, type = std::uint8_t(in.get<"type">()),
                subtype = std::uint8_t(in.get<"subtype">()),
                copy = std::vector(data.begin(), data.end())] {
                   return i.faults.event(type, subtype, copy);
               });
}

} // namespace

syndrome run(injector &i, command &c) {
    if (c.in.size() < inject_in.size) return syndrome::inbox_too_short;
    const auto in = c.inbox<inject_in>();
    if (in.get<"magic">() != inject_magic)
        return c.refuse(syndrome::bad_magic, "{:#x}", in.get<"magic">());
    const auto value = std::uint32_t(in.get<"value">());
    const auto count = at_least_one(in.get<"count">());
    const auto word = prm::load_be<std::uint32_t>(in.bytes<"data">().data());
    const auto number = unsigned(in.get<"number">());
    switch (c.opcode) {
    case INJECT_FAIL:
    case INJECT_DELAY:
    case INJECT_HANG:
        return add_rule(i, c);
    case INJECT_EVENT:
        return raise(i, c);
    case INJECT_DROP_COMPLETION:
        return act(i, c, [&i, value, count] { return i.faults.drop_completions(value, count); });
    case INJECT_INIT_SEGMENT:
        return act(i, c, [&i, value, word] { return i.faults.init_segment(value, word); });
    case INJECT_LINK:
        return act(i, c, [&i, number, value] { return i.faults.link(number, value); });
    case INJECT_UNPLUG:
        return act(i, c, [&i] { return i.faults.unplug(), std::string(); });
    case INJECT_CLOSE:
        return act(i, c, [&i] { return i.faults.close(), std::string(); });
    case INJECT_COUNT:
        c.outbox<inject_out>().set<"value">(i.faults.count_objects());
        return syndrome::none;
    case INJECT_FORGET:
        i.forget();
        return syndrome::none;
    }
    return syndrome::unknown_opcode;
}

} // namespace kdevx::hca::inject
