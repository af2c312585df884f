// SPDX-License-Identifier: MIT
// Whole commands, capability pages and events.
#pragma once

#include "decode/item.hpp"

namespace kdevx::decode {

using bytes = std::span<const std::byte>;

// The item is named as the command ("CREATE_CQ"); what has no layout here shows as UNKNOWN dwords
// behind opcode and op_mod.
item decode_inbox(bytes in);
// An outbox alone does not say whose it is: the inbox it answers does.
item decode_outbox(bytes in, bytes out);

// One page of QUERY_HCA_CAP's `capability`, by its type; named as the page ("ODP").
item decode_capability(std::uint32_t page, bytes capability);

// An event queue entry, 64 bytes.
item decode_eqe(bytes eqe);

} // namespace kdevx::decode
