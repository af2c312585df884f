// SPDX-License-Identifier: MIT
// The mailboxes of the demo: a completion queue and a queue pair that talks to itself, in one
// umem of 16 KiB. All numbers that the two have to agree upon are here.
#pragma once

#include "kdevx/prm/cq.hpp"
#include "kdevx/prm/qp_transitions.hpp"

#include <cstdint>

namespace kdevx::tool::demo {

// The umem is told to use 4 KiB pages: offsets in it need an exact page size.
inline constexpr std::uint64_t page_size_bit = 1 << 12;
inline constexpr std::size_t umem_size = 4 << 12;
inline constexpr std::uint64_t cq_offset = 0, wq_offset = 1 << 12, cq_dbr_offset = 2 << 12,
                               qp_dbr_offset = (2 << 12) + 64;
inline constexpr unsigned log_cq_size = 6, log_sq_size = 4, log_rq_size = 4;

struct ids {
    std::uint32_t pd, umem, uar_page, eqn, cqn, qpn;
};
// Where a packet to ourselves goes: an LID on InfiniBand, a GID on Ethernet.
struct path {
    std::uint16_t lid = 0;
    std::byte gid[16]{};
    bool grh = false;
};

prm::mailbox<prm::create_cq_in> create_cq(const ids &i);
prm::mailbox<prm::create_qp_in> create_qp(const ids &i);
prm::mailbox<prm::rst2init_qp_in> to_init(const ids &i);
prm::mailbox<prm::init2rtr_qp_in> to_rtr(const ids &i, const path &p);
prm::mailbox<prm::rtr2rts_qp_in> to_rts(const ids &i);
prm::mailbox<prm::query_qp_in> query_qp(const ids &i);
prm::mailbox<prm::query_cq_in> query_cq(const ids &i);

} // namespace kdevx::tool::demo
