// SPDX-License-Identifier: MIT
#include "memory/page_list.hpp"

#include <algorithm>

namespace kdevx::hca::memory {

page_list::page_list(std::vector<page> pages, unsigned page_shift, std::uint64_t first_byte)
    : pages_(std::move(pages)), shift_(page_shift), first_(first_byte),
      writable_(std::ranges::all_of(pages_, &page::writable)) {}

std::optional<piece> page_list::find(std::uint64_t offset, std::uint64_t n) const {
    if (offset >= length()) return std::nullopt;
    const std::uint64_t at = first_ + offset, size = std::uint64_t(1) << shift_;
    const page &p = pages_[at >> shift_];
    const std::uint64_t in_page = at & (size - 1);
    return piece{p.address() + in_page, std::min(n, size - in_page), p.writable()};
}

} // namespace kdevx::hca::memory
