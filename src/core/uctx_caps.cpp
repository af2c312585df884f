// SPDX-License-Identifier: MIT
#include "core/uctx_caps.hpp"

#include <kdevx/prm/caps.hpp>
#include <kdevx/prm/hca.hpp>

#include "core/command.hpp"

namespace kdevx::core {

result<std::uint32_t> query_uctx_caps(context &c) noexcept {
    constexpr std::uint32_t general_page = 0;
    // The page's fields are counted from behind the outbox's own two.
    constexpr std::size_t page_offset = 0x10;
    std::byte outbox[prm::query_hca_cap_out.size];
    prm::mailbox<prm::query_hca_cap_in> inbox;
    inbox.set<"opcode", prm::value_of<prm::opcodes, "QUERY_HCA_CAP">>();
    inbox.set<"op_mod">(prm::cap_op_mod(general_page, prm::cap_kind::current));
    result<void> r = general_cmd(c, inbox.bytes(), outbox);
    if (!r) return r.failure();
    prm::view<prm::cmd_hca_cap> caps(uverbs::const_bytes(outbox).subspan(page_offset));
    return std::uint32_t(caps.get<"uctx_cap">());
}

} // namespace kdevx::core
