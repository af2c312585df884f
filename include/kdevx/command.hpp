// SPDX-License-Identifier: MIT
// Typed commands: an inbox of a PRM layout, answered by the outbox of the same command.
#pragma once

#include <cerrno>
#include <span>

#include <kdevx/prm/commands.hpp>
#include <kdevx/result.hpp>

namespace kdevx {

// Whether the registry has a command with this inbox and this outbox: by that an inbox cannot be
// sent with the outbox of another command, nor the two be exchanged.
template <const auto &In, const auto &Out>
consteval bool is_command() {
    for (const prm::command &c : prm::commands)
        if (c.in->name == In.name && c.out->name == Out.name) return true;
    return false;
}

// Sends `in` by a function of the C interface (its pointer, four arguments and `why`). A mailbox
// that was given a value its field cannot hold is not sent: -EINVAL INVALID, `step` names the
// field.
template <const auto &Out, std::size_t OutTrailing = 0, const auto &In, std::size_t InTrailing,
          class Send>
result<prm::mailbox<Out, OutTrailing>> send_command(const prm::mailbox<In, InTrailing> &in,
                                                    Send send) noexcept {
    static_assert(is_command<In, Out>(), "no command has this inbox and this outbox");
    kdevx_failure why{};
    if (!in.valid()) {
        why.err = EINVAL;
        why.cause = KDEVX_CAUSE_INVALID;
        why.step = in.misfit().data();
        return why;
    }
    prm::mailbox<Out, OutTrailing> out;
    if (send(in.bytes().data(), in.bytes().size(), out.bytes().data(), out.bytes().size(), &why))
        return why;
    return out;
}

} // namespace kdevx
