// SPDX-License-Identifier: MIT
#include "firmware/queue_memory.hpp"

#include "kdevx/prm/umem.hpp"

namespace kdevx::hca::firmware {
namespace {

using memory::page;
using memory::page_list;

// Whether the list of n 64-bit entries from `list` on is all there.
bool holds_list(const command &c, std::size_t list, std::uint64_t n) {
    return list <= c.in.size() && n <= (c.in.size() - list) / 8;
}

std::vector<page> read_list(const command &c, std::size_t list, std::size_t n,
                            std::uint64_t rights) {
    std::vector<page> pages;
    pages.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
        pages.emplace_back(prm::load_be<std::uint64_t>(c.in.data() + list + i * 8) | rights);
    return pages;
}

syndrome check_room(state &s, command &c, std::uint64_t n) {
    if (n > max_pages_held - s.objects.pages_held())
        return c.refuse(syndrome::out_of_memory, "{} more pages", n);
    return syndrome::none;
}

} // namespace

syndrome check_umem(state &s, command &c, object &o) {
    const auto in = c.inbox<prm::create_umem_in>();
    const std::uint64_t n = in.get<"umem.num_of_mtt">(), first = in.get<"umem.page_offset">();
    const unsigned shift = least_page_shift + unsigned(in.get<"umem.log_page_size">());
    constexpr std::size_t list = prm::create_umem_in.size;
    if (shift > most_page_shift) return c.refuse(syndrome::page_size, "2^{}", shift);
    if (n == 0 || first >> shift)
        return c.refuse(syndrome::bad_parameter, "num_of_mtt {} page_offset {}", n, first);
    if (!holds_list(c, list, n)) return c.refuse(syndrome::list_too_short, "{} mtt", n);
    if (syndrome why = check_room(s, c, n); why != syndrome::none) return why;
    o.pages = std::make_shared<page_list>(read_list(c, list, n, 0), shift, first);
    return syndrome::none;
}

syndrome list_pages(state &s, command &c, std::size_t list, std::uint64_t n, unsigned page_shift,
                    std::uint64_t first_byte, std::shared_ptr<const page_list> &pages) {
    if (!holds_list(c, list, n)) return c.refuse(syndrome::list_too_short, "{} pas", n);
    if (syndrome why = check_room(s, c, n); why != syndrome::none) return why;
    // The driver lists its own pages: the HCA may read and write them.
    constexpr auto both = page::read_enable | page::write_enable;
    pages = std::make_shared<page_list>(read_list(c, list, n, both), page_shift, first_byte);
    return syndrome::none;
}

// A umem is memory of one process: nobody else may so much as name it.
syndrome find_umem(state &s, command &c, object &o, std::uint32_t id,
                   std::shared_ptr<const page_list> &pages) {
    object *umem = s.objects.find(kind::umem, id);
    if (!umem || umem->uid != c.uid) return c.refuse(syndrome::no_such_umem, "umem {:#x}", id);
    o.uses.push_back(umem);
    pages = umem->pages;
    return syndrome::none;
}

namespace {

syndrome place_in_umem(state &s, command &c, object &o, std::uint32_t id, memory::buffer &b,
                       bool written) {
    if (syndrome why = find_umem(s, c, o, id, b.pages); why != syndrome::none) return why;
    const std::uint64_t size = b.pages->length();
    if (b.offset > size || b.length > size - b.offset)
        return c.refuse(syndrome::umem_bounds, "umem {:#x}: {} bytes at {} of {}", id, b.length,
                        b.offset, size);
    if (written && !b.pages->writable())
        return c.refuse(syndrome::umem_read_only, "umem {:#x}", id);
    return syndrome::none;
}

} // namespace

syndrome place_ring(state &s, command &c, object &o, const ring_place &where,
                    memory::buffer &ring) {
    const unsigned shift = least_page_shift + where.log_page_size;
    if (shift > most_page_shift) return c.refuse(syndrome::page_size, "2^{}", shift);
    const std::uint64_t quantum = 1ull << (shift - 6); // a 64th of a page
    ring = {nullptr, 0, where.length};
    if (where.in_umem) {
        if (where.umem_offset % quantum)
            return c.refuse(syndrome::page_not_aligned, "umem offset {:#x}", where.umem_offset);
        ring.offset = where.umem_offset;
        return place_in_umem(s, c, o, where.umem, ring, where.written);
    }
    const std::uint64_t first = where.page_offset * quantum;
    const std::uint64_t n = ((first + where.length - 1) >> shift) + 1;
    syndrome why = list_pages(s, c, where.list, n, shift, first, o.pages);
    ring.pages = o.pages;
    return why;
}

syndrome place_record(state &s, command &c, object &o, const record_place &where,
                      memory::buffer &record) {
    if (where.address % record_size)
        return c.refuse(syndrome::page_not_aligned, "doorbell record {:#x}", where.address);
    record = {nullptr, 0, record_size};
    if (where.in_umem) {
        record.offset = where.address;
        return place_in_umem(s, c, o, where.umem, record, false);
    }
    record.pages =
        std::make_shared<page_list>(std::vector{page(where.address & page::address_mask)},
                                    least_page_shift, where.address & ~page::address_mask);
    return syndrome::none;
}

} // namespace kdevx::hca::firmware
