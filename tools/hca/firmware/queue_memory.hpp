// SPDX-License-Identifier: MIT
// Where queues lie: in pages that the command lists (the driver's own queues), or in a umem.
#pragma once

#include "firmware/state.hpp"

namespace kdevx::hca::firmware {

inline constexpr unsigned least_page_shift = 12, most_page_shift = 31;
inline constexpr std::uint64_t record_size = 8;

// ---- umem, a kind of object
syndrome check_umem(state &s, command &c, object &o);

// ---- rings. The object keeps the umem, or the list of its own.
struct ring_place {
    bool in_umem = false;
    std::uint32_t umem = 0;
    std::uint64_t umem_offset = 0;
    std::size_t list = 0;          // where in the inbox the list of pages begins
    unsigned log_page_size = 0;    // over 4 KiB
    std::uint64_t page_offset = 0; // in 64ths of a page
    std::uint64_t length = 0;
    bool written = false; // by the HCA
};
syndrome place_ring(state &s, command &c, object &o, const ring_place &where, memory::buffer &ring);

// ---- doorbell records: eight bytes that the HCA reads
struct record_place {
    bool in_umem = false;
    std::uint32_t umem = 0;
    std::uint64_t address = 0; // guest-physical, or in the umem
};
syndrome place_record(state &s, command &c, object &o, const record_place &where,
                      memory::buffer &record);

// Pages listed in the inbox, `n` of them from byte `list` on, for a translation of its own.
syndrome list_pages(state &s, command &c, std::size_t list, std::uint64_t n, unsigned page_shift,
                    std::uint64_t first_byte, std::shared_ptr<const memory::page_list> &pages);
// The pages of a umem that the command's uid owns.
syndrome find_umem(state &s, command &c, object &o, std::uint32_t id,
                   std::shared_ptr<const memory::page_list> &pages);

} // namespace kdevx::hca::firmware
