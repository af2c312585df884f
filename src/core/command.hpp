// SPDX-License-Identifier: MIT
// Firmware commands: their inboxes and outboxes, and what a refusal says.
#pragma once

#include "core/context.hpp"
#include "uverbs/request.hpp"

namespace kdevx::core {

// The header fields that all commands share.
inline std::uint16_t opcode_of(uverbs::const_bytes inbox) {
    return !inbox.data() || inbox.size() < 2 ? 0 : prm::load_be<std::uint16_t>(inbox.data());
}
// op_mod, or obj_type in the commands on general objects
inline std::uint16_t op_mod_of(uverbs::const_bytes inbox) {
    return !inbox.data() || inbox.size() < 8 ? 0 : prm::load_be<std::uint16_t>(inbox.data() + 6);
}
inline std::uint8_t status_of(uverbs::const_bytes outbox) {
    return std::uint8_t(outbox[0]);
}
inline std::uint32_t syndrome_of(uverbs::const_bytes outbox) {
    return prm::load_be<std::uint32_t>(outbox.data() + 4);
}

// Adds what the outbox says, if it says anything: only EREMOTEIO means that the firmware wrote it.
result<void> with_outbox(const result<void> &r, uverbs::const_bytes in, uverbs::const_bytes out);

// For methods that have no outbox: where the arguments are the library's own, EINVAL, EIO, EAGAIN
// and ENOMEM are what the kernel made of a status.
failure refused_without_outbox(const failure &f);

// A command that makes no object.
result<void> general_cmd(context &c, uverbs::const_bytes in, uverbs::bytes out) noexcept;

} // namespace kdevx::core
